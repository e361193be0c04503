"""What the page is told of a slot, as JSON text.

``{"name", "state", "reason"?, "inFlight", "calls"}`` for `webtools.tools()`; whoever observes is given
``{"generation", "registration", "definition": text | null, "holds": [{"holder", "resourceId"?}], "wait"?:
{"what", "ms"?}}`` with it. A holder that is a number is the page's own wish. `static/observed.js` gives the
same while Python is not up.
"""

from __future__ import annotations

import json
from typing import Any

from webtools.lifecycle.hold import Hold
from webtools.lifecycle.slot import Slot, Wait

Wire = dict[str, Any]


def app_holder(url: str) -> str:
    """What the inspector calls an app that holds; `static/observed.js` says it in the same words."""
    return f"app {url}"


def state_of(slot: Slot) -> Wire:
    """What every page may know of it."""
    state: Wire = {"name": slot.name, "state": slot.state}
    if slot.reason:
        state["reason"] = slot.reason
    return {**state, "inFlight": slot.in_flight, "calls": slot.calls}


def observed(slot: Slot) -> str:
    """What an observer is told of it."""
    wire = {
        **state_of(slot),
        "generation": slot.generation,
        "registration": slot.registration,
        "definition": slot.definition.text if slot.definition else None,
        "holds": [_hold(hold) for hold in slot.holds],
    }
    if wait := slot.wait:
        wire["wait"] = _wait(wait)
    return json.dumps(wire)


def _hold(hold: Hold) -> Wire:
    bound = {} if hold.resource_id is None else {"resourceId": hold.resource_id}
    return {"holder": hold.holder, **bound}


def _wait(wait: Wait) -> Wire:
    ms = {} if wait.seconds is None else {"ms": max(0.0, wait.seconds * 1000)}
    return {"what": wait.what, **ms}
