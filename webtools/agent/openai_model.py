"""Any server that speaks the OpenAI API's chat completions, as the model of a run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from webtools.agent.assembling import Assembling
from webtools.agent.conversation import Conversation, Message
from webtools.agent.formats import openai
from webtools.agent.model import Event, ModelError
from webtools.agent.sse import EventStream
from webtools.calls.driving import driver
from webtools.calls.fetching import Response
from webtools.tools.definition import Definition
from webtools.tools.nesting import is_too_deep
from webtools.tools.rules import LOCAL_HOSTS

MAX_CHARS = 4_000_000
"""Of one reply, as it comes; above it the server is taken for broken."""

MAX_WAIT = 60.0
"""Seconds; where a server wants a longer wait, its refusal stands."""

FIRST_WAIT = 0.5
"""Seconds before a request is made again, where the server names none; each further wait is twice as long."""

AGAIN = (408, 409, 429)
"""Statuses below 500 after which the same request may succeed."""

KEY = re.compile(r"[!-~]+")

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

HTTP_DATE = re.compile(r"\w{3}, (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT")
"""Read here because a page has no `email.utils` at its start.

Source: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
"""


class OpenAIModel:
    """Asks ``base_url + "/chat/completions"``, and no other address; it keeps nothing of what is said.

    A request that could not be answered is made again: after 408, 409, 429, 5xx, where there was no
    answer, and where the reply broke off. Between two it waits as long as the server says, else 0.5 s,
    then 1 s.

    Args:
        base_url: Such as ``https://api.example.com/v1``, or ``/v1`` of the page's own origin.
        model: The server's name for it.
        api_key: Sent as a bearer token; it is in no log, event, error or answer. Left out where the page's
            own server adds it.
        options: More of the request's body, such as ``{"temperature": 0}``.
        max_retries: How often one request is made again.

    Raises:
        TypeError: An argument is of another kind.
        ValueError: The address or the key is none, or the key would be sent without encryption.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        options: Mapping[str, Any] | None = None,
        max_retries: int = 2,
    ) -> None:
        self._url = f"{_checked(base_url, api_key)}/chat/completions"
        self._model = model
        self._api_key = api_key
        self._options = dict(options or {})
        self._max_retries = max_retries

    async def reply(
        self, conversation: Conversation, tools: Sequence[Definition], tell: Callable[[Event], None]
    ) -> Message:
        """See `webtools.agent.Model`.

        Raises:
            ModelError: The last attempt's.
        """
        body = self._body(conversation, tools)
        wait, retries = FIRST_WAIT, 0
        while True:
            try:
                return await self._attempt(body, tools, tell)
            except ModelError as error:
                seconds = wait if error.retry_after is None else error.retry_after
                if not _may_succeed(error) or retries == self._max_retries or seconds > MAX_WAIT:
                    raise
                tell({"event": "retry", "reason": str(error), "seconds": seconds})
            await driver().sleep(seconds)
            wait, retries = wait * 2, retries + 1

    def _body(self, conversation: Conversation, tools: Sequence[Definition]) -> str:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": openai.messages(conversation),
            "stream": True,
            **self._options,
        }
        if tools:
            body["tools"] = openai.tools(tools)
        return json.dumps(body, ensure_ascii=False)

    async def _attempt(
        self, body: str, tools: Sequence[Definition], tell: Callable[[Event], None]
    ) -> Message:
        page = driver()
        headers = {"content-type": "application/json", "accept": "text/event-stream"}
        if self._api_key is not None:
            page.conceal(self._api_key)
            headers["authorization"] = f"Bearer {self._api_key}"
        is_answered = False
        try:
            async with page.fetch(self._url, headers, body) as response:
                is_answered = True
                if response.status != 200:
                    raise await self._refusal(response)
                return await self._read(response, tools, tell)
        except ConnectionError:
            if is_answered:
                raise self._broken("broke off") from None
            raise ModelError(
                f"{self._url} gave no answer. Either there is no network, or the server does not let this "
                f"page ask (CORS), or the page's Content-Security-Policy does not (connect-src).",
                kind="unreachable",
            ) from None

    async def _read(
        self, response: Response, tools: Sequence[Definition], tell: Callable[[Event], None]
    ) -> Message:
        assembling, kind = Assembling(), response.headers.get("content-type", "")
        if "html" in kind:
            raise self._broken("is a web page, so the address may be wrong, or wants a person to sign in")
        if "json" in kind:  # it does not stream
            self._take(await self._text(response), assembling, tell)
        else:
            await self._stream(response, assembling, tell)
        message = assembling.message
        return Message("assistant", assembling.text, openai.calls(message, tools))

    async def _stream(
        self, response: Response, assembling: Assembling, tell: Callable[[Event], None]
    ) -> None:
        events, chars = EventStream(), 0
        async for chunk in response.chunks():
            chars += len(chunk)
            if chars > MAX_CHARS:
                raise self._broken(f"has more than {MAX_CHARS} characters")
            for data in events.feed(chunk):
                if data == "[DONE]":
                    return
                self._take(data, assembling, tell)
        for data in events.end():
            if data != "[DONE]":
                self._take(data, assembling, tell)
                continue
            return
        if not assembling.is_finished:
            raise self._broken("broke off")

    def _take(self, data: str, assembling: Assembling, tell: Callable[[Event], None]) -> None:
        try:
            chunk = None if is_too_deep(data) else json.loads(data)
            added = "" if _error_in(chunk) else assembling.take(_object(chunk))
        except (ValueError, TypeError, AttributeError, KeyError, IndexError):
            raise self._broken("is no chat completion") from None
        if said := _error_in(chunk):
            raise self._broken(f"has an error in it: {self._clean(said)}")
        if added:
            tell({"event": "text", "text": added})

    async def _refusal(self, response: Response) -> ModelError:
        status = response.status
        said = f"{self._url} answered {status}"
        if status in (401, 403):  # some servers repeat the key
            return ModelError(f"{said}: it does not accept the key.", kind="key", status=status)
        why = self._clean(_error_in(_parsed(await self._text(response))) or "")
        kind = "busy" if status == 429 else "server" if status >= 500 else "request"
        return ModelError(
            f"{said}: {why}" if why else f"{said}.",
            kind=kind,  # type: ignore[arg-type]  # one of three
            status=status,
            retry_after=_retry_after(response.headers),
        )

    async def _text(self, response: Response) -> str:
        text = ""
        async for chunk in response.chunks():
            text += chunk
            if len(text) > MAX_CHARS:
                raise self._broken(f"has more than {MAX_CHARS} characters")
        return text

    def _broken(self, why: str) -> ModelError:
        return ModelError(f"The reply of {self._url} {why}.", kind="stream")

    def _clean(self, text: str) -> str:
        """A server's words, without the key and not too many."""
        return (text.replace(self._api_key, "[redacted]") if self._api_key else text)[:500]

    def __repr__(self) -> str:
        return f"<OpenAIModel {self._model!r} at {self._url}>"


def _checked(base_url: str, api_key: str | None) -> str:
    for name, given in {"base_url": base_url, "api_key": api_key or ""}.items():
        if not isinstance(given, str):
            raise TypeError(f"OpenAIModel: {name} must be a text, not a {type(given).__name__}.")
    base = base_url.rstrip("/")
    parts = urlsplit(base)
    is_path = base_url.startswith("/") and not parts.netloc
    is_url = parts.scheme in ("https", "http") and bool(parts.hostname) and "@" not in parts.netloc
    if not (is_path or is_url) or parts.query or parts.fragment or "\\" in base:
        raise ValueError(
            'OpenAIModel: base_url must be such as "https://api.example.com/v1", or "/v1" of the page\'s own '
            "origin, without a user, a query or a fragment."
        )
    if api_key is None:
        return base
    if not KEY.fullmatch(api_key):
        raise ValueError("OpenAIModel: the api_key is empty, or has characters that no header can carry.")
    if parts.scheme == "http" and parts.hostname not in LOCAL_HOSTS:
        raise ValueError("OpenAIModel: over http anybody on the way can read the api_key; use https.")
    return base


def _may_succeed(error: ModelError) -> bool:
    return error.kind in ("busy", "server", "unreachable", "stream") or error.status in AGAIN


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """What the server wants; the first is OpenAI's own."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text):
            return float(text) / unit
        if found := HTTP_DATE.fullmatch(text):
            return _seconds_until(*found.groups())
    return None


def _seconds_until(day: str, month: str, year: str, hour: str, minute: str, second: str) -> float | None:
    try:
        date = (int(year), MONTHS.index(month) + 1, int(day))
        at = datetime(*date, int(hour), int(minute), int(second), tzinfo=UTC)
    except ValueError:
        return None
    return max(0.0, at.timestamp() - driver().clock.epoch_ms() / 1000)


def _object(chunk: Any) -> dict[str, Any]:
    if not isinstance(chunk, dict):
        raise TypeError("a chunk is an object")
    return chunk


def _parsed(text: str) -> Any:
    try:
        return None if is_too_deep(text) else json.loads(text)
    except ValueError:
        return None


def _error_in(body: Any) -> str | None:
    """What a server says is wrong; some give a list of one, some a bare text."""
    body = body[0] if isinstance(body, list) and body else body
    error = body.get("error") if isinstance(body, dict) else None
    if not error:
        return None
    return str(error.get("message") or "no reason") if isinstance(error, dict) else str(error)
