from __future__ import annotations

from typing import Any

import pytest

from webtools import ToolDefinitionError, tool
from webtools.lifecycle.registry import Slot, ToolRegistry
from webtools.testing import FakeDOMException, FakeModelContext, FakeSignal
from webtools.tools.definition import Definition
from webtools.tools.tool import Tool, tool_of


class Browser:
    """The port on the public fake: the outcomes come when the test asks for them."""

    def __init__(self) -> None:
        self.context = FakeModelContext()
        self.outcomes: list[tuple[int, str | None]] = []
        self.unregistered: list[int] = []
        self._signals: dict[int, FakeSignal] = {}

    def register(self, registration: int, definition: Definition) -> None:
        signal = FakeSignal()
        wire = {"name": definition.name, "description": definition.description}
        try:
            self.context.register_tool(wire, lambda *_: {}, signal=signal)
        except FakeDOMException as error:
            self.outcomes.append((registration, error.name))
        else:
            self._signals[registration] = signal
            self.outcomes.append((registration, None))

    def unregister(self, registration: int) -> None:
        self.unregistered.append(registration)
        if signal := self._signals.pop(registration, None):
            signal.abort()

    def report(self, registry: ToolRegistry) -> None:
        outcomes, self.outcomes = self.outcomes, []
        for registration, reason in outcomes:
            if reason is None:
                registry.registered(registration)
            else:
                registry.rejected(registration, reason)

    @property
    def names(self) -> list[str]:
        return [each["name"] for each in self.context.get_tools()]


class Page:
    """A registry at a browser, and the states that it told of."""

    def __init__(self, *, has_context: bool = True) -> None:
        self.browser = Browser()
        self.told: list[tuple[str, str, str | None]] = []
        self.registry = ToolRegistry(self.browser if has_context else None, self.tell)

    def tell(self, slot: Slot) -> None:
        self.told.append((slot.tool.name, slot.state, slot.reason))

    def report(self) -> None:
        self.browser.report(self.registry)

    @property
    def states(self) -> dict[str, str]:
        return {slot.tool.name: slot.state for slot in self.registry}


def made(name: str) -> Tool:
    @tool(name=name)
    def function() -> None:
        """Do nothing."""

    found = tool_of(function)
    assert found
    return found


def test_a_held_tool_is_registered_at_once_and_told_of_when_the_browser_has_it() -> None:
    page = Page()
    page.registry.hold([made("a")])
    assert page.browser.names == ["a"]
    assert page.told == [("a", "registering", None)]
    page.report()
    assert page.told[1:] == [("a", "registered", None)]


def test_without_a_model_context_tools_wait_and_are_there_by_name() -> None:
    page = Page(has_context=False)
    page.registry.hold([made("a")])
    assert page.told == [("a", "waiting", None)]
    slot = page.registry.named("a")
    assert slot
    assert slot.registration == 0
    page.registry.close()
    assert page.browser.unregistered == []


def test_a_refused_tool_has_failed_with_the_reason_and_others_are_fine() -> None:
    page = Page()
    page.browser.context.register_tool({"name": "a", "description": "taken"}, lambda *_: {})
    page.registry.hold([made("a"), made("b")])
    page.report()
    assert page.states == {"a": "failed", "b": "registered"}
    slot = page.registry.named("a")
    assert slot
    assert slot.reason == "InvalidStateError"
    assert page.registry.of_registration(slot.registration) is None


@pytest.mark.parametrize("names", [["a", "b", "a"], ["b", "held"]])
def test_a_name_that_is_taken_refuses_the_whole_set(names: list[str]) -> None:
    page = Page()
    page.registry.hold([made("held")])
    with pytest.raises(ToolDefinitionError, match="Two tools are called"):
        page.registry.hold([made(name) for name in names])
    assert page.browser.names == ["held"]
    assert page.states == {"held": "registering"}


def test_tools_are_listed_in_the_order_of_their_holds() -> None:
    page = Page()
    page.registry.hold([made("b"), made("a")])
    page.registry.hold([made("c")])
    assert list(page.states) == ["b", "a", "c"]


def test_each_attempt_has_a_number_that_leads_to_its_slot() -> None:
    page = Page()
    page.registry.hold([made("a"), made("b")])
    numbers = {slot.tool.name: slot.registration for slot in page.registry}
    assert len(set(numbers.values())) == 2
    assert 0 not in numbers.values()
    for name, number in numbers.items():
        assert page.registry.of_registration(number) is page.registry.named(name)


def test_an_outcome_that_comes_at_once_counts_too() -> None:
    class Quick(Browser):
        def register(self, registration: int, definition: Definition) -> None:
            super().register(registration, definition)
            self.report(registry)

    told: list[Any] = []
    registry = ToolRegistry(Quick(), lambda slot: told.append(slot.state))
    registry.hold([made("a")])
    assert told == ["registering", "registered"]


def test_closing_takes_every_registration_back_and_is_harmless_twice() -> None:
    page = Page()
    page.browser.context.register_tool({"name": "theirs", "description": "another script's"}, lambda *_: {})
    page.registry.hold([made("a"), made("theirs"), made("b")])
    page.report()
    page.registry.close()
    page.registry.close()
    assert page.browser.names == ["theirs"]
    assert len(page.browser.unregistered) == 2
    assert page.states == {}


def test_an_outcome_after_closing_changes_nothing() -> None:
    page = Page()
    page.registry.hold([made("a")])
    page.registry.close()
    before = list(page.told)
    page.report()
    page.registry.rejected(1, "AbortError")
    page.registry.registered(99)
    assert page.told == before
    assert page.states == {}


def test_a_registration_that_was_refused_is_not_taken_back() -> None:
    page = Page()
    page.registry.hold([made("a")])
    page.registry.rejected(1, "NotAllowedError")
    page.registry.close()
    assert page.browser.unregistered == []


def test_a_slot_counts_calls_and_says_so() -> None:
    slot = Slot(made("a"))
    slot.count_in()
    slot.count_in()
    slot.count_out()
    assert (slot.in_flight, slot.calls) == (1, 2)
    assert repr(slot) == "<Slot 'a' is waiting, 1 of 2 calls in flight>"


def test_a_failed_slot_and_the_registry_say_what_state_they_are_in() -> None:
    page = Page()
    page.registry.hold([made("a"), made("b")])
    page.registry.rejected(1, "it is taken")
    assert repr(page.registry.named("a")).startswith("<Slot 'a' is failed (it is taken)")
    assert repr(page.registry) == "<ToolRegistry of 2 tools, 1 with the browser>"
