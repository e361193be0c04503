"""Call a tool as a page would, on CPython."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from types import UnionType
from typing import Any, cast

from webtools.calls import ownership
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import Facts, Identity
from webtools.calls.listings import Listings
from webtools.calls.ownership import Owners
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import RESPONSE_GRACE
from webtools.stores.artifacts import Artifacts
from webtools.stores.credentials import Credentials
from webtools.stores.teardown import LIMIT, Teardown
from webtools.testing.clock import FakeClock
from webtools.testing.person import FakePerson


class _Locks:
    """`webtools.calls.ownership.Locks` of a tab that owns all or nothing, until it takes over or releases."""

    def __init__(self, owns: bool) -> None:
        self._owns = owns
        self._changed: dict[str, bool] = {}
        self.told: Callable[[str, int | None, str | None], None] = lambda *_: None

    def ask(self, name: str) -> None:
        """Say how it is."""
        self._tell(name, "elsewhere")

    def take_over(self, name: str) -> None:
        """Own it."""
        self._changed[name] = True
        self._tell(name, "elsewhere")

    def release(self, name: str) -> None:
        """Own it no more."""
        self._changed[name] = False
        self._tell(name, "released")

    def epoch(self, name: str) -> int | None:
        """Give the only number that there is."""
        return 1 if self._changed.get(name, self._owns) else None

    def is_gone(self, name: str) -> bool:  # noqa: ARG002  # the port's
        """It never is."""
        return False

    def _tell(self, name: str, reason: str) -> None:
        epoch = self.epoch(name)
        self.told(name, epoch, None if epoch else reason)


class _Provider:
    """`webtools.stores.credentials.CredentialProvider` that has these."""

    def __init__(
        self, headers: Mapping[str, Mapping[str, str]], provided: Callable[[int, str], None]
    ) -> None:
        self._headers = headers
        self._provided = provided

    def request(self, number: int, text: str) -> None:
        """Give it at once."""
        headers = self._headers.get(json.loads(text)["service"])
        self._provided(number, json.dumps({"headers": dict(headers)} if headers else {"reason": "refused"}))

    def withdraw(self, number: int) -> None:
        """It has been given."""


async def tool_call(
    function: Callable[..., Any],
    arguments: Mapping[str, Any] | None = None,
    *,
    session_id: str | None = None,
    run_id: str | None = None,
    turn_id: str | None = None,
    identity: Identity | None = None,
    confirm: bool | None = None,
    listed: Collection[str] = (),
    owns: bool = True,
    artifacts: Artifacts | None = None,
    tools: Iterable[Callable[..., Any]] = (),
    credentials: Mapping[str, Mapping[str, str]] | None = None,
) -> dict[str, Any]:
    """Validate the arguments, run the tool, and return the answer that an agent would get.

    What the tool wants done with ``ctx.after_answer`` is done then, too, as if half a second had passed. Then
    the page ends: everything is closed that the tool has kept by ``on_teardown``, also in a cleanup;
    it waits for that for 5 s at most.

    Args:
        function: What ``@tool`` was put on.
        arguments: The input, as an agent would send it in JSON.
        session_id: What the caller states of the call, as for the `ToolContext`.
        run_id: The same.
        turn_id: The same.
        identity: The same.
        confirm: What the person says to everything that they are asked; None: there is nobody to ask.
        listed: The names of the tools that ``ctx.until_listed`` finds; it waits for no others.
        owns: Whether the tab owns what the tool asks it to own, until the tool itself changes that.
        artifacts: What the call finds and keeps, such as `MemoryArtifacts()`; None: nothing is attached.
        tools: The page's other tools, for ``ctx.tools``.
        credentials: The headers of each service that the page has credentials for; None: it has no provider.

    Returns:
        ``{"content": [{"type": "text", "text"}], "structuredContent"?, "isError"?}``, also of an error.

    Raises:
        ToolDefinitionError: The function is no tool.
        TypeError: An argument is of another kind.
    """
    _check("arguments", arguments, Mapping | None, "a dict")
    _check("tools", tools, Iterable, "a list of tools")
    _check("artifacts", artifacts, Artifacts | None, "such as MemoryArtifacts()")
    _check("identity", identity, Identity | None, "an Identity")
    _check("credentials", credentials, Mapping | None, "a dict")
    clock, loop = FakeClock(), asyncio.get_running_loop()
    registry = ToolRegistry(clock, lambda _: None)
    registry.hold(function)
    (slot,) = registry
    for each in tools:
        registry.hold(each)
    locks = _Locks(owns)
    owners = Owners(locks)
    locks.told = owners.told
    before = ownership.attach(owners)
    settled: asyncio.Future[str] = loop.create_future()

    def settle(_: str, text: str) -> None:
        if not settled.done():
            settled.set_result(text)

    person = None if confirm is None else FakePerson(confirm, lambda *said: dispatcher.confirmed(*said))
    listings = Listings(lambda _, give_up: loop.call_soon(give_up), set(listed).__contains__)
    provider = None if credentials is None else _Provider(credentials, lambda *said: issuer.provided(*said))
    issuer = Credentials(clock, provider)
    teardown = Teardown(clock)
    dispatcher = Dispatcher(
        clock,
        settle,
        person=person,
        listings=listings,
        owners=owners,
        artifacts=artifacts,
        teardown=teardown,
        credentials=issuer,
        find=registry.named,
    )
    facts = Facts(door="test", session_id=session_id, run_id=run_id, turn_id=turn_id, identity=identity)
    text = dispatcher.call(slot, "test-1", json.dumps(dict(arguments or {})), facts)
    try:
        answer = json.loads(text if isinstance(text, str) else await settled)
        clock.advance(RESPONSE_GRACE)
        await dispatcher.rest()
        return cast("dict[str, Any]", answer)
    finally:
        ownership.attach(before)
        dispatcher.close()  # for a test that gives up: it cancels the tool, too
        await _close(teardown)


def _check(name: str, given: object, kind: type | UnionType, such: str) -> None:
    if not isinstance(given, kind):
        raise TypeError(f"tool_call: {name} must be {such}, not a {type(given).__name__}.")


async def _close(teardown: Teardown) -> None:
    """Close everything, also what cleanups keep meanwhile; what is left after the limit is left behind."""
    loop = asyncio.get_running_loop()
    end = loop.time() + LIMIT
    while not teardown.is_at_rest and (left := end - loop.time()) > 0:
        teardown.close()
        if running := teardown.running:
            await asyncio.wait(running, timeout=left)
