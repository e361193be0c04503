"""webtools' pytest plugin: options, and fixtures for pages and for tools on CPython; docs/testing.md.

It lies beside the package, and imports nothing of it before a fixture is asked for: where it is installed,
each run of pytest loads it, whatever is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Playwright

    from webtools.testing import FakeHost, ToolPage
    from webtools.testing.tool_page import Mode

_MODES = ("native", "polyfill")
_PROFILES = ("chrome-152", "chrome-156")
_LACKING = "tool_page needs Playwright; run: pip install playwright"

_IS_PLAYING = pytest.StashKey[bool]()
"""Whether Playwright's event loop has begun in this thread, for the fixtures here."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what a project says once, in its ini file, and what a person says of one run."""
    group = parser.getgroup("webtools", "tools of web pages")
    group.addoption(
        "--webtools-modes",
        metavar="MODES",
        help="what tests with a page run on: native, polyfill, chrome-152 …, with commas between them",
    )
    parser.addini("webtools_modes", "what tests with a page run on", default=",".join(_MODES))
    parser.addini("webtools_folder", "the folder that `webtools serve` serves to tests", default=".")
    parser.addini("webtools_profiles", "the browsers that tool_host stands for", default=",".join(_PROFILES))


def pytest_configure(config: pytest.Config) -> None:
    """Refuse modes and profiles that there are not, before anything is collected."""
    _modes(config)
    _profiles(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what asks for a page on each model context, and what asks for a host as each browser."""
    if "webtools_mode" in metafunc.fixturenames:
        metafunc.parametrize("webtools_mode", _modes(metafunc.config), scope="session", indirect=True)
    if "webtools_profile" in metafunc.fixturenames:
        metafunc.parametrize("webtools_profile", _profiles(metafunc.config), scope="session", indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Let `asyncio.run` work in tests without a page, also after one with a page.

    Playwright's loop counts as running in its thread from its first call to the end of the session.
    """
    names = getattr(item, "fixturenames", ())
    if not item.config.stash.get(_IS_PLAYING, False) or {"playwright", "_webtools_playwright"} & {*names}:
        return (yield)
    import asyncio

    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


def _modes(config: pytest.Config) -> list[str]:
    said = config.getoption("--webtools-modes")
    if said is None:
        return _chosen("webtools_modes", config.getini("webtools_modes"), _MODES, _MODES)
    return _chosen("--webtools-modes", said, _MODES, _MODES)


def _profiles(config: pytest.Config) -> list[str]:
    return _chosen("webtools_profiles", config.getini("webtools_profiles"), _PROFILES, ())


def _chosen(option: str, said: str, usual: Sequence[str], modes: Sequence[str]) -> list[str]:
    """Read modes and names of profiles, at least one; what is usual is known without an import."""
    words = said.replace(",", " ").split()
    if not words or set(words) - set(usual):
        from webtools.testing import PROFILES

        known = [*modes, *PROFILES]
        if not words or set(words) - set(known):
            raise pytest.UsageError(f"{option}: {said!r}; name some of {', '.join(known)}")
    return words


def _failed(said: str) -> BaseException:
    """What a fixture raises whose reason is all that a person has to read."""
    return pytest.fail.Exception(said, pytrace=False)


def _close(it: Browser | BrowserContext) -> None:
    """Close it, unless it has gone: Ctrl+C ends Playwright, too, and is all that there is to tell."""
    from playwright.sync_api import Error

    with suppress(Error):
        it.close()


@pytest.fixture(scope="session")
def webtools_mode(request: pytest.FixtureRequest) -> str:
    """What a test's page is on: "native", "polyfill", or the polyfill as a browser of old, "chrome-152"."""
    mode: str = request.param
    return mode


@pytest.fixture(scope="session")
def webtools_profile(request: pytest.FixtureRequest) -> str:
    """Which browser `tool_host` stands for."""
    profile: str = request.param
    return profile


@pytest.fixture(scope="session")
def webtools_folder(pytestconfig: pytest.Config) -> Path:
    """The folder that is served: the ini option `webtools_folder`, seen from pytest's root."""
    return pytestconfig.rootpath / str(pytestconfig.getini("webtools_folder"))


@pytest.fixture(scope="session")
def webtools_url(webtools_folder: Path) -> Iterator[str]:
    """Where `webtools serve` serves the folder; a project with a server of its own overrides this fixture."""
    from webtools.testing.served import NotServed, served

    with ExitStack() as stack:
        try:
            url = stack.enter_context(served(webtools_folder))
        except NotServed as problem:
            raise _failed(str(problem)) from None
        yield url


@pytest.fixture(scope="session")
def _webtools_playwright(request: pytest.FixtureRequest) -> Iterator[Playwright]:
    """The run's one Playwright: pytest-playwright's where that is installed; two do not go together."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise _failed(_LACKING) from None
    request.config.stash[_IS_PLAYING] = True
    try:
        yield request.getfixturevalue("playwright")
    except pytest.FixtureLookupError:
        with sync_playwright() as driver:
            yield driver


@pytest.fixture(scope="session")
def _webtools_browsers(_webtools_playwright: Playwright) -> Iterator[Callable[[Mode], Browser]]:
    """Launch each kind of browser when it is first asked for."""
    from webtools.cli.programs.chromium import ChromiumMissing
    from webtools.testing.browsers import launch

    running: dict[Mode, Browser] = {}

    def browser(mode: Mode) -> Browser:
        if mode not in running:
            try:
                running[mode] = launch(_webtools_playwright, mode)
            except ChromiumMissing as missing:
                raise _failed(str(missing)) from None
        return running[mode]

    yield browser
    for each in running.values():
        _close(each)


@pytest.fixture(scope="session")
def open_tool_page(
    _webtools_browsers: Callable[[Mode], Browser], webtools_url: str
) -> Callable[[str], AbstractContextManager[ToolPage]]:
    """Open pages in profiles of their own: for several pages in a test, or one for several tests."""
    from webtools.testing import PROFILES, ToolPage
    from webtools.testing.browsers import stand_for

    @contextmanager
    def opened(mode: str) -> Iterator[ToolPage]:
        own: Mode = "native" if mode == "native" else "polyfill"
        profile = None if mode in _MODES else PROFILES[mode]
        context = _webtools_browsers(own).new_context()
        try:
            if profile:
                stand_for(context, profile)
            yield ToolPage(context.new_page(), own, webtools_url, profile=profile)
        finally:
            _close(context)

    return opened


@pytest.fixture
def tool_page(
    open_tool_page: Callable[[str], AbstractContextManager[ToolPage]], webtools_mode: str
) -> Iterator[ToolPage]:
    """An empty page in a profile of its own, on native WebMCP and on the polyfill; `goto` opens the site."""
    with open_tool_page(webtools_mode) as opened:
        yield opened


@pytest.fixture
def tool_host(webtools_profile: str) -> Iterator[FakeHost]:
    """A page without a browser, its tools at a fake model context; `webtools.registry` is its registry."""
    from webtools.testing import fake_host

    with fake_host(profile=webtools_profile) as host:
        yield host
