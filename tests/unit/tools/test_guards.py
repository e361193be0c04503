import functools
import re
from typing import Any

import pytest

from webtools import ToolDefinitionError, tool
from webtools.tools.guards import Guards
from webtools.tools.tool import tool_of


def edit(expected: int) -> None:
    """Edit."""


def guards_of(**options: Any) -> Guards:
    made = tool_of(tool(**options)(lambda_of(edit)))
    assert made is not None
    return made.guards


def lambda_of(function: Any) -> Any:
    """A function of its own for each tool."""
    return functools.wraps(function)(lambda expected: function(expected))


async def coming() -> Any:
    return True


def yielding(*_: object) -> Any:
    yield True


async def yielding_later(*_: object) -> Any:
    yield True


class Coming:
    """Async where nothing shows it."""

    async def __call__(self, *_: object) -> bool:
        return True


def test_what_is_not_declared_lets_every_call_pass() -> None:
    assert vars(guards_of()) == vars(Guards())


@pytest.mark.parametrize("name", ["permission", "version", "active"])
@pytest.mark.parametrize(
    "function",
    [coming, functools.partial(coming), Coming(), yielding, yielding_later, "yes", True],
    ids=lambda each: type(each).__name__,
)
def test_what_is_asked_right_before_the_handler_is_a_function_that_does_not_wait(
    name: str, function: Any
) -> None:
    with pytest.raises(ToolDefinitionError, match=f"'edit': {name}.* must be a function that is not async"):
        guards_of(**{name: function})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"permission": lambda: True}, "permission is called as permission(ctx)"),
        ({"permission": lambda one, other: True}, "permission is called as permission(ctx)"),
        ({"version": lambda ctx: 1}, "version is called as version()"),
        ({"active": lambda ctx: "a"}, "active is called as active()"),
        ({"confirm": lambda: "Pay?"}, "confirm is called as confirm(ctx, arguments)"),
        ({"confirm": lambda ctx: "Pay?"}, "confirm is called as confirm(ctx, arguments)"),
    ],
)
def test_what_is_asked_takes_what_it_is_given(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ToolDefinitionError, match=re.escape(f"Tool 'edit': {said}")):
        guards_of(**options)


def test_a_function_that_does_not_show_what_it_takes_is_taken() -> None:
    assert guards_of(permission=iter).permission is iter


def test_a_confirm_that_is_async_where_nothing_shows_it_is_refused() -> None:
    with pytest.raises(ToolDefinitionError, match="not async"):
        guards_of(confirm=Coming())


@pytest.mark.parametrize("option", ["idempotency", "expected_version"])
@pytest.mark.parametrize("argument", [["expected"], 3, "wanted"])
def test_an_option_that_names_an_argument_names_one(option: str, argument: object) -> None:
    with pytest.raises(ToolDefinitionError, match=f"Tool 'edit': {option}=.* is none of its parameters"):
        guards_of(**{"version": lambda: 1} if option == "expected_version" else {}, **{option: argument})


def test_one_argument_is_not_both_key_and_version() -> None:
    with pytest.raises(ToolDefinitionError, match=r"both name 'expected'.* Give each its own parameter"):
        guards_of(idempotency="expected", expected_version="expected", version=lambda: 1)


@pytest.mark.parametrize("slip", ["RESOURCE_CHANGD", "resource_changed", "RESOURCES_CHANGED"])
def test_a_slip_in_a_code_is_refused(slip: str) -> None:
    with pytest.raises(ToolDefinitionError, match="Did you mean 'RESOURCE_CHANGED'"):
        guards_of(errors={slip: "DOCUMENT_CHANGED"})


@pytest.mark.parametrize("own", ["SOLD_OUT", "TOOL_BROKEN", "PAGE_FULL", "SESSION_FULL"])
def test_an_authors_own_code_may_have_another_name(own: str) -> None:
    assert guards_of(errors={own: "GONE"}).errors == {own: "GONE"}


@pytest.mark.parametrize("alone", [{"expected_version": "expected"}, {"version": lambda: 1}])
def test_a_version_is_declared_with_the_argument_that_expects_it(alone: dict[str, Any]) -> None:
    with pytest.raises(ToolDefinitionError, match="Give both"):
        guards_of(**alone)


def test_the_expected_version_is_one_of_the_parameters() -> None:
    with pytest.raises(ToolDefinitionError, match="'wanted' is none of its parameters, which are expected"):
        guards_of(expected_version="wanted", version=lambda: 1)


@pytest.mark.parametrize("serial", [1, None, "yes"])
def test_serial_is_true_or_false(serial: object) -> None:
    with pytest.raises(ToolDefinitionError, match="serial must be True or False"):
        guards_of(serial=serial)


@pytest.mark.parametrize("errors", [{"": "A"}, {"A": ""}, {"A": 1}, {1: "A"}, ["A"], "A"])
def test_errors_maps_codes_to_codes(errors: object) -> None:
    with pytest.raises(ToolDefinitionError, match="errors maps codes to codes"):
        guards_of(errors=errors)


def test_the_names_of_errors_are_the_tools_own_from_its_definition_on() -> None:
    names = {"RESOURCE_CHANGED": "DOCUMENT_CHANGED"}
    guards = guards_of(errors=names)
    names.clear()
    assert guards.errors == {"RESOURCE_CHANGED": "DOCUMENT_CHANGED"}


@pytest.mark.parametrize("seconds", [0, -1, float("inf"), float("nan"), "5", True])
def test_an_idle_timeout_is_a_time(seconds: object) -> None:
    with pytest.raises(ToolDefinitionError, match="idle_timeout="):
        guards_of(idle_timeout=seconds)


def test_an_idle_timeout_that_can_never_pass_first_is_refused() -> None:
    with pytest.raises(ToolDefinitionError, match="can never pass before timeout=5"):
        guards_of(idle_timeout=6, timeout=5)
    guards_of(idle_timeout=5, timeout=5)
