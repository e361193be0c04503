"""What a tool's author declares about when it may run; `webtools.calls` keeps to it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from webtools._exceptions import ToolDefinitionError
from webtools.tools.callables import is_plain, takes
from webtools.tools.codes import CODES
from webtools.tools.known import almost
from webtools.tools.need import Need
from webtools.tools.owner import Owner


@dataclass(frozen=True, eq=False)
class Guards:
    """Declarations; each that is not made lets every call pass.

    Attributes:
        serial: Calls of the tool run one after another.
        permission: Called with the `ToolContext`; the call is refused unless it returns True.
        expected_version: The argument that names the version which the agent has read.
        version: Gives the version that there is.
        active: Gives the id of the resource that is active, None where it is gone; compared with the hold's.
        errors: The author's names for codes of ours.
        idempotency: The argument that has the key, or True for one of the call's place in an agent's run.
        confirm: What the person is asked before the handler runs, or a function of the `ToolContext` and the
            accepted arguments that gives it.
        owner: What this tab has to own.
        needs: The credential without which it does not run.
    """

    serial: bool = False
    permission: Callable[[Any], object] | None = None
    expected_version: str | None = None
    version: Callable[[], object] | None = None
    active: Callable[[], str | None] | None = None
    errors: Mapping[str, str] = field(default_factory=dict)
    idempotency: str | bool = False
    confirm: str | Callable[[Any, dict[str, Any]], object] | None = None
    owner: Owner | None = None
    needs: Need | None = None


def make_guards(
    tool: str,
    parameters: Collection[str],
    *,
    serial: bool,
    permission: Callable[[Any], object] | None,
    expected_version: str | None,
    version: Callable[[], object] | None,
    active: Callable[[], str | None] | None,
    errors: Mapping[str, str] | None,
    idempotency: str | bool,
    confirm: str | Callable[[Any, dict[str, Any]], object] | None,
    owner: Owner | None,
    read_only: bool,
    needs: Need | None,
) -> Guards:
    """Check the declarations of a tool.

    Raises:
        ToolDefinitionError: One cannot work; the message names it and the cure.
    """
    if not isinstance(serial, bool):
        raise ToolDefinitionError(f"Tool {tool!r}: serial must be True or False, not {serial!r}.")
    check_function(tool, "permission", permission, "ctx")
    check_function(tool, "version", version, "")
    check_function(tool, "active", active, "")
    if (expected_version is None) != (version is None):
        raise ToolDefinitionError(
            f"Tool {tool!r}: expected_version= names the argument, version= gives what there is. Give both."
        )
    if expected_version is not None:
        check_argument(tool, "expected_version", expected_version, parameters, "Name one.")
    if not isinstance(idempotency, bool):
        check_argument(tool, "idempotency", idempotency, parameters, "Name one, or say True.")
        if idempotency == expected_version:
            raise ToolDefinitionError(
                f"Tool {tool!r}: idempotency and expected_version both name {idempotency!r}, but a key is "
                f"new for each task, and a version is what the agent has read. Give each its own parameter."
            )
    _check_confirm(tool, confirm)
    _check_owner(tool, owner, read_only=read_only)
    if needs is not None and not isinstance(needs, Need):
        raise ToolDefinitionError(
            f'Tool {tool!r}: needs={needs!r} must be one Need, such as Need("payments"). Where a tool needs '
            f"several credentials, it gets the others from ctx.credentials."
        )
    names = _checked_errors(tool, errors)
    return Guards(
        serial, permission, expected_version, version, active, names, idempotency, confirm, owner, needs
    )


def check_function(tool: str, name: str, function: Any, parameters: str) -> None:
    """Refuse what gives no answer at once, or cannot be called with these parameters, such as "ctx"."""
    if function is None:
        return
    if not callable(function):
        raise ToolDefinitionError(
            f"Tool {tool!r}: {name}={function!r} must be a function that is not async, or left out."
        )
    if not is_plain(function):
        raise ToolDefinitionError(
            f"Tool {tool!r}: {name} must be a function that is not async, and does not yield: nothing may "
            f"happen between its answer and the handler. Of a function of the page, give its now: "
            f"{name}=shop.{name}.now."
        )
    if not takes(function, len(parameters.split())):
        raise ToolDefinitionError(
            f"Tool {tool!r}: {name} is called as {name}({parameters}), which this function does "
            f"not take. Write def {name}({parameters}) or lambda{' ' * bool(parameters)}{parameters}: …"
        )


def check_argument(tool: str, option: str, argument: object, parameters: Collection[str], cure: str) -> None:
    """Refuse what is the name of none of the tool's parameters."""
    if not isinstance(argument, str) or argument not in parameters:
        raise ToolDefinitionError(
            f"Tool {tool!r}: {option}={argument!r} is none of its parameters, which are "
            f"{', '.join(parameters) or 'none'}. {cure}"
        )


def _check_confirm(tool: str, confirm: Any) -> None:
    is_text = isinstance(confirm, str) and confirm.strip()
    is_function = callable(confirm) and is_plain(confirm)
    if confirm is not None and not is_text and not is_function:
        raise ToolDefinitionError(
            f'Tool {tool!r}: confirm says what a person is asked, such as "Pay for the order?", or is a '
            f"function of the context and the arguments, not async, that gives such a text."
        )
    if is_function:
        check_function(tool, "confirm", confirm, "ctx, arguments")


def _check_owner(tool: str, owner: object, *, read_only: bool) -> None:
    if owner is None:
        return
    if not isinstance(owner, Owner):
        raise ToolDefinitionError(
            f'Tool {tool!r}: owner={owner!r} must be an Ownership, such as checkout = Ownership("checkout").'
        )
    if read_only:
        raise ToolDefinitionError(
            f"Tool {tool!r} has both owner and read_only=True. What only reads may run in every tab: drop "
            f"owner, or read_only where it changes something."
        )


def _checked_errors(tool: str, errors: object) -> dict[str, str]:
    if errors is None:
        return {}
    pairs = list(errors.items()) if isinstance(errors, Mapping) else [(errors, None)]
    if not all(isinstance(each, str) and each for pair in pairs for each in pair):
        raise ToolDefinitionError(
            f'Tool {tool!r}: errors maps codes to codes, such as {{"RESOURCE_CHANGED": "DOCUMENT_CHANGED"}}.'
        )
    checked = {str(code): str(name) for code, name in pairs}
    for code, name in checked.items():
        if meant := almost(code, CODES):
            raise ToolDefinitionError(
                f"Tool {tool!r}: errors names {code!r}, no code of webtools. Did you mean {meant!r}? "
                f"What you raise yourself can have its name there: ToolError(…, code={name!r})."
            )
    return checked
