"""Two tabs of one page: exactly one of them owns, whatever becomes of the other."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from e2e.agents import Agent, Mode, begin, end, error_of, wait_for
from e2e.conftest import Watched, one_mode

NO_STORAGE = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("no", "SecurityError"); },
})"""

FULL_STORAGE = """Storage.prototype.setItem = () => {
  throw new DOMException("no", "QuotaExceededError");
}"""

NO_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', {get: () => undefined})"

STAND = "async () => (await webtools.call('look')).structuredContent"

UNTIL_OWNER = f"""async (wanted) => {{
  for (const began = performance.now(); performance.now() - began < 10_000; )
    if ((await ({STAND})()).is_owner === wanted) return;
    else await new Promise((resolve) => setTimeout(resolve, 10));
  throw new Error(`is_owner is not ${{wanted}}`);
}}"""

KEY = "webtools.ownership.notebook"

HELD = "navigator.locks.query().then(({held}) => held.map(({name}) => name).sort())"


class Tab:
    """One page, and the agent in front of it."""

    def __init__(self, page: Page, mode: Mode, url: str) -> None:
        self.watched = Watched(page)
        self.page = page
        self.agent = Agent(page, mode)
        page.goto(f"{url}tabs.html")
        assert self.watched.ready() == "ready"

    def stand(self) -> dict[str, Any]:
        """How it stands with the notebook."""
        stand: dict[str, Any] = self.page.evaluate(STAND)
        return stand

    def until_owner(self, wanted: bool = True) -> None:
        self.page.evaluate(UNTIL_OWNER, wanted)

    def write(self, text: str) -> dict[str, Any]:
        return self.agent.call("write", {"text": text})

    def written(self) -> list[str]:
        """What is stored, as this tab has it: what another one has just written may come a moment later."""
        written: list[str] = self.page.evaluate("read()")
        return written


@dataclass
class Pair:
    """Two tabs; the first owns, and nothing has been written."""

    context: BrowserContext
    first: Tab
    second: Tab


def close(context: BrowserContext, *tabs: Tab) -> None:
    context.close()
    for tab in tabs:
        assert tab.watched.problems == []
        assert tab.watched.uncaught == []
        assert tab.watched.foreign == []


@pytest.fixture(scope="module")
def two(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Pair]:
    """Two tabs for the whole module, since each boot takes seconds."""
    context = browsers(mode).new_context()
    first, second = (Tab(context.new_page(), mode, pages) for _ in range(2))
    assert [tab.stand()["changes"] for tab in (first, second)] == [[True], [False]]
    yield Pair(context, first, second)
    close(context, first, second)


@pytest.fixture
def tabs(two: Pair) -> Pair:
    for what in ("notebook", "desk"):
        assert not two.first.agent.call("take_over", {"what": what}).get("isError")
    two.second.until_owner(False)
    wait_for(two.second.agent, "tidy", listed=False)
    two.first.page.evaluate("localStorage.removeItem('written')")
    for tab in (two.first, two.second):
        tab.agent.call("forget")
    return two


def assert_refused(answer: dict[str, Any], *, effect: str = "none", reason: str = "elsewhere") -> None:
    error = error_of(answer)
    assert (error["code"], error["effect"], error["retryable"]) == ("NOT_OWNER", effect, False)
    assert error["details"] == {"ownership": "notebook", "reason": reason}


def test_of_two_calls_at_once_one_runs_and_the_other_tab_is_not_the_owner(tabs: Pair) -> None:
    begin(tabs.first.agent, "x", "write", {"text": "first"})
    begin(tabs.second.agent, "x", "write", {"text": "second"})
    answers = [end(tab.agent, "x") for tab in (tabs.first, tabs.second)]
    assert_refused(answers[1])
    assert answers[0]["structuredContent"]["result"] == tabs.first.stand()["epoch"]
    assert tabs.second.stand()["entered"] == []
    assert tabs.first.written() == ["first"]
    assert [tab.stand()["owns"] for tab in (tabs.first, tabs.second)] == [True, False]


def test_a_call_between_two_waits_may_not_go_on_when_another_tab_has_taken_over(tabs: Pair) -> None:
    begin(tabs.first.agent, "x", "write", {"text": "first", "waits": True})
    assert not tabs.second.agent.call("take_over").get("isError")
    assert not tabs.second.write("second").get("isError")
    tabs.first.agent.call("go_on")
    assert_refused(end(tabs.first.agent, "x"), effect="unknown")
    assert tabs.second.written() == ["second"]
    assert tabs.second.stand()["changes"] == [True]
    assert tabs.first.stand()["changes"] == [False]


def test_a_call_does_not_go_on_under_a_later_number_of_its_own_tab(tabs: Pair) -> None:
    begin(tabs.first.agent, "x", "write", {"text": "first", "waits": True})
    tabs.second.agent.call("take_over")
    tabs.first.until_owner(False)
    tabs.first.agent.call("take_over")
    assert tabs.first.stand()["is_owner"]
    tabs.first.agent.call("go_on")
    assert_refused(end(tabs.first.agent, "x"), effect="unknown", reason="meanwhile")
    assert tabs.first.written() == []


def test_an_owner_that_has_heard_of_nothing_yet_finds_another_number_and_writes_nothing(tabs: Pair) -> None:
    """As a tab that was frozen, when it wakes."""
    begin(tabs.first.agent, "x", "write", {"text": "first", "waits": True})
    tabs.first.page.evaluate("() => { window.isDeaf = true; }")
    assert not tabs.second.agent.call("take_over").get("isError")
    assert not tabs.second.write("second").get("isError")
    number = str(tabs.second.stand()["epoch"])
    tabs.first.page.wait_for_function(f"number => localStorage['{KEY}'] === number", arg=number)
    tabs.first.agent.call("go_on")
    assert_refused(end(tabs.first.agent, "x"), effect="unknown")
    assert_refused(tabs.first.write("late"))
    tabs.first.page.evaluate("() => { window.isDeaf = false; }")
    assert tabs.second.written() == ["second"]
    assert tabs.second.stand()["is_owner"]


def test_a_tab_that_lets_go_is_followed_by_the_next_and_may_come_back(tabs: Pair) -> None:
    tabs.first.agent.call("let_go")
    tabs.second.until_owner()
    assert_refused(tabs.first.write("first"), reason="released")
    tabs.second.agent.call("let_go")
    assert tabs.first.page.evaluate(HELD) == ["webtools.ownership.desk"]
    assert_refused(tabs.second.write("second"), reason="released")
    tabs.second.agent.call("take_over")
    assert not tabs.second.write("second").get("isError")


def test_an_owner_whose_number_is_wiped_lets_go_and_owns_again_with_a_higher_one(tabs: Pair) -> None:
    tabs.second.agent.call("let_go")
    before = tabs.first.stand()["epoch"]
    tabs.first.page.evaluate("localStorage.clear()")
    begin(tabs.first.agent, "x", "write", {"text": "first"})
    assert_refused(end(tabs.first.agent, "x"), reason="gone")
    tabs.first.until_owner()
    assert tabs.first.stand()["epoch"] > before


@pytest.mark.parametrize("text", ["garbage", "-5", "99999999999999999999"])
def test_a_number_that_is_none_is_repaired_by_who_owns_next(tabs: Pair, text: str) -> None:
    tabs.second.agent.call("let_go")
    tabs.first.agent.call("let_go")
    tabs.first.page.evaluate(f"(text) => localStorage.setItem('{KEY}', text)", text)
    assert not tabs.first.agent.call("take_over").get("isError")
    epoch = tabs.first.write("first")["structuredContent"]["result"]
    assert tabs.first.page.evaluate(f"localStorage['{KEY}']") == str(epoch)


def test_tools_for_the_owner_alone_are_offered_by_no_other_tab(tabs: Pair) -> None:
    assert "tidy" in tabs.first.agent.names()
    assert "tidy" not in tabs.second.agent.names()
    answer = tabs.second.page.evaluate("webtools.call('tidy')")
    assert error_of(answer)["code"] == "NOT_OWNER"
    tabs.second.agent.call("take_over", {"what": "desk"})
    wait_for(tabs.second.agent, "tidy", listed=True)
    wait_for(tabs.first.agent, "tidy", listed=False)
    assert not tabs.second.agent.call("tidy").get("isError")


def test_the_next_tab_owns_when_the_owner_is_closed_or_crashes(
    browsers: Callable[[Mode], Browser], mode: Mode, pages: str
) -> None:
    context = browsers(mode).new_context()
    closed, crashed, last = (Tab(context.new_page(), mode, pages) for _ in range(3))
    numbers = [closed.stand()["epoch"]]
    closed.page.close()
    crashed.until_owner()
    wait_for(crashed.agent, "tidy", listed=True)
    numbers.append(crashed.stand()["epoch"])
    assert_refused(last.write("last"))
    crash(crashed.page)
    last.until_owner()
    assert not last.write("last").get("isError")
    numbers.append(last.stand()["epoch"])
    assert numbers == sorted(set(numbers))
    close(context, closed, crashed, last)


def crash(page: Page) -> None:
    """Crash the page's renderer, by a message that nobody waits for: it is never answered."""
    target = page.context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]["targetId"]
    browser = page.context.browser
    assert browser is not None
    session = browser.new_browser_cdp_session()
    attached = session.send("Target.attachToTarget", {"targetId": target, "flatten": False})
    message = {"sessionId": attached["sessionId"], "message": '{"id": 1, "method": "Page.crash"}'}
    with page.expect_event("crash"):
        session.send("Target.sendMessageToTarget", message)


@one_mode
def test_an_owner_that_is_frozen_is_followed_and_writes_nothing_when_it_wakes(
    browsers: Callable[[Mode], Browser], mode: Mode, pages: str
) -> None:
    context = browsers(mode).new_context()
    owner, other = (Tab(context.new_page(), mode, pages) for _ in range(2))
    begin(owner.agent, "x", "write", {"text": "owner", "waits": True})
    with frozen(owner.page):
        assert not other.agent.call("take_over").get("isError")
        assert not other.write("other").get("isError")
    owner.agent.call("go_on")
    assert_refused(end(owner.agent, "x"), effect="unknown")
    assert_refused(owner.write("late"))
    assert other.written() == ["other"]
    assert [tab.stand()["is_owner"] for tab in (owner, other)] == [False, True]
    close(context, owner, other)


@contextmanager
def frozen(page: Page) -> Iterator[None]:
    """Stop the page's process, since Chromium's own freezing spares the pages that Playwright drives."""
    process = renderer(page)
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def renderer(page: Page) -> int:
    """Find the page's process: the one that is busy when the page is."""
    browser = page.context.browser
    assert browser is not None
    session = browser.new_browser_cdp_session()

    def spent() -> dict[int, float]:
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return {each["id"]: each["cpuTime"] for each in processes if each["type"] == "renderer"}

    before = spent()
    page.evaluate("() => { const end = performance.now() + 300; while (performance.now() < end); }")
    after = spent()
    return max(after, key=lambda process: after[process] - before.get(process, 0.0))


def test_an_owner_in_the_back_forward_cache_is_followed_and_queues_when_it_is_back(
    returnable: Browser, mode: Mode, pages: str
) -> None:
    context = returnable.new_context()
    first, second = (Tab(context.new_page(), mode, pages) for _ in range(2))
    before = first.stand()["epoch"]
    first.page.goto(f"{pages}empty.html")
    second.until_owner()
    wait_for(second.agent, "tidy", listed=True)
    come_back(first)
    assert_refused(first.write("first"))
    wait_for(first.agent, "tidy", listed=False)
    assert not second.write("second").get("isError")
    second.page.close()
    first.until_owner()
    wait_for(first.agent, "tidy", listed=True)
    assert first.stand()["changes"] == [True, False, True]
    # and to nobody: then nothing but the number has changed
    first.page.evaluate("""() => {
      window.toldStates = [];
      webtools.addEventListener("toolstate", ({detail}) => window.toldStates.push(detail));
    }""")
    first.page.goto(f"{pages}empty.html")
    come_back(first)
    assert first.write("first")["structuredContent"]["result"] > before
    assert first.stand()["changes"] == [True, False, True]
    assert first.page.evaluate("toldStates") == []
    close(context, first, second)


def come_back(tab: Tab) -> None:
    tab.page.go_back(wait_until="commit")
    tab.page.wait_for_function("window.persisted === true")


@one_mode
@pytest.mark.parametrize(
    ("spoil", "reason", "words"),
    [
        (NO_STORAGE, "no storage", "localStorage"),
        (FULL_STORAGE, "no storage", "localStorage"),
        (NO_LOCKS, "no locks", "Web Locks"),
    ],
    ids=["storage refused", "storage full", "no locks"],
)
def test_where_the_browser_refuses_no_tab_owns_and_the_reason_is_told(
    watched: Watched, mode: Mode, pages: str, spoil: str, reason: str, words: str
) -> None:
    watched.page.add_init_script(spoil)
    tab = Tab(watched.page, mode, pages)
    answer = tab.write("anything")
    assert_refused(answer, reason=reason)
    assert words in error_of(answer)["message"]
    assert error_of(tab.agent.call("take_over"))["code"] == "NOT_OWNER"
    assert not tab.stand()["is_owner"]
    assert "tidy" not in tab.agent.names()
    assert len(tab.watched.problems) == 2, "one for each name"
    assert sum("No tab can own 'notebook' here" in each for each in tab.watched.problems) == 1
    assert tab.page.evaluate(f"navigator.locks ? {HELD} : []") == []
