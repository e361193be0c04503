"""Whatever fails on the way, the page stays usable, says once what to do, and every call is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Route

from e2e.agents import Mode, error_of, text_of
from e2e.broken import APPS
from e2e.conftest import PAGES, Watched, one_mode, visited
from e2e.sites import NO_WASM_CSP, STRICT_CSP, serving, violations, with_csp

BARE = """<!doctype html><html lang="en"><title>Bare</title><link rel="icon" href="data:,">
<script type="module" src="/webtools/webtools.js" data-app="{app}"></script>
<h1>Bare</h1><input id="field">"""

START = "(app) => webtools.start({app}).then(() => 'ready', (error) => error.message)"


@pytest.fixture
def open_broken(watched: Watched, pages: str) -> Callable[[dict[str, Callable[[Route], None]]], Watched]:
    """Open a bare page after breaking what is named, a URL pattern each."""

    def open_page(breaks: dict[str, Callable[[Route], None]]) -> Watched:
        html = BARE.format(app="/hello.py")
        watched.page.route(pages, lambda route: route.fulfill(body=html, content_type="text/html"))
        for pattern, treat in breaks.items():
            watched.page.route(pattern, treat)
        watched.page.goto(pages)
        return watched

    return open_page


@pytest.fixture(scope="module")
def running(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    """A page whose app is up, and beside it the broken ones."""
    with visited(browsers(mode), f"{pages}hello.html") as watched:
        for path, source in APPS.items():
            serve_text(watched, f"{pages.rstrip('/')}{path}", source)
        serve_text(watched, f"{pages}hello", BARE, "text/html")
        yield watched


@pytest.fixture
def started(running: Watched) -> Watched:
    """The same, with an empty console."""
    running.problems.clear()
    return running


def serve_text(watched: Watched, url: str, source: str, content_type: str = "text/x-python") -> None:
    """Serve an app that is not in a file."""
    watched.page.route(url, lambda route: route.fulfill(body=source, content_type=content_type))


def abort(route: Route) -> None:
    """The network is dead."""
    route.abort("connectionfailed")


def not_found(route: Route) -> None:
    """The file is missing on the server."""
    route.fulfill(status=404, body="Not Found")


def assert_failed(watched: Watched, *words: str) -> None:
    """The failure is told once, with these words, by every way there is, and the page works on."""
    said = watched.ready()
    for word in words:
        assert word in said
    assert watched.page.evaluate("webtools.status") == "failed"
    ours = [problem for problem in watched.problems if problem.startswith("webtools: ")]
    assert len(ours) == 1
    assert said in ours[0]
    error = error_of(watched.page.evaluate("webtools.call('greet', {})"))
    assert error["code"] in ("HOST_FAILED", "TOOL_NOT_FOUND")
    assert error["effect"] == "none"
    watched.page.fill("#field", "still usable")
    assert watched.page.input_value("#field") == "still usable"


@one_mode
@pytest.mark.parametrize(
    ("app", "words"),
    [
        ("/broken.py", ["/broken.py, line 4", "SyntaxError"]),
        ("/raises.py", ["/raises.py, line 3", "ZeroDivisionError"]),
        ("/badtool.py", ["/badtool.py, line 4", "parameter words has no annotation"]),
        ("/imports.py", ["/imports.py, line 1", "No module named 'numpy'"]),
        ("/twice.py", ["Two tools are called 'same'"]),
        ("/exits.py", ["/exits.py, line 3", "SystemExit"]),
        ("/nowhere.py", ["nowhere.py", "HTTP 404", "data-app"]),
        ("/hello", ["is an HTML page, not Python"]),
    ],
)
def test_an_app_that_cannot_be_loaded(started: Watched, app: str, words: list[str]) -> None:
    page = started.page
    said = page.evaluate(START, app)
    for word in words:
        assert word in said
    assert page.evaluate("webtools.status") == "failed"
    (told,) = (problem for problem in started.problems if problem.startswith("webtools: "))
    assert said in told
    assert text_of(page.evaluate("webtools.call('greet')")) == "Hello, world!"


@one_mode
@pytest.mark.parametrize("treat", [abort, not_found])
@pytest.mark.parametrize(
    "missing",
    [
        "runtime.json",
        "pyodide-*/pyodide.mjs",
        "pyodide-*/pyodide.asm.mjs",
        "pyodide-*/pyodide.asm.wasm",
        "python_stdlib-*.zip",
        "packages-*.zip",
    ],
)
def test_a_piece_of_the_runtime_that_is_missing(
    open_broken: Callable[..., Watched], missing: str, treat: Callable[[Route], None]
) -> None:
    watched = open_broken({f"**/runtime/{missing}": treat})
    assert_failed(watched, missing.rpartition("/")[2].split("*")[0])


@one_mode
def test_packages_that_are_not_those_of_the_index(open_broken: Callable[..., Watched]) -> None:
    def damage(route: Route) -> None:
        route.fulfill(body=b"PK not really", content_type="application/zip")

    assert_failed(open_broken({"**/packages-*.zip": damage}), "packages-", "is not the file that")


@one_mode
def test_a_network_that_fails_twice_and_then_works(open_broken: Callable[..., Watched]) -> None:
    failures = {"runtime.json": 2, "hello.py": 2, "packages-": 1}

    def fail_first(route: Route) -> None:
        for name in failures:
            if name in route.request.url and failures[name]:
                failures[name] -= 1
                return route.abort("connectionreset")
        return route.continue_()

    patterns = ("**/runtime.json", "**/hello.py", "**/packages-*.zip")
    watched = open_broken(dict.fromkeys(patterns, fail_first))
    assert watched.ready() == "ready"
    assert failures == {"runtime.json": 0, "hello.py": 0, "packages-": 0}
    assert text_of(watched.page.evaluate("webtools.call('greet')")) == "Hello, world!"


def test_what_is_loaded_when_it_is_wanted_is_asked_for_again(
    watched: Watched, pages: str, mode: Mode
) -> None:
    late = ["cursor", "form-following", "inspector", *(["polyfill"] if mode == "polyfill" else [])]
    failed: list[str] = []

    def fail_first(route: Route) -> None:
        name = urlsplit(route.request.url).path.rpartition("/")[2].removesuffix(".js")
        if name not in late or name in failed:
            return route.continue_()
        failed.append(name)
        return route.abort("connectionreset")

    html = BARE.replace(' data-app="{app}"', "") + '<form id="form"><input name="who"></form>'
    watched.page.route(pages, lambda route: route.fulfill(body=html, content_type="text/html"))
    watched.page.route("**/webtools/*.js", fail_first)
    watched.page.goto(pages)
    watched.page.evaluate("""async () => {
      const about = {name: "fill", description: "Fill it in."};
      window.holds = [
        webtools.formTool("#form", about),
        webtools.define({...about, name: "point"}, () => "seen", {target: "#form"}),
      ];
      await webtools.inspect();
    }""")
    watched.page.wait_for_function("() => holds.every(({status}) => status === 'registered')")
    watched.page.evaluate("webtools.call('point')")
    watched.page.locator("webtools-cursor").wait_for(state="attached")
    assert watched.page.get_by_role("region", name="webtools inspector").is_visible()
    assert sorted(failed) == sorted(late)


@one_mode
def test_an_app_that_fails_leaves_the_next_one_alone(watched: Watched, pages: str, mode: Mode) -> None:
    serve_text(watched, f"{pages}broken.py", APPS["/broken.py"])
    tag = '<script type="module" src="/webtools/webtools.js" data-app="/hello.py"></script>'
    html = BARE.format(app="/broken.py") + tag
    watched.page.route(pages, lambda route: route.fulfill(body=html, content_type="text/html"))
    watched.page.goto(pages)
    assert "SyntaxError" in watched.ready()
    watched.page.evaluate("webtools.call('greet')")
    assert text_of(watched.page.evaluate("webtools.call('greet')")) == "Hello, world!"
    assert watched.page.evaluate("webtools.status") == "failed"


@one_mode
def test_a_start_after_a_dead_network_tries_again(open_broken: Callable[..., Watched]) -> None:
    watched = open_broken({"**/pyodide.asm.wasm": abort})
    assert "could not be" in watched.ready()
    watched.page.unroute("**/pyodide.asm.wasm")
    watched.page.evaluate("webtools.start({app: '/hello.py'})")
    assert watched.page.evaluate("webtools.status") == "ready"
    assert text_of(watched.page.evaluate("webtools.call('greet')")) == "Hello, world!"


@one_mode
@pytest.mark.parametrize("after_a_wait", [False, True])
@pytest.mark.parametrize("how", ["exit", "overflow"])
def test_python_that_dies_answers_every_call_and_is_told_once(
    watched: Watched, pages: str, how: str, after_a_wait: bool
) -> None:
    watched.is_python_to_die = True
    watched.page.goto(f"{pages}values.html")
    assert watched.ready() == "ready"
    script = """async (input) => {
      const waiting = webtools.call("wait", {name: "x"});
      const dying = webtools.call("die", input);
      return [await waiting, await dying, await webtools.call("text", {value: "x"}), webtools.status];
    }"""
    *answers, status = watched.page.evaluate(script, {"how": how, "after_a_wait": after_a_wait})
    assert [error_of(answer)["code"] for answer in answers] == ["HOST_FAILED"] * 3
    assert [error_of(answer)["effect"] for answer in answers] == ["unknown", "unknown", "none"]
    assert "Traceback" not in str(answers)
    assert status == "failed"
    assert sum(problem.startswith("webtools: ") for problem in watched.problems) == 1


@contextmanager
def page_under(policy: str, browser: Browser, directory: Path) -> Iterator[Watched]:
    """A bare page served under this policy."""
    context = browser.new_context()
    with serving(directory, with_csp(policy)) as url:
        watched = Watched(context.new_page())
        watched.page.goto(f"{url}strict.html")
        yield watched
        context.close()
    assert watched.foreign == []
    assert watched.uncaught == []


def test_a_strict_policy_is_enough(browsers: Callable[[Mode], Browser], mode: Mode) -> None:
    with page_under(STRICT_CSP, browsers(mode), PAGES) as watched:
        assert watched.ready() == "ready"
        assert text_of(watched.page.evaluate("webtools.call('greet')")) == "Hello, world!"
        assert watched.problems == []


def violation() -> str:
    """Wait for what the browser reports of a violated policy, which is how each test would hear of one."""
    end = monotonic() + 10
    while not violations and monotonic() < end:
        sleep(0.01)
    return violations.pop()


def test_a_policy_that_blocks_webassembly(browsers: Callable[[Mode], Browser], mode: Mode) -> None:
    with page_under(NO_WASM_CSP, browsers(mode), PAGES) as watched:
        assert_failed(watched, "'wasm-unsafe-eval'", "script-src")
    assert "script-src" in violation()
