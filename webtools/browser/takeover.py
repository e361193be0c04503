"""What the page has done with its tools before Python was up, as `static/early.js` hands it over.

``{"attempts", "wishes": [{"number", "name", "text"?, "resourceId"?, "owner"?}], "slots": [{"name",
"generation", "seen", "registration": {"number", "text", "isAccepted"} | null, "reason", "calls",
"settledMsAgo"}], "calls": [{"id", "name", "key", "generation"}]}``
"""

from __future__ import annotations

import json
import math
from typing import Any

from webtools.browser.wishes import Wishes
from webtools.lifecycle.hold import Key
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import Past, Registration, Slot, Ticket
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
    slots: dict[str, Slot] = {}
    for each in state["slots"]:
        own = [wish for wish in state["wishes"] if wish["name"] == each["name"] and "text" in wish]
        asked = [(_tool(wish), wish.get("resourceId"), wish.get("owner")) for wish in own]
        slot, holds = registry.adopt(each["name"], _past(each, now), asked, state["attempts"])
        slots[slot.name] = slot
        for wish, hold in zip(own, holds, strict=True):
            wishes.adopt(wish["number"], hold)
    for wish in state["wishes"]:
        if "text" not in wish:
            wishes.hold(wish["number"], wish["name"], None, wish.get("resourceId"), wish.get("owner"))
    return {call["id"]: _ticket(slots[call["name"]], call) for call in state["calls"]}


def _tool(wish: Wire) -> PageTool:
    return PageTool(Definition.of_text(wish["text"]), wish["number"])


def _past(slot: Wire, now: float) -> Past:
    registration = _registration(slot["registration"])
    settled = slot["settledMsAgo"]
    return Past(
        generation=slot["generation"],
        seen=None if slot["seen"] is None else _key(slot["seen"]),
        registration=registration,
        last_tool=PageTool(registration.definition, 0) if registration else None,
        reason=slot["reason"],
        calls=slot["calls"],
        settled_at=-math.inf if settled is None else now - settled / 1000,
    )


def _registration(wire: Wire | None) -> Registration | None:
    if wire is None:
        return None
    return Registration(wire["number"], Definition.of_text(wire["text"]), wire["isAccepted"])


def _ticket(slot: Slot, call: Wire) -> Ticket:
    key = _key(call["key"])
    return slot.resume(key, call["generation"], PageTool(Definition.of_text(key[0]), 0))


def _key(text: str) -> Key:
    definition, resource_id, owner = json.loads(text)
    return (definition, resource_id, owner)
