"""What an author declares about when a tool may run: tool-context.md, §4."""

# without `from __future__ import annotations`: here ToolContext is a class in the signature, not a text

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.calls.caller import error_of, until, verdict
from tests.unit.calls.page_rig import PageRig, play
from webtools import Hold, ToolContext, ToolError, tool
from webtools.calls.facts import Facts

FACTS = Facts(door="page", session_id="s1", turn_id="t1")


def noting(entered: list[str], **options: Any) -> Callable[..., Any]:
    """A tool that notes that it ran."""

    @tool(name="write", **options)
    def write(ctx: ToolContext) -> None:
        """Write."""
        entered.append(ctx.call_id)

    return write


def refusal_of(**options: Any) -> dict[str, Any]:
    """The error of a call that the guards refuse; the handler must not run."""
    entered: list[str] = []
    rig = PageRig()
    rig.registry.hold(noting(entered, **options))
    error = error_of(rig.answers[rig.call("write", facts=FACTS)])
    assert entered == []
    assert error["effect"] == "none"
    return error


# Permission


def test_a_permission_that_returns_true_lets_the_call_in() -> None:
    entered: list[str] = []
    rig = PageRig()
    rig.registry.hold(noting(entered, permission=lambda _: True))
    rig.call("write")
    assert entered == ["c1"]


@pytest.mark.parametrize("said", [False, None, 1, "", [True], object()])
def test_whatever_else_a_permission_returns_refuses(said: object) -> None:
    error = refusal_of(permission=lambda _: said)
    assert (error["code"], error["retryable"]) == ("NOT_ALLOWED", False)
    assert error["message"] == "write is not allowed now."


def test_a_text_that_a_permission_returns_is_what_the_agent_reads() -> None:
    error = refusal_of(permission=lambda ctx: f"{ctx.session_id} may only read.")
    assert (error["code"], error["message"]) == ("NOT_ALLOWED", "s1 may only read.")


def test_a_permission_that_raises_refuses_and_the_developer_reads_why(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def permission(_: ToolContext) -> bool:
        raise LookupError("secret")

    with caplog.at_level(logging.ERROR, "webtools"):
        error = refusal_of(permission=permission)
    assert (error["code"], error["message"]) == ("NOT_ALLOWED", "write is not allowed now.")
    assert "secret" in caplog.text


def test_permission_is_asked_before_the_input_is_judged() -> None:
    rig = PageRig()
    rig.registry.hold(noting([], permission=lambda _: False))
    assert verdict(rig.answers[rig.call("write", {"wrong": 1})])[0] == "NOT_ALLOWED"


def test_permission_is_asked_once_where_nothing_was_waited_for_and_again_after_a_wait() -> None:
    asked: list[str] = []

    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()

        def ask(ctx: ToolContext) -> bool:
            asked.append(ctx.call_id)
            return True

        @tool(serial=True, permission=ask)
        async def write() -> None:
            """Write."""
            await goes_on.wait()

        rig.registry.hold(write)
        rig.call("write")
        second = rig.call("write")
        assert asked == ["c1", "c2"]
        goes_on.set()
        await rig.answered(second)

    play(scene)
    assert asked == ["c1", "c2", "c2"]


def test_a_permission_that_is_withdrawn_while_the_call_waits_refuses_it() -> None:
    entered: list[str] = []

    async def scene(rig: PageRig) -> None:
        is_allowed = [True]
        goes_on = asyncio.Event()

        @tool(serial=True, permission=lambda _: is_allowed[0])
        async def write(ctx: ToolContext) -> None:
            """Write."""
            entered.append(ctx.call_id)
            await goes_on.wait()

        rig.registry.hold(write)
        rig.call("write")
        second = rig.call("write")
        await until(lambda: entered == ["c1"])
        is_allowed[0] = False
        goes_on.set()
        assert verdict(await rig.answered(second)) == ("NOT_ALLOWED", "none", False)

    play(scene)
    assert entered == ["c1"]


# Expected version


class Sheet:
    """What has a version."""

    def __init__(self, version: object = 4) -> None:
        self.version = version


def editing(sheet: Sheet) -> Callable[..., Any]:
    """A tool that raises the version."""

    @tool(expected_version="expected", version=lambda: sheet.version)
    def edit(expected: int | None = None) -> int:
        """Edit."""
        sheet.version = (expected or 0) + 1
        return (expected or 0) + 1

    return edit


def edited(sheet: Sheet, arguments: dict[str, Any]) -> dict[str, Any]:
    rig = PageRig()
    rig.registry.hold(editing(sheet))
    return rig.answers[rig.call("edit", arguments)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"expected": 3}, "expected says 3, but it is 4 now. Read it again first."),
        ({"expected": 5}, "expected says 5, but it is 4 now. Read it again first."),
        ({}, "expected is missing: it is 4 now. Read it again first."),
        ({"expected": None}, "expected says null, but it is 4 now. Read it again first."),
    ],
    ids=["lower", "higher", "missing", "null"],
)
def test_c5_another_version_than_the_expected_one_is_a_conflict_and_changes_nothing(
    arguments: dict[str, Any], said: str
) -> None:
    sheet = Sheet()
    answer = edited(sheet, arguments)
    assert verdict(answer) == ("VERSION_CONFLICT", "none", True)
    error = error_of(answer)
    assert error["message"] == said
    assert error["details"] == {"expected": arguments.get("expected"), "current": 4}
    assert sheet.version == 4


def test_c5_the_version_that_there_is_lets_the_call_in() -> None:
    sheet = Sheet()
    assert edited(sheet, {"expected": 4})["structuredContent"] == {"result": 5}
    assert sheet.version == 5


def test_a_missing_version_is_a_conflict_also_where_there_is_none_yet() -> None:
    assert verdict(edited(Sheet(None), {}))[0] == "VERSION_CONFLICT"


def test_of_two_calls_that_read_the_same_version_the_second_is_refused() -> None:
    sheet = Sheet()
    answers: list[Any] = []

    async def scene(rig: PageRig) -> None:
        @tool(serial=True, expected_version="expected", version=lambda: sheet.version)
        async def edit(expected: int) -> None:
            """Edit."""
            await asyncio.sleep(0)
            sheet.version = expected + 1

        rig.registry.hold(edit)
        calls = [rig.call("edit", {"expected": 4}) for _ in range(2)]
        answers.extend([await rig.answered(each) for each in calls])

    play(scene)
    assert "isError" not in answers[0]
    assert verdict(answers[1]) == ("VERSION_CONFLICT", "none", True)
    assert sheet.version == 5


def test_a_version_that_cannot_be_told_is_the_pages_error_and_the_handler_does_not_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def version() -> int:
        raise LookupError("secret")

    @tool(expected_version="expected", version=version)
    def edit(expected: int) -> None:
        """Edit."""

    rig = PageRig()
    rig.registry.hold(edit)
    answer = rig.answers[rig.call("edit", {"expected": 1})]
    assert verdict(answer) == ("TOOL_HANDLER_ERROR", "none", False)
    assert "secret" not in str(answer)
    assert "secret" in caplog.text


def test_a_version_that_there_is_not_is_told_in_words() -> None:
    said = error_of(edited(Sheet(None), {"expected": 3}))["message"]
    assert said == "expected says 3, but there is none now. Read it again first."


@pytest.mark.parametrize(("given", "is_it"), [("4", True), ("5", False), ("None", False)])
def test_a_version_may_be_given_as_a_text(given: str, is_it: bool) -> None:
    @tool(expected_version="expected", version=lambda: 4)
    def edit(expected: str) -> str:
        """Edit."""
        return expected

    rig = PageRig()
    rig.registry.hold(edit)
    answer = rig.answers[rig.call("edit", {"expected": given})]
    assert ("isError" not in answer) is is_it
    if not is_it:
        assert error_of(answer)["message"] == f"expected says {given}, but it is 4 now. Read it again first."


# What an author's function may not give


async def coming(*_: object) -> Any:
    return True


@pytest.mark.parametrize(
    ("option", "given", "code", "said"),
    [
        ("permission", coming, "NOT_ALLOWED", "permission gave what has to be waited for"),
        ("permission", lambda: 1, "NOT_ALLOWED", "permission gave 1. It must give True, False or"),
        ("permission", lambda: "", "NOT_ALLOWED", "permission gave ''. It must give True, False or"),
        ("version", coming, "TOOL_HANDLER_ERROR", "version gave what has to be waited for"),
        ("active", coming, "TOOL_HANDLER_ERROR", "active gave what has to be waited for"),
        ("active", lambda: 3, "TOOL_HANDLER_ERROR", "active gave 3. It must give an id"),
    ],
)
def test_what_a_guard_may_not_give_is_one_line_with_tool_option_and_cure(
    option: str, given: Callable[[], Any], code: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    options: dict[str, Any] = {option: (lambda _: given()) if option == "permission" else lambda: given()}
    if option == "version":
        options["expected_version"] = "expected"

    @tool(**options)
    def edit(expected: int = 1) -> None:
        """Edit."""
        raise AssertionError

    rig = PageRig()
    rig.registry.hold(edit)
    answer = rig.answers[rig.call("edit", {"expected": 1})]
    assert verdict(answer) == (code, "none", False)
    (record,) = caplog.records
    assert record.getMessage().startswith(f"Tool 'edit': {said}")
    assert "use a function that is not async" in record.getMessage() or given is not coming
    assert record.exc_info is None


@pytest.mark.parametrize("no", [False, None, "The cart is locked."])
def test_a_plain_no_is_no_line_for_the_developer(no: object, caplog: pytest.LogCaptureFixture) -> None:
    assert refusal_of(permission=lambda _: no)["code"] == "NOT_ALLOWED"
    assert caplog.records == []


# What is active


class Store:
    """Documents, of which one is open."""

    def __init__(self, active: str | None) -> None:
        self.active = active
        self.written: list[str] = []


def writing(store: Store, goes_on: asyncio.Event | None = None) -> Callable[..., Any]:
    """A tool that writes into the document that it is bound to, perhaps after a wait."""

    @tool(held=True, active=lambda: store.active)
    async def write(ctx: ToolContext) -> str:
        """Write."""
        if goes_on:
            await goes_on.wait()
        ctx.ensure_current()
        store.written.append(ctx.resource_id or "none")
        return "written"

    return write


def written_to(store: Store, resource_id: str | None) -> dict[str, Any]:
    """The answer of a call to a tool that is bound to a resource."""
    answers: list[dict[str, Any]] = []

    async def scene(rig: PageRig) -> None:
        rig.registry.hold(writing(store), resource_id=resource_id)
        answers.append(await rig.answered(rig.call("write", facts=FACTS)))

    play(scene)
    return answers[0]


@pytest.mark.parametrize("resource_id", ["A", None])
def test_what_is_open_is_written_to(resource_id: str | None) -> None:
    store = Store("A")
    assert "isError" not in written_to(store, resource_id)
    assert store.written == [resource_id or "none"]


def test_c2_a_target_that_is_gone_is_disposed() -> None:
    store = Store(None)
    answer = written_to(store, "A")
    assert verdict(answer) == ("RESOURCE_DISPOSED", "none", False)
    assert error_of(answer)["details"] == {"session_id": "s1", "turn_id": "t1", "resource_id": "A"}
    assert store.written == []


def test_c2_a_tool_without_a_resource_is_refused_too_where_nothing_is_open() -> None:
    assert verdict(written_to(Store(None), None))[0] == "RESOURCE_DISPOSED"


def test_c3_another_document_than_the_bound_one_is_written_to_neither() -> None:
    store = Store("B")
    answer = written_to(store, "A")
    assert verdict(answer) == ("RESOURCE_CHANGED", "none", False)
    assert error_of(answer)["details"] == {
        "session_id": "s1",
        "turn_id": "t1",
        "resource_id": "A",
        "active_id": "B",
    }
    assert store.written == []


def changed_meanwhile(change: Callable[[Hold, Store], None]) -> tuple[dict[str, Any], Store]:
    """The answer of a call during whose wait something changes."""
    answers: list[dict[str, Any]] = []
    store = Store("A")

    async def scene(rig: PageRig) -> None:
        goes_on = asyncio.Event()
        hold = rig.registry.hold(writing(store, goes_on), resource_id="A")
        call_id = rig.call("write", facts=FACTS)
        await asyncio.sleep(0)
        change(hold, store)
        rig.turn()
        goes_on.set()
        answers.append(await rig.answered(call_id))

    play(scene)
    return answers[0], store


def test_c3_one_turn_can_outlive_a_document() -> None:
    answer, store = changed_meanwhile(lambda _, store: setattr(store, "active", "B"))
    assert verdict(answer) == ("RESOURCE_CHANGED", "unknown", False)
    assert error_of(answer)["details"]["turn_id"] == "t1"
    assert store.written == []


def test_c2_a_document_that_is_closed_during_the_call_is_disposed() -> None:
    answer, store = changed_meanwhile(lambda _, store: setattr(store, "active", None))
    assert verdict(answer)[0] == "RESOURCE_DISPOSED"
    assert store.written == []


def test_c2_stale_and_disposed_is_stale() -> None:
    def both(hold: Hold, store: Store) -> None:
        store.active = None
        hold.release()

    answer, store = changed_meanwhile(both)
    assert verdict(answer)[0] == "STALE_TOOL_CALL"
    assert error_of(answer)["details"] == {"session_id": "s1", "turn_id": "t1"}
    assert store.written == []


# The author's names


def test_an_authors_names_for_codes_win() -> None:
    error = refusal_of(permission=lambda _: False, errors={"NOT_ALLOWED": "READ_ONLY"})
    assert (error["code"], error["retryable"]) == ("READ_ONLY", False)
    names = {"RESOURCE_DISPOSED": "EDITOR_DISPOSED", "RESOURCE_CHANGED": "DOCUMENT_CHANGED"}
    assert refusal_of(active=lambda: None, errors=names)["code"] == "EDITOR_DISPOSED"


def test_an_error_that_the_handler_raises_gets_the_authors_name_and_keeps_the_rest() -> None:
    thrown = ToolError("none left", code="SOLD_OUT", details={"sku": 1}, retryable=True, effect="done")

    @tool(errors={"SOLD_OUT": "GONE"})
    def buy() -> None:
        """Buy."""
        raise thrown

    rig = PageRig()
    rig.registry.hold(buy)
    error = error_of(rig.answers[rig.call("buy")])
    assert error == {
        "code": "GONE",
        "message": "none left",
        "details": {"sku": 1},
        "retryable": True,
        "effect": "done",
    }
    assert thrown.code == "SOLD_OUT"


def test_the_authors_names_hold_for_calls_that_are_refused_at_the_door() -> None:
    rig = PageRig()
    hold = rig.registry.hold(noting([], errors={"STALE_TOOL_CALL": "PANEL_CLOSED"}))
    hold.release()
    assert verdict(rig.answers[rig.call("write")]) == ("PANEL_CLOSED", "none", False)
