"""What the page has done with its tools before Python was up, as `static/takeover.js` hands it over.

``{"attempts", "promised"?: [{"number", "app", "name", "text", "held", "match", "timeout"}], "wishes":
[{"number", "name", "text"?, "resourceId"?, "owner"?, "isPromised"?}], "slots": [{"name", "generation",
"seen", "registration": {"number", "text", "isAccepted", "hold"} | null, "reason", "calls", "settledMsAgo",
"isKept"?}], "calls": [{"id", "name", "key", "generation", "early"?: {"input", "facts"?, "ageMs"}}]}``

A promised tool's number is negative; the wish of that number, where there is one, holds it as its app will.
"""

from __future__ import annotations

import json
import math
from typing import Any

from webtools.browser.observing import app_holder
from webtools.browser.promises import Promises
from webtools.browser.wishes import Wishes
from webtools.calls.early import EarlyCall
from webtools.calls.facts import refused, stated
from webtools.lifecycle.hold import Hold, Key
from webtools.lifecycle.registration import Past, Registration
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.routes import path_holder
from webtools.lifecycle.slot import Slot, Ticket
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool
from webtools.tools.promised_tool import PromisedTool

Wire = dict[str, Any]


Promised = dict[str, PromisedTool]


def take_over(
    text: str, registry: ToolRegistry, wishes: Wishes, promises: Promises, now: float
) -> tuple[dict[str, Ticket], list[EarlyCall]]:
    """Put the page's past into the registry, which is to be reconciled afterwards.

    Args:
        text: What `static/takeover.js` wrote.
        registry: The page's, still empty.
        wishes: Where the page's holds are kept.
        promises: Where promised tools are kept.
        now: The time, in the clock's seconds.

    Returns:
        The calls whose handlers run in the page, by their ids, and those that wait for promised tools.
    """
    state: Wire = json.loads(text)
    registry.count_from(state["attempts"])
    promised = {each["name"]: _promised(each) for each in state.get("promised", [])}
    slots: dict[str, Slot] = {}
    holds: dict[int, Hold] = {}
    own = _with_definition(state["wishes"], wishes)
    for each in state["slots"]:
        asked = own.get(each["name"], [])
        slots[each["name"]], held = _adopt(each, asked, promised, registry, now)
        holds.update(held)
    for number, hold in holds.items():
        if number > 0:
            wishes.adopt(number, hold)
    for each in state.get("promised", []):
        promises.keep(promised[each["name"]], holds.get(each["number"]))
    waiting = [call for call in state["calls"] if "early" in call]
    early = [_early(slots[call["name"]], call, promised[call["name"]], now) for call in waiting]
    running = [call for call in state["calls"] if "early" not in call]
    tickets = {call["id"]: _ticket(slots[call["name"]], call) for call in running}
    for each in state["slots"]:
        if each.get("isKept"):  # by a change of route that is open
            registry.changes.keep(slots[each["name"]])
    return tickets, early


def _with_definition(all_wishes: list[Wire], wishes: Wishes) -> dict[str, list[Wire]]:
    """Give by name the wishes whose definition is known; the others wait in `wishes`."""
    own: dict[str, list[Wire]] = {}
    for wish in all_wishes:
        if "text" in wish:
            own.setdefault(wish["name"], []).append(wish)
        else:
            wishes.hold(wish["number"], wish["name"], None, wish.get("resourceId"), wish.get("owner"))
    return own


def _adopt(
    each: Wire, asked: list[Wire], promised: Promised, registry: ToolRegistry, now: float
) -> tuple[Slot, dict[int, Hold]]:
    """Make a slot and, by the wishes' numbers, its holds."""
    past = _past(each, now)
    wished = [
        (_tool(wish, promised), wish.get("resourceId"), wish.get("owner"), _holder(wish, promised))
        for wish in asked
    ]
    slot, held = registry.adopt(each["name"], past, wished)
    holds = {wish["number"]: hold for wish, hold in zip(asked, held, strict=True)}
    if past.registration:
        past.registration.hold = holds.get(each["registration"]["hold"])
    return slot, holds


def _promised(wire: Wire) -> PromisedTool:
    return PromisedTool(
        Definition.of_text(wire["text"]), wire["app"], wire["timeout"], wire["held"], tuple(wire["match"])
    )


def _tool(wish: Wire, promised: Promised) -> PageTool | PromisedTool:
    if wish.get("isPromised"):
        return promised[wish["name"]]
    return PageTool(Definition.of_text(wish["text"]), wish["number"])


def _holder(wish: Wire, promised: Promised) -> str | int:
    number: int = wish["number"]
    if number > 0:
        return number
    tool = promised[wish["name"]]
    return path_holder(tool.match) if tool.match else app_holder(tool.app)


def _past(slot: Wire, now: float) -> Past:
    registration = _registration(slot["registration"])
    seen = None if slot["seen"] is None else _key(slot["seen"])
    settled = slot["settledMsAgo"]
    return Past(
        generation=slot["generation"],
        seen=seen,
        registration=registration,
        last_tool=_last_tool(registration, seen),
        reason=slot["reason"],
        calls=slot["calls"],
        settled_at=-math.inf if settled is None else now - settled / 1000,
    )


def _registration(wire: Wire | None) -> Registration | None:
    if wire is None:
        return None
    return Registration(wire["number"], Definition.of_text(wire["text"]), wire["isAccepted"])


def _last_tool(registration: Registration | None, seen: Key | None) -> PageTool | None:
    if registration:
        return PageTool(registration.definition, 0)
    return PageTool(Definition.of_text(seen[0]), 0) if seen else None


def _ticket(slot: Slot, call: Wire) -> Ticket:
    key = _key(call["key"])
    return slot.resume(key, call["generation"], PageTool(Definition.of_text(key[0]), 0))


def _early(slot: Slot, call: Wire, tool: PromisedTool, now: float) -> EarlyCall:
    wire = call["early"]
    ticket = slot.resume(_key(call["key"]), call["generation"], tool)
    early = EarlyCall(call["id"], ticket, tool, wire["input"], now - wire["ageMs"] / 1000)
    if "facts" in wire:
        try:
            early.facts = stated(wire["facts"])
        except ValueError as wrong:
            ticket.refusal = refused(wrong)
    return early


def _key(text: str) -> Key:
    definition, resource_id, owner = json.loads(text)
    return (definition, resource_id, owner)
