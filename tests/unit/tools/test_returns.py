from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import pytest
from pydantic import BaseModel, Field, ValidationError

from webtools.tools.returns import Returns

Item = TypeVar("Item")


class Product(BaseModel):
    name: str


@dataclass
class Line:
    amount: int


class Foreign:
    pass


class Broken:
    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        raise LookupError


def returns(declared: Any) -> Returns:
    def handler() -> None: ...

    handler.__annotations__["return"] = declared
    return Returns(handler)


@pytest.mark.parametrize(
    ("declared", "value", "accepted"),
    [
        (int, 5, 5),
        (None, None, None),
        (Product, {"name": "a"}, Product(name="a")),
        (list[Product], [{"name": "a"}], [Product(name="a")]),
        (Line, Line(1), Line(1)),
        (str, "\ud800", "\ud800"),
        (list[str], ["\ud800", "a"], ["\ud800", "a"]),
        (Annotated[str, Field(max_length=9)], "\ud800", "\ud800"),
        (Awaitable[int], 5, 5),
        (Coroutine[Any, Any, int], 5, 5),
        ("int | None", None, None),
    ],
)
def test_a_value_of_the_declared_type_is_accepted(declared: Any, value: Any, accepted: Any) -> None:
    assert returns(declared).accept(value) == accepted


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        (int, "x"),
        (None, 3),
        (Product, {}),
        (list[str], ["\ud800", 3]),
        (Awaitable[int], "x"),
        ("int | None", "x"),
    ],
)
def test_a_value_of_another_type_is_refused(declared: Any, value: Any) -> None:
    with pytest.raises(ValidationError):
        returns(declared).accept(value)


@pytest.mark.parametrize(
    "declared",
    [
        Any,
        Iterator[int],
        Iterable[int],
        Generator[int, None, None],
        AsyncIterator[int],
        Foreign,
        Broken,
        Item,
        list["Nope"],  # type: ignore[name-defined]  # noqa: F821  # that is the point
        5,
    ],
    ids=str,
)
def test_a_type_that_cannot_be_judged_accepts_the_very_value(declared: Any) -> None:
    value = object()
    assert returns(declared).accept(value) is value


def test_a_handler_that_declares_nothing_accepts_everything() -> None:
    handler: Callable[[], Any] = lambda: None  # noqa: E731  # it has no annotation
    assert Returns(handler).accept(3) == 3
