"""Apps that are archives, `.zip` or `.whl`: unpacked in the page, and told of as clearly as one file is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from e2e.agents import Agent, Mode, begin, end, text_of, until_in_flight, wait_for
from e2e.conftest import Watched, one_mode, visited
from e2e.sites import STRICT_CSP
from tests.zips import zipped

START = "(options) => webtools.start(options).then(() => 'ready', (error) => error.message)"

HTML = """<!doctype html><html lang="en"><title>Archive</title><link rel="icon" href="data:,">
<script type="module" src="/webtools/webtools.js" data-app="/dist/shop-1.5-py3-none-any.whl"
  data-entry="shop.tools" {attributes}></script>
<h1>Archive</h1>"""

TOOLS = '''
import asyncio

from webtools import tool

from shop.prices import PRICES
from . import notes


@tool
def price(sku: str) -> int:
    """What a product costs."""
    return PRICES[sku]


@tool
def about() -> str:
    """What this is."""
    return notes.text


@tool
async def wait(text: str) -> str:
    """Wait for a moment, then look it up anew."""
    for _ in range(20):
        await asyncio.sleep(0.05)
    from shop import prices

    return f"{text} {prices.PRICES['boot']}"
'''

LATE_TOOLS = """
from late_shop import kept
from webtools import tool

@tool
def late() -> str:
    'Be late.'
    return kept.tomllib.__name__
"""

FILES = {
    "shop/__init__.py": "",
    "shop/tools.py": TOOLS,
    "shop/prices.py": "PRICES = {'boot': 80}\n",
    "shop/notes/__init__.py": (
        "from importlib import resources\n\ntext = resources.files(__name__).joinpath('a.txt').read_text()\n"
    ),
    "shop/notes/a.txt": "Boots.",
    "shop-1.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: shop\nVersion: 1.5\n",
}

BROKEN: dict[str, tuple[str, bytes, list[str]]] = {
    "no entry of that name": (
        "nowhere.tools",
        zipped({"src/nowhere/tools.py": ""}),
        ["/broken.zip has no module nowhere.tools, which data-entry names. It has: src.nowhere.tools."],
    ),
    "no archive": ("a", b"PK not really", ["/broken.zip cannot be unpacked (", "or no zip archive"]),
    "an archive that is cut off": (
        "a",
        zipped({"a.py": "", "b.py": ""})[:-9],
        ["/broken.zip cannot be unpacked ("],
    ),
    "the standard library's": (
        "colorsys",
        zipped({"colorsys.py": ""}),
        ["has a module colorsys, and so has Python's standard library. Rename it"],
    ),
    "the library's": (
        "webtools",
        zipped({"webtools/__init__.py": ""}),
        ["has a module webtools, and so has the page's Python. Rename it"],
    ),
    "the page's JavaScript": ("js", zipped({"js.py": ""}), ["has a module js, and so has the page's Python"]),
    "an app's of one file": (
        "hello",
        zipped({"hello.py": ""}),
        ["has a module hello, and so has /hello.py. Rename it"],
    ),
    "a fault in the entry": (
        "a.b",
        zipped({"a/__init__.py": "", "a/b.py": "import a.c\n", "a/c.py": "x = 1\n1 / 0\n"}),
        ["/broken.zip/a/c.py, line 2: ZeroDivisionError"],
    ),
    "a fault in the syntax": (
        "a.b",
        zipped({"a/__init__.py": "", "a/b.py": "import a.c\n", "a/c.py": "x = 1\ndef f(:\n"}),
        ["/broken.zip/a/c.py, line 2: SyntaxError: invalid syntax"],
    ),
    "a module that is nowhere": (
        "a",
        zipped({"a.py": "import numpy\n"}),
        ["/broken.zip/a.py, line 1: ModuleNotFoundError", "have to be in its archive"],
    ),
}


def serve(watched: Watched, url: str, archive: bytes | Mapping[str, str]) -> None:
    """Serve an archive, from now on."""
    body = archive if isinstance(archive, bytes) else zipped(archive)
    watched.page.unroute(url)
    watched.page.route(url, lambda route: route.fulfill(body=body, content_type="application/zip"))


def open_shop(watched: Watched, pages: str, attributes: str = "") -> None:
    """Go to the page whose app is the wheel, under a strict policy."""

    def give(route: Route) -> None:
        headers = {"content-type": "text/html", "content-security-policy": STRICT_CSP}
        route.fulfill(body=HTML.format(attributes=attributes), headers=headers)

    watched.page.route(f"{pages}shop", give)
    serve(watched, f"{pages}dist/shop-1.5-py3-none-any.whl", FILES)
    watched.page.goto(f"{pages}shop")


@pytest.fixture(scope="module")
def shop(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    """The page whose app is the wheel, which is up; the second of the two tests has the wheel change."""
    context = browsers(mode).new_context()
    watched = Watched(context.new_page())
    open_shop(watched, pages)
    assert watched.ready() == "ready"
    yield watched
    context.close()
    assert (watched.foreign, watched.uncaught, watched.late) == ([], [], [])


def test_a_wheels_modules_and_the_files_beside_them_are_there(shop: Watched, mode: Mode) -> None:
    agent = Agent(shop.page, mode)
    assert agent.names() == ["about", "price", "wait"]
    assert text_of(agent.call("price", {"sku": "boot"})) == '{"result":80}'
    assert text_of(agent.call("about")) == "Boots."
    assert shop.problems == []


def test_an_archive_that_is_started_again_changes_what_has_changed_and_loses_no_call(
    shop: Watched, pages: str, mode: Mode
) -> None:
    agent, page = Agent(shop.page, mode), shop.page
    before = {tool["name"]: tool for tool in agent.tools()}
    page.evaluate("""() => {
      window.states = [];
      webtools.addEventListener("toolstate", ({detail}) => states.push(`${detail.tool} ${detail.state}`));
    }""")
    begin(agent, "waiting", "wait", {"text": "old"})
    until_in_flight(page, "wait")
    url, options = (
        f"{pages}dist/shop-1.5-py3-none-any.whl",
        {
            "app": "/dist/shop-1.5-py3-none-any.whl",
            "entry": "shop.tools",
        },
    )
    changed = {
        **FILES,
        "shop/tools.py": TOOLS.replace("What this is.", "What it is."),
        "shop/prices.py": "PRICES = {'boot': 90}\n",
    }
    serve(shop, url, changed)
    assert page.evaluate(START, options) == "ready"
    assert text_of(agent.call("price", {"sku": "boot"})) == '{"result":90}'
    assert text_of(end(agent, "waiting")) == "old 90"
    page.evaluate("webtools.settled()")
    after = {tool["name"]: tool for tool in agent.tools()}
    assert after == {**before, "about": {**before["about"], "description": "What it is."}}
    assert {each.partition(" ")[0] for each in page.evaluate("states")} == {"about"}

    serve(shop, url, {**FILES, "shop/prices.py": "PRICES = {\n"})
    assert "/shop-1.5-py3-none-any.whl/shop/prices.py, line 1: SyntaxError" in page.evaluate(START, options)
    assert text_of(agent.call("price", {"sku": "boot"})) == '{"result":90}'

    other = {**options, "entry": "shop.notes"}
    assert "is on this page already, with the entry shop.tools" in page.evaluate(START, other)
    serve(shop, f"{pages}other.zip", {"shop/__init__.py": "", "shop/tools.py": "1 / 0"})
    said = page.evaluate(START, {"app": "/other.zip", "entry": "shop.tools"})
    assert "/other.zip has a module shop, and so has /dist/shop-1.5-py3-none-any.whl. Rename it" in said
    assert text_of(agent.call("price", {"sku": "boot"})) == '{"result":90}'


@pytest.fixture(scope="module")
def running(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    """A page whose app is up, and beside it broken archives, which never come to a model context."""
    with visited(browsers(mode), f"{pages}hello.html") as watched:
        yield watched


@pytest.fixture
def started(running: Watched) -> Watched:
    """The same, with an empty console."""
    running.problems.clear()
    return running


@one_mode
@pytest.mark.parametrize("fault", BROKEN)
def test_an_archive_that_cannot_be_loaded(started: Watched, pages: str, fault: str) -> None:
    entry, archive, words = BROKEN[fault]
    serve(started, f"{pages}broken.zip", archive)
    assert_told(started, {"app": "/broken.zip", "entry": entry}, words)


@one_mode
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"app": "/dist/nowhere.zip", "entry": "a"}, ["nowhere.zip could not be loaded (HTTP 404)"]),
        ({"app": "/page.zip", "entry": "a"}, ["page.zip is an HTML page, not an archive"]),
        ({"app": "/shop.zip"}, ['data-app="/shop.zip" is an archive', 'data-entry="pkg.module"']),
        ({"app": "/second.py", "entry": "second"}, ['data-entry="second" is for an archive']),
    ],
)
def test_an_archive_that_is_not_there(started: Watched, options: dict[str, str], words: list[str]) -> None:
    started.page.route(
        "**/page.zip", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html")
    )
    assert_told(started, options, words)


def assert_told(watched: Watched, options: dict[str, str], words: list[str]) -> None:
    """The failure is told once, with these words, and the page's other app works on."""
    said = watched.page.evaluate(START, options)
    for word in words:
        assert word in said
    assert watched.page.evaluate("webtools.status") == "failed"
    (told,) = (problem for problem in watched.problems if problem.startswith("webtools: "))
    assert said in told
    assert text_of(watched.page.evaluate("webtools.call('greet')")) == "Hello, world!"


@one_mode
def test_what_an_archive_imports_of_the_late_standard_library_is_fetched_before(
    started: Watched, pages: str
) -> None:
    files = {
        "late_shop/__init__.py": "",
        "late_shop/tools.py": LATE_TOOLS,
        "late_shop/kept.py": "import tomllib\n",
    }
    serve(started, f"{pages}late.zip", files)
    requests: list[str] = []
    started.page.on("request", lambda request: requests.append(request.resource_type))
    assert started.page.evaluate(START, {"app": "/late.zip", "entry": "late_shop.tools"}) == "ready"
    assert "xhr" not in requests, "the page stood still"
    assert len(started.late) == 1
    started.late.clear()


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the command writes for the wheel."""
    wheel = Path(tmp_path_factory.mktemp("dist")) / "shop-1.5-py3-none-any.whl"
    wheel.write_bytes(zipped(FILES))
    command = [sys.executable, "-m", "webtools", "manifest", str(wheel), "--entry", "shop.tools"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@contextmanager
def python_at_the_door(watched: Watched) -> Iterator[None]:
    """Python waits until the block is over."""
    waiting: list[Route] = []
    watched.page.route("**/pyodide.asm.mjs", lambda route: waiting.append(route))
    yield
    assert waiting
    watched.page.unroute("**/pyodide.asm.mjs")
    for route in waiting:
        route.continue_()


def test_an_archives_tools_are_there_before_python_by_its_manifest_or_from_the_last_visit(
    watched: Watched, pages: str, mode: Mode, manifest: str
) -> None:
    agent, page = Agent(watched.page, mode), watched.page
    page.route("**/tools.json", lambda route: route.fulfill(body=manifest, content_type="application/json"))
    listed: list[list[dict[str, Any]]] = []
    for attributes in ('data-manifest="/tools.json"', ""):
        with python_at_the_door(watched):
            open_shop(watched, pages, attributes)
            page.evaluate("import('/webtools/polyfill.js').then(({apply}) => apply())")
            wait_for(agent, "price", listed=True)
            listed.append(agent.tools())
            begin(agent, "early", "price", {"sku": "boot"})
        assert watched.ready() == "ready"
        assert text_of(end(agent, "early")) == '{"result":80}'
        assert agent.tools() == listed[-1]
    assert listed[0] == listed[1]
    assert watched.problems == []
