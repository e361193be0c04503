"""What a page exposes, for tests of tools on CPython."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Any

from webtools.calls import page


class FakePageFunctions:
    """`webtools.calls.page.PageFunctions` on Python objects, with JSON text both ways as in a page."""

    def __init__(self, exposed: dict[str, Any]) -> None:
        self._exposed = exposed

    def call(self, name: str, function: str, arguments: str) -> str | Awaitable[str]:
        """Call a method of an exposed object; what it raises comes back as a page's error."""
        answer = self._call(name, function, arguments)
        return answer if isinstance(answer, str) else _later(answer)

    def call_now(self, name: str, function: str, arguments: str) -> str | None:
        """The same; a coroutine that it gives is not run."""
        answer = self._call(name, function, arguments)
        if inspect.iscoroutine(answer):
            answer.close()
        return answer if isinstance(answer, str) else None

    def _call(self, name: str, function: str, arguments: str) -> str | Awaitable[Any]:
        try:
            if name not in self._exposed:
                said = f'The page has not exposed "{name}" yet. Try again in a moment.'
                return _error(said, page.NOT_READY)
            found = getattr(self._exposed[name], function, None)
            if not callable(found):
                return _error(f'The page\'s "{name}" has no function "{function}".', "PAGE_ERROR")
            result: object = found(*json.loads(arguments))
            return result if inspect.isawaitable(result) else json.dumps({"value": result})
        except Exception as error:  # noqa: BLE001  # a page's function may throw anything
            return _raised(error)


@contextmanager
def fake_page(**exposed: Any) -> Iterator[None]:
    """Expose objects to `webtools.page` for as long as the block runs.

    Args:
        exposed: By name, an object whose methods (sync or async) take and return what JSON can hold. An
            exception's ``code`` attribute, where it has one, becomes the error's code.
    """
    before = page.attach(FakePageFunctions(exposed))
    try:
        yield
    finally:
        page.attach(before)


async def _later(result: Awaitable[Any]) -> str:
    try:
        return json.dumps({"value": await result})
    except Exception as error:  # noqa: BLE001  # as above
        return _raised(error)


def _raised(error: Exception) -> str:
    return _error(str(error), getattr(error, "code", None))


def _error(message: str, code: Any) -> str:
    return json.dumps({"error": {"message": message, "code": code if isinstance(code, str) else None}})
