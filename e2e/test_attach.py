"""Where Python is already: the pages of docs/attach.md, and two copies of the library on one page.

What is attached speaks to the model context in one way, whoever has brought the Python: the page with
cells is tested on both contexts, the others on one.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from e2e.agents import Agent, Mode, begin, end, text_of, until_in_flight, wait_for
from e2e.conftest import Watched, visited
from e2e.others import copy_pyodide, copy_pyscript
from e2e.sites import put_together, serving

DOC = Path(__file__).parents[1] / "docs" / "attach.md"
FILE = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)

ATTACH = "import js, pyodide_js\nawait js.webtools.attach(pyodide_js)"

SETTINGS = """
import asyncio, logging, random, sys
loop = asyncio.get_running_loop()
str([sys.meta_path, sys.path_hooks, sys.excepthook, sys.displayhook, sys.stdout, sys.stderr, sys.flags,
    sys.getrecursionlimit(), loop, loop.get_exception_handler(), logging.getLogger().handlers,
    hash(random.getstate())])"""

APP_IN_PYSCRIPT = '<script type="module" src="/webtools/webtools.js" data-app="/notes.py" data-boot="attach">'

SLOW = '''
import asyncio
from webtools import tool

@tool
async def slow() -> str:
    """Wait."""
    await asyncio.wait_for(go.wait(), 30)
    return "{answer}"

go = globals().get("go") or asyncio.Event()
'''

COPIES = """<!doctype html><title>Test</title><link rel="icon" href="data:,">
<script type="module">
  import * as page from "/webtools/webtools.js";
  import * as library from "/library/webtools.js";
  import {holdWhile} from "/library/elements.js";
  const tool = (name, answer) => [{name, description: "Answer."}, () => answer];
  page.define(...tool("ours", "ours"));
  library.define(...tool("theirs", "theirs"));
  page.define(...tool("both", "ours"));
  globalThis.newer = library.define(...tool("both", "theirs"));
  holdWhile(document.body, [tool("element", "element")]);
  globalThis.isOne = page.webtools === library.webtools && page.webtools === window.webtools;
</script><body></body>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the page's files in docs/attach.md, beside Pyodide, PyScript and a second copy."""
    folder = tmp_path_factory.mktemp("site")
    copy_pyodide(folder / "pyodide")
    copy_pyscript(folder / "pyscript")
    shutil.copytree(put_together(), folder / "library")
    files = dict(FILE.findall(DOC.read_text("utf-8")))
    tag = '<script type="module" src="/webtools/webtools.js">'
    files["app_in_pyscript.html"] = files["pyscript.html"].replace(tag, APP_IN_PYSCRIPT)
    files["copies.html"] = COPIES
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    with serving(folder) as url:
        yield url


Open = Callable[[str], AbstractContextManager[Watched]]


@pytest.fixture
def open_page(browsers: Callable[[Mode], Browser], mode: Mode, site: str) -> Open:
    """Open a page of the site whose Python is attached."""
    return lambda name: visited(browsers(mode), f"{site}{name}")


def test_a_pyodide_of_the_pages_own_has_its_tools_and_its_apps(open_page: Open, mode: Mode) -> None:
    with open_page("own.html") as watched:
        agent = Agent(watched.page, mode)
        wait_for(agent, "add_note", listed=True)
        assert text_of(agent.call("add_note", {"text": "milk"})) == '{"result":["milk"]}'
        assert watched.page.evaluate("pyodide.globals.get('notes').toJs()") == ["milk"]
        watched.page.evaluate("webtools.start({app: '/notes.py'}).then(() => webtools.attach(pyodide))")
        assert agent.names() == ["add_note"]
        assert watched.problems == []


def test_a_script_of_pyscripts_has_tools_beside_an_app_in_its_python(open_page: Open, mode: Mode) -> None:
    with open_page("app_in_pyscript.html") as watched:
        agent = Agent(watched.page, mode)
        wait_for(agent, "measure", listed=True)
        assert agent.names() == ["add_note", "measure"]
        assert text_of(agent.call("measure", {"text": "one two"})) == '{"result":2}'
        assert text_of(agent.call("add_note", {"text": "milk"})) == '{"result":["milk"]}'
        assert watched.page.evaluate("webtools.status") == "ready"
        assert watched.problems == []


def run(page: Page, cell: str) -> str:
    """Run a cell; gives what comes out."""
    page.fill("textarea", cell)
    page.click("button")
    page.wait_for_function("document.querySelector('output').value.startsWith('Out:')")
    return str(page.evaluate("document.querySelector('output').value"))


@pytest.fixture(scope="module")
def settings() -> list[str]:
    """Those of a notebook's Python before it was attached."""
    return []


@pytest.fixture(scope="module")
def notebook(
    browsers: Callable[[Mode], Browser], mode: Mode, site: str, settings: list[str]
) -> Iterator[Watched]:
    """A page with cells, whose Python is attached."""

    def attach(page: Page) -> None:
        settings[:] = [run(page, SETTINGS)]
        run(page, ATTACH)

    with visited(browsers(mode), f"{site}cells.html", attach) as watched:
        yield watched


def test_attaching_leaves_the_settings_of_the_page_alone(notebook: Watched, settings: list[str]) -> None:
    assert run(notebook.page, ATTACH) == "Out: "
    assert settings == [run(notebook.page, SETTINGS)]
    assert notebook.problems == []


def test_cells_that_run_again_replace_their_tools_and_lose_no_call(notebook: Watched, mode: Mode) -> None:
    page = notebook.page
    run(page, SLOW.format(answer="old"))
    agent = Agent(page, mode)
    wait_for(agent, "slow", listed=True)
    begin(agent, "first", "slow", {})
    until_in_flight(page, "slow")
    run(page, SLOW.format(answer="new"))
    run(page, "go.set()")
    assert text_of(end(agent, "first")) == "old"
    assert text_of(agent.call("slow")) == "new"
    run(page, "del slow\n" + SLOW.replace("slow", "quick").format(answer="quick"))
    wait_for(agent, "quick", listed=True)
    wait_for(agent, "slow", listed=False)
    assert notebook.problems == []


def test_two_copies_of_the_library_share_one_list_of_tools(watched: Watched, site: str, mode: Mode) -> None:
    watched.page.goto(f"{site}copies.html")
    agent = Agent(watched.page, mode)
    watched.page.wait_for_function("globalThis.isOne")
    wait_for(agent, "element", listed=True)
    assert agent.names() == ["both", "element", "ours", "theirs"]
    assert text_of(agent.call("theirs")) == "theirs"
    assert text_of(agent.call("both")) == "theirs"
    watched.page.evaluate("newer.release()")
    assert text_of(agent.call("both")) == "ours"
    assert watched.problems == []
