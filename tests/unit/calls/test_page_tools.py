"""Calls whose handlers run in the page's JavaScript: Python counts them and says who may go on."""

from __future__ import annotations

import json

import pytest

from tests.unit.calls.caller import Caller, verdict
from tests.unit.lifecycle.rig import Rig, tool_called
from webtools.lifecycle.slot import RESPONSE_GRACE, Slot
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool


def page_tool(number: int, description: str = "d") -> PageTool:
    return PageTool(Definition.of_text(f'{{"name":"a","description":"{description}"}}'), number)


class Scene(Caller):
    """A dispatcher at the registry of a browser."""

    def __init__(self) -> None:
        super().__init__()
        self.rig = Rig()
        self.hold = self.rig.registry.hold(page_tool(7))
        self.rig.turn()

    @property
    def slot(self) -> Slot:
        slot = self.rig.registry.named("a")
        assert slot is not None
        return slot

    def enter(self, call_id: str, text: str = "{}") -> str | int | None:
        return self.dispatcher.call(self.slot, call_id, text)


@pytest.mark.parametrize("text", ["{}", '{"n": 1}', "7", "no JSON"])
def test_the_page_is_told_which_handler_to_run_and_judges_the_input_itself(text: str) -> None:
    scene = Scene()
    assert scene.enter("c1", text) == 7
    assert (scene.slot.in_flight, scene.slot.calls) == (1, 1)
    assert scene.dispatcher.is_current("c1")


def test_a_call_is_counted_out_once_and_the_grace_begins_with_it() -> None:
    scene = Scene()
    scene.enter("c1")
    scene.enter("c2")
    scene.hold.release()
    scene.rig.clock.advance(60)
    for left, call_id in [(2, "unknown"), (1, "c1"), (1, "c1"), (0, "c2")]:
        scene.dispatcher.count_out(call_id)
        assert scene.slot.in_flight == left
    assert not scene.dispatcher.is_current("c1")
    scene.rig.clock.advance(RESPONSE_GRACE)
    assert scene.rig.traffic[1:] == [(60 + RESPONSE_GRACE, "unregister", "a")]


def test_a_call_is_stale_after_the_release_and_current_through_a_remount() -> None:
    scene = Scene()
    scene.enter("c1")
    scene.hold.release()
    assert not scene.dispatcher.is_current("c1")
    again = scene.rig.registry.hold(page_tool(8))
    scene.rig.turn()
    assert scene.dispatcher.is_current("c1")
    again.release()
    scene.rig.turn()
    scene.rig.registry.hold(page_tool(9))
    assert not scene.dispatcher.is_current("c1")


def test_a_refused_call_is_answered_here_and_not_run_there() -> None:
    scene = Scene()
    scene.enter("c1")
    scene.rig.registry.hold(page_tool(8, "new"))
    changed = scene.enter("c2")
    assert isinstance(changed, str)
    assert verdict(json.loads(changed)) == ("TOOL_CHANGED", "none", True)
    assert scene.slot.in_flight == 1
    assert not scene.dispatcher.is_current("c2")


def test_the_newest_hold_decides_between_a_handler_of_the_pages_and_one_of_pythons() -> None:
    scene = Scene()
    python = tool_called("a")
    holds = [scene.rig.registry.hold(each) for each in (page_tool(8), python)]
    scene.rig.clock.advance(60)
    assert isinstance(scene.enter("c1"), str)
    holds[1].release()
    scene.rig.clock.advance(60)
    assert scene.enter("c2") == 8
    holds[0].release()
    assert scene.enter("c3") == 7


def test_calls_that_began_before_python_was_up_are_kept() -> None:
    scene = Scene()
    before = scene.slot.resume(scene.hold.key, 0, page_tool(7))
    scene.dispatcher.resume({"early": before})
    assert scene.dispatcher.is_current("early")
    assert (scene.slot.in_flight, scene.slot.calls) == (1, 0)
    scene.dispatcher.count_out("early")
    scene.dispatcher.count_out("early")
    assert scene.slot.in_flight == 0


def test_an_abort_and_a_close_leave_the_pages_calls_to_the_page() -> None:
    scene = Scene()
    scene.enter("c1")
    scene.dispatcher.abort("c1")
    scene.dispatcher.close()
    assert scene.answers == {}
    assert scene.slot.in_flight == 1
    scene.dispatcher.count_out("c1")
    assert scene.slot.in_flight == 0


def test_a_page_tool_says_what_it_is() -> None:
    tool = page_tool(7)
    assert (tool.name, repr(tool)) == ("a", "<PageTool 'a', number 7 of the page>")


def test_a_definition_of_the_pages_keeps_its_text_and_equals_its_equal_only() -> None:
    text = '{"name":"a","description":"d","inputSchema":{"maximum":1e21},"exposedTo":["https://p.example"]}'
    read = Definition.of_text(text)
    assert read.text == text
    assert read == Definition.of_text(text)
    assert hash(read) == hash(Definition.of_text(text))
    assert read != Definition.of_text(text.replace('"d"', '"e"'))
    assert (read.name, read.description, read.exposed_to) == ("a", "d", ("https://p.example",))
    assert read.input_schema == {"maximum": 1e21}


def test_a_definition_of_the_pages_equals_pythons_where_the_texts_are_the_same() -> None:
    python = tool_called("a").definition
    assert Definition.of_text(python.text) == python
