"""One Chromium with native WebMCP and one without, and pages that are watched for what must not happen."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, sync_playwright

from e2e.agents import Agent, Host, Mode
from e2e.chromium import ensure, ensure_light
from e2e.outcomes import Outcomes
from e2e.sites import serving, violations
from e2e.strangers import Strangers, strangers_refused
from e2e.wheels import fetch_native_wheel
from webtools.cli.programs.chromium import VARIABLE
from webtools.cli.sources.installation import SOURCE
from webtools.cli.sources.shipped import Shipped
from webtools.testing.browsers import arguments_of
from webtools.testing.tool_page import BOOT

PAGES = Path(__file__).parent / "pages"
BOOT_MS = round(BOOT * 1000)
"""How long Python may take to come up on a slow machine before a test gives up."""


class Launch(Protocol):
    """Launches a browser; the caller closes it."""

    def __call__(
        self, mode: Mode, *, whole: bool = False, more: Sequence[str] = (), without: Sequence[str] = ()
    ) -> Browser:
        """`more` is added to the browser's arguments; `without` has what Playwright would add."""


FEW_CYCLES = "--js-flags=--liftoff-only,--no-opt,--no-maglev,--min-semi-space-size=16"
"""Takes the place of the flags that `arguments_of` has. A page that lives for seconds runs no JavaScript so
often that a compiler which optimises pays, and a larger nursery is collected less often."""

MODES: tuple[Mode, ...] = ("native", "polyfill")


class Watched:
    """A page, and what it said and asked for.

    Attributes:
        problems: Console errors and warnings, in their order.
        foreign: Requests to any other host, which no page of ours may make.
        uncaught: Errors and rejections that nobody handled.
        late: Requests for the part of the standard library that only few apps need.
        is_python_to_die: Pyodide has its own word on its end, uncaught, and that is all right.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        self.foreign: list[str] = []
        self.uncaught: list[str] = []
        self.late: list[str] = []
        self.is_python_to_die = False
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.uncaught.append(str(error)))
        page.on("request", lambda request: self._note_request(request.url))

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def _note_request(self, url: str) -> None:
        if urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).hostname != "127.0.0.1":
            self.foreign.append(url)
        if "/python_stdlib_whole-" in url:
            self.late.append(url)

    def ready(self) -> str:
        """Wait until the page's first apps are up; gives "ready", or the message of what failed."""
        script = "webtools.ready.then(() => 'ready', (error) => error.message)"
        return str(self.page.evaluate(f"Promise.race([{script}, {TIME_LIMIT}])"))


TIME_LIMIT = f"new Promise((_, reject) => setTimeout(() => reject(new Error('not up in time')), {BOOT_MS}))"


def pytest_configure(config: pytest.Config) -> None:
    """See to it that the webtools that is meant is tested, and have what comes of the tests written down."""
    config.pluginmanager.register(Outcomes(is_worker=hasattr(config, "workerinput")))
    wanted = os.environ.get("WEBTOOLS_TESTED", "checkout")
    found = "wheel" if isinstance(SOURCE, Shipped) else "checkout"
    if found != wanted:
        raise pytest.UsageError(f"The {wanted} is to be tested, but what is imported is a {found}: {SOURCE}")


LONG = ("test_storm.py", "test_plugin.py", "test_new.py", "test_visual.py")
"""Begun first, so that no process waits at the end for one of them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the longest files to the front; a file's own order stays."""
    items.sort(key=lambda item: item.path.name not in LONG)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def strangers() -> Iterator[Strangers]:
    """Where requests go that are not for this machine."""
    with strangers_refused() as proxy:
        yield proxy
    assert proxy.take() == []


class Chromiums(NamedTuple):
    """Where they are; see `e2e/chromium.py`."""

    whole: Path
    light: Path


@pytest.fixture(scope="session", autouse=True)
def chromiums(strangers: Strangers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromiums]:
    """Those of the tests; what starts one by itself, as a bridge does, finds the whole one with its proxy."""
    found = Chromiums(ensure(), ensure_light())
    refused = tmp_path_factory.mktemp("chromium") / "chromium"
    refused.write_text(f'#!/bin/sh\nexec {shlex.join([str(found.whole), *strangers.flags])} "$@"\n', "utf-8")
    refused.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(refused))
        yield found


@pytest.fixture(autouse=True)
def _violates_no_policy() -> Iterator[None]:
    """No page does what the Content-Security-Policy of its site forbids, whoever would look."""
    yield
    reported = violations[:]
    violations.clear()
    assert reported == []


@pytest.fixture(autouse=True)
def _asks_no_stranger(strangers: Strangers) -> Iterator[None]:
    """No test's browser asks another machine for anything, whichever page, frame, worker or socket would."""
    yield
    assert strangers.take() == []


@pytest.fixture(scope="session")
def launch(playwright: Playwright, strangers: Strangers, chromiums: Chromiums) -> Launch:
    """Launch a browser: the light one, which has WebMCP, too, unless `whole` says so."""

    def launched(
        mode: Mode, *, whole: bool = False, more: Sequence[str] = (), without: Sequence[str] = ()
    ) -> Browser:
        return playwright.chromium.launch(
            executable_path=chromiums.whole if whole else chromiums.light,
            args=[*arguments_of(mode), FEW_CYCLES, *strangers.flags, *more],
            ignore_default_args=without,
        )

    return launched


@pytest.fixture
def returnable(launch: Launch, mode: Mode) -> Iterator[Browser]:
    """A browser that has its back-forward cache, which Playwright switches off otherwise."""
    with launch(mode, whole=True, without=["--disable-back-forward-cache"]) as browser:
        yield browser


@contextmanager
def kept_running(launch: Launch, *, whole: bool = False) -> Iterator[Callable[[Mode], Browser]]:
    """Launch each kind of browser when it is first asked for."""
    running: dict[Mode, Browser] = {}

    def browser(mode: Mode) -> Browser:
        if mode not in running:
            running[mode] = launch(mode, whole=whole)
        return running[mode]

    yield browser
    for each in running.values():
        each.close()


@pytest.fixture(scope="session")
def browsers(launch: Launch) -> Iterator[Callable[[Mode], Browser]]:
    """The browsers of all tests that need no other one."""
    with kept_running(launch) as browser:
        yield browser


@pytest.fixture(params=MODES, scope="module")
def mode(request: pytest.FixtureRequest) -> Mode:
    """Each behaviour runs on native WebMCP and on the polyfill."""
    chosen: Mode = request.param
    return chosen


one_mode = pytest.mark.parametrize("mode", ["polyfill"], indirect=True)
"""For what no model context has a part in: how a thing looks, what becomes of a file that is missing."""


@pytest.fixture(params=["native", "polyfill", "cancelling"], scope="module")
def host(request: pytest.FixtureRequest) -> Host:
    """The lifecycle runs on a browser that cancels calls, too."""
    chosen: Host = request.param
    return chosen


@pytest.fixture
def watched(browsers: Callable[[Mode], Browser], mode: Mode) -> Iterator[Watched]:
    """A new page in a new profile; it must ask no other host for anything, nor leave an error unhandled."""
    context = browsers(mode).new_context()
    watched = Watched(context.new_page())
    yield watched
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == [] or watched.is_python_to_die
    assert watched.late == []


@contextmanager
def visited(
    browser: Browser, url: str, begin: Callable[[Page], object] = lambda _: None
) -> Iterator[Watched]:
    """Give a page whose apps are up, in a new profile; it is watched as the fixture `watched` is.

    Args:
        browser: Where.
        url: The page's.
        begin: Does what it takes that something comes up.
    """
    context = browser.new_context()
    watched = Watched(context.new_page())
    watched.page.goto(url)
    begin(watched.page)
    assert watched.ready() == "ready"
    yield watched
    context.close()
    assert watched.foreign == []
    assert watched.uncaught == []
    assert watched.late == []


@pytest.fixture(scope="session")
def pages() -> Iterator[str]:
    """The URL of `e2e/pages/`, served as `webtools serve` does."""
    with serving(PAGES) as url:
        yield url


@pytest.fixture(scope="session")
def native_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of native code for the page's Python."""
    return fetch_native_wheel(tmp_path_factory.mktemp("native"))


@pytest.fixture(scope="module")
def booted(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    """`e2e/pages/values.html`, its tools up; one for all tests of a module, since each boot takes seconds."""
    with visited(browsers(mode), f"{pages}values.html") as watched:
        yield watched


@pytest.fixture
def agent(booted: Watched, mode: Mode) -> Agent:
    """An agent in front of the page of `booted`, whose console is empty."""
    booted.problems.clear()
    return Agent(booted.page, mode)
