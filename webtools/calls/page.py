"""What JavaScript exposed of the page: ``shop = page("shop")``, then ``await shop.add(sku)`` in a handler."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import Any, Protocol

from webtools._exceptions import ToolError, WebtoolsError
from webtools.tools.encoding import Encoder
from webtools.tools.nesting import is_too_deep

NOT_READY = "PAGE_NOT_READY"
"""The code of a call to what the page has not exposed, which it may still do."""


class PageFunctions(Protocol):
    """The port to what `webtools.expose` was given in JavaScript."""

    def call(self, name: str, function: str, arguments: str) -> str | Awaitable[str]:
        """Call a function of an exposed object.

        Args:
            name: What the object was exposed as.
            function: The function's name.
            arguments: JSON text of the list of positional arguments.

        Returns:
            JSON text, ``{"value"}`` or ``{"error": {"message", "code"?}}``, at once or later.
        """

    def call_now(self, name: str, function: str, arguments: str) -> str | None:
        """The same, without waiting; None where the function answers later, which nobody hears then."""


class PageFunction:
    """One function of an exposed object: ``await shop.add(sku)``, or ``shop.version.now()`` at once."""

    def __init__(self, page_name: str, name: str) -> None:
        self._page = page_name
        self.__qualname__ = self.__name__ = name

    async def __call__(self, *arguments: Any) -> Any:
        """Call it, and wait for its answer.

        Raises:
            ToolError: What the JavaScript function threw, or ``PAGE_NOT_READY``.
        """
        answer = _attached().call(self._page, self.__name__, self._wire(arguments))
        return _value(answer if isinstance(answer, str) else await answer)

    def now(self, *arguments: Any) -> Any:
        """Call it where nothing may be waited for, as in a guard: ``version=shop.version.now``.

        Raises:
            ToolError: What the JavaScript function threw, or ``PAGE_NOT_READY``.
            WebtoolsError: The function is asynchronous. What it does goes on unheard.
        """
        answer = _attached().call_now(self._page, self.__name__, self._wire(arguments))
        if answer is None:
            raise WebtoolsError(
                f"The page's {self._page}.{self.__name__} answers later (it gave a promise), so now() has no "
                f"answer. Expose a function that is not async, or await {self._page}.{self.__name__}()."
            )
        return _value(answer)

    def _wire(self, arguments: tuple[Any, ...]) -> str:
        encoder = Encoder()
        plain = encoder.encode(list(arguments))
        if encoder.lost:
            lost = "; ".join(encoder.lost)
            raise TypeError(f"{self._page}.{self.__name__} takes JSON data only: {lost}.")
        return json.dumps(plain, ensure_ascii=False)

    def __repr__(self) -> str:
        return f"<page({self._page!r}).{self.__name__}>"


class Page:
    """One exposed object; every attribute is a `PageFunction`, arguments and result are JSON data.

    An error that the JavaScript function throws is raised as a `ToolError` with its text and its ``code``, so
    it reaches the agent unless the handler catches it.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, function: str) -> PageFunction:
        if function.startswith("_"):
            raise AttributeError(function)
        return PageFunction(self._name, function)

    def __repr__(self) -> str:
        return f"<page({self._name!r})>"


def page(name: str) -> Page:
    """The object that the page exposes, or will expose, under this name; looked up at each call."""
    return Page(name)


def attach(functions: PageFunctions | None) -> PageFunctions | None:
    """Make a port the page's, and return the one before: a host does it at start, a fake in tests."""
    global _functions  # there is one page, and `page()` is called before it is up
    before, _functions = _functions, functions
    return before


_functions: PageFunctions | None = None


def _attached() -> PageFunctions:
    if _functions is None:
        raise WebtoolsError(
            "There is no page here. In a test, use webtools.testing: `with fake_page(shop=FakeShop()): ...`."
        )
    return _functions


def _value(text: str) -> Any:
    if is_too_deep(text):
        raise ToolError("The page's answer is nested too deeply to be read.", code="PAGE_ERROR")
    answer = json.loads(text)
    if "error" in answer:
        code = answer["error"].get("code") or "PAGE_ERROR"
        raise ToolError(answer["error"]["message"], code=code, retryable=code == NOT_READY)
    return answer.get("value")
