"""Every interleaving of owners, calls and time, up to a stated depth.

Each sequence of steps is played from the start and then left to become quiet; what must hold is what the
machine of `test_machine.py` demands. A sequence is cut where a step has nothing to act on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.unit.lifecycle.rig import QUIET, Call, Rig, tool_called
from webtools.lifecycle.hold import AnyTool, Hold
from webtools.lifecycle.slot import RESPONSE_GRACE
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool

TOOLS: dict[tuple[str, str], AnyTool] = {
    (name, text): tool_called(name, text) for name in "ab" for text in ("one", "two")
}
TOOLS["a", "the page's"] = PageTool(Definition.of_text(TOOLS["a", "one"].definition.text), 7)
"""Equal to ``one``, with a handler in the page's JavaScript."""


class Scene:
    """A rig and what a sequence of steps has made of it."""

    def __init__(self) -> None:
        self.rig = Rig()
        self.holds: dict[str, list[Hold]] = {"a": [], "b": []}
        self.calls: dict[str, list[Call]] = {"a": [], "b": []}
        self.all_calls: list[Call] = []

    def hold(self, name: str, text: str) -> bool:
        if len(self.holds[name]) == 2:
            return False
        self.holds[name].append(self.rig.registry.hold(TOOLS[name, text]))
        return True

    def release(self, name: str, index: int) -> bool:
        if len(self.holds[name]) < (2 if index else 1):
            return False
        self.holds[name].pop(index).release()
        return True

    def call(self, name: str) -> bool:
        if name not in {each["name"] for each in self.rig.context.get_tools()}:
            return False
        call = self.rig.call(name)
        self.all_calls.append(call)
        if not call.refused:
            self.calls[name].append(call)
        return True

    def settle(self, name: str) -> bool:
        if not self.calls[name]:
            return False
        self.calls[name].pop(0).finish()
        return True

    def refuse(self, delay: float) -> bool:
        """The browser will refuse the next attempt, after a while."""
        number = max([0, *(slot.registration for slot in self.rig.registry)]) + 1
        if number in self.rig.refusals:
            return False
        self.rig.refusals[number] = "SecurityError"
        self.rig.delays[number] = delay
        return True

    def drop(self, name: str) -> bool:
        """Something else takes the registration away, with the calls whose answers are not out."""
        if name not in self.rig.live:
            return False
        self.all_calls = [each for each in self.all_calls if each.execution.name != name or each.is_answered]
        self.rig.drop(name)
        return True

    def leave(self) -> bool:
        """The page is left; it comes back with the next step."""
        if not any(self.calls.values()):
            return False
        self.rig.registry.interrupt()
        return True

    def pass_time(self, seconds: float) -> bool:
        self.rig.clock.advance(seconds)
        return True

    def signature(self) -> tuple[object, ...]:
        """What tells this state from others: holds, registration, calls and timers of each name."""
        listed = {each["name"]: each["description"] for each in self.rig.context.get_tools()}
        slots = {slot.name: (slot.state, slot.in_flight) for slot in self.rig.registry}
        held = {
            name: [hold.tool.definition.description for hold in holds] for name, holds in self.holds.items()
        }
        return (repr(listed), repr(slots), repr(held), self.rig.clock.pending)

    def check_quiet(self) -> None:
        for calls in self.calls.values():
            for call in calls:
                call.finish()
        self.rig.clock.advance(QUIET)
        assert all(call.is_answered for call in self.all_calls)
        assert self.rig.clock.pending == 0
        listed = {each["name"]: each["description"] for each in self.rig.context.get_tools()}
        failed = {slot.name for slot in self.rig.registry if slot.state == "failed"}
        assert not failed or self.rig.refusals
        desired = {
            name: holds[-1].tool.definition.description
            for name, holds in self.holds.items()
            if holds and name not in failed
        }
        assert listed == desired


Step = Callable[[Scene], bool]


def steps_of(name: str) -> dict[str, Step]:
    """What can happen to one name."""
    return {
        f"hold {name} one": lambda scene: scene.hold(name, "one"),
        f"hold {name} two": lambda scene: scene.hold(name, "two"),
        f"release the older of {name}": lambda scene: scene.release(name, 0),
        f"release the newer of {name}": lambda scene: scene.release(name, 1),
        f"call {name}": lambda scene: scene.call(name),
        f"settle {name}": lambda scene: scene.settle(name),
    }


TIME: dict[str, Step] = {
    "a turn": lambda scene: scene.pass_time(0),
    "the grace": lambda scene: scene.pass_time(RESPONSE_GRACE),
}


UNFRIENDLY: dict[str, Step] = {
    "hold the page's a": lambda scene: scene.hold("a", "the page's"),
    "the next attempt is refused": lambda scene: scene.refuse(0.05),
    "a is lost": lambda scene: scene.drop("a"),
    "the page is left": lambda scene: scene.leave(),
}


def scenes(steps: dict[str, Step], depth: int) -> Iterator[Scene]:
    """The scenes at the end of all sequences of applicable steps, the shorter sequences first."""
    ends: list[tuple[str, ...]] = [()]
    for _ in range(depth):
        longer = [(*before, step) for before in ends for step in steps]
        ends = []
        for sequence in longer:
            scene = Scene()
            if all(steps[name](scene) for name in sequence):
                ends.append(sequence)
                yield scene


@pytest.mark.parametrize(
    ("names", "more", "depth", "played", "states"),
    [("a", {}, 6, 20_000, 200), ("ab", {}, 4, 3_000, 500), ("a", UNFRIENDLY, 4, 2_500, 120)],
    ids=["one slot", "two slots", "one slot of an unfriendly page"],
)
def test_every_interleaving_ends_as_it_is_wished_and_loses_no_call(
    names: str,
    more: dict[str, Step],
    depth: int,
    played: int,
    states: int,
    record_property: Callable[[str, object], None],
) -> None:
    steps = {**TIME, **more}
    for name in names:
        steps.update(steps_of(name))
    seen: set[tuple[object, ...]] = set()
    count = 0
    for scene in scenes(steps, depth):
        seen.add(scene.signature())
        scene.check_quiet()
        count += 1
    record_property("sequences", count)
    record_property("states", len(seen))
    print(f"{names}: {count} sequences to depth {depth}, {len(seen)} states")  # noqa: T201  # the figures
    assert count > played
    assert len(seen) > states
