import enum
import itertools
import json
import math
import types
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from webtools._exceptions import ToolError
from webtools.tools.answers import answer, failure, returned_error


class Colour(enum.StrEnum):
    RED = "red"


class Word(str):
    __slots__ = ()


class Product(BaseModel):
    name: str


class Broken(Mapping[str, Any]):
    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        raise ValueError

    def __len__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "Broken()"  # the same in each of pytest's processes


class OutOfStock(ToolError):
    def __init__(self, sku: str) -> None:
        self.sku = sku


def answered(value: Any, max_chars: int = 100_000) -> dict[str, Any]:
    """The decoded answer; JSON that a browser would refuse is an error."""
    text = answer(value, max_chars, lambda lost: None)
    text.encode("utf-8")
    decoded: dict[str, Any] = json.loads(text, parse_constant=pytest.fail)
    return decoded


def error_of(error: ToolError) -> dict[str, Any]:
    decoded = json.loads(failure(error))
    assert decoded["isError"] is True
    assert decoded["content"] == [{"type": "text", "text": decoded["structuredContent"]["error"]["message"]}]
    body: dict[str, Any] = decoded["structuredContent"]["error"]
    return body


def test_none_is_answered_with_done_and_no_structured_content() -> None:
    assert answered(None) == {"content": [{"type": "text", "text": "done"}]}


@pytest.mark.parametrize("value", ["a", "", "Élan 靴 👟", '{"a": 1}', Word("word"), Colour.RED])
def test_a_text_is_answered_bare(value: str) -> None:
    assert answered(value) == {"content": [{"type": "text", "text": str(value)}]}


def test_a_lone_surrogate_in_a_text_is_replaced() -> None:
    assert answered("\ud800")["content"][0]["text"] == "\ufffd"


@pytest.mark.parametrize("value", [{"a": 1}, {}, Product(name="x")])
def test_an_object_is_answered_as_it_is(value: Any) -> None:
    plain = value.model_dump() if isinstance(value, BaseModel) else value
    assert answered(value)["structuredContent"] == plain
    assert json.loads(answered(value)["content"][0]["text"]) == plain


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (0, 0),
        (False, False),
        (math.nan, None),
        ([], []),
        (set(), []),
        (b"hi", "aGk="),
        (2**70, str(2**70)),
        (object(), "<object>"),
        ([Product(name="x")], [{"name": "x"}]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_object_is_wrapped_in_both_places(value: Any, plain: Any) -> None:
    assert answered(value)["structuredContent"] == {"result": plain}
    assert json.loads(answered(value)["content"][0]["text"]) == {"result": plain}


def test_text_outside_of_ascii_is_not_escaped() -> None:
    assert answered({"a": "靴"})["content"][0]["text"] == '{"a":"靴"}'


def test_a_loss_is_reported_and_no_error() -> None:
    reports: list[list[str]] = []
    assert "isError" not in json.loads(answer([object()], 1000, reports.append))
    assert reports == [["object is not data"]]


@pytest.mark.parametrize(
    ("value", "chars"), [("x" * 11, 11), ({"a": "12345"}, 13), (itertools.count(), None)]
)
def test_an_answer_above_its_ceiling_is_refused_with_both_sizes(value: Any, chars: int | None) -> None:
    with pytest.raises(ToolError, match="more than the 10 that this tool may return") as caught:
        answered(value, max_chars=10)
    assert (caught.value.code, caught.value.effect) == ("ANSWER_TOO_LONG", "done")
    assert caught.value.details is not None
    assert chars is None or caught.value.details == {"chars": chars, "max_chars": 10}


def test_an_answer_at_its_ceiling_is_given() -> None:
    assert answered("x" * 10, max_chars=10)["content"][0]["text"] == "x" * 10


# -- errors --------------------------------------------------------------------------------------------------


def test_an_error_carries_all_that_its_author_said() -> None:
    error = ToolError("no such product 42", code="GONE", details={"sku": "42"}, retryable=True, effect="none")
    assert error_of(error) == {
        "code": "GONE",
        "message": "no such product 42",
        "details": {"sku": "42"},
        "retryable": True,
        "effect": "none",
    }


def test_an_error_without_details_has_no_key_for_them() -> None:
    assert error_of(ToolError("no")) == {
        "code": "TOOL_ERROR",
        "message": "no",
        "retryable": False,
        "effect": "unknown",
    }


@pytest.mark.parametrize(
    ("wrong", "kind", "said"),
    [
        ({"code": 3}, TypeError, "code=3 must be a text"),
        ({"code": ""}, ValueError, "the code is empty"),
        ({"effect": "nothing"}, ValueError, 'must be "none", "done" or "unknown"'),
        ({"effect": None}, ValueError, 'must be "none", "done" or "unknown"'),
    ],
)
def test_an_error_is_raised_with_parts_that_an_agent_can_read(
    wrong: dict[str, Any], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        ToolError("no", **wrong)


def test_an_error_of_odd_parts_is_answered_all_the_same() -> None:
    error: Any = ToolError("\ud800", details={"a": object()})
    error.code, error.retryable, error.effect = 7, "yes", {"a"}  # as a subclass can
    assert error_of(error) == {
        "code": "7",
        "message": "\ufffd",
        "details": {"a": "<object>"},
        "retryable": True,
        "effect": "unknown",
    }


def test_an_authors_error_that_calls_no_super_is_answered_all_the_same() -> None:
    assert error_of(OutOfStock("a"))["message"] == "The tool failed."


@pytest.mark.parametrize("wrap", [dict, types.MappingProxyType])
def test_a_returned_error_means_the_same_as_a_raised_one(wrap: Any) -> None:
    inside = {"code": "GONE", "message": "no", "details": {"a": 1}, "retryable": True, "effect": "none"}
    error = returned_error(wrap({"error": wrap(inside)}))
    assert error is not None
    assert error_of(error) == inside


def test_a_returned_error_of_odd_parts_is_answered_all_the_same() -> None:
    error = returned_error(
        {"error": {"code": "A", "message": "B", "details": [2**70], "effect": [], "retryable": 1}}
    )
    assert error is not None
    assert error_of(error) == {
        "code": "A",
        "message": "B",
        "details": [str(2**70)],
        "retryable": False,
        "effect": "unknown",
    }


@pytest.mark.parametrize(
    "value",
    [
        None,
        "error",
        {"error": "text"},
        {"error": {}},
        {"error": {"code": "A"}},
        {"error": {"code": 1, "message": "B"}},
        {"error": {"code": "", "message": "B"}},
        {"error": {"code": "A", "message": None}},
        {"error": {"code": "A", "message": "B"}, "more": 1},
        [{"error": {"code": "A", "message": "B"}}],
        Broken(),
    ],
    ids=repr,
)
def test_what_only_resembles_an_error_is_a_result(value: Any) -> None:
    assert returned_error(value) is None
