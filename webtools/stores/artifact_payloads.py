"""What an artifact holds: text, bytes or JSON data; which of them is remembered, so "7" and 7 differ.

A payload shares nothing with what was put: it is immutable, and decoded anew each time.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from webtools.tools.nesting import MAX_NESTING

Form = Literal["text", "binary", "json"]

DIGEST = "sha-256:"
"""What a digest begins with; 64 hexadecimal digits in lower case follow."""


@dataclass(frozen=True)
class Payload:
    """As a backend keeps it.

    Attributes:
        stored: Bytes where the form is binary, else a text.
    """

    form: Form
    stored: str | bytes

    @property
    def octets(self) -> bytes:
        """What is measured and digested."""
        return self.stored if isinstance(self.stored, bytes) else self.stored.encode()

    @cached_property
    def size(self) -> int:
        """Of the octets."""
        return len(self.octets)

    @cached_property
    def digest(self) -> str:
        """Of the octets."""
        return DIGEST + hashlib.sha256(self.octets).hexdigest()

    @property
    def data(self) -> Any:
        """What was put, a copy."""
        return json.loads(self.stored) if self.form == "json" else self.stored


def packed(data: Any) -> Payload:
    """Copy data for keeping.

    Raises:
        ValueError: It is neither text nor bytes nor JSON data; the message says what is wrong with it.
    """
    if isinstance(data, bytes | bytearray | memoryview):
        return Payload("binary", bytes(data))
    if isinstance(data, str):
        return Payload("text", _encodable(str.__str__(data)))
    _check(data, 0)
    return Payload("json", _encodable(json.dumps(data, ensure_ascii=False, separators=(",", ":"))))


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("a text has half of a surrogate pair, which UTF-8 cannot hold") from None
    return text


def _check(data: Any, depth: int) -> None:
    if depth > MAX_NESTING:
        raise ValueError(f"it contains itself, or is nested more than {MAX_NESTING} deep")
    if isinstance(data, float) and not math.isfinite(data):
        raise ValueError(f"JSON has no {data}")
    if isinstance(data, dict):
        for key, item in data.items():
            if not isinstance(key, str):
                raise ValueError(f"a key is {type(key).__name__}, and JSON's keys are texts")
            _check(item, depth + 1)
    elif isinstance(data, list | tuple):
        for item in data:
            _check(item, depth + 1)
    elif data is not None and not isinstance(data, str | int | float):
        raise ValueError(f"{type(data).__name__} is no JSON data; of a model take model_dump(mode='json')")
