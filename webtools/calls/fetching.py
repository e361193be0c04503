"""The port to HTTP: one request, whose answer comes as a stream of text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol


class Response(Protocol):
    """What a server answers.

    Attributes:
        status: Such as 200.
        headers: Those that the page may read, their names in small letters.
    """

    @property
    def status(self) -> int: ...  # noqa: D102  # see above

    @property
    def headers(self) -> Mapping[str, str]: ...  # noqa: D102  # see above

    def chunks(self) -> AsyncIterator[str]:
        """The body, decoded, in the pieces in which it arrives.

        Raises:
            ConnectionError: It broke off.
        """


class Fetch(Protocol):
    """Sends a request."""

    def __call__(
        self, url: str, headers: Mapping[str, str], body: str
    ) -> AbstractAsyncContextManager[Response]:
        """POST a text; entering waits for the answer's head, leaving gives up what is left of it.

        It follows no redirect, since the headers may have a key in them, and sends no cookies.

        Args:
            url: Absolute, or a path of the page's own origin.
            headers: Sent as they are.
            body: UTF-8.

        Raises:
            ConnectionError: There is no answer. A browser does not say why.
        """
