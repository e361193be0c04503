from __future__ import annotations

from typing import Any

import pytest

from webtools.cli.serving.told import Report, Told
from webtools.cli.terminal.plain import plain


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def told(lines: list[str]) -> Told:
    return Told(lines.append)


def report(what: str = "start", **parts: Any) -> Report:
    base = {"page": "/", "revision": "a.1", "apps": [{"app": "shop.py"}], "tools": [], "differences": []}
    return Report.model_validate({"what": what, **base, **parts})


def tools(**states: str) -> list[dict[str, str]]:
    return [{"name": name, "state": state} for name, state in states.items()]


def difference(**parts: list[str]) -> list[dict[str, Any]]:
    return [{"file": "shop.py", "kept": [], "changed": [], "added": [], "gone": [], **parts}]


FAILED = [{"app": "shop.py", "reason": "/shop.py, line 3: NameError: no"}]


def test_a_page_is_told_with_its_tools_and_the_state_of_one_that_is_not_there(
    told: Told, lines: list[str]
) -> None:
    told.take(report(tools=tools(search="registered", pay="waiting")))
    assert lines == ["/: 2 tools: search, pay (waiting)"]


def test_a_page_that_is_loaded_again_with_the_same_tools_is_not_told_again(
    told: Told, lines: list[str]
) -> None:
    for page in ("/", "/", "/cart", "/"):
        told.take(report(page=page, tools=tools(search="registered")))
    told.take(report(tools=[]))
    assert lines == ["/: 1 tool: search", "/cart: 1 tool: search", "/: no tools"]


def test_a_change_is_told_once_whatever_the_number_of_tabs(told: Told, lines: list[str]) -> None:
    parts = difference(kept=["a", "b"], changed=["pay"], added=["new"], gone=["old", "older"])
    for revision in ("a.1", "a.1", "a.2"):
        told.take(report("change", revision=revision, differences=parts))
    line = "shop.py changed: 2 tools kept, 1 changed (pay), 1 new (new), 2 gone (old, older)"
    assert lines == [line, line]


def test_an_app_that_fails_is_told_with_its_place(told: Told, lines: list[str]) -> None:
    told.take(report("change", apps=FAILED))
    assert lines == ["problem: /shop.py, line 3: NameError: no"]


def test_a_problem_that_stays_is_told_once_and_again_after_it_was_mended(
    told: Told, lines: list[str]
) -> None:
    for apps in (FAILED, FAILED, [{"app": "shop.py"}]):
        told.take(report("problem", apps=apps))
    assert len(lines) == 1
    told.take(report("problem", revision="a.2", apps=FAILED))
    assert len(lines) == 2


def test_a_save_that_is_as_wrong_as_the_one_before_is_told_again(told: Told, lines: list[str]) -> None:
    for revision in ("a.1", "a.2"):
        told.take(report("change", revision=revision, apps=FAILED))
    assert len(lines) == 2


def test_a_tool_that_the_browser_refuses_is_told_with_its_reason(told: Told, lines: list[str]) -> None:
    refused = [{"name": "pay", "state": "failed", "reason": "the name is taken"}]
    told.take(report("problem", tools=refused))
    assert lines == ["problem: pay is not registered: the name is taken"]


@pytest.mark.parametrize(
    "text", ["\x1b[2J\x1b]0;title\x07", "a\nServing /etc at x", "\r\x08", "\u202eyap", "\u2028", "\x9b31m"]
)
def test_a_text_of_a_page_does_nothing_to_the_terminal(told: Told, lines: list[str], text: str) -> None:
    told.take(report("problem", page=text, tools=[{"name": text, "state": "failed", "reason": text}]))
    told.take(report(page=text, tools=tools(**{text: text})))
    assert len(lines) == 2
    for line in lines:
        assert line.isprintable()


def test_a_text_of_a_page_is_cut(told: Told, lines: list[str]) -> None:
    told.take(report(tools=tools(**{f"tool_{number}": "registered" for number in range(100)})))
    told.take(report("problem", apps=[{"app": "a", "reason": "x" * 1000}]))
    assert lines[0].endswith("tool_29 and 70 more")
    assert len(lines[1]) < 450
    assert lines[1].endswith(" …")


def test_what_is_kept_of_pages_is_bounded(told: Told, lines: list[str]) -> None:
    for number in range(1000):
        told.take(report(page=f"/{number}", apps=FAILED))
    assert len(told._headlines) == len(told._problems) == 100


def test_plain_text_is_left_as_it_is() -> None:
    assert plain("/: 1 tool: こんにちは — [bold]x[/]") == "/: 1 tool: こんにちは — [bold]x[/]"
