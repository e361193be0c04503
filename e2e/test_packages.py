"""Packages that a page names, from the index that `webtools serve` makes of the author's wheels.

They are there before there is a tool: no model context has a part in that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from e2e.agents import Agent, Mode, text_of
from e2e.conftest import Watched, one_mode, visited
from e2e.sites import STRICT_CSP, serving, with_csp
from e2e.wheels import wheel_of

START = "(options) => webtools.start(options).then(() => 'ready', (error) => error.message)"

HTML = """<!doctype html><html lang="en"><title>Packages</title><link rel="icon" href="data:,">
<script type="module" src="/webtools/webtools.js" data-app="/greet.py"
  data-packages="made-up-greetings  xxhash&gt;=4"></script>
<h1>Packages</h1>"""

GREET = '''
import xxhash
from made_up_greetings import greeting

from webtools import tool


@tool
def greet(name: str) -> str:
    """Greet, and say what the name's hash is."""
    return f"{greeting()}, {name}! {xxhash.xxh32_hexdigest(name.encode())}"
'''

PLAIN = '''
import importlib.util

from webtools import tool


@tool
def has(name: str) -> bool:
    """Whether a module is there."""
    return importlib.util.find_spec(name) is not None
'''

WHEELS = {
    **wheel_of("made_up_greetings", "1.0", "def greeting(): return 'old'"),
    **wheel_of(
        "made_up_greetings",
        "1.2",
        "from made_up_words import word\ndef greeting(): return word",
        "Requires-Dist: made-up-words>=2\n"
        'Requires-Dist: not-for-pages; sys_platform != "emscripten"\n'
        'Requires-Dist: not-wanted; extra == "more"\n',
    ),
    **wheel_of("made_up_words", "2.0", "word = 'Hello'"),
    **wheel_of("made_up_lost", "1.0", "", "Requires-Dist: made-up-nowhere\n"),
    **wheel_of("made_up_old", "1.0", "", "Requires-Dist: pydantic<2\n"),
    **wheel_of("made_up_single", "1.0", "here = True"),
    **wheel_of("made_up_thief", "1.0", "", pydantic="here = True"),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, native_wheel: Path) -> Iterator[str]:
    """The URL of a site with wheels, under a strict policy."""
    folder = tmp_path_factory.mktemp("site")
    wheels = folder / "wheels"
    wheels.mkdir()
    (wheels / native_wheel.name).write_bytes(native_wheel.read_bytes())
    for name, content in WHEELS.items():
        (wheels / name).write_bytes(content)
    (folder / "index.html").write_text(HTML)
    (folder / "plain.html").write_text(
        HTML.replace("greet.py", "plain.py").replace("data-packages", "data-x")
    )
    (folder / "greet.py").write_text(GREET)
    (folder / "plain.py").write_text(PLAIN)
    with serving(folder, with_csp(STRICT_CSP)) as url:
        yield url


@one_mode
def test_packages_are_there_before_the_app_from_the_pages_own_origin(
    watched: Watched, site: str, mode: Mode
) -> None:
    watched.page.goto(site)
    assert watched.ready() == "ready"
    agent = Agent(watched.page, mode)
    assert text_of(agent.call("greet", {"name": "Ada"})) == "Hello, Ada! 44c4b27a"
    assert watched.problems == []
    watched.late.clear()


@one_mode
def test_a_page_without_packages_fetches_no_installer(watched: Watched, site: str) -> None:
    asked: list[str] = []
    watched.page.on("request", lambda request: asked.append(request.url))
    watched.page.goto(f"{site}plain.html")
    assert watched.ready() == "ready"
    assert not [url for url in asked if "/packages/" in url]
    assert watched.problems == []


@pytest.fixture(scope="module")
def running(browsers: Callable[[Mode], Browser], mode: Mode, site: str) -> Iterator[Watched]:
    """A page whose app is up, and which starts others."""
    with visited(browsers(mode), f"{site}plain.html") as watched:
        yield watched
        watched.late.clear()


@one_mode
@pytest.mark.parametrize(
    ("packages", "words"),
    [
        ("made-up-nowhere", ["no fitting wheel for made-up-nowhere in the page's own", "folder wheels"]),
        ("made-up-lost", ["no fitting wheel for made-up-nowhere in the page's own index"]),
        ("made-up-greetings>=2", ["no fitting wheel for made-up-greetings>=2 in"]),
        ("pydantic<2", ["pydantic<2 is asked for, but the page has pydantic==2.", "already"]),
        ("made-up-old", ["pydantic<2 is asked for, but the page has pydantic==2."]),
        (
            "made-up-thief",
            ["made_up_thief-1.0-py3-none-any.whl has a module pydantic, and so has pydantic, which every"],
        ),
        ("made-up==", ["data-packages: ", "Write a name, name==1.2 or a URL"]),
    ],
)
def test_a_package_that_cannot_be_installed(running: Watched, packages: str, words: list[str]) -> None:
    running.problems.clear()
    said = running.page.evaluate(START, {"app": "/greet.py", "packages": packages})
    for word in words:
        assert word in said
    assert running.page.evaluate("webtools.status") == "failed"
    (told,) = (problem for problem in running.problems if problem.startswith("webtools: "))
    assert said in told
    answer = running.page.evaluate("webtools.call('has', {name: 'made_up_nowhere'})")
    assert text_of(answer) == '{"result":false}'


@one_mode
def test_a_wheel_can_be_named_by_its_path(running: Watched) -> None:
    running.problems.clear()
    options = {"app": "/plain.py", "packages": "wheels/made_up_single-1.0-py3-none-any.whl"}
    assert running.page.evaluate(START, options) == "ready"
    answer = running.page.evaluate("webtools.call('has', {name: 'made_up_single'})")
    assert text_of(answer) == '{"result":true}'
    assert running.problems == []


@one_mode
def test_an_installer_that_is_missing_is_told_and_fetched_with_the_next_start(
    watched: Watched, site: str
) -> None:
    watched.page.route("**/micropip.whl", lambda route: route.fulfill(status=404, body=""))
    watched.page.goto(site)
    assert "micropip.whl could not be loaded (HTTP 404)" in watched.ready()
    watched.page.unroute("**/micropip.whl")
    options = {"app": "/greet.py", "packages": "made-up-greetings xxhash"}
    assert watched.page.evaluate(START, options) == "ready"
    watched.late.clear()
