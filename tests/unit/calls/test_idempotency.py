"""Calls that are made again with the same key: the tool works once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.calls.caller import Answer, slot_of, text_of, verdict
from webtools import ToolContext, ToolDefinitionError, ToolError, tool
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import BROWSER, Facts, Identity
from webtools.lifecycle.slot import Slot
from webtools.stores.idempotency import MemoryIdempotencyStore
from webtools.testing import FakeClock

FAULTS: dict[str, BaseException] = {
    "refuse": ToolError("sold out", code="SOLD_OUT", effect="none"),
    "fail": ToolError("no word from the bank", code="NO_WORD"),
    "crash": LookupError("a bug"),
}


class Shop:
    """A page with a shop; its orders wait for `finish`."""

    def __init__(self, store: MemoryIdempotencyStore | None = None, **options: Any) -> None:
        self.clock = FakeClock()
        self.store = store or MemoryIdempotencyStore()
        self.orders: list[str] = []
        self.open: list[asyncio.Future[None]] = []
        self.cancelled = 0
        self.answers: dict[str, list[Answer]] = {}
        self.slot = self._slot({"idempotency": "order_key", "timeout": 10, **options})
        self.reload()

    def _slot(self, options: dict[str, Any]) -> Slot:
        @tool(**options)
        async def order(sku: str, order_key: str | None = None) -> str:
            """Order one."""
            self.orders.append(sku)
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.open.append(waiting)
            try:
                await waiting
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
            return f"ordered {sku}"

        return slot_of(order)

    def reload(self) -> None:
        """Another dispatcher over what the tab has kept."""
        self.dispatcher = Dispatcher(self.clock, self._settle, store=self.store)

    def call(self, call_id: str, sku: str = "A1", key: str | None = "k1", facts: Facts = BROWSER) -> None:
        self.answers[call_id] = []
        given = {"sku": sku} if key is None else {"sku": sku, "order_key": key}
        answer = self.dispatcher.call(self.slot, call_id, json.dumps(given), facts)
        if isinstance(answer, str):
            self._settle(call_id, answer)

    def finish(self, fault: BaseException | None = None) -> None:
        """Let the handlers that wait go on."""
        waiting, self.open = self.open, []
        for each in waiting:
            if not each.done():
                each.set_exception(fault) if fault else each.set_result(None)

    async def act(self, word: str) -> None:
        """Do one of a script's words, and let everything come of it that can."""
        verb, _, what = word.partition(" ")
        if word in FAULTS:
            self.finish(FAULTS[word])
        elif verb == "pass":
            self.clock.advance(float(what))
        elif verb == "abort":
            self.dispatcher.abort(what)
        elif word in ("finish", "reload"):
            getattr(self, word)()
        elif word == "leave":
            self.dispatcher.interrupt()
        elif word.endswith("'"):
            self.call(word, sku="B2")
        elif word.endswith("*"):
            self.call(word, key="k2")
        else:
            self.call(word)
        await turns()

    def said(self) -> dict[str, str]:
        """What each call was told, as short as can be; a call that was told twice fails the test."""
        found = {}
        for call_id, answers in self.answers.items():
            assert len(answers) <= 1
            found[call_id] = said(answers[0]) if answers else "waits"
        return found

    def _settle(self, call_id: str, text: str) -> None:
        self.answers[call_id].append(json.loads(text))


async def turns() -> None:
    """Let everything come that needs no more than the event loop's turns."""
    for _ in range(12):
        await asyncio.sleep(0)


def said(answer: Answer) -> str:
    """Of an error its code and effect; and whether it is the answer of an earlier call."""
    told = " ".join(verdict(answer)[:2]) if "isError" in answer else text_of(answer)
    return f"{told}, replayed" if answer.get("_meta") == {"replayed": True} else told


def play(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


DONE = "ordered A1"
AGAIN = f"{DONE}, replayed"
GONE = "CANCELLED unknown"
LATE = "TOOL_TIMEOUT unknown"

SCRIPTS: dict[str, tuple[str, dict[str, str], int]] = {
    # what happens, what the calls are told, how often the handler began
    "a replay of what is done": ("A, finish, B", {"A": DONE, "B": AGAIN}, 1),
    "a replay of what is being done": ("A, B, finish", {"A": DONE, "B": AGAIN}, 1),
    "many replays": ("A, B, C, finish, D", {"A": DONE, "B": AGAIN, "C": AGAIN, "D": AGAIN}, 1),
    "nothing to replay yet": ("A, B", {"A": "waits", "B": "waits"}, 1),
    "another key": ("A, B*, finish", {"A": DONE, "B*": DONE}, 2),
    "other arguments": ("A, finish, B'", {"A": DONE, "B'": "IDEMPOTENCY_CONFLICT none"}, 1),
    "other arguments meanwhile": ("A, B', finish", {"A": DONE, "B'": "IDEMPOTENCY_CONFLICT none"}, 1),
    "an abort": ("A, abort A, B", {"A": GONE, "B": f"{GONE}, replayed"}, 1),
    "an abort of the first, for which another waits": (
        "A, B, abort A, finish, C",
        {"A": GONE, "B": AGAIN, "C": AGAIN},
        1,
    ),
    "an abort of the one that waits": ("A, B, abort B, finish, C", {"A": DONE, "B": GONE, "C": AGAIN}, 1),
    "an abort of one of two that wait": (
        "A, B, C, abort A, abort B, finish",
        {"A": GONE, "B": GONE, "C": AGAIN},
        1,
    ),
    "an abort of all": (
        "A, B, abort A, abort B, C",
        {"A": GONE, "B": GONE, "C": f"{GONE}, replayed"},
        1,
    ),
    "an abort of all, the first last": (
        "A, B, abort B, abort A, C",
        {"A": GONE, "B": GONE, "C": f"{GONE}, replayed"},
        1,
    ),
    "a call that comes when the first has given up": (
        "A, B, abort A, C, abort B, finish",
        {"A": GONE, "B": GONE, "C": AGAIN},
        1,
    ),
    "a deadline": ("A, pass 10, B", {"A": LATE, "B": f"{LATE}, replayed"}, 1),
    "a deadline of the first, for which another waits": (
        "A, pass 5, B, pass 5, finish, C",
        {"A": LATE, "B": AGAIN, "C": AGAIN},
        1,
    ),
    "a deadline of all": (
        "A, pass 5, B, pass 5, pass 5, C",
        {"A": LATE, "B": LATE, "C": f"{LATE}, replayed"},
        1,
    ),
    "an error of unknown effect": (
        "A, fail, B",
        {"A": "NO_WORD unknown", "B": "NO_WORD unknown, replayed"},
        1,
    ),
    "a bug": (
        "A, B, crash",
        {"A": "TOOL_HANDLER_ERROR unknown", "B": "TOOL_HANDLER_ERROR unknown, replayed"},
        1,
    ),
    "an error without effect, and a retry": ("A, refuse, B, finish", {"A": "SOLD_OUT none", "B": DONE}, 2),
    "an error without effect, and one that waits": (
        "A, B, refuse, finish",
        {"A": "SOLD_OUT none", "B": DONE},
        2,
    ),
    "an error without effect, and two that wait": (
        "A, B, C, refuse, finish",
        {"A": "SOLD_OUT none", "B": DONE, "C": AGAIN},
        2,
    ),
    "errors without effect for all": (
        "A, B, C, refuse, refuse, refuse",
        dict.fromkeys("ABC", "SOLD_OUT none"),
        3,
    ),
    "one that waits no longer when it could go on": (
        "A, B, C, abort B, refuse, finish",
        {"A": "SOLD_OUT none", "B": GONE, "C": DONE},
        2,
    ),
    "a reload": ("A, finish, reload, B", {"A": DONE, "B": AGAIN}, 1),
    "other arguments after a reload": (
        "A, finish, reload, B'",
        {"A": DONE, "B'": "IDEMPOTENCY_CONFLICT none"},
        1,
    ),
    "a page that is left meanwhile": (
        "A, B, leave, reload, C",
        {"A": GONE, "B": GONE, "C": f"{GONE}, replayed"},
        1,
    ),
    "almost a day": ("A, finish, pass 86399, reload, B", {"A": DONE, "B": AGAIN}, 1),
    "a day": ("A, finish, pass 86400, B, finish", {"A": DONE, "B": DONE}, 2),
    "a day and a reload": ("A, finish, pass 86400, reload, B', finish", {"A": DONE, "B'": "ordered B2"}, 2),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_call_of_a_script_is_told_the_truth_and_the_tool_works_as_often_as_it_must(name: str) -> None:
    script, told, orders = SCRIPTS[name]

    async def scene() -> None:
        shop = Shop()
        for word in script.split(", "):
            await shop.act(word)
        assert shop.said() == told
        assert len(shop.orders) == orders
        waiting = sum(each == "waits" for each in told.values())
        assert shop.slot.in_flight == waiting
        shop.dispatcher.close()

    play(scene())


SERIAL: dict[str, tuple[str, dict[str, str], int]] = {
    "one that leads now, but could not begin": (
        "A, X*, B, refuse, abort B, finish",
        {"A": "SOLD_OUT none", "X*": DONE, "B": "CANCELLED none"},
        2,
    ),
    "one that waits for another that could not begin": (
        "A, X*, B, C, refuse, abort C, finish, finish",
        {"A": "SOLD_OUT none", "X*": DONE, "B": DONE, "C": "CANCELLED none"},
        3,
    ),
    "one that could not begin, and nobody else": (
        "X*, A, abort A, finish",
        {"X*": DONE, "A": "CANCELLED none"},
        1,
    ),
    "one that could not begin, and another waits": (
        "X*, A, B, abort A, finish, finish",
        {"X*": DONE, "A": "CANCELLED none", "B": DONE},
        2,
    ),
    "one that could not begin in time, and another waits": (
        "X*, pass 1, A, pass 5, B, finish, pass 4, finish",
        {"X*": DONE, "A": DONE, "B": AGAIN},
        2,
    ),
    "one that is still being done keeps its place when it has given up": (
        "A, B, abort A, X*, finish, finish",
        {"A": GONE, "B": AGAIN, "X*": DONE},
        2,
    ),
}


@pytest.mark.parametrize("name", SERIAL)
def test_a_serial_tool_hands_on_to_the_next_what_has_not_begun(name: str) -> None:
    script, told, orders = SERIAL[name]

    async def scene() -> None:
        shop = Shop(serial=True)
        for word in script.split(", "):
            await shop.act(word)
        assert (shop.said(), len(shop.orders)) == (told, orders)
        shop.dispatcher.close()

    play(scene())


def test_the_task_is_cancelled_when_the_last_call_that_awaits_it_gives_up_and_not_before() -> None:
    async def scene() -> None:
        shop = Shop()
        for word in ("A", "B", "C", "abort A", "abort C"):
            await shop.act(word)
            assert shop.cancelled == 0
        await shop.act("abort B")
        assert shop.cancelled == 1
        assert (shop.slot.in_flight, shop.clock.pending) == (0, 0)

    play(scene())


def test_the_handlers_signal_fires_when_the_last_call_that_awaits_it_gives_up_and_not_before() -> None:
    seen: list[ToolContext] = []

    @tool(idempotency="key")
    async def order(key: str, ctx: ToolContext) -> None:
        """Order."""
        seen.append(ctx)
        await asyncio.Event().wait()

    async def scene() -> None:
        shop = Shop()
        shop.slot = slot_of(order)
        for call_id in ("A", "B"):
            shop.answers[call_id] = []
            shop.dispatcher.call(shop.slot, call_id, '{"key": "k"}')
        await shop.act("abort A")
        assert [ctx.signal.reason for ctx in seen] == [None]
        await shop.act("abort B")
        assert [ctx.signal.reason for ctx in seen] == ["CANCELLED"]

    play(scene())


def test_a_leader_that_a_stranger_cancels_leaves_nobody_waiting(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        shop = Shop()
        await shop.act("A")
        (task,) = asyncio.all_tasks() - {asyncio.current_task()}
        await shop.act("B")
        await shop.act("abort A")
        task.cancel()
        await shop.act("finish")
        assert shop.said() == {"A": GONE, "B": f"{GONE}, replayed"}
        assert shop.slot.in_flight == 0

    play(scene())


def test_a_sync_tool_is_replayed_at_once() -> None:
    orders: list[int] = []

    @tool(idempotency="key")
    def order(key: int) -> int:
        """Order."""
        orders.append(key)
        return len(orders)

    shop = Shop()
    shop.slot = slot_of(order)
    first, second, other = (
        json.loads(str(shop.dispatcher.call(shop.slot, call_id, f'{{"key": {key}}}')))
        for call_id, key in (("A", 1), ("B", 1), ("C", 2))
    )
    assert second == {**first, "_meta": {"replayed": True}}
    assert (first["structuredContent"], other["structuredContent"]) == ({"result": 1}, {"result": 2})


def test_the_same_input_in_another_order_is_the_same() -> None:
    shop = Shop()

    @tool(idempotency="key")
    def order(key: str, counts: dict[str, int]) -> str:
        """Order."""
        return "ordered"

    slot = slot_of(order)
    texts = ['{"key": "k", "counts": {"a": 1, "b": 2}}', '{"counts":{"b":2,"a":1},"key":"k"}']
    answers = [shop.dispatcher.call(slot, "A", text) for text in texts]
    assert [said(json.loads(str(each))) for each in answers] == ["ordered", "ordered, replayed"]


def test_a_call_that_waits_for_another_in_vain_is_told_that_something_may_have_been_done() -> None:
    async def scene() -> None:
        shop = Shop()
        for word in ("A", "pass 5", "B", "pass 5", "pass 5"):
            await shop.act(word)
        (answer,) = shop.answers["B"]
        assert "its effect may still land" in text_of(answer)
        assert shop.cancelled == 1

    play(scene())


def test_an_answer_is_replayed_as_it_was_given() -> None:
    @tool(idempotency="key")
    def order(key: str) -> dict[str, object]:
        """Order."""
        return {"größe": "\u2028 \ud83d\ude00", "count": 2**53 - 1, "price": 0.1, "none": None}

    shop = Shop()
    shop.slot = slot_of(order)
    first = json.loads(str(shop.dispatcher.call(shop.slot, "A", '{"key": "k"}')))
    shop.reload()
    second = json.loads(str(shop.dispatcher.call(shop.slot, "B", '{"key": "k"}')))
    assert second == {**first, "_meta": {"replayed": True}}


def test_a_refused_input_or_call_is_not_kept() -> None:
    allowed = [False]

    @tool(idempotency="key", permission=lambda _: allowed[0])
    def order(key: str, count: int) -> int:
        """Order."""
        return count

    shop = Shop()
    shop.slot = slot_of(order)

    def called(text: str) -> str:
        return said(json.loads(str(shop.dispatcher.call(shop.slot, "A", text))))

    assert called('{"key": "k", "count": 1}') == "NOT_ALLOWED none"
    allowed[0] = True
    assert called('{"key": "k", "count": "many"}') == "INVALID_TOOL_ARGS none"
    assert called('{"key": "k", "count": 1}') == '{"result":1}'
    assert called('{"key": "k", "count": "many"}') == "INVALID_TOOL_ARGS none"
    allowed[0] = False
    assert called('{"key": "k", "count": 1}') == "NOT_ALLOWED none"
    assert shop.store.text is not None
    assert len(json.loads(shop.store.text)) == 1


def facts(**stated: Any) -> Facts:
    return Facts(door="page", **stated)


APART: dict[str, tuple[Facts, Facts]] = {
    "two sessions": (facts(session_id="s1"), facts(session_id="s2")),
    "a session and none": (facts(session_id="s1"), BROWSER),
    "two tenants in sessions of one name": (
        facts(session_id="s1", identity=Identity("talk", tenant="acme")),
        facts(session_id="s1", identity=Identity("talk", tenant="apex")),
    ),
    "two principals without a session": (
        facts(identity=Identity("talk", principal="ada")),
        facts(identity=Identity("talk", principal="bob")),
    ),
}

TOGETHER: dict[str, tuple[Facts, Facts]] = {
    "one session, in two runs": (facts(session_id="s1", run_id="r1"), facts(session_id="s1", run_id="r2")),
    "no session, in two runs": (facts(run_id="r1"), facts(run_id="r2")),
    "one principal, in two conversations": (
        facts(identity=Identity("one", principal="ada")),
        facts(identity=Identity("two", principal="ada")),
    ),
    "no facts": (BROWSER, BROWSER),
}


@pytest.mark.parametrize("callers", APART)
def test_one_key_is_two_for(callers: str) -> None:
    async def scene() -> None:
        shop = Shop()
        for call_id, each in zip("AB", APART[callers], strict=True):
            shop.call(call_id, facts=each)
            await turns()
            await shop.act("finish")
        assert shop.said() == {"A": DONE, "B": DONE}

    play(scene())


@pytest.mark.parametrize("callers", TOGETHER)
def test_one_key_is_one_for(callers: str) -> None:
    async def scene() -> None:
        shop = Shop()
        for call_id, each in zip("AB", TOGETHER[callers], strict=True):
            shop.call(call_id, facts=each)
            await turns()
            await shop.act("finish")
        assert shop.said() == {"A": DONE, "B": AGAIN}

    play(scene())


def test_one_key_is_two_for_two_tools() -> None:
    @tool(idempotency="key")
    def buy(key: str) -> str:
        """Buy."""
        return "bought"

    @tool(idempotency="key")
    def sell(key: str) -> str:
        """Sell."""
        return "sold"

    shop = Shop()
    answers = [shop.dispatcher.call(slot_of(each), "A", '{"key": "k"}') for each in (buy, sell, buy)]
    assert [said(json.loads(str(each))) for each in answers] == ["bought", "sold", "bought, replayed"]


PLACE = {"run_id": "r1", "iteration": 2, "call_id": "toolu_1"}


@pytest.mark.parametrize("other", [{"run_id": "r2"}, {"iteration": 3}, {"call_id": "toolu_2"}], ids=str)
def test_a_derived_key_is_that_of_the_calls_place_in_its_run(other: dict[str, Any]) -> None:
    async def scene() -> None:
        shop = Shop(idempotency=True)
        for call_id, each in {"A": PLACE, "B": PLACE, "C": {**PLACE, **other}}.items():
            shop.call(call_id, key=None, facts=facts(**each))
            await turns()
            await shop.act("finish")
        assert shop.said() == {"A": DONE, "B": AGAIN, "C": DONE}

    play(scene())


@pytest.mark.parametrize("missing", ["run_id", "call_id"])
def test_where_facts_are_missing_there_is_no_key_and_one_warning(
    missing: str, caplog: pytest.LogCaptureFixture
) -> None:
    stated = facts(**{name: fact for name, fact in PLACE.items() if name != missing})

    async def scene() -> None:
        shop = Shop(idempotency=True)
        for call_id in "ABC":
            shop.call(call_id, key=None, facts=stated)
            await turns()
            await shop.act("finish")
        assert shop.said() == dict.fromkeys("ABC", DONE)
        assert shop.store.text is None

    play(scene())
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        "Tool 'order' is idempotent, but was called without a key"
    ]


@pytest.mark.parametrize("key", [None, ""])
def test_a_key_that_the_agent_leaves_out_is_derived(key: str | None) -> None:
    async def scene() -> None:
        shop = Shop()
        for call_id, each in {"A": PLACE, "B": PLACE, "C": {**PLACE, "iteration": 3}}.items():
            shop.call(call_id, key=key, facts=facts(**each))
            await turns()
            await shop.act("finish")
        assert shop.said() == {"A": DONE, "B": AGAIN, "C": DONE}

    play(scene())


@pytest.mark.parametrize(
    ("text", "stated", "key"),
    [
        ('{"key": "k1"}', BROWSER, "k1"),
        ('{"key": 7}', BROWSER, "7"),
        ('{"key": "k1"}', facts(**PLACE), "k1"),
        ("{}", facts(**PLACE), "r=r1/i=2/c=toolu_1"),
        ("{}", facts(run_id="a/b", call_id="c%"), "r=a%2Fb/i=0/c=c%25"),
        ("{}", BROWSER, None),
    ],
)
def test_the_handler_is_given_the_key(text: str, stated: Facts, key: str | None) -> None:
    seen: list[ToolContext] = []

    @tool(idempotency="key")
    def order(ctx: ToolContext, key: str | int | None = None) -> None:
        """Order."""
        seen.append(ctx)

    Shop().dispatcher.call(slot_of(order), "A", text, stated)
    assert [each.idempotency_key for each in seen] == [key]
    assert ("idempotency_key" in seen[0].present) is (key is not None)


def test_the_key_is_there_when_permission_is_asked() -> None:
    seen: list[str | None] = []

    @tool(idempotency="key", permission=lambda ctx: seen.append(ctx.idempotency_key))
    def order(key: str) -> None:
        """Order."""

    shop = Shop()
    for text in ('{"key": "k1"}', "[1]", "no JSON", '{"key": ["k"]}'):
        shop.dispatcher.call(slot_of(order), "A", text)
    assert seen == ["k1", None, None, '["k"]']


def test_a_tool_that_declares_nothing_has_no_key(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        shop = Shop(idempotency=False)
        for call_id in "AB":
            shop.call(call_id, facts=facts(**PLACE))
            await turns()
            await shop.act("finish")
        assert shop.said() == {"A": DONE, "B": DONE}
        assert shop.store.text is None

    play(scene())
    assert caplog.records == []


@pytest.mark.parametrize("wrong", ["nope", "", None, 1])
def test_a_key_that_is_no_parameter_is_refused_where_the_tool_is_defined(wrong: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="which are sku, order_key"):
        Shop(idempotency=wrong)


WORDS = ["A", "B", "C", "D'", "finish", "finish", "refuse", "fail", "leave", "pass 4"]
WORDS += [f"abort {name}" for name in ("A", "B", "C", "D'")]


@given(st.lists(st.sampled_from(WORDS), max_size=14), st.booleans())
@settings(deadline=None)
def test_whatever_happens_no_key_works_twice_and_nobody_waits_for_ever(
    words: list[str], serial: bool
) -> None:
    async def scene() -> None:
        shop = Shop(serial=serial)
        last_effect = ""
        for word in words:
            if word in shop.answers:
                continue  # one call of each name
            before = len(shop.orders)
            await shop.act(word)
            began = len(shop.orders) - before
            assert began <= 1
            assert not (began and last_effect in ("done", "unknown")), shop.said()
            assert sum(not each.done() for each in shop.open) <= 1
            last_effect = effect_kept(shop)
        await shop.act("finish")
        await shop.act("finish")
        await shop.act("finish")
        assert "waits" not in shop.said().values()
        assert (shop.slot.in_flight, shop.clock.pending) == (0, 0)
        assert len(asyncio.all_tasks()) == 1

    play(scene())


def effect_kept(shop: Shop) -> str:
    """Of the one key of the script, as far as it has settled."""
    rows = json.loads(shop.store.text or "[]")
    if not rows:
        return ""
    ((*_, answer),) = rows
    error = json.loads(answer).get("structuredContent", {}).get("error")
    return str(error["effect"]) if error else "done"
