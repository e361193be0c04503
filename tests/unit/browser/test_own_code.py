"""Tools of code that a page runs itself, in cells and scripts, are held as those of apps are."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.calls.caller import text_of
from webtools.browser.host import Host
from webtools.tools import making

pytestmark = pytest.mark.usefixtures("forgotten_apps")

GREET = '''
from webtools import tool

@tool
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}!"
'''

URL = "http://localhost/shop.py"


@pytest.fixture(autouse=True)
def main(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A `__main__` of the test's own."""
    module = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    return module


@pytest.fixture(autouse=True)
def unwatched() -> Iterator[None]:
    """Nobody watches when a test has ended."""
    yield
    making.made()
    assert making._watcher is None


class Page:
    """A page whose Python is its own."""

    def __init__(self, host: Host, border: FakeBorder, names: dict[str, Any]) -> None:
        self.host = host
        self.border = border
        self.names = names

    async def run(self, cell: str) -> None:
        """Run a cell, and let the event loop turn."""
        exec(cell, self.names)
        await asyncio.sleep(0)

    def held(self) -> dict[str, str]:
        """The states of the tools."""
        return {each["name"]: each["state"] for each in json.loads(self.host.states())}

    def greeting(self) -> str:
        """Call `greet`."""
        answer = self.host.call_named("greet", "call", '{"name": "Ada"}', None)
        assert isinstance(answer, str)
        return text_of(json.loads(answer))


Scene = Callable[[Callable[[Page], Awaitable[None]]], None]


@pytest.fixture
def scene(main: ModuleType) -> Scene:
    """Run a scene on a page whose own code is followed."""

    def played(play: Callable[[Page], Awaitable[None]]) -> None:
        async def whole() -> None:
            border = FakeBorder()
            with host_at(border) as host:
                host.follow()
                await play(Page(host, border, vars(main)))

        asyncio.run(whole())

    return played


def test_a_tool_of_a_cell_is_registered_when_the_cell_has_run(scene: Scene) -> None:
    async def play(page: Page) -> None:
        exec(GREET, page.names)
        assert page.held() == {}
        await asyncio.sleep(0)
        assert page.held() == {"greet": "registering"}
        assert page.greeting() == "Hello, Ada!"

    scene(play)


def test_what_is_there_already_is_held_at_once(main: ModuleType) -> None:
    exec(GREET, vars(main))
    with host_at(FakeBorder()) as host:
        host.follow()
        assert len(json.loads(host.states())) == 1


def test_a_cell_that_runs_again_changes_the_handler_without_the_browsers_noticing(scene: Scene) -> None:
    async def play(page: Page) -> None:
        await page.run(GREET)
        page.host.registered(1)
        await page.run(GREET.replace("Hello", "Good day"))
        assert page.greeting() == "Good day, Ada!"
        assert (list(page.border.registered), page.border.unregistered) == ([1], [])

    scene(play)


def test_another_definition_of_the_name_leaves_and_comes(scene: Scene) -> None:
    async def play(page: Page) -> None:
        await page.run(GREET)
        page.host.registered(1)
        await page.run(GREET.replace("Greet somebody.", "Greet."))
        await asyncio.sleep(0)
        assert page.border.unregistered == [1]
        assert page.border.registered[2]["description"] == "Greet."

    scene(play)


def test_a_name_that_holds_no_tool_any_more_lets_it_go_with_the_next_one(scene: Scene) -> None:
    async def play(page: Page) -> None:
        await page.run(GREET)
        await page.run("del greet")
        await page.run(GREET.replace("greet", "welcome"))
        await asyncio.sleep(0)
        assert list(page.held()) == ["welcome"]

    scene(play)


def test_a_tool_of_a_function_is_up_to_whoever_holds_it(scene: Scene) -> None:
    local = "def make():\n" + GREET.replace("\n", "\n    ") + "\n    return greet\nkept = [make()]"

    async def play(page: Page) -> None:
        await page.run(local)
        assert page.held() == {}
        await page.run("from webtools import registry\nhold = registry().hold(kept[0])")
        assert list(page.held()) == ["greet"]

    scene(play)


def test_a_tool_with_held_waits_for_the_page_to_hold_it(scene: Scene) -> None:
    async def play(page: Page) -> None:
        page.host.hold(1, "greet", None, None, None)
        await page.run(GREET.replace("@tool", "@tool(held=True)"))
        assert list(page.held()) == ["greet"]
        page.host.release(1)
        await asyncio.sleep(0)
        assert page.held() == {}

    scene(play)


def test_a_tool_of_a_path_is_held_while_the_path_fits(scene: Scene) -> None:
    async def play(page: Page) -> None:
        page.host.moved("/", "")
        await page.run(GREET.replace("@tool", '@tool(match="/cart/*")'))
        assert page.held() == {}
        page.host.moved("/cart/1", "")
        assert list(page.held()) == ["greet"]

    scene(play)


def test_modules_and_namespaces_of_the_pages_have_tools_too(scene: Scene) -> None:
    async def play(page: Page) -> None:
        sys.modules["made_up_shop"] = module = ModuleType("made_up_shop")
        exec(GREET, vars(module))
        exec(GREET.replace("greet", "welcome"), {})
        await page.run("from made_up_shop import greet")
        assert sorted(page.held()) == ["greet", "welcome"]
        assert len(page.border.registered) == 2

    scene(play)


def test_of_two_tools_of_one_name_the_newer_is_called_and_the_older_comes_back(scene: Scene) -> None:
    async def play(page: Page) -> None:
        await page.run(GREET)
        page.host.registered(1)
        other = {"__name__": "other"}
        exec(GREET.replace("Hello", "Other"), other)
        await asyncio.sleep(0)
        assert page.greeting() == "Other, Ada!"
        del other["greet"]
        await page.run(GREET.replace("greet", "welcome"))
        await asyncio.sleep(0)
        assert page.greeting() == "Hello, Ada!"
        assert page.border.unregistered == []

    scene(play)


def test_an_app_in_the_pages_python_keeps_its_own_tools(scene: Scene) -> None:
    async def play(page: Page) -> None:
        later = "\ndef more():\n    @tool\n    def other() -> None:\n        'Other.'\n"
        assert page.host.load(URL, GREET + later) is None
        shop = [each for each in sys.modules.values() if getattr(each, "__file__", None) == URL][-1]
        shop.more()
        await asyncio.sleep(0)
        assert page.host.load(URL, "from webtools import tool") is None
        await asyncio.sleep(0)
        assert page.held() == {}

    scene(play)


def test_forms_and_ownerships_of_cells_are_the_pages(scene: Scene) -> None:
    async def play(page: Page) -> None:
        await page.run(
            "from webtools import Ownership, form_tool\n"
            'checkout = Ownership("checkout")\n'
            'contact = form_tool("#contact", name="contact", description="Write to us.")'
        )
        assert page.border.asked_for == [("ask", "checkout")]
        assert [selector for selector, _ in page.border.forms.values()] == ["#contact"]
        await page.run(GREET)
        assert list(page.border.forms) == [1]
        await page.run("del contact")
        await page.run(GREET)
        assert page.border.forms == {}

    scene(play)


def test_what_cannot_be_declared_is_told_and_changes_nothing(scene: Scene) -> None:
    async def play(page: Page) -> None:
        await page.run(GREET)
        await page.run('from webtools import form_tool\nwrong = form_tool("#", name="a", description="b")')
        assert page.border.logged == [("error", 'webtools: "#" is no selector')]
        assert list(page.held()) == ["greet"]

    scene(play)


def test_the_pages_loop_keeps_its_handler(scene: Scene) -> None:
    async def play(_: Page) -> None:
        assert asyncio.get_running_loop().get_exception_handler() is None

    scene(play)


def test_after_the_page_nobody_watches(main: ModuleType) -> None:
    with host_at(FakeBorder()) as host:
        host.follow()
    exec(GREET, vars(main))
