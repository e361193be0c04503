"""What the page has done with its tools before Python was up, as `static/early.js` hands it over.

``{"attempts", "wishes": [{"number", "name", "text"?, "resourceId"?, "owner"?}], "slots": [{"name",
"generation", "seen", "registration": {"number", "text", "isAccepted", "hold"} | null, "reason", "calls",
"settledMsAgo", "isKept"?}], "calls": [{"id", "name", "key", "generation"}]}``
"""

from __future__ import annotations

import json
import math
from typing import Any

from webtools.browser.wishes import Wishes
from webtools.lifecycle.hold import Key
from webtools.lifecycle.registration import Past, Registration
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import Slot, Ticket
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool

Wire = dict[str, Any]


def take_over(text: str, registry: ToolRegistry, wishes: Wishes, now: float) -> dict[str, Ticket]:
    """Put the page's past into the registry, which is to be reconciled afterwards.

    Args:
        text: What `static/early.js` wrote.
        registry: The page's, still empty.
        wishes: Where the page's holds are kept.
        now: The time, in the clock's seconds.

    Returns:
        The calls whose handlers run in the page, by their ids.
    """
    state: Wire = json.loads(text)
    registry.count_from(state["attempts"])
    own: dict[str, list[Wire]] = {each["name"]: [] for each in state["slots"]}
    for wish in state["wishes"]:
        if "text" in wish:
            own[wish["name"]].append(wish)
        else:
            wishes.hold(wish["number"], wish["name"], None, wish.get("resourceId"), wish.get("owner"))
    slots: dict[str, Slot] = {}
    for each in state["slots"]:
        name = each["name"]
        asked = [(_tool(wish), wish.get("resourceId"), wish.get("owner")) for wish in own[name]]
        past = _past(each, now)
        slots[name], holds = registry.adopt(name, past, asked)
        for wish, hold in zip(own[name], holds, strict=True):
            wishes.adopt(wish["number"], hold)
            if past.registration and each["registration"]["hold"] == wish["number"]:
                past.registration.hold = hold
    tickets = {call["id"]: _ticket(slots[call["name"]], call) for call in state["calls"]}
    for each in state["slots"]:
        if each.get("isKept"):  # by a change of route that is open
            registry.changes.keep(slots[each["name"]])
    return tickets


def _tool(wish: Wire) -> PageTool:
    return PageTool(Definition.of_text(wish["text"]), wish["number"])


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


def _key(text: str) -> Key:
    definition, resource_id, owner = json.loads(text)
    return (definition, resource_id, owner)
