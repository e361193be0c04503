import asyncio
import logging
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator

from tests.unit.calls.caller import Caller, error_of, run, slot_of, text_of, verdict
from webtools import ToolError, tool

Raise = Callable[[], BaseException]


@tool
def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


@tool
async def add_at_once(a: int) -> int:
    """Add without waiting."""
    return a + 1


@tool
async def add_later(a: int) -> int:
    """Add after a turn of the loop."""
    await asyncio.sleep(0)
    return a + 1


@tool
def add_by_coroutine(a: int) -> Any:
    """Return a coroutine from a sync function."""
    return add_later(a)


class Soon:
    """An awaitable that is no coroutine."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __await__(self) -> Generator[Any, None, int]:
        yield from asyncio.sleep(0).__await__()
        return self.value


@tool
def add_by_awaitable(a: int) -> Any:
    """Return an awaitable object."""
    return Soon(a + 1)


class LazyProxy:
    """A stand-in that fails when it is looked at, as an unbound proxy of a web framework does."""

    @property  # type: ignore[misc]  # that is what such proxies do
    def __class__(self) -> type:
        raise RuntimeError("there is nothing behind this proxy")


class BadMapping(Mapping[str, int]):
    """A mapping whose items cannot be read."""

    def __getitem__(self, key: str) -> int:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("no keys today")

    def __len__(self) -> int:
        return 1


class Mute:
    """A message that cannot be written."""

    def __str__(self) -> str:
        raise LookupError("no words")


def raising(error: Raise, *, is_async: bool) -> Callable[..., Any]:
    """A tool whose handler raises, at once or after a wait."""

    @tool(name="broken")
    async def broken_later() -> None:
        """Raise after a wait."""
        await asyncio.sleep(0)
        raise error()

    @tool(name="broken")
    def broken_now() -> None:
        """Raise."""
        raise error()

    return broken_later if is_async else broken_now


def checked_by(validator: Callable[[int], int]) -> Callable[..., Any]:
    """A tool whose only parameter has an author's validator."""

    @tool
    def check(a: Annotated[int, AfterValidator(validator)]) -> int:
        """Check."""
        return a

    return check


def test_a_sync_handler_is_answered_in_the_call_itself() -> None:
    caller = Caller()
    slot = slot_of(add)
    answer = caller.answer(caller.call(slot, '{"a": 1, "b": 2}'))
    assert answer["structuredContent"] == {"result": 3}
    assert (slot.in_flight, slot.calls) == (0, 1)


@pytest.mark.parametrize("function", [add_at_once, add_later, add_by_coroutine, add_by_awaitable])
def test_whatever_can_be_awaited_is_awaited(function: Callable[..., Any]) -> None:
    async def scene(caller: Caller) -> None:
        slot = slot_of(function)
        answer = await caller.answered(caller.call(slot, '{"a": 1}'))
        assert text_of(answer) in ("2", '{"result":2}')
        assert slot.in_flight == 0

    run(scene)


def test_a_call_counts_as_in_flight_until_it_has_settled() -> None:
    async def scene(caller: Caller) -> None:
        slot = slot_of(add_later)
        first, second = caller.call(slot, '{"a": 1}'), caller.call(slot, '{"a": 2}')
        assert (slot.in_flight, slot.calls) == (2, 2)
        await caller.answered(first)
        await caller.answered(second)
        assert (slot.in_flight, slot.calls) == (0, 2)

    run(scene)


@pytest.mark.parametrize("text", ["{}", '{"a": "x"}', "[]", "null", "no JSON", "", '{"a": 1, "c": 2}'])
def test_input_that_does_not_fit_never_reaches_the_handler(text: str) -> None:
    caller = Caller()
    slot = slot_of(add)
    answer = caller.answer(caller.call(slot, text))
    assert verdict(answer) == ("INVALID_TOOL_ARGS", "none", True)
    assert error_of(answer)["details"]["problems"]
    assert slot.in_flight == 0


@pytest.mark.parametrize("error", [KeyError, RecursionError, SystemExit, KeyboardInterrupt, StopIteration])
def test_a_validator_that_raises_anything_is_the_tools_fault_without_effect(
    error: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(value: int) -> int:
        raise error("secret")

    caller = Caller()
    slot = slot_of(checked_by(fail))
    answer = caller.answer(caller.call(slot, '{"a": 1}'))
    assert verdict(answer) == ("TOOL_HANDLER_ERROR", "none", False)
    assert "secret" not in text_of(answer)
    assert "secret" in caplog.text
    assert slot.in_flight == 0


def test_a_validators_own_tool_error_has_no_effect_and_is_not_changed_by_that() -> None:
    refusal = ToolError("closed on Sundays", code="CLOSED", retryable=True)

    def refuse(value: int) -> int:
        raise refusal

    caller = Caller()
    answer = caller.answer(caller.call(slot_of(checked_by(refuse)), '{"a": 1}'))
    assert verdict(answer) == ("CLOSED", "none", True)
    assert refusal.effect == "unknown"


@pytest.mark.parametrize("is_async", [False, True])
def test_an_authors_error_reaches_the_agent_word_for_word(is_async: bool) -> None:
    async def scene(caller: Caller) -> None:
        details = {"sku": "42", "seen": {1}}
        function = raising(
            lambda: ToolError("no such product 42", code="NO_PRODUCT", details=details, effect="none"),
            is_async=is_async,
        )
        error = error_of(await caller.answered(caller.call(slot_of(function))))
        assert error == {
            "code": "NO_PRODUCT",
            "message": "no such product 42",
            "details": {"sku": "42", "seen": [1]},
            "retryable": False,
            "effect": "none",
        }

    run(scene)


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(
    "error", [ZeroDivisionError, SystemExit, KeyboardInterrupt, asyncio.CancelledError, GeneratorExit]
)
def test_any_other_exception_keeps_its_text_from_the_agent(
    error: type[BaseException], is_async: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(caller: Caller) -> None:
        slot = slot_of(raising(lambda: error("secret"), is_async=is_async))
        answer = await caller.answered(caller.call(slot))
        assert verdict(answer) == ("TOOL_HANDLER_ERROR", "unknown", False)
        assert error.__name__ in text_of(answer)
        assert "secret" not in str(answer)
        assert slot.in_flight == 0

    run(scene)
    assert "secret" in caplog.text
    assert "Traceback" in caplog.text


def test_exit_in_a_handler_does_not_end_python() -> None:
    @tool
    def leave() -> None:
        """Leave."""
        sys.exit(3)

    caller = Caller()
    answer = caller.answer(caller.call(slot_of(leave)))
    assert verdict(answer) == ("TOOL_HANDLER_ERROR", "unknown", False)


def test_in_debug_mode_the_exceptions_text_reaches_the_agent() -> None:
    caller = Caller(debug=True)
    answer = caller.answer(caller.call(slot_of(raising(lambda: KeyError("sku"), is_async=False))))
    assert "KeyError: 'sku'" in text_of(answer)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_tool_error_that_cannot_be_written_is_the_tools_fault(is_async: bool) -> None:
    def mute() -> ToolError:
        return ToolError(Mute())  # type: ignore[arg-type]  # an author's mistake

    async def scene(caller: Caller) -> None:
        slot = slot_of(raising(mute, is_async=is_async))
        answer = await caller.answered(caller.call(slot))
        assert verdict(answer) == ("TOOL_HANDLER_ERROR", "unknown", False)
        assert slot.in_flight == 0

    run(scene)


def test_a_tool_error_with_nonsense_in_its_fields_is_an_error_all_the_same() -> None:
    error = ToolError("x", code="X", details=LazyProxy())  # type: ignore[arg-type]  # that is it
    error.effect = "huge"  # type: ignore[assignment]  # as a subclass can
    caller = Caller()
    answer = caller.answer(caller.call(slot_of(raising(lambda: error, is_async=False))))
    assert verdict(answer) == ("X", "unknown", False)


def test_a_returned_error_means_the_same_as_a_raised_one() -> None:
    @tool
    def refuse() -> dict[str, Any]:
        """Refuse."""
        return {"error": {"code": "SOLD_OUT", "message": "none left", "effect": "none", "retryable": True}}

    caller = Caller()
    assert verdict(caller.answer(caller.call(slot_of(refuse)))) == ("SOLD_OUT", "none", True)


def test_a_value_of_another_type_than_declared_is_reported_with_its_effect(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @tool
    def count() -> int:
        """Count."""
        return "secret"  # type: ignore[return-value]  # the mistake that is to be found

    caller = Caller()
    answer = caller.answer(caller.call(slot_of(count)))
    assert verdict(answer) == ("TOOL_OUTPUT_INVALID", "done", False)
    assert "secret" not in str(answer)
    assert "secret" in caplog.text


@pytest.mark.parametrize("read_only", [True, False])
def test_an_answer_above_the_ceiling_names_the_parameters_that_narrow_it(read_only: bool) -> None:
    @tool(max_chars=10, read_only=read_only)
    def search(words: str = "", limit: int = 10) -> str:
        """Search."""
        return "x" * 11

    caller = Caller()
    answer = caller.answer(caller.call(slot_of(search)))
    assert verdict(answer) == ("ANSWER_TOO_LONG", "done", read_only)
    assert "Narrow it with words, limit." in text_of(answer)
    assert error_of(answer)["details"] == {"chars": 11, "max_chars": 10, "parameters": ["words", "limit"]}


def test_a_tool_without_parameters_may_be_too_long_too() -> None:
    @tool(max_chars=1)
    def everything() -> str:
        """All of it."""
        return "xx"

    caller = Caller()
    answer = caller.answer(caller.call(slot_of(everything)))
    assert verdict(answer)[0] == "ANSWER_TOO_LONG"
    assert "Narrow" not in text_of(answer)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_value_that_raises_when_it_is_looked_at_becomes_a_placeholder(is_async: bool) -> None:
    async def scene(caller: Caller) -> None:
        @tool(name="get")
        def get_now() -> Any:
            """Get."""
            return LazyProxy()

        @tool(name="get")
        async def get_later() -> Any:
            """Get."""
            return LazyProxy()

        slot = slot_of(get_later if is_async else get_now)
        answer = await caller.answered(caller.call(slot))
        assert answer["structuredContent"] == {"result": "<LazyProxy>"}
        assert slot.in_flight == 0

    run(scene)


def test_a_mapping_that_cannot_be_read_becomes_a_placeholder_and_one_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @tool
    def get() -> Any:
        """Get."""
        return BadMapping()

    caller = Caller()
    answer = caller.answer(caller.call(slot_of(get)))
    assert answer["structuredContent"] == {"result": "<BadMapping>"}
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


@pytest.mark.parametrize("error", [SystemExit, KeyError])
def test_a_validator_of_the_answer_that_raises_anything_leaves_the_effect_done(
    error: type[BaseException],
) -> None:
    def fail(value: int) -> int:
        raise error("secret")

    @tool
    def count() -> Annotated[int, AfterValidator(fail)]:
        """Count."""
        return 1

    caller = Caller()
    slot = slot_of(count)
    assert verdict(caller.answer(caller.call(slot))) == ("TOOL_OUTPUT_INVALID", "done", False)
    assert slot.in_flight == 0


@pytest.mark.parametrize("function", [add_at_once, add_later])
def test_a_handler_whose_answer_finds_no_memory_has_an_effect_all_the_same(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> str:
        raise MemoryError

    async def scene(caller: Caller) -> None:
        monkeypatch.setattr("webtools.calls.answering.answer", fail)
        answer = await caller.answered(caller.call(slot_of(function), '{"a": 1}'))
        assert verdict(answer) == ("TOOL_OUTPUT_INVALID", "done", False)

    run(scene)
