"""Whether a call may still write: this tab owns what it asks for, and its part of the page is still there.

Source: ../shared/spec/tool-context.md, §4.
"""

from __future__ import annotations

from webtools._exceptions import ToolError
from webtools.calls.call import Call
from webtools.calls.context import ResourceChanged, ResourceDisposed, StaleToolCall
from webtools.calls.ownership import Owners
from webtools.calls.wrong_returns import complain, untold


class Currency:
    """Looks at what is so at this moment.

    Args:
        owners: What this tab owns.
    """

    def __init__(self, owners: Owners) -> None:
        self._owners = owners

    def not_owner(self, call: Call) -> ToolError | None:
        """Why the tool's owner is another tab, if so, or has been since the first look for this call."""
        owner = call.tool.guards.owner
        if owner is None:
            return None
        epoch = self._owners.epoch(owner.name)
        if call.owned is None or call.owned[0] != owner.name:
            call.owned = (owner.name, epoch)
        if epoch is not None and call.owned[1] == epoch:
            return None
        return self._owners.refusal(owner.name, f"{call.tool.name} may do nothing here")

    def is_lost(self, call: Call) -> bool:
        """Whether nothing can come of asking the person for this call."""
        return not call.ticket.is_current or self.not_owner(call) is not None

    def ensure(self, call: Call) -> None:
        """Go on only where it may; see `ToolContext.ensure_current`."""
        if refusal := self.refusal(call):
            raise refusal

    def refusal(self, call: Call) -> ToolError | None:
        """Why the call may not write any more, if so."""
        return self.not_owner(call) or _out_of_date(call)


def _out_of_date(call: Call) -> ToolError | None:
    """Why, but for the tab. A stale call is stale, whatever else it is."""
    if not call.ticket.is_current:
        said = f"{call.tool.name} belonged to a part of the page that is gone. Read the page's state first."
        return StaleToolCall(said, code="STALE_TOOL_CALL", details=stated_details(call))
    active = call.tool.guards.active
    if active is None:
        return None
    bound = call.ticket.key[1] if call.ticket.key else None
    found: object = active()
    if found is not None and not isinstance(found, str):
        complain(call.tool.name, "active", found, "an id, which is a text, or None")
        return untold(call.tool.name, "active")
    if found is None:
        said = f"What {call.tool.name} worked on does not exist any more."
        return ResourceDisposed(
            said, code="RESOURCE_DISPOSED", details=stated_details(call, resource_id=bound)
        )
    if bound is not None and found != bound:
        said = (
            f"{call.tool.name} was meant for another one than what is open now. Read the page's state first."
        )
        details = stated_details(call, resource_id=bound, active_id=found)
        return ResourceChanged(said, code="RESOURCE_CHANGED", details=details)
    return None


def stated_details(call: Call, **more: object) -> dict[str, object] | None:
    """Which session and turn a refused call was of, where its caller said so."""
    facts = {"session_id": call.facts.session_id, "turn_id": call.facts.turn_id, **more}
    return {name: value for name, value in facts.items() if value is not None} or None
