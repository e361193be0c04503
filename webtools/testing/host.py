"""A page's tools at a fake browser, for tests of which are registered when."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, cast
from urllib.parse import urlsplit

from webtools._exceptions import ToolDefinitionError
from webtools.calls.facts import BROWSER
from webtools.lifecycle.routes import Routes
from webtools.testing.driven import DrivenPage, driven_page
from webtools.testing.model_context import FakeExecution, FakeModelContext, FakeSignal
from webtools.testing.profiles import PROFILES, Profile
from webtools.tools.definition import Definition
from webtools.tools.tool import tool_of


class FakeCall:
    """One call of an agent, from `FakeHost.begin` on."""

    def __init__(self, execution: FakeExecution, handled: Future[str] | None) -> None:
        self._execution = execution
        self._handled = handled

    @property
    def is_answered(self) -> bool:
        """Whether the agent has the answer."""
        return "text" in (self._execution.outcome or {})

    @property
    def is_lost(self) -> bool:
        """Whether the browser has thrown the call away: the agent gets no answer, whatever the tool does."""
        return "error" in (self._execution.outcome or {})

    @property
    def answer(self) -> dict[str, Any]:
        """What the agent has got.

        Raises:
            AssertionError: Nothing yet, or the call is lost.
        """
        outcome, name = self._execution.outcome, self._execution.name
        assert outcome is not None, f"the call of {name} has no answer yet; let time pass: host.sleep()"
        assert "text" in outcome, f"the call of {name} is lost ({outcome['error']}): its tool left too early"
        return cast("dict[str, Any]", json.loads(outcome["text"]))

    async def handled(self) -> None:
        """Wait until the tool has answered, which the agent may not have heard yet."""
        if self._handled:
            await asyncio.wrap_future(self._handled)

    def __repr__(self) -> str:
        state = "answered" if self.is_answered else "lost" if self.is_lost else "in flight"
        return f"<FakeCall of {self._execution.name!r}, {state}>"


class FakeHost:
    """A page without a browser, for as long as `fake_host`'s block runs.

    Its time passes only by `sleep`, or by ``clock.advance`` where no coroutine has to run.

    Attributes:
        clock: The page's time.
        registry: Where tools are held; `webtools.registry()` gives the same.
        context: The browser's model context.
        traffic: What the browser was asked for, in its order: ``"register read_cart"``, ``"unregister …"``.
    """

    def __init__(self, page: DrivenPage, profile: Profile) -> None:
        self._page = page
        self._profile = profile
        self._routes = Routes(page.registry)
        self.clock = page.clock
        self.registry = page.registry
        self.context = FakeModelContext(profile=profile, clock=page.clock)
        self.traffic: list[str] = []
        self._registered: dict[int, tuple[str, FakeSignal]] = {}
        self._handled: Future[str] | None = None
        page.registry.attach(self)

    def load(self, *tools: Callable[..., Any]) -> None:
        """Load an app with these tools: they are held, or bound to their path, or left to who holds them.

        Raises:
            ToolDefinitionError: A function is no tool.
        """
        for each in tools:
            made = tool_of(each)
            if made is None:
                raise ToolDefinitionError(f"{each!r} is no tool: decorate it with @tool.")
            if made.match:
                self._routes.bind(made)
            elif not made.is_held_by_others:
                self.registry.hold(made)

    def goto(self, path: str) -> None:
        """Say where the page is: ``"/cart/7"``, ``"/#/checkout"``."""
        place = urlsplit(path)
        self._routes.moved((place.path, f"#{place.fragment}" if place.fragment else ""))

    @property
    def listed(self) -> list[str]:
        """The names of the tools that the browser lists, sorted."""
        return [each["name"] for each in self.context.get_tools()]

    def begin(self, name: str, arguments: Mapping[str, Any] | None = None) -> FakeCall:
        """Begin a call as an agent of the browser does; a tool that is not listed is lost at once."""
        self._handled = None
        given = dict(arguments or {})
        execution = self.context.execute_tool(
            name, json.dumps(given) if self._profile["inputAsText"] else given
        )
        return FakeCall(execution, self._handled)

    async def call(self, name: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call a tool, wait for its answer, and let pass what that is on its way.

        Raises:
            AssertionError: The call is lost.
        """
        call = self.begin(name, arguments)
        await call.handled()
        self.clock.advance(self._profile["postbackMs"] / 1000)
        return call.answer

    async def sleep(self, seconds: float) -> None:
        """Let time pass, and the page's coroutines run meanwhile."""
        await self._page.sleep(seconds)

    # The port to the model context (webtools.lifecycle.model_context.ModelContext)

    def register(self, registration: int, definition: Definition) -> None:
        """See `ModelContext`."""
        self.traffic.append(f"register {definition.name}")
        wire = json.loads(definition.text)
        exposed_to = wire.pop("exposedTo", ())
        signal = FakeSignal()
        self.context.register_tool(
            wire,
            lambda arguments, _: self._execute(registration, arguments),
            signal=signal,
            exposed_to=exposed_to,
        )
        self._registered[registration] = (definition.name, signal)
        self.registry.accepted(registration)

    def unregister(self, registration: int) -> None:
        """See `ModelContext`."""
        name, signal = self._registered.pop(registration)
        self.traffic.append(f"unregister {name}")
        signal.abort()

    def _execute(self, registration: int, arguments: Any) -> Future[Any]:
        slot = self.registry.of_registration(registration)
        assert slot is not None, "the browser entered what it has not registered"
        answer: Future[Any] = Future()
        self._handled = answer
        self._page.begin(
            slot, json.dumps(arguments), BROWSER, lambda text: answer.set_result(json.loads(text))
        )
        return answer


@contextmanager
def fake_host(
    *tools: Callable[..., Any], profile: str = "chrome-152", confirm: bool | None = None
) -> Iterator[FakeHost]:
    """Make a page at a fake browser for as long as the block runs; `webtools.registry` is its registry.

    Args:
        tools: The app's, as for `FakeHost.load`.
        profile: One of `PROFILES`: which browser. The default loses the calls of a tool that goes.
        confirm: What the person says to everything that they are asked; None: there is nobody to ask.

    Raises:
        ToolDefinitionError: A function is no tool.
        KeyError: There is no such profile.
    """
    with driven_page(confirm=confirm) as page:
        host = FakeHost(page, PROFILES[profile])
        host.load(*tools)
        yield host
