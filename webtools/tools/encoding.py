"""Turn any value that a handler returns into plain JSON data, whatever it is.

A value that JSON cannot hold must not turn a finished effect into a failure, so nothing here raises: what has
no meaning outside Python becomes a short placeholder, and is reported once.

Source of the rules: ../shared/spec/tool-context.md, §3.
"""

from __future__ import annotations

import base64
import dataclasses
import functools
import math
import re
from collections import deque
from collections.abc import Callable, Hashable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from enum import Enum
from typing import Any, cast

from pydantic_core import SchemaSerializer, to_jsonable_python

from webtools.tools.core_schemas import CoreNode, rewritten

MAX_SAFE_INTEGER = 2**53 - 1
"""Larger integers change their value in JavaScript. Source: ECMA-262, Number.MAX_SAFE_INTEGER."""

JS_NULL = "JsNull"
"""Pyodide's type for JavaScript's null, by its name: this package runs where Pyodide is not installed."""

MAX_DEPTH = 40
"""Of a value; pydantic's serializer takes 49 in WebAssembly, and an answer adds some of its own."""

MAX_ITERATED = 10_000
"""Items taken from an iterator, which may never end."""

MAX_VALUES = 250_000
"""In all: a range may be without end for us, and a few lists that share others are millions when written."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_SEQUENCES = (list, tuple, set, frozenset, deque, KeysView, ValuesView, ItemsView, range)


class Encoder:
    """Encodes one value; `lost` then names what could only be kept as a placeholder."""

    def __init__(self) -> None:
        self.lost: list[str] = []
        self._left = MAX_VALUES
        self._open: set[int] = set()

    def encode(self, value: Any) -> Any:
        """Return data made of dict (text keys), list, str, int, float, bool and None only."""
        try:
            return self._plain(value)
        # a value's own code (a property, an iterator, a serializer) may raise anything, also SystemExit
        except BaseException as error:  # noqa: BLE001
            return self._placeholder(value, f"raised {type(error).__name__}")

    def _plain(self, value: Any) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, Enum):
            return self.encode(value.value)
        if isinstance(value, str):
            return clean(value)
        if isinstance(value, int):
            return _safe_integer(int.__int__(value))
        if isinstance(value, float):
            return float.__float__(value) if math.isfinite(value) else None
        if isinstance(value, bytes | bytearray | memoryview):
            return _base64(value)
        return self._nested(value)

    def _nested(self, value: Any) -> Any:
        if id(value) in self._open:
            return self._placeholder(value, "contains itself")
        if len(self._open) >= MAX_DEPTH:
            return self._placeholder(value, "is nested too deeply")
        self._open.add(id(value))
        try:
            return self._container(value)
        finally:
            self._open.discard(id(value))

    def _container(self, value: Any) -> Any:
        if hasattr(type(value), "__pydantic_serializer__"):
            return self._model(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = [field.name for field in dataclasses.fields(value)]
            return self._object(value, ((name, self._attribute(value, name)) for name in names))
        if isinstance(value, Mapping):
            return self._object(value, value.items())
        if isinstance(value, _SEQUENCES):
            return self._list(value, MAX_VALUES)
        if isinstance(value, Iterator):
            return self._list(value, MAX_ITERATED)
        return self._leaf(value)

    def _attribute(self, value: Any, name: str) -> Any:
        try:
            return getattr(value, name)
        except Exception as error:  # a property may raise anything; the other fields stand  # noqa: BLE001
            return self._placeholder(value, f"raised {type(error).__name__} for {name}")

    def _object(self, value: Any, entries: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for key, item in entries:
            if self._left <= 0:
                placeholder = self._cut(value)
                return {**plain, placeholder: placeholder}
            self._left -= 1
            plain[self._key(key)] = self.encode(item)
        return plain

    def _list(self, value: Iterable[Any], most: int) -> list[Any]:
        plain: list[Any] = []
        for item in value:
            if self._left <= 0:
                return [*plain, self._cut(value)]
            if len(plain) == most:
                return [*plain, self._placeholder(value, f"has more than {most} items")]
            self._left -= 1
            plain.append(self.encode(item))
        return plain

    def _cut(self, value: Any) -> str:
        return self._placeholder(value, f"is cut after {MAX_VALUES} values in all")

    def _model(self, model: Any) -> Any:
        """Let the author's model write itself; where it cannot, take its fields as they are."""
        serializer = _serializer(cast("Hashable", type(model)))
        try:
            plain = serializer.to_python(model, mode="json", by_alias=True, warnings=False)
        except Exception:  # foreign objects in a field  # noqa: BLE001
            plain = serializer.to_python(model, mode="python", by_alias=True, warnings=False)
        return self.encode(plain)

    def _leaf(self, value: Any) -> Any:
        """Dates, decimals, UUIDs, paths and whatever else pydantic knows a text for."""
        if type(value).__name__ == JS_NULL:
            return None
        try:
            plain = to_jsonable_python(value, inf_nan_mode="constants")
        except Exception:  # pydantic knows no text for it  # noqa: BLE001
            return self._placeholder(value, "is not data")
        return self.encode(plain)

    def _key(self, key: Any) -> str:
        plain = self.encode(key)
        if isinstance(plain, str):
            return plain
        if isinstance(plain, bool) or plain is None:
            return {True: "true", False: "false", None: "null"}[plain]
        return clean(str(plain))

    def _placeholder(self, value: Any, why: str) -> str:
        name = clean(type(value).__name__)
        self.lost.append(f"{name} {why}")
        return f"<{name}>"


def clean(text: str) -> str:
    """Replace lone surrogates, which no UTF-8 text can hold, by U+FFFD."""
    plain = str.__str__(text)
    return plain if plain.isascii() else _SURROGATES.sub("\ufffd", plain)


def encode(value: Any, report: Callable[[list[str]], None]) -> Any:
    """Encode a value; `report` is told once what was lost, if anything was."""
    encoder = Encoder()
    plain = encoder.encode(value)
    if encoder.lost:
        report(encoder.lost)
    return plain


def _safe_integer(value: int) -> int | str:
    if abs(value) <= MAX_SAFE_INTEGER:
        return value
    try:
        return str(value)
    except ValueError:  # CPython refuses to write more than sys.get_int_max_str_digits() decimal digits
        return hex(value)


def _base64(value: bytes | bytearray | memoryview) -> str:
    return base64.b64encode(bytes(value)).decode("ascii")


@functools.lru_cache(maxsize=256)
def _serializer(kind: Any) -> SchemaSerializer:
    """The model's own serializer, except that bytes become base64: pydantic's default is to decode them."""
    core = getattr(kind, "__pydantic_core_schema__", None)
    if not isinstance(core, dict):  # SecretStr and its like have a serializer only
        serializer: SchemaSerializer = kind.__pydantic_serializer__
        return serializer
    # the ready serializers of models inside would decode bytes, too
    return SchemaSerializer(rewritten(core, _bytes_as_base64), _use_prebuilt=False)


def _bytes_as_base64(node: CoreNode) -> CoreNode:
    if node.get("type") != "bytes" or "serialization" in node:
        return node
    plain = {"type": "function-plain", "function": _base64, "when_used": "json"}
    return {**node, "serialization": plain}
