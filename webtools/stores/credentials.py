"""Credentials that the page provides to its tools: asked for once, kept until they expire, and never told.

Source: ../shared/spec/tool-context.md, §8.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from webtools._exceptions import ToolError
from webtools.calls.facts import Identity
from webtools.calls.isolation import caller_key
from webtools.lifecycle.clock import Clock, Timer
from webtools.stores.secrets import Secrets
from webtools.tools.need import Need

logger = logging.getLogger("webtools")

LIMIT = 30.0
"""Seconds that a provider has for one credential."""

ATTACH = "webtools.credentialsWith(async ({ service, scopes }) => ({ headers: { Authorization: … } }))"
"""How a page attaches a provider."""

PARTS = ("headers", "expiresAt")
SHAPE = "{headers: {name: text}, expiresAt?: a later time in ms} or null"
"""What a provider gives."""

MAX_NAME = 20
"""Characters of what it gives besides that the console tells."""

WHY = {
    "no provider": f"this page has no provider of credentials. Its author attaches one: {ATTACH}",
    "refused": "the page has none to give now. The person may have to sign in there",
    "failed": "the page's provider of credentials failed",
    "invalid": "what the page's provider gave is no credential",
    "timeout": f"the page's provider gave none within {LIMIT:g} s",
    "reloaded": "the tool was loaded anew meanwhile, and needs another one",
}
"""What an agent reads of each reason; nothing of what a provider has said, which may hold a secret."""


class CredentialProvider(Protocol):
    """The port to what the page provides."""

    def request(self, number: int, text: str) -> None:
        """Ask for a credential; `Credentials.provided` is told the outcome, at once or later.

        Args:
            number: The request's.
            text: JSON text ``{"service", "scopes": [], "identity"?: {"tenant"?, "principal"?}}``.
        """

    def withdraw(self, number: int) -> None:
        """Nobody waits for it any more."""


class Credential:
    """A live credential: it has a use, and no text.

    Attributes:
        service: What it is for.
        expires_at: Milliseconds since the Unix epoch; None where the provider has not said.
    """

    __slots__ = ("_headers", "expires_at", "service")

    def __init__(self, service: str, headers: dict[str, str], expires_at: float | None) -> None:
        self.service = service
        self.expires_at = expires_at
        self._headers = headers

    def to_headers(self) -> dict[str, str]:
        """The headers of a request to the service; hand them to what sends it, and to nothing else."""
        return dict(self._headers)

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise TypeError("a credential cannot be copied, pickled or written down")

    def __format__(self, form: str) -> str:
        return format(repr(self), form)

    def __repr__(self) -> str:
        return f"<Credential for {self.service!r}>"


@dataclass(eq=False, slots=True)
class _Request:
    """One request to the provider, shared by all who need the same meanwhile."""

    number: int
    outcome: asyncio.Future[tuple[Credential | None, str]]
    waiting: int = 0
    timer: Timer | None = None


_Key = tuple[str, Need]
"""Whose it is, as far as the caller has stated it, and what it is for."""


class Credentials:
    """Lives as long as the page; what is kept for one tenant and principal is given to no other.

    Args:
        clock: For the limit, and for what expires.
        provider: None where none is attached: everything is refused.

    Attributes:
        secrets: Of what was issued.
    """

    def __init__(self, clock: Clock, provider: CredentialProvider | None = None) -> None:
        self.secrets = Secrets()
        self._clock = clock
        self._provider = provider
        self._kept: dict[_Key, Credential] = {}
        self._requests: dict[_Key, _Request] = {}
        self._count = 0

    @property
    def is_attached(self) -> bool:
        """Whether there is a provider."""
        return self._provider is not None

    def attach(self, provider: CredentialProvider | None) -> None:
        """Another provider, or none, from now on: what the one before gave is forgotten."""
        self._kept.clear()
        for key, request in list(self._requests.items()):
            self._withdraw(key, request, "refused")
        self._provider = provider

    def kept(self, need: Need, who: Identity | None) -> Credential | None:
        """One that is there already, and has not expired."""
        key = (caller_key(who), need)
        found = self._kept.get(key)
        if found and not _is_over(found, self._clock):
            return found
        self._kept.pop(key, None)
        return None

    async def get(self, need: Need, who: Identity | None, tool: str) -> Credential:
        """Give one that is there, or ask the provider; callers that need the same ask once.

        Args:
            need: What for.
            who: On whose behalf, as the caller says.
            tool: Which tool, for the message.

        Raises:
            ToolError: ``CREDENTIAL_UNAVAILABLE``; ``details`` has ``service`` and ``reason``.
        """
        if found := self.kept(need, who):
            return found
        if self._provider is None:
            raise unavailable(tool, need.service, "no provider")
        key = (caller_key(who), need)
        request = self._requests.get(key) or self._ask(self._provider, key, who)
        request.waiting += 1
        try:
            given, reason = await asyncio.shield(request.outcome)  # others may wait, too
        finally:
            request.waiting -= 1
            if not request.waiting:
                self._withdraw(key, request, "over")
        if given is None:
            raise unavailable(tool, need.service, reason)
        return given

    def provided(self, number: int, text: str) -> None:
        """What came of a request; harmless for one that nobody waits for.

        Args:
            number: The request's.
            text: JSON text ``{"headers": {name: value}, "expiresAt"?}``, or ``{"reason"}``.
        """
        for key, request in list(self._requests.items()):
            if request.number == number:
                given, reason = self._judged(key, text)
                self._end(key, request, given, reason)

    def _ask(self, provider: CredentialProvider, key: _Key, who: Identity | None) -> _Request:
        self._count += 1
        request = _Request(self._count, asyncio.get_running_loop().create_future())
        request.timer = self._clock.call_later(LIMIT, lambda: self._withdraw(key, request, "timeout"))
        self._requests[key] = request
        provider.request(request.number, _asked(key[1], who))
        return request

    def _judged(self, key: _Key, text: str) -> tuple[Credential | None, str]:
        plain = _parsed(text)
        given, reason = _read(key[1].service, plain)
        if given:
            self.secrets.add(given.to_headers().values())
            reason = "invalid" if _is_over(given, self._clock) else ""
        if reason == "invalid":
            logger.warning("What the page's provider gave for %r %s", key[1].service, _wrong(plain))
        if given is None or reason:
            return None, reason
        if given.expires_at is not None:
            self._kept[key] = given
        return given, ""

    def _withdraw(self, key: _Key, request: _Request, reason: str) -> None:
        if self._requests.get(key) is request:
            self._end(key, request, None, reason)
            if self._provider:
                self._provider.withdraw(request.number)

    def _end(self, key: _Key, request: _Request, given: Credential | None, reason: str) -> None:
        del self._requests[key]
        if request.timer:
            request.timer.cancel()
        request.outcome.set_result((given, reason))

    def __repr__(self) -> str:
        return f"<Credentials, {len(self._kept)} kept, {len(self._requests)} asked for>"


class CallCredentials:
    """``ctx.credentials``: what a handler asks for once it knows what it needs."""

    def __init__(self, credentials: Credentials, who: Identity | None, tool: str) -> None:
        self._credentials = credentials
        self._who = who
        self._tool = tool

    async def get(self, service: str, *, scopes: Iterable[str] = ()) -> Credential:
        """Give a credential for the service.

        Args:
            service: What the page's provider knows it by.
            scopes: What it has to allow.

        Raises:
            ToolError: ``CREDENTIAL_UNAVAILABLE``; ``details`` has ``service`` and ``reason``.
        """
        return await self._credentials.get(Need(service, scopes=scopes), self._who, self._tool)

    @property
    def is_attached(self) -> bool:
        """Whether the page has a provider."""
        return self._credentials.is_attached

    def __repr__(self) -> str:
        return f"<credentials of {self._tool!r}, {'attached' if self.is_attached else 'not attached'}>"


def unavailable(tool: str, service: str, reason: str) -> ToolError:
    """Why a tool has no credential."""
    said = f"{tool} needs a credential for {service}, and got none: {WHY.get(reason, WHY['failed'])}."
    details = {"service": service, "reason": reason}
    return ToolError(said, code="CREDENTIAL_UNAVAILABLE", details=details)


def _asked(need: Need, who: Identity | None) -> str:
    asked: dict[str, Any] = {"service": need.service, "scopes": list(need.scopes)}
    facts = {"tenant": who.tenant, "principal": who.principal} if who else {}
    if stated := {name: fact for name, fact in facts.items() if fact}:
        asked["identity"] = stated
    return json.dumps(asked)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read(service: str, given: Any) -> tuple[Credential | None, str]:
    """What the provider has given, or why it is none."""
    if not isinstance(given, dict):
        return None, "invalid"
    if "headers" not in given:
        reason = given.get("reason")
        return None, reason if reason in WHY else "invalid"
    headers, expires_at = given["headers"], given.get("expiresAt")
    if _unknown(given) or not _are_headers(headers) or not (expires_at is None or _is_time(expires_at)):
        return None, "invalid"
    return Credential(service, headers, expires_at), ""


def _unknown(given: Any) -> list[str]:
    return [name for name in given if name not in PARTS] if isinstance(given, dict) else []


def _wrong(given: Any) -> str:
    """What is wrong with it, for the console; a name that is longer than words are may be a secret."""
    names = [name for name in _unknown(given) if name.isidentifier() and len(name) <= MAX_NAME]
    return f"has {names[0]!r}; it must be {SHAPE}" if names else f"is not {SHAPE}"


def _are_headers(headers: Any) -> bool:
    """Whether each has a name and a value of visible ASCII, as HTTP sends them."""
    if not isinstance(headers, dict) or not headers:
        return False
    texts = [*headers, *headers.values()]
    return all(
        isinstance(each, str) and each.strip() and each.isascii() and each.isprintable() for each in texts
    )


def _is_time(at: Any) -> bool:
    return isinstance(at, int | float) and not isinstance(at, bool) and at < math.inf  # NaN is not, either


def _is_over(credential: Credential, clock: Clock) -> bool:
    return credential.expires_at is not None and credential.expires_at <= clock.epoch_ms()
