"""What a handler declares to return, and whether it did."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

SURROGATE = "string_unicode"
"""Pydantic's error type for a text with a lone surrogate, which encoding mends anyway."""


class Returns:
    """The declared return type of a handler; one that pydantic cannot judge, or none, accepts everything."""

    def __init__(self, handler: Callable[..., Any]) -> None:
        self._handler = handler

    def accept(self, value: Any) -> Any:
        """Return the value as its type has it (a dict becomes the declared model).

        Raises:
            ValidationError: The value is not of the declared type.
        """
        validate = self._validate
        if validate is None:
            return value
        try:
            return validate(value)
        except ValidationError as error:
            if all(each["type"] == SURROGATE for each in error.errors(include_url=False)):
                return value
            raise

    @cached_property
    def _validate(self) -> Callable[[Any], Any] | None:
        declared = inspect.signature(self._handler, eval_str=True).return_annotation
        if declared is inspect.Signature.empty or declared is Any or _is_iterator(declared):
            return None
        try:
            adapter = TypeAdapter(_awaited(declared))
            adapter.rebuild(raise_errors=True)
        except Exception:  # a type that pydantic does not know, or whose own code raises  # noqa: BLE001
            return None
        return adapter.validator.validate_python


def _awaited(declared: Any) -> Any:
    kind = get_origin(declared)
    is_awaitable = isinstance(kind, type) and issubclass(kind, Awaitable)
    return get_args(declared)[-1] if is_awaitable else declared


def _is_iterator(declared: Any) -> bool:
    kind = get_origin(declared) or declared
    return kind is Iterable or (isinstance(kind, type) and issubclass(kind, Iterator | AsyncIterator))
