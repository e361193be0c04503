"""The shop's assistant: what its scripted planner does with the real tools, and how it hears the chat."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from tests.unit.storefront.shops import FakeShop, opened_app, owners_of, real_shop, tools_in
from webtools.agent import CancelSignal, Message, RunResult, ToolResult, run
from webtools.calls import ownership
from webtools.testing import driven_page, fake_page, tool_call
from webtools.tools.tool import tool_of

Data = dict[str, Any]


@pytest.fixture(scope="module")
def assistant() -> Iterator[ModuleType]:
    with opened_app("assistant.py") as module:
        yield module


class Talk:
    """A person and the planner, in the shop with its real catalogue.

    Attributes:
        is_allowed: What the person says where they are asked.
        calls: What was called for the last wish, with its arguments.
        meanwhile: Done by the person at each event of a run.
    """

    is_allowed = True

    def __init__(self, app: ModuleType, planner: Any) -> None:
        self.app = app
        self.planner = planner
        self.shop: FakeShop = real_shop()
        self.calls: list[tuple[str, Data]] = []
        self.meanwhile: Callable[[Data], object] = lambda _: None
        self.said: tuple[Message | ToolResult, ...] = ()

    def run(self, wish: str, signal: CancelSignal | None = None) -> RunResult:
        said = (*self.said, Message("user", wish))
        with fake_page(shop=self.shop), driven_page(confirm=self.is_allowed) as page:
            for each in tools_in(self.app):  # such a page knows of no other tabs
                page.registry.hold(replace(each, guards=replace(each.guards, owner=None)))
            before = ownership.attach(owners_of(self.app.checkout))
            result = asyncio.run(run(self.planner, said, on_event=self.meanwhile, signal=signal))
            ownership.attach(before)
        self.said = result.conversation
        self.calls = [(each.call.name, json.loads(each.call.arguments)) for each in result.results]
        return result

    def say(self, wish: str) -> str:
        result = self.run(wish)
        assert result.outcome == "done"
        return result.text

    def called(self) -> list[str]:
        return [name for name, _ in self.calls]

    def cart(self) -> dict[str, int]:
        return {line["sku"]: line["quantity"] for line in self.shop.cart()["lines"]}


@pytest.fixture
def talk(app: ModuleType, assistant: ModuleType) -> Talk:
    return Talk(app, assistant.DemoPlanner())


def at_call(name: str, act: Callable[[], object]) -> Callable[[Data], object]:
    """Act once, right before a tool is called."""
    waiting = [act]

    def hear(event: Data) -> None:
        if waiting and event["event"] == "call" and event["tool"] == name:
            waiting.pop()()

    return hear


def test_it_finds_within_a_price_and_fills_the_cart(talk: Talk) -> None:
    said = talk.say("Find a headlamp under €60 and put it in my cart")
    assert talk.calls[0] == ("search_products", {"query": "headlamp", "max_price_cents": 6000, "limit": 5})
    assert talk.cart() == {"OD-308": 1}
    assert said == "Night Ferry Headlamp is in your cart now. It comes to €49.00."


@pytest.mark.parametrize(
    ("wish", "asked"),
    [
        ("Find something for coffee, please", {"query": "coffee"}),
        (
            "show me the cheapest mugs in the kitchen",
            {"query": "mugs", "category": "kitchen", "order": "price"},
        ),
        ("I need a tent for less than 99.50 euros", {"query": "tent", "max_price_cents": 9950}),
        ("Do you have the best-rated shoes?", {"query": "shoes", "order": "rating"}),
        ("I am looking for a knife, at most €100", {"query": "knife", "max_price_cents": 10000}),
    ],
)
def test_it_reads_words_price_department_and_order(talk: Talk, wish: str, asked: Data) -> None:
    talk.say(wish)
    name, arguments = talk.calls[0]
    assert (name, arguments) == ("search_products", {**asked, "limit": 5})


def test_it_shows_the_person_what_it_has_found(talk: Talk) -> None:
    said = talk.say("Find mugs or cups for coffee")
    assert talk.shop.shown[-1].startswith("/?q=")
    assert "1. " in said


def test_it_says_that_the_prices_are_in_euros(talk: Talk) -> None:
    result = talk.run("Find a knife under £100")
    texts = [each.text for each in result.conversation if isinstance(each, Message)]
    assert "The shop’s prices are in euros, so I take the number as euros." in texts


def test_what_only_comes_near_is_not_bought(talk: Talk) -> None:
    said = talk.say("Find a rain jacket under £100 and put it in my cart")
    assert said.startswith("Nothing is quite “rain jacket”.")
    assert talk.cart() == {}
    talk.say("Add the first")
    assert talk.cart() == {"SH-108": 1}


def test_it_passes_over_what_is_sold_out(talk: Talk) -> None:
    talk.meanwhile = at_call("add_to_cart", lambda: talk.shop.sell_out("KT-401"))
    said = talk.say("Find coffee and put one in my cart")
    assert talk.called().count("add_to_cart") == 2
    assert talk.cart() == {"KT-402": 1}
    assert said.startswith("Foam-line Mug is in your cart")


def test_it_says_so_where_all_is_sold_out(talk: Talk) -> None:
    assert "sold out" in talk.say("Buy a teapot")
    assert talk.cart() == {}


@pytest.mark.parametrize(
    ("wish", "cart"),
    [
        ("Add the second", {"KT-402": 1}),
        ("put the 1st and the third in my cart", {"KT-401": 1, "KT-406": 1}),
        ("add two of the second", {"KT-402": 2}),
        ("Add it", {"KT-401": 1}),
        ("take the last", {"KT-406": 1}),
        ("Add the fifth", {}),
    ],
)
def test_it_goes_on_from_what_it_has_found(talk: Talk, wish: str, cart: dict[str, int]) -> None:
    talk.say("Find something for coffee under €60")
    talk.say(wish)
    assert talk.cart() == cart


def test_it_says_that_it_does_not_know_what_is_meant(talk: Talk) -> None:
    assert talk.say("Add the second").startswith("I do not know which one you mean.")
    assert talk.calls == []


def test_it_buys_a_number_of_what_is_named(talk: Talk) -> None:
    talk.say("Buy 2 mugs")
    assert talk.cart() == {"KT-402": 2}


def test_it_shows_the_cart(talk: Talk) -> None:
    assert talk.say("What's in my cart?") == "Your cart is empty."
    talk.say("Buy 2 mugs")
    assert talk.say("Show me my cart") == "In your cart, for €36.00:\n• 2 × Foam-line Mug, €36.00"
    assert talk.shop.shown[-1] == "/cart"


def test_the_cart_is_emptied_if_the_person_agrees(talk: Talk) -> None:
    talk.say("Buy 2 mugs")
    talk.is_allowed = False
    assert talk.say("Empty my cart") == "All right, I leave it as it is."
    assert talk.cart() == {"KT-402": 2}
    talk.is_allowed = True
    assert talk.say("Empty my cart") == "Your cart is empty now."
    assert talk.cart() == {}


def test_a_cart_that_the_person_changes_meanwhile_is_read_again(talk: Talk) -> None:
    talk.say("Buy 2 mugs")
    talk.meanwhile = at_call("clear_cart", lambda: talk.shop.add("KT-401", 1))
    assert talk.say("Empty my cart") == "Your cart is empty now."
    assert talk.called() == ["list_cart", "show_page", "clear_cart", "list_cart", "clear_cart"]


def test_a_cart_that_never_rests_is_left_to_the_person(talk: Talk) -> None:
    talk.say("Buy 2 mugs")
    talk.meanwhile = lambda event: event.get("tool") == "clear_cart" and talk.shop.add("KT-401", 1)
    assert talk.say("Empty my cart").startswith("The cart keeps changing")
    assert talk.called().count("clear_cart") == 3


def test_it_orders_if_the_person_agrees_and_finds_the_order(talk: Talk) -> None:
    assert talk.say("Check out").startswith("Your cart is empty")
    talk.say("Buy 2 mugs")
    talk.is_allowed = False
    assert talk.say("Check out") == "All right, I leave it as it is."
    assert talk.shop.placed == []
    talk.is_allowed = True
    assert talk.say("Check out") == "Ordered: PH-0, €40.90 with the delivery. Nothing is charged."
    assert talk.say("Where is my order?").startswith("Order PH-0: 2 pieces for €40.90, to Leiden")
    assert talk.say("Where is order PH-7?").startswith("That did not work.")


def test_without_a_number_it_shows_the_orders(talk: Talk) -> None:
    assert "Tell me the number" in talk.say("Where is my order?")
    assert talk.shop.shown[-1] == "/orders"


@pytest.mark.parametrize(
    ("before", "wish", "skus"),
    [
        ("Find something for coffee", "Compare the first two", ["KT-401", "KT-402"]),
        ("Find something for coffee", "compare the 1st and the 3rd", ["KT-401", "KT-405"]),
        ("Find something for coffee", "Compare them", ["KT-401", "KT-402"]),
        ("help", "Compare two backpacks", ["BG-201", "BG-202"]),
    ],
)
def test_it_compares(talk: Talk, assistant: ModuleType, before: str, wish: str, skus: list[str]) -> None:
    """The answer needs a store of artifacts, so e2e sees it."""
    talk.say(before)
    talk.say(wish)
    assert ("compare_products", {"skus": skus}) in talk.calls


@pytest.mark.parametrize("wish", ["Tell me a joke", "¿Qué?", "find", "find the", "42", "🥾"])
def test_it_says_plainly_what_it_does_not_understand(talk: Talk, wish: str) -> None:
    said = talk.say(wish)
    assert said.startswith(
        ("I do not understand that. I am a small script, not an AI", "Tell me what to look for")
    )
    assert talk.calls == []


def test_it_tells_what_it_is_and_can_do(talk: Talk) -> None:
    assert talk.say("Help").startswith("I am a small script, not an AI")


def test_each_wish_that_it_names_is_one_that_it_understands(talk: Talk, assistant: ModuleType) -> None:
    for wish in (line.strip("“”") for line in re.findall("“[^”]+”", assistant.CAN)):
        assert not talk.say(wish).startswith("I do not understand")


def test_a_stop_keeps_what_was_done(talk: Talk) -> None:
    signal = CancelSignal()
    talk.meanwhile = at_call("show_page", lambda: signal.fire("the person"))
    result = talk.run("Find a headlamp and put it in my cart", signal)
    assert result.outcome == "stopped"
    assert talk.called() == ["search_products", "show_page"]
    assert talk.cart() == {}
    talk.meanwhile = lambda _: None
    talk.say("Add it")
    assert talk.cart() == {"OD-308": 1}


class FakeChat:
    """What `chat.js` exposes.

    Attributes:
        wishes: Handed over one after another.
        shown: The events.
        ends: How each wish ended.
        stops_at: The tool whose call the person stops.
    """

    stops_at: str | None = None

    def __init__(self, *wishes: Data) -> None:
        self.wishes = list(wishes)
        self.shown: list[Data] = []
        self.ends: list[Data] = []
        self.is_over = asyncio.Event()
        self._is_idle = True
        self._stop: asyncio.Future[bool] | None = None

    async def next(self) -> Data:
        if not self.wishes:
            self.is_over.set()
            await asyncio.Event().wait()
        self._is_idle = False
        return self.wishes.pop(0)

    def show(self, event: Data) -> None:
        self.shown.append(event)
        if event["event"] == "call" and event["tool"] == self.stops_at and self._stop:
            self._stop.set_result(True)

    async def stopped(self) -> bool:
        if self._is_idle:
            return False
        self._stop = asyncio.get_running_loop().create_future()
        return await self._stop

    def end(self, result: Data) -> None:
        self.ends.append(result)
        self._is_idle = True
        if self._stop and not self._stop.done():
            self._stop.set_result(False)


def wish(text: str, *, is_first: bool = False, model: Data | None = None) -> Data:
    return {"text": text, "isFirst": is_first, "model": model}


def listen(app: ModuleType, assistant: ModuleType, chat: FakeChat, **page: Any) -> list[str]:
    """Open the chat, and wait until it has no more wishes; gives the texts and the tools that it shows."""

    async def listened() -> None:
        assert "isError" not in await tool_call(assistant.open_chat)
        await chat.is_over.wait()
        assistant.listening.pop().cancel()

    tools = [each.handler for each in tools_in(app)]
    with fake_page(shop=real_shop(), chat=chat), driven_page(*tools, **page):
        asyncio.run(listened())
    return [each.get("tool") or each["text"] for each in chat.shown if each["event"] in ("call", "text")]


def test_it_does_one_wish_after_another_and_remembers(app: ModuleType, assistant: ModuleType) -> None:
    chat = FakeChat(wish("Find mugs", is_first=True), wish("Add the first"))
    shown = listen(app, assistant, chat)
    assert shown[-1].startswith("Foam-line Mug is in your cart")
    assert chat.ends == [{"outcome": "done", "problem": None}] * 2


def test_it_forgets_where_a_conversation_begins(app: ModuleType, assistant: ModuleType) -> None:
    chat = FakeChat(wish("Find mugs", is_first=True), wish("Add the first", is_first=True))
    assert listen(app, assistant, chat)[-1].startswith("I do not know which one")


def test_the_person_stops_it(app: ModuleType, assistant: ModuleType) -> None:
    chat = FakeChat(wish("Find mugs", is_first=True), wish("Find pens"))
    chat.stops_at = "show_page"
    listen(app, assistant, chat)
    assert [each["outcome"] for each in chat.ends] == ["stopped", "stopped"]


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        ({"url": "ftp://x", "name": "m", "key": None}, "base_url must be"),
        ({"url": "/v1", "name": "m", "key": "k €"}, "the api_key"),
        ({"url": "/v1", "name": "m", "key": None}, "gave no answer"),
    ],
)
def test_a_model_that_cannot_be_asked_is_told_and_the_next_wish_is_done(
    app: ModuleType, assistant: ModuleType, model: Data, problem: str
) -> None:
    chat = FakeChat(wish("Hello", is_first=True, model=model), wish("Help"))
    shown = listen(app, assistant, chat)
    assert chat.ends[0]["outcome"] == "failed"
    assert problem in chat.ends[0]["problem"]
    assert "k €" not in str(chat.ends)
    assert shown[-1].startswith("I am a small script")


def test_only_the_page_opens_the_chat_and_the_assistant_is_not_offered_it(assistant: ModuleType) -> None:
    made = tool_of(assistant.open_chat)
    assert made
    assert made.is_held_by_others

    class Call:
        door = "browser"

    permission = made.guards.permission
    assert permission
    assert permission(Call()) == "The page calls this itself, for its own chat."

    async def offered() -> Sequence[str]:
        with driven_page(assistant.open_chat):
            return [each.name for each in await assistant.client.tools()]

    assert asyncio.run(offered()) == []
