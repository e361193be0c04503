"""Tools that call tools: tool-context.md, §10."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from pydantic import BaseModel

from tests.unit.calls.caller import error_of, until, verdict
from tests.unit.calls.page_rig import PageRig
from tests.unit.calls.tabs import FakeLocks
from webtools import Need, Ownership, ToolContext, ToolError, tool
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import BROWSER, Facts, Identity
from webtools.calls.ownership import Owners
from webtools.calls.signal import CancelSignal
from webtools.lifecycle.registry import ToolRegistry
from webtools.lifecycle.slot import RESPONSE_GRACE
from webtools.stores.credentials import Credentials
from webtools.testing import FakeClock
from webtools.tools.definition import Definition
from webtools.tools.page_tool import PageTool

CART = Ownership("cart")

Body = Callable[[ToolContext], Coroutine[Any, Any, Any]]


class Product(BaseModel):
    sku: str


class Order(BaseModel):
    number: int


class Provider:
    """Gives what it has at once."""

    def __init__(self) -> None:
        self.has = False
        self.asked = 0
        self.meanwhile: Callable[[], object] = lambda: None
        self.credentials: Credentials | None = None

    def request(self, number: int, text: str) -> None:
        given = {"headers": {"Authorization": "Bearer token-1"}} if self.has else {"reason": "refused"}
        assert self.credentials
        self.asked += 1
        self.meanwhile()
        self.credentials.provided(number, json.dumps(given))

    def withdraw(self, number: int) -> None: ...


class Page(PageRig):
    """Tools that may call each other.

    Attributes:
        contexts: What the handlers of `inner` tools were given.
    """

    def __init__(self) -> None:
        self.provider = Provider()
        super().__init__(provider=self.provider, finds=True)
        self.provider.credentials = self.credentials
        self.contexts: list[ToolContext] = []

    def inner(self, name: str = "inner", **options: Any) -> None:
        """Hold a tool that notes its context and doubles a number."""

        @tool(name=name, **options)
        async def inner(ctx: ToolContext, number: int = 1, picture: str = "") -> int:
            """Double."""
            self.contexts.append(ctx)
            return number * 2

        self.registry.hold(inner)

    def outer(self, body: Body, **options: Any) -> None:
        """Hold the tool that calls the others."""

        @tool(name="outer", **options)
        async def outer(ctx: ToolContext) -> Any:
            """Call others."""
            return await body(ctx)

        self.registry.hold(outer)

    def call(
        self, name: str = "outer", arguments: dict[str, Any] | None = None, facts: Facts = BROWSER
    ) -> str:
        return super().call(name, arguments, facts)

    def in_flight(self, name: str) -> int:
        slot = self.registry.named(name)
        return slot.in_flight if slot else 0


def play(scene: Callable[[Page], Coroutine[Any, Any, None]]) -> Page:
    """Play a scene; no task or timer may be left, and no call in flight."""
    page = Page()

    async def whole() -> None:
        await scene(page)
        page.dispatcher.close()
        await until(lambda: len(asyncio.all_tasks()) == 1)
        page.clock.advance(0)
        assert page.clock.pending == 0
        assert [slot.in_flight for slot in page.registry] == [0] * len(list(page.registry))

    asyncio.run(whole())
    return page


def refusal(page: Page, name: str, args: dict[str, Any] | None = None) -> Body:
    """A body that notes why a call is refused."""

    async def body(ctx: ToolContext) -> list[Any]:
        assert ctx.tools
        with pytest.raises(ToolError) as raised:
            await ctx.tools.call(name, args)
        return [raised.value.code, raised.value.message, raised.value.effect]

    return body


async def result_of(page: Page, body: Body, facts: Facts = BROWSER, **options: Any) -> Any:
    page.outer(body, **options)
    answer = await page.answered(page.call(facts=facts))
    assert not answer.get("isError"), answer
    return answer["structuredContent"]["result"]


def test_c18_a_refused_call_uses_no_number_and_has_no_effect() -> None:
    async def scene(page: Page) -> None:
        page.inner()

        async def body(ctx: ToolContext) -> list[int]:
            assert ctx.tools
            with pytest.raises(ToolError, match="inner") as raised:
                await ctx.tools.call("inner", {"number": "many"})
            assert raised.value.code == "INVALID_TOOL_ARGS"
            assert page.contexts == []
            return [await ctx.tools.call("inner", {"number": each}) for each in (2, 3)]

        assert await result_of(page, body) == [4, 6]

    page = play(scene)
    ids = ["c1#inner-1", "c1#inner-2"]
    assert [ctx.call_id for ctx in page.contexts] == ids
    assert [(call_id, answer is None) for _, call_id, answer in page.told] == [
        (each, begins) for each in ids for begins in (True, False)
    ]


def test_what_the_handler_returned_comes_back_as_its_type_has_it() -> None:
    @tool
    async def find() -> list[Product]:
        """Find."""
        return [{"sku": "A1"}]  # type: ignore[list-item]  # as the declared type has it

    @tool(max_chars=1)
    def nothing() -> None:
        """Do."""

    async def scene(page: Page) -> None:
        page.registry.hold(find)
        page.registry.hold(nothing)

        async def body(ctx: ToolContext) -> bool:
            assert ctx.tools
            found = await ctx.tools.call("find")
            return found == [Product(sku="A1")] and await ctx.tools.call("nothing") is None

        assert await result_of(page, body) is True

    play(scene)


def test_the_ceiling_of_an_answer_is_not_that_of_what_another_tool_is_given() -> None:
    @tool(max_chars=10)
    def long() -> str:
        """Talk."""
        return "x" * 1000

    async def scene(page: Page) -> None:
        page.registry.hold(long)

        async def body(ctx: ToolContext) -> int:
            assert ctx.tools
            return len(await ctx.tools.call("long"))

        assert await result_of(page, body) == 1000

    play(scene)


def test_the_checks_come_in_their_order_and_each_names_the_tool() -> None:
    async def scene(page: Page) -> None:
        page.inner("asks", confirm="Really?", wants={"picture": "picture"}, needs=Need("payments"))
        page.inner("wants", wants={"picture": "picture"}, needs=Need("payments"))
        page.inner("needs", needs=Need("payments"))
        bad = {"number": "many"}
        cases = {
            ("gone", "TOOL_NOT_FOUND"): bad,
            ("asks", "CONFIRMATION_UNAVAILABLE"): bad,
            ("wants", "ARTIFACT_REFUSED"): bad,
            ("needs", "INVALID_TOOL_ARGS"): bad,
            ("needs", "CREDENTIAL_UNAVAILABLE"): {},
        }
        for (name, code), args in cases.items():
            got = await result_of(page, refusal(page, name, args))
            assert got[0] == code
            assert name in got[1]
            assert got[2] == "unknown", "the outer call may have done something"
        page.provider.has = True

        async def body(ctx: ToolContext) -> Any:
            assert ctx.tools
            return await ctx.tools.call("needs")

        assert await result_of(page, body) == 2

        assert page.provider.asked == 2

    (ctx,) = play(scene).contexts
    assert ctx.call_id.endswith("#inner-1")
    assert ctx.credential


def test_a_tool_that_goes_while_its_credential_is_asked_for_is_not_called() -> None:
    async def scene(page: Page) -> None:
        page.inner(needs=Need("payments"))
        slot = page.registry.named("inner")
        assert slot
        assert slot.current
        page.provider.has = True
        page.provider.meanwhile = slot.current.release
        assert (await result_of(page, refusal(page, "inner")))[0] == "TOOL_NOT_FOUND"

    assert play(scene).contexts == []


def test_there_are_no_tools_in_javascript_and_not_the_tool_itself() -> None:
    async def scene(page: Page) -> None:
        page.inner()
        theirs = PageTool(Definition(name="theirs", description="d", input_schema={}), 1)
        page.registry.hold(theirs)

        async def body(ctx: ToolContext) -> list[bool]:
            assert ctx.tools
            return [ctx.tools.has(name) for name in ("inner", "theirs", "outer", "gone")]

        assert await result_of(page, body) == [True, False, False, False]
        code, said, _ = await result_of(page, refusal(page, "theirs"))
        assert (code, said) == (
            "TOOL_NOT_FOUND",
            "theirs is a tool in JavaScript, which a tool in Python reaches by what the page exposes.",
        )
        code, said, _ = await result_of(page, refusal(page, "outer"))
        assert (code, said) == ("TOOL_NOT_FOUND", "outer cannot call itself as a tool: call its function.")

    play(scene)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((["inner"],), "the name of a tool is a text, not a list"),
        (("inner", "{}"), "the arguments must be a dict, not a str"),
        (("inner", []), "the arguments must be a dict, not a list"),
        (("inner", {}, 5), "signal must be a CancelSignal, not a int"),
    ],
)
def test_what_is_of_another_kind_is_a_type_error(arguments: tuple[Any, ...], said: str) -> None:
    async def scene(page: Page) -> None:
        page.inner()

        async def body(ctx: ToolContext) -> bool:
            assert ctx.tools
            with pytest.raises(TypeError, match=rf"^ctx\.tools\.call: {said}\.$"):
                await ctx.tools.call(*arguments)
            with pytest.raises(
                TypeError, match=r"^ctx\.tools\.has: the name of a tool is a text, not a list\.$"
            ):
                ctx.tools.has(["inner"])  # type: ignore[arg-type]  # refused
            return True

        assert await result_of(page, body) is True

    assert play(scene).contexts == []


def test_a_tool_that_is_let_go_or_replaced_is_not_called() -> None:
    class Context:
        def register(self, registration: int, definition: Definition) -> None: ...
        def unregister(self, registration: int) -> None: ...

    async def scene(page: Page) -> None:
        page.registry.attach(Context())
        page.inner()
        page.inner("other")

        async def body(ctx: ToolContext) -> Any:
            assert ctx.tools
            slot = page.registry.named("inner")
            assert slot
            assert slot.current
            page.inner(title="Another")
            with pytest.raises(ToolError) as replaced:
                await ctx.tools.call("inner")
            for _ in range(2):
                slot.current.release()
            with pytest.raises(ToolError) as gone:
                await ctx.tools.call("inner")
            return [replaced.value.code, gone.value.code, await ctx.tools.call("other")]

        assert await result_of(page, body) == ["TOOL_CHANGED", "TOOL_NOT_FOUND", 2]
        page.registry.close()

    (ctx,) = play(scene).contexts
    assert ctx.call_id == "c1#inner-1"


def test_the_inner_context_keeps_the_facts_and_has_no_tools() -> None:
    who = Identity("talk-1", "acme")
    facts = Facts(
        door="page", iteration=3, run_id="r1", session_id="s1", turn_id="t1", identity=who, call_id="theirs"
    )

    async def scene(page: Page) -> None:
        page.inner(idempotency=True)

        async def body(ctx: ToolContext) -> Any:
            assert ctx.tools
            assert "tools" in ctx.present
            return await ctx.tools.call("inner")

        await result_of(page, body, facts)

    (ctx,) = play(scene).contexts
    assert (ctx.door, ctx.iteration, ctx.run_id, ctx.session_id) == ("inner", 3, "r1", "s1")
    assert (ctx.turn_id, ctx.identity, ctx.has_credentials) == ("t1", who, True)
    assert ctx.tools is None
    assert "tools" not in ctx.present
    assert ctx.idempotency_key == "r=r1/i=3/c=theirs#inner-1"
    assert ctx.teardown_scopes == ("call", "run", "session", "page")


def test_an_inner_call_is_in_flight_of_its_tool_and_reports_under_its_own_id() -> None:
    async def scene(page: Page) -> None:
        goes_on = asyncio.Event()

        @tool
        async def wait(ctx: ToolContext) -> None:
            """Wait."""
            ctx.progress({"done": 1})
            await goes_on.wait()

        hold = page.registry.hold(wait)

        async def body(ctx: ToolContext) -> None:
            assert ctx.tools
            await ctx.tools.call("wait")

        page.outer(body)
        call = page.call()
        await until(lambda: page.in_flight("wait") == 1)
        hold.release()
        page.clock.advance(0)
        assert page.registry.named("wait"), "a tool drains its inner calls before it goes"
        goes_on.set()
        await page.answered(call)
        assert page.registry.named("wait") is None
        assert [report[:2] for report in page.reports] == [("wait", "c1#inner-1")]

    play(scene)


@pytest.mark.parametrize("how", ["abort", "deadline", "leave"])
def test_what_ends_the_outer_call_ends_the_inner_ones_also_those_beside_it(how: str) -> None:
    ends: list[str | None] = []
    begun: list[str] = []

    async def scene(page: Page) -> None:
        @tool
        async def wait(ctx: ToolContext) -> None:
            """Wait."""
            begun.append(ctx.call_id)
            try:
                await asyncio.Event().wait()
            finally:
                ends.append(ctx.signal.reason)

        page.registry.hold(wait)
        beside: list[asyncio.Future[Any]] = []

        async def body(ctx: ToolContext) -> None:
            assert ctx.tools
            beside.append(asyncio.ensure_future(ctx.tools.call("wait")))
            await ctx.tools.call("wait")

        page.outer(body, timeout=5)
        call = page.call()
        await until(lambda: len(begun) == 2)
        end = {
            "abort": lambda: page.dispatcher.abort(call),
            "deadline": lambda: page.clock.advance(5),
            "leave": page.dispatcher.interrupt,
        }
        end[how]()
        code = "TOOL_TIMEOUT" if how == "deadline" else "CANCELLED"
        assert verdict(page.answers[call]) == (code, "unknown", False)
        await until(lambda: len(ends) == 2)
        assert ends == [code] * 2
        with pytest.raises(ToolError) as raised:
            await beside[0]
        assert raised.value.code == code

    play(scene)


def test_a_handler_may_give_an_inner_call_up_and_go_on() -> None:
    async def scene(page: Page) -> None:
        @tool
        async def wait() -> None:
            """Wait."""
            await asyncio.Event().wait()

        page.registry.hold(wait)

        async def body(ctx: ToolContext) -> list[str]:
            assert ctx.tools
            waiting = asyncio.ensure_future(ctx.tools.call("wait"))
            await until(lambda: page.in_flight("wait") == 1)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            signal = CancelSignal()
            asyncio.get_running_loop().call_soon(signal.fire, "CANCELLED")
            codes = []
            for _ in range(2):  # the second time it has fired before
                with pytest.raises(ToolError) as raised:
                    await ctx.tools.call("wait", signal=signal)
                codes.append(raised.value.code)
            assert page.in_flight("wait") == 0
            return codes

        page.outer(body)
        answer = await page.answered(page.call())
        assert answer["structuredContent"] == {"result": ["CANCELLED"] * 2}

    play(scene)


def test_the_inner_tools_own_deadline_counts() -> None:
    async def scene(page: Page) -> None:
        @tool(timeout=1)
        async def wait() -> None:
            """Wait."""
            await asyncio.Event().wait()

        page.registry.hold(wait)
        page.outer(refusal(page, "wait"))
        call = page.call()
        await until(lambda: page.in_flight("wait") == 1)
        page.clock.advance(1)
        answer = await page.answered(call)
        assert answer["structuredContent"]["result"][0] == "TOOL_TIMEOUT"

    play(scene)


def test_what_an_inner_call_reports_keeps_the_outer_one_from_idling() -> None:
    async def scene(page: Page) -> None:
        steps = asyncio.Queue[None]()

        @tool
        async def walk(ctx: ToolContext) -> None:
            """Walk."""
            for _ in range(3):
                await steps.get()
                ctx.progress()

        page.registry.hold(walk)

        async def body(ctx: ToolContext) -> None:
            assert ctx.tools
            await ctx.tools.call("walk")

        page.outer(body, idle_timeout=1)
        call = page.call()
        for number in range(3):
            await until(lambda: page.in_flight("walk") == 1)
            page.clock.advance(0.9)
            steps.put_nowait(None)
            await until(lambda: len(page.reports) == number + 1)  # noqa: B023  # waited for in this round
        assert not (await page.answered(call)).get("isError")

    play(scene)


def test_an_inner_error_is_raised_and_reaches_the_agent_unless_it_is_caught(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @tool
    def sold_out() -> None:
        """Refuse."""
        raise ToolError("none left", code="SOLD_OUT", details={"sku": "A1"}, retryable=True, effect="none")

    @tool
    def refuse() -> dict[str, Any]:
        """Refuse by what it returns."""
        return {"error": {"code": "NO", "message": "not now"}}

    @tool
    def fail() -> None:
        """Fail."""
        raise LookupError("secret")

    @tool
    def lie() -> int:
        """Lie."""
        return "text"  # type: ignore[return-value]  # that is what it is for

    async def scene(page: Page) -> None:
        for each in (sold_out, refuse, fail, lie):
            page.registry.hold(each)
        for name, code in (("refuse", "NO"), ("fail", "TOOL_HANDLER_ERROR"), ("lie", "TOOL_OUTPUT_INVALID")):
            got = await result_of(page, refusal(page, name))
            assert got[0] == code
            assert "secret" not in got[1]

        async def body(ctx: ToolContext) -> None:
            assert ctx.tools
            await ctx.tools.call("sold_out")

        page.outer(body)
        answer = await page.answered(page.call())
        assert verdict(answer) == ("SOLD_OUT", "unknown", True)
        assert error_of(answer)["details"] == {"sku": "A1"}

    play(scene)
    assert "LookupError: secret" in caplog.text


def test_the_inner_tools_guards_count() -> None:
    async def scene(page: Page) -> None:
        page.inner("guarded", permission=lambda ctx: ctx.door != "inner" or "Not for other tools.")
        page.inner("versioned", expected_version="number", version=lambda: 4)
        assert (await result_of(page, refusal(page, "guarded")))[:2] == [
            "NOT_ALLOWED",
            "Not for other tools.",
        ]
        assert (await result_of(page, refusal(page, "versioned", {"number": 3})))[0] == "VERSION_CONFLICT"
        assert page.contexts == []

    play(scene)


def test_a_serial_tools_inner_calls_queue() -> None:
    running: list[int] = []

    async def scene(page: Page) -> None:
        @tool(serial=True)
        async def step() -> int:
            """Step."""
            running.append(1)
            await asyncio.sleep(0)
            assert len(running) == 1
            running.pop()
            return 1

        page.registry.hold(step)

        async def body(ctx: ToolContext) -> list[int]:
            assert ctx.tools
            return list(await asyncio.gather(*(ctx.tools.call("step") for _ in range(3))))

        assert await result_of(page, body) == [1, 1, 1]

    play(scene)


def test_an_inner_call_that_is_made_again_works_once_and_gives_the_same() -> None:
    orders: list[int] = []

    @tool(idempotency="key")
    def order(key: str) -> Order:
        """Order."""
        orders.append(1)
        return Order(number=len(orders))

    @tool(idempotency="key")
    def say(key: str) -> str:
        """Say."""
        return "done"

    @tool(idempotency="key")
    def do(key: str) -> None:
        """Do."""

    @tool(idempotency="key")
    def count(key: str) -> Any:
        """Count."""
        return 5

    @tool(idempotency="key")
    def refuse(key: str) -> None:
        """Refuse."""
        raise ToolError("no", code="NO", effect="done")

    async def scene(page: Page) -> None:
        for each in (order, say, do, count, refuse):
            page.registry.hold(each)

        async def body(ctx: ToolContext) -> Any:
            assert ctx.tools
            got = [
                [await ctx.tools.call(name, {"key": "k"}) for _ in range(2)]
                for name in ("order", "say", "do", "count")
            ]
            assert got == [[Order(number=1)] * 2, ["done"] * 2, [None] * 2, [5] * 2]
            for _ in range(2):
                with pytest.raises(ToolError, match="no"):
                    await ctx.tools.call("refuse", {"key": "k"})
            return len(orders)

        assert await result_of(page, body) == 1

    play(scene)


def test_an_inner_handler_cannot_ask_the_person_by_itself_either() -> None:
    @tool
    async def ask(ctx: ToolContext) -> None:
        """Ask."""
        await ctx.confirm("Really?")

    async def scene(page: Page) -> None:
        page.registry.hold(ask)
        code, said, _ = await result_of(page, refusal(page, "ask"))
        assert code == "CONFIRMATION_UNAVAILABLE"
        assert said == (
            "ask asks the person in front of the page, and a tool that another tool calls cannot. "
            "Let the agent call ask itself."
        )

    play(scene)


@pytest.mark.parametrize("fails", [False, True])
def test_what_an_inner_call_wants_done_after_the_answer_waits_for_the_agents_answer(fails: bool) -> None:
    done: list[str] = []

    @tool
    def go(ctx: ToolContext) -> None:
        """Go."""
        ctx.after_answer(lambda: done.append("left"))

    async def scene(page: Page) -> None:
        page.registry.hold(go)

        async def body(ctx: ToolContext) -> None:
            assert ctx.tools
            await ctx.tools.call("go")
            page.clock.advance(RESPONSE_GRACE)
            assert done == []
            if fails:
                raise ToolError("no")

        page.outer(body)
        await page.answered(page.call())
        page.clock.advance(RESPONSE_GRACE)
        await page.dispatcher.rest()

    play(scene)
    assert done == ([] if fails else ["left"])


def test_the_tab_has_to_own_what_an_inner_tool_writes_to() -> None:
    locks = FakeLocks()
    owners = Owners(locks)

    async def scene(page: Page) -> None:
        owners.declare("app", [CART])
        owners.told(CART.name, None, "elsewhere")
        page.dispatcher = Dispatcher(page.clock, page._settle, find=page.registry.named, owners=owners)
        page.inner(owner=CART)
        assert (await result_of(page, refusal(page, "inner")))[0] == "NOT_OWNER"
        locks.epochs[CART.name] = 3
        owners.told(CART.name, 3, None)

        async def body(ctx: ToolContext) -> Any:
            assert ctx.tools
            return [await ctx.tools.call("inner"), ctx.epoch]

        assert await result_of(page, body) == [2, None]

    (ctx,) = play(scene).contexts
    assert ctx.epoch == 3


def test_arguments_that_json_cannot_hold_are_refused() -> None:
    async def scene(page: Page) -> None:
        page.inner()
        code, said, _ = await result_of(page, refusal(page, "inner", {"number": object()}))
        assert (code, said) == ("INVALID_TOOL_ARGS", "inner takes JSON data only: object is not data.")

    play(scene)


def test_a_call_that_is_over_calls_nothing_any_more() -> None:
    kept: list[ToolContext] = []

    async def scene(page: Page) -> None:
        page.inner()

        async def body(ctx: ToolContext) -> int:
            kept.append(ctx)
            return 1

        await result_of(page, body)
        assert kept[0].tools
        with pytest.raises(ToolError, match="outer has its answer already; inner was not called"):
            await kept[0].tools.call("inner")

    assert play(scene).contexts == []


def test_where_there_are_no_other_tools_there_is_no_dispatch() -> None:
    given: list[Any] = []

    @tool
    def look(ctx: ToolContext) -> None:
        """Look."""
        given.append((ctx.tools, "tools" in ctx.present))

    clock = FakeClock()
    registry = ToolRegistry(clock, lambda _: None)
    registry.hold(look)
    (slot,) = registry
    Dispatcher(clock, lambda *_: None).call(slot, "c1", "{}")
    assert given == [(None, False)]
