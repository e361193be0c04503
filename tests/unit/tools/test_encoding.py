import base64
import collections
import dataclasses
import datetime
import enum
import itertools
import json
import math
import pathlib
import re
import sys
import types
import uuid
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import (
    Base64Bytes,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    RootModel,
    SecretStr,
    computed_field,
    field_serializer,
)
from pydantic.dataclasses import dataclass as pydantic_dataclass

from webtools.tools import encoding
from webtools.tools.encoding import JS_NULL, MAX_DEPTH, MAX_ITERATED, MAX_VALUES, Encoder, encode

FINGERPRINT = b"\xfb\xff"
"""Bytes that are no UTF-8 and whose two base64 alphabets differ."""


class Colour(enum.Enum):
    RED = "red"
    PAIR = (1, b"x")


class Grade(enum.IntEnum):
    GOOD = 1


class Point(NamedTuple):
    x: int
    y: int


@dataclasses.dataclass
class Line:
    start: Any
    end: Any = None


@pydantic_dataclass
class Picture:
    data: bytes


class Product(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str = "Lamp"
    price: Decimal = Decimal("1.10")
    cost: int = Field(default=1, exclude=True)
    stock: int = Field(default=2, serialization_alias="inStock")
    maker: Any = None

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated property
    @property
    def label(self) -> str:
        return self.name.upper()


class Node(BaseModel):
    child: "Node | None" = None


class Hostile:
    """Raises whatever is asked of it."""

    def __repr__(self) -> str:
        raise ValueError

    def __iter__(self) -> Iterator[int]:
        raise ValueError

    def __getattr__(self, name: str) -> Any:
        raise ValueError


class Disguised:
    @property  # type: ignore[misc]  # that is the point
    def __class__(self) -> type:
        raise RuntimeError


class Text(str):
    __slots__ = ()

    def __str__(self) -> str:
        raise ValueError


class Number(int):
    def __int__(self) -> int:
        raise ValueError

    def __abs__(self) -> int:
        raise ValueError


class Items(dict[str, int]):
    def items(self) -> Any:
        raise ValueError


def exits() -> Iterator[int]:
    yield 1
    sys.exit("an app's exit() in the middle")


def nested(depth: int) -> list[Any]:
    outer: list[Any] = []
    for _ in range(depth):
        outer = [outer]
    return outer


def told(value: Any) -> str:
    """Its repr without its address, which another process would write otherwise."""
    return re.sub(r" at 0x\w+", "", repr(value))


def encoded(value: Any) -> Any:
    """What becomes of a value of which nothing is lost."""
    encoder = Encoder()
    plain = encoder.encode(value)
    assert encoder.lost == []
    return plain


def lost(value: Any) -> tuple[Any, list[str]]:
    encoder = Encoder()
    return encoder.encode(value), encoder.lost


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        (True, True),
        ("Élan 靴 👟", "Élan 靴 👟"),
        ("\ud800x", "\ufffdx"),
        (2**53 - 1, 2**53 - 1),
        (2**53, "9007199254740992"),
        (-(2**70), "-1180591620717411303424"),
        (math.nan, None),
        (-math.inf, None),
        (Decimal("1.10"), "1.10"),
        (b"hi", "aGk="),
        (FINGERPRINT, "+/8="),
        (bytearray(b"hi"), "aGk="),
        (memoryview(b"h-i-")[::2], "aGk="),
        (set(), []),
        (frozenset([1]), [1]),
        ((1, "a"), [1, "a"]),
        (range(3), [0, 1, 2]),
        (collections.deque([1]), [1]),
        ({"a": 1}.keys(), ["a"]),
        (iter([1, 2]), [1, 2]),
        (zip([1], [2], strict=True), [[1, 2]]),
        (types.MappingProxyType({"a": 1}), {"a": 1}),
        (collections.ChainMap({"a": 1}), {"a": 1}),
        (datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC), "2026-01-02T00:00:00Z"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (datetime.timedelta(minutes=30), "PT30M"),
        (uuid.UUID(int=0), "00000000-0000-0000-0000-000000000000"),
        (pathlib.Path("/a/b"), "/a/b"),
        (Colour.RED, "red"),
        (Colour.PAIR, [1, "eA=="]),
        (Grade.GOOD, 1),
        (Point(1, 2), [1, 2]),
        (Line(Point(1, 2)), {"start": [1, 2], "end": None}),
        (Text("a"), "a"),
        (Number(5), 5),
    ],
    ids=told,
)
def test_a_value_is_encoded_by_rule(value: Any, plain: Any) -> None:
    assert encoded(value) == plain
    assert type(encoded(value)) is type(plain)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("\udfff", "\ufffd"),
        ("", ""),
        (1, "1"),
        (True, "true"),
        (None, "null"),
        (1.5, "1.5"),
        (math.nan, "null"),
        (2**60, str(2**60)),
        ((1, 2), "[1, 2]"),
        (b"k", "aw=="),
        (Colour.RED, "red"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
    ],
)
def test_a_key_becomes_text(key: Any, text: str) -> None:
    assert encoded({key: 1}) == {text: 1}


def test_an_integer_with_too_many_digits_is_written_in_base_sixteen() -> None:
    assert encoded(10**5000) == hex(10**5000)


def test_javascripts_null_is_null() -> None:
    js_null = type(JS_NULL, (), {})()
    assert encoded([js_null]) == [None]


# -- models --------------------------------------------------------------------------------------------------


def test_a_model_writes_itself_with_its_aliases_exclusions_and_computed_fields() -> None:
    plain = {"name": "Lamp", "price": "1.10", "inStock": 2, "maker": None, "label": "LAMP"}
    assert encoded(Product()) == plain


def test_a_foreign_object_in_a_model_costs_that_field_only() -> None:
    plain, gone = lost(Product(maker=object()))
    assert plain == {"name": "Lamp", "price": "1.10", "inStock": 2, "maker": "<object>", "label": "LAMP"}
    assert gone == ["object is not data"]


@pytest.mark.parametrize("data", [b"hi", FINGERPRINT])
def test_bytes_in_a_model_are_base64_whether_they_are_text_or_not(data: bytes) -> None:
    class Album(BaseModel):
        cover: bytes
        pages: list[Picture]
        by_name: dict[str, RootModel[bytes]]

    album = Album(cover=data, pages=[Picture(data)], by_name={"a": RootModel[bytes](data)})
    text = base64.b64encode(data).decode()
    assert encoded(album) == {"cover": text, "pages": [{"data": text}], "by_name": {"a": text}}


def test_bytes_that_an_author_encodes_are_not_encoded_again() -> None:
    class File(BaseModel):
        data: Base64Bytes
        digest: Annotated[bytes, PlainSerializer(bytes.hex)]

    assert encoded(File(data=b"aGk=", digest=b"hi")) == {"data": "aGk=", "digest": "6869"}


def test_a_serializer_of_the_authors_for_json_is_used() -> None:
    class Price(BaseModel):
        cents: int

        @field_serializer("cents", when_used="json")
        def in_words(self, cents: int) -> str:
            return f"{cents} cents"

    assert encoded([Price(cents=5)]) == [{"cents": "5 cents"}]


def test_a_secret_stays_one() -> None:
    class Login(BaseModel):
        word: SecretStr
        maker: Any = None

    hidden = "**********"
    assert encoded(SecretStr("x")) == hidden
    assert lost(Login(word=SecretStr("x"), maker=object()))[0] == {"word": hidden, "maker": "<object>"}


# -- what JSON has no room for ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "plain", "why"),
    [
        (object(), "<object>", "object is not data"),
        (int, "<type>", "type is not data"),
        (ValueError("x"), "<ValueError>", "ValueError is not data"),
        (Hostile(), "<Hostile>", "Hostile is not data"),
        (Disguised(), "<Disguised>", "Disguised raised RuntimeError"),
        (Items(a=1), "<Items>", "Items raised ValueError"),
        (exits(), "<generator>", "generator raised SystemExit"),
        ({Hostile(): 1}, {"<Hostile>": 1}, "Hostile is not data"),
        ([1, Line(object(), 2)], [1, {"start": "<object>", "end": 2}], "object is not data"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_data_becomes_a_placeholder_and_is_named(value: Any, plain: Any, why: str) -> None:
    assert lost(value) == (plain, [why])


def test_a_released_memoryview_becomes_a_placeholder() -> None:
    view = memoryview(b"x")
    view.release()
    assert lost(view) == ("<memoryview>", ["memoryview raised ValueError"])


def test_a_field_that_raises_leaves_the_other_fields() -> None:
    @dataclasses.dataclass
    class Lazy:
        fine: int
        broken: int = dataclasses.field(init=False)

    assert lost(Lazy(1)) == ({"fine": 1, "broken": "<Lazy>"}, ["Lazy raised AttributeError for broken"])


def test_a_list_that_contains_itself_ends_in_a_placeholder() -> None:
    value: list[Any] = [1]
    value.append(value)
    assert lost(value) == ([1, "<list>"], ["list contains itself"])


def test_a_dict_that_contains_itself_ends_in_a_placeholder() -> None:
    value: dict[str, Any] = {}
    value["a"] = [value]
    assert lost(value) == ({"a": ["<dict>"]}, ["dict contains itself"])


def test_a_dataclass_that_contains_itself_ends_in_a_placeholder() -> None:
    value = Line(1)
    value.end = value
    assert lost(value) == ({"start": 1, "end": "<Line>"}, ["Line contains itself"])


def test_a_model_that_contains_itself_becomes_a_placeholder() -> None:
    value = Node()
    value.child = value
    assert lost(value) == ("<Node>", ["Node raised ValueError"])


def test_a_value_that_occurs_twice_is_no_cycle() -> None:
    shared = {"a": 1}
    assert encoded([shared, shared]) == [{"a": 1}, {"a": 1}]


@pytest.mark.parametrize("depth", [MAX_DEPTH, 10_000])
def test_what_is_nested_too_deeply_ends_in_a_placeholder(depth: int) -> None:
    plain, gone = lost(nested(depth))
    assert gone == ["list is nested too deeply"]
    assert json.dumps(plain).count("[") == MAX_DEPTH


def test_an_endless_iterator_is_cut() -> None:
    plain, gone = lost(itertools.count())
    assert plain == [*range(MAX_ITERATED), "<count>"]
    assert gone == [f"count has more than {MAX_ITERATED} items"]


class Endless(list[int]):
    def __iter__(self) -> Iterator[int]:
        return itertools.count()


@pytest.mark.parametrize("value", [range(10**9), Endless()], ids=["a range", "a list of the author's own"])
def test_a_sequence_without_an_end_is_cut_where_an_answer_has_its_last_value(value: Any) -> None:
    plain, gone = lost(value)
    assert plain == [*range(MAX_VALUES), f"<{type(value).__name__}>"]
    assert gone == [f"{type(value).__name__} is cut after {MAX_VALUES} values in all"]


def test_an_answer_may_have_that_many_values() -> None:
    assert encoded(range(MAX_VALUES)) == [*range(MAX_VALUES)]


@pytest.mark.parametrize(
    ("join", "name"),
    [
        (lambda inner: [inner, inner], "list"),
        (lambda inner: {"a": inner, "b": inner}, "dict"),
        (lambda inner: Line(inner, inner), "Line"),
    ],
    ids=["lists", "dicts", "dataclasses"],
)
def test_what_shares_its_parts_again_and_again_is_cut_at_each_level_once(
    monkeypatch: pytest.MonkeyPatch, join: Callable[[Any], Any], name: str
) -> None:
    monkeypatch.setattr(encoding, "MAX_VALUES", 1000)
    value: Any = 1
    for _ in range(MAX_DEPTH - 1):
        value = join(value)
    _, gone = lost(value)
    assert 0 < len(gone) < MAX_DEPTH
    assert set(gone) == {f"{name} is cut after 1000 values in all"}


def test_an_object_that_is_cut_says_so_in_a_member_of_its_own() -> None:
    plain, _ = lost(dict.fromkeys(range(MAX_VALUES + 9), 0))
    assert list(plain.items())[-2:] == [(str(MAX_VALUES - 1), 0), ("<dict>", "<dict>")]


def test_what_was_lost_is_reported_once() -> None:
    reports: list[list[str]] = []
    encode([object(), object()], reports.append)
    assert reports == [["object is not data", "object is not data"]]


def test_nothing_is_reported_when_nothing_was_lost() -> None:
    reports: list[list[str]] = []
    encode({"a": 1}, reports.append)
    assert reports == []


# -- any value -----------------------------------------------------------------------------------------------

KEYS = st.one_of(
    st.text(), st.integers(), st.floats(), st.none(), st.binary(), st.characters(categories=["Cs"])
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.text(),
    st.characters(categories=["Cs"]),
    st.integers(),
    st.integers(min_value=2**50).map(lambda number: number**100),
    st.floats(),
    st.decimals(),
    st.binary(),
    st.datetimes(),
    st.timedeltas(),
    st.uuids(),
    st.complex_numbers(),
    st.sampled_from([object, Hostile, Items, exits]).map(lambda make: make()),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner),
        st.lists(inner).map(tuple),
        st.lists(inner).map(iter),
        st.dictionaries(KEYS, inner),
        st.builds(Line, inner, inner),
        st.builds(Product, maker=inner),
    ),
    max_leaves=12,
)


def is_plain(value: Any) -> bool:
    if isinstance(value, Mapping):
        return type(value) is dict and all(type(key) is str and is_plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(is_plain, value))
    return value is None or type(value) in (str, int, float, bool)


@given(value=VALUES)
@settings(max_examples=150)
def test_any_value_becomes_plain_json_that_utf8_can_carry(value: Any) -> None:
    plain = Encoder().encode(value)
    json.dumps(plain, allow_nan=False, ensure_ascii=False).encode("utf-8")
    assert is_plain(plain)
