"""docs/cookbook.md, as far as no browser is needed: the wrong way fails as it says, the right one not."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cookbook import COOKBOOK, Way, loaded, patterns
from tests.unit.calls.caller import Answer, text_of, until, verdict
from tests.unit.calls.page_rig import PageRig
from webtools.testing import fake_page, tool_call

WAYS: tuple[Way, Way] = ("Wrong", "Right")
ROOT = COOKBOOK.parents[1]


class TestTheCookbook:
    def test_every_pattern_has_a_wrong_and_a_right_way_in_the_same_languages(self) -> None:
        for name, blocks in patterns().items():
            languages = {way: {language for each, language in blocks if each == way} for way in WAYS}
            assert languages["Wrong"] == languages["Right"] != set(), name

    def test_every_pattern_is_run_here_or_in_a_browser(self) -> None:
        files = [Path(__file__), ROOT / "e2e" / "test_cookbook.py"]
        named = {text for file in files if file.exists() for text in texts_in(file)}
        assert [name for name in patterns() if name not in named] == []


def texts_in(file: Path) -> Iterator[str]:
    """The texts that stand in a Python file."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


class Desk:
    """Documents, one of which is open. What takes its time waits until the person has opened another."""

    def __init__(self) -> None:
        self.texts = {"offer": "", "invoice": ""}
        self.shown = "offer"
        self._asked = False
        self._turned = asyncio.Event()

    async def summarise(self) -> str:
        return f"summary of {await self._slowly()}"

    async def translated(self, language: str) -> str:
        return f"{await self._slowly()} in {language}"

    def append(self, text: str) -> None:
        self.texts[self.shown] += text

    def rename(self, document: str, title: str) -> None:
        self.texts[document] = title

    def open_id(self) -> str:
        return self.shown

    async def _slowly(self) -> str:
        read = self.shown
        self._asked = True
        await self._turned.wait()
        return read

    async def turn(self) -> None:
        """Wait for the agent's call to wait, and open the other document."""
        await until(lambda: self._asked)
        self.shown = "invoice"
        self._turned.set()


def at_the_desk(pattern: str, way: Way, tool: str, *, with_id: bool, **arguments: Any) -> tuple[Answer, Desk]:
    """Call a tool for the offer; the person turns to the invoice meanwhile."""
    rig, desk = PageRig(), Desk()

    async def scene(function: Any) -> Answer:
        held = rig.registry.hold(function, **({"resource_id": "offer"} if with_id else {"owner": "offer"}))
        call = rig.call(tool, arguments)
        await desk.turn()
        if not with_id:  # the editor is closed, and another one opened
            held.release()
            rig.registry.hold(function, owner="invoice")
            rig.turn()
        return await rig.answered(call)

    with loaded(pattern, way) as app, fake_page(desk=desk):
        return asyncio.run(scene(getattr(app, tool))), desk


class TestStaleEditor:
    PATTERN = "A stale editor"

    def test_the_wrong_way_writes_into_the_other_editor(self) -> None:
        answer, desk = at_the_desk(self.PATTERN, "Wrong", "add_summary", with_id=False)
        assert text_of(answer) == "A summary is at the end of the text."
        assert desk.texts == {"offer": "", "invoice": "summary of offer"}

    def test_the_right_way_writes_nothing_and_says_so(self) -> None:
        answer, desk = at_the_desk(self.PATTERN, "Right", "add_summary", with_id=False)
        assert verdict(answer)[0] == "STALE_TOOL_CALL"
        assert desk.texts == {"offer": "", "invoice": ""}


class TestDocumentIdentity:
    PATTERN = "Document identity"

    def test_the_wrong_way_renames_the_other_document(self) -> None:
        answer, desk = at_the_desk(self.PATTERN, "Wrong", "translate_title", with_id=True, language="fr")
        assert text_of(answer) == "The title is offer in fr now."
        assert desk.texts == {"offer": "", "invoice": "offer in fr"}

    def test_the_right_way_renames_nothing_and_says_so(self) -> None:
        answer, desk = at_the_desk(self.PATTERN, "Right", "translate_title", with_id=True, language="fr")
        assert verdict(answer)[0] == "DOCUMENT_CHANGED"
        assert desk.texts == {"offer": "", "invoice": ""}


class TestSessions:
    PATTERN = "Several sessions"

    def test_the_wrong_way_fills_the_cart_that_is_shown(self) -> None:
        with loaded(self.PATTERN, "Wrong") as app:
            asyncio.run(tool_call(app.add_to_cart, {"sku": "A1"}, session_id="talk-2"))
            assert app.carts == {"talk-1": ["A1"], "talk-2": []}

    def test_the_right_way_fills_the_callers_cart(self) -> None:
        with loaded(self.PATTERN, "Right") as app:
            asyncio.run(tool_call(app.add_to_cart, {"sku": "A1"}, session_id="talk-2"))
            assert (app.carts.get("talk-1"), app.carts.get("talk-2")) == ([], ["A1"])

    @pytest.mark.parametrize("session", [None, "talk-3"])
    def test_the_right_way_refuses_a_caller_without_a_session(self, session: str | None) -> None:
        with loaded(self.PATTERN, "Right") as app:
            answer = asyncio.run(tool_call(app.add_to_cart, {"sku": "A1"}, session_id=session))
            assert verdict(answer) == ("SESSION_NOT_FOUND", "none", False)
            assert (app.carts.get("talk-1"), app.carts.get("talk-2")) == ([], [])


class Board:
    """Cards, whose version grows with each change."""

    def __init__(self) -> None:
        self.names = ["ask Ada", "call Ben"]
        self.changes = 2

    def cards(self) -> list[str]:
        return self.names

    def version(self) -> int:
        return self.changes

    def add(self, name: str) -> None:
        self.names.append(name)
        self.changes += 1

    def clear(self) -> None:
        self.names.clear()
        self.changes += 1


class TestDestructiveTool:
    PATTERN = "A destructive tool"

    def test_the_wrong_way_removes_what_the_agent_has_not_seen(self) -> None:
        board = Board()
        with loaded(self.PATTERN, "Wrong") as app, fake_page(board=board):
            read = asyncio.run(tool_call(app.list_cards))
            board.add("pay Cho")
            asyncio.run(tool_call(app.clear_board))
        assert "pay Cho" not in read["structuredContent"]["cards"]
        assert board.names == []

    def test_the_right_way_lets_the_agent_read_first(self) -> None:
        board = Board()
        with loaded(self.PATTERN, "Right") as app, fake_page(board=board):
            seen = asyncio.run(tool_call(app.list_cards))["structuredContent"]["version"]
            board.add("pay Cho")
            refused = asyncio.run(tool_call(app.clear_board, {"version": seen}))
            assert verdict(refused) == ("VERSION_CONFLICT", "none", True)
            assert board.names == ["ask Ada", "call Ben", "pay Cho"]
            seen = asyncio.run(tool_call(app.list_cards))["structuredContent"]["version"]
            assert (
                text_of(asyncio.run(tool_call(app.clear_board, {"version": seen}))) == "The board is empty."
            )
        assert board.names == []


class Accounts:
    def __init__(self) -> None:
        self.deleted: list[str] = []

    def delete(self, name: str) -> None:
        self.deleted.append(name)


class TestAskingThePerson:
    PATTERN = "Asking the person"

    def test_the_wrong_way_lets_the_agent_answer_for_the_person(self) -> None:
        accounts = Accounts()
        with loaded(self.PATTERN, "Wrong") as app, fake_page(accounts=accounts):
            given = {"name": "ada", "confirmed": True}
            asyncio.run(tool_call(app.delete_account, given, confirm=False))
        assert accounts.deleted == ["ada"]

    @pytest.mark.parametrize(
        ("says", "deleted"), [(True, ["ada"]), (False, []), (None, [])], ids=["yes", "no", "nobody there"]
    )
    def test_the_right_way_does_what_the_person_says(self, says: bool | None, deleted: list[str]) -> None:
        accounts = Accounts()
        with loaded(self.PATTERN, "Right") as app, fake_page(accounts=accounts):
            asyncio.run(tool_call(app.delete_account, {"name": "ada"}, confirm=says))
        assert accounts.deleted == deleted


class Orders:
    def __init__(self) -> None:
        self.placed: list[tuple[Any, ...]] = []

    def place(self, *order: Any) -> int:
        self.placed.append(order)
        return len(self.placed)


class TestOrderThatWorksOnce:
    PATTERN = "An order that works once"

    def order_twice(self, way: Way, arguments: dict[str, Any]) -> tuple[Orders, list[Answer]]:
        """Order, and make the same call again."""
        rig, orders = PageRig(), Orders()

        async def scene() -> None:
            for _ in range(2):
                await rig.answered(rig.call("place_order", arguments))

        with loaded(self.PATTERN, way) as app, fake_page(shop=orders):
            rig.registry.hold(app.place_order)
            asyncio.run(scene())
        return orders, list(rig.answers.values())

    def test_the_wrong_way_orders_twice(self) -> None:
        orders, _ = self.order_twice("Wrong", {"sku": "A1"})
        assert orders.placed == [("A1",), ("A1",)]

    def test_the_right_way_orders_once_and_answers_twice(self) -> None:
        orders, answers = self.order_twice("Right", {"sku": "A1", "order_key": "k1"})
        assert orders.placed == [("A1", "k1")]
        assert [text_of(answer) for answer in answers] == ["Ordered: 1.", "Ordered: 1."]


class Site:
    """Links, the third of which never answers."""

    def links(self) -> list[str]:
        return ["/a", "/b", "/c"]

    async def answers(self, link: str) -> bool:
        if link == "/c":
            await asyncio.Event().wait()
        return link != "/b"


class TestProgress:
    PATTERN = "Progress of a long walk"

    def hang(self, way: Way) -> PageRig:
        """Walk to the link that never answers, and wait there for a minute."""
        rig = PageRig()

        async def scene() -> None:
            rig.call("check_links")
            for _ in range(20):
                await asyncio.sleep(0)
            rig.clock.advance(60)
            rig.dispatcher.close()

        with loaded(self.PATTERN, way) as app, fake_page(site=Site()):
            rig.registry.hold(app.check_links)
            asyncio.run(scene())
        return rig

    def test_the_wrong_way_waits_on_and_shows_nothing(self) -> None:
        rig = self.hang("Wrong")
        assert rig.reports == []
        assert verdict(rig.answers["c1"])[0] == "CANCELLED"  # by the end of the test

    def test_the_right_way_shows_each_step_and_ends_what_hangs(self) -> None:
        rig = self.hang("Right")
        shown = [(detail["message"], detail["done"], detail["total"]) for _, _, detail in rig.reports]
        assert shown == [("Checking /a", 0, 3), ("Checking /b", 1, 3), ("Checking /c", 2, 3)]
        assert verdict(rig.answers["c1"])[0] == "TOOL_TIMEOUT"
