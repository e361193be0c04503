from __future__ import annotations

import asyncio
import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest

from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.calls.caller import text_of, until, verdict
from tests.zips import Array, zipped
from webtools import page
from webtools._exceptions import WebtoolsError
from webtools.browser.host import Host

APP = '''
import asyncio
from webtools import page, tool

@tool
def add(a: int) -> int:
    """Add one."""
    return a + 1

@tool(timeout=5)
async def wait() -> None:
    """Wait for ever."""
    await asyncio.Event().wait()

@tool(exposed_to=["https://partner.example"])
async def title() -> str:
    """Ask the page."""
    return await page("shop").title()

@tool
def fail() -> None:
    """Fail."""
    raise LookupError("secret")
'''

URL = "http://localhost/shop.py"


pytestmark = pytest.mark.usefixtures("forgotten_apps")


def load(host: Host, source: str = APP, url: str = URL) -> dict[str, str] | None:
    problem = host.load(url, source)
    return None if problem is None else json.loads(problem)


def states(host: Host) -> dict[str, dict[str, Any]]:
    return {state["name"]: state for state in json.loads(host.states())}


def test_an_apps_tools_are_registered_by_their_definitions() -> None:
    border = FakeBorder()
    with host_at(border) as host:
        assert load(host) is None
        assert [each["name"] for each in border.registered.values()] == ["add", "wait", "title", "fail"]
        assert border.registered[1]["inputSchema"]["required"] == ["a"]
        assert border.registered[3]["exposedTo"] == ["https://partner.example"]


def test_states_tell_what_became_of_each_tool() -> None:
    border = FakeBorder()
    with host_at(border) as host:
        load(host)
        host.registered(1)
        host.rejected(2, "InvalidStateError: it is taken")
        assert states(host)["add"] == {"name": "add", "state": "registered", "inFlight": 0, "calls": 0}
        assert states(host)["wait"]["reason"] == "InvalidStateError: it is taken"
        assert border.states[-2:] == [
            ("add", "registered", None),
            ("wait", "failed", "InvalidStateError: it is taken"),
        ]


def test_without_a_model_context_tools_wait_and_can_be_called_by_name() -> None:
    border = FakeBorder()
    with host_at(border, has_context=False) as host:
        load(host)
        assert border.registered == {}
        assert states(host)["add"]["state"] == "waiting"
        answer = host.call_named("add", "c1", '{"a": 1}', None)
        assert isinstance(answer, str)
        assert json.loads(answer)["structuredContent"] == {"result": 2}


def test_a_call_of_a_registration_is_answered_and_counted() -> None:
    with host_at(FakeBorder()) as host:
        load(host)
        answer = host.call(1, "c1", '{"a": 1}')
        assert isinstance(answer, str)
        assert json.loads(answer)["structuredContent"] == {"result": 2}
        assert states(host)["add"]["calls"] == 1


def test_an_unknown_tool_is_an_answer_that_names_what_there_is() -> None:
    with host_at(FakeBorder()) as host:
        load(host)
        for answer in (host.call_named("\ud800", "c1", "{}", None), host.call(99, "c2", "{}")):
            assert isinstance(answer, str)
            assert verdict(json.loads(answer)) == ("TOOL_NOT_FOUND", "none", True)
            assert "add, fail, title, wait" in text_of(json.loads(answer))


def test_a_page_without_tools_says_so_to_whoever_calls_one() -> None:
    with host_at(FakeBorder()) as host:
        answer = host.call_named("add", "c1", "{}", None)
        assert isinstance(answer, str)
        assert "no tools" in text_of(json.loads(answer))


def test_a_call_that_waits_settles_later_by_abort() -> None:
    async def scene() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            load(host)
            assert host.call(2, "c1", "{}") is None
            await asyncio.sleep(0)
            host.abort("c1")
            host.abort("c1")
            assert verdict(border.settled["c1"])[0] == "CANCELLED"
            assert states(host)["wait"]["inFlight"] == 0
            assert border.timers == {}

    asyncio.run(scene())


def test_a_deadline_is_one_timer_of_the_page_in_milliseconds() -> None:
    async def scene() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            load(host)
            host.call(2, "c1", "{}")
            ((timer, delay_ms),) = border.timers.items()
            assert 4900 < delay_ms <= 5000
            del border.timers[timer]
            host.timer(timer)  # earlier than it was asked for: it is set again
            assert border.settled == {}
            assert len(border.timers) == 1

    asyncio.run(scene())


def test_a_timer_that_is_overdue_settles_its_call_and_comes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        border = FakeBorder()
        with host_at(border) as host:
            load(host)
            now = 100.0
            monkeypatch.setattr("webtools.browser.adapters.time.monotonic", lambda: now)
            host.call(2, "c1", "{}")
            now += 5
            timer = border.timers.popitem()[0]
            host.timer(timer)
            host.timer(timer)
            assert verdict(border.settled["c1"])[0] == "TOOL_TIMEOUT"
            assert border.timers == {}
            await asyncio.sleep(0)

    asyncio.run(scene())


def test_a_function_of_the_page_may_answer_at_once() -> None:
    async def scene() -> None:
        border = FakeBorder()
        border.page = lambda function: '{"value": "Shoes"}'
        with host_at(border) as host:
            load(host)
            answer = host.call(3, "c1", "{}")
            await until(lambda: answer is not None or "c1" in border.settled)
            assert text_of(json.loads(str(answer)) if answer else border.settled["c1"]) == "Shoes"
            assert border.page_calls == [(1, "shop", "title", "[]")]

    asyncio.run(scene())


def test_a_function_of_the_page_may_answer_later_and_once() -> None:
    async def scene() -> None:
        border = FakeBorder()
        border.page = lambda function: None
        with host_at(border) as host:
            load(host)
            host.call(3, "c1", "{}")
            host.call(3, "c2", "{}")
            await until(lambda: len(border.page_calls) == 2)
            await asyncio.sleep(0)
            host.page_answered(2, '{"value": "second"}')
            host.page_answered(1, '{"value": "first"}')
            host.page_answered(1, '{"value": "twice"}')
            await until(lambda: len(border.settled) == 2)
            assert {call: text_of(answer) for call, answer in border.settled.items()} == {
                "c1": "first",
                "c2": "second",
            }

    asyncio.run(scene())


def test_an_answer_of_the_page_for_a_call_that_was_aborted_is_dropped() -> None:
    async def scene() -> None:
        border = FakeBorder()
        border.page = lambda function: None
        with host_at(border) as host:
            load(host)
            host.call(3, "c1", "{}")
            await until(lambda: len(border.page_calls) == 1)
            await asyncio.sleep(0)
            host.abort("c1")
            await until(lambda: len(asyncio.all_tasks()) == 1)
            host.page_answered(1, '{"value": "late"}')
            assert verdict(border.settled["c1"])[0] == "CANCELLED"

    asyncio.run(scene())


def test_an_unexpected_exception_goes_to_the_console_with_its_traceback() -> None:
    border = FakeBorder()
    with host_at(border) as host:
        load(host)
        answer = host.call(4, "c1", "{}")
        assert isinstance(answer, str)
        assert "secret" not in answer
        ((level, text),) = border.logged
        assert level == "error"
        assert text.startswith("webtools: Tool 'fail' raised")
        assert 'raise LookupError("secret")' in text


def test_in_debug_mode_the_agent_reads_the_exception_too() -> None:
    with host_at(FakeBorder(), debug=True) as host:
        load(host)
        answer = host.call(4, "c1", "{}")
        assert isinstance(answer, str)
        assert "secret" in answer


def test_an_app_that_cannot_be_loaded_is_explained_and_registers_nothing() -> None:
    border = FakeBorder()
    with host_at(border) as host:
        problem = load(host, APP + "1 / 0\n")
        assert problem
        assert problem["message"] == "/shop.py, line 24: ZeroDivisionError: division by zero"
        assert "1 / 0" in problem["traceback"]
        assert border.registered == {}


def test_a_tool_that_cannot_be_defined_is_explained_with_its_line() -> None:
    with host_at(FakeBorder()) as host:
        problem = load(host, "from webtools import tool\n@tool\ndef f(x):\n    'Do it.'\n")
        assert problem
        assert problem["message"].startswith("/shop.py, line 2: ToolDefinitionError: Tool 'f'")


def test_an_app_whose_name_is_taken_registers_none_of_its_tools() -> None:
    border = FakeBorder()
    with host_at(border) as host:
        load(host)
        problem = load(host, APP.replace("def add", "def another"), URL.replace("shop", "other"))
        assert problem
        assert "Two tools are called 'wait'" in problem["message"]
        assert len(border.registered) == 4


def test_an_app_that_is_loaded_again_keeps_what_is_equal_and_lets_go_of_what_is_not_there() -> None:
    border = FakeBorder()

    async def scene() -> None:
        with host_at(border) as host:
            load(host)
            assert load(host, APP.replace("def add", "def another")) is None
            await until(lambda: border.unregistered == [1])
            assert border.registered[1]["name"] == "add"
            assert [each["name"] for each in border.registered.values()][4:] == ["another"]
            assert states(host).keys() == {"another", "fail", "title", "wait"}

    asyncio.run(scene())


def test_an_archive_that_is_loaded_again_follows_the_same_rules() -> None:
    border = FakeBorder()
    url = "http://localhost/made_up_shop.zip"

    def load_archive(host: Host, source: str) -> dict[str, str] | None:
        archive = zipped({"made_up_shop/__init__.py": "", "made_up_shop/tools.py": source})
        said = host.load_archive(url, Array(archive), "made_up_shop.tools")
        return None if said is None else json.loads(said)

    async def scene() -> None:
        with host_at(border) as host:
            assert load_archive(host, APP) is None
            assert list(states(host)) == ["add", "wait", "title", "fail"]
            assert load_archive(host, APP.replace("def add", "def another")) is None
            await until(lambda: border.unregistered == [1])
            assert border.registered[1]["name"] == "add"
            assert [each["name"] for each in border.registered.values()][4:] == ["another"]
            problem = load_archive(host, "1 / 0")
            assert problem
            assert problem["message"] == (
                "/made_up_shop.zip/made_up_shop/tools.py, line 1: ZeroDivisionError: division by zero"
            )
            assert 'tools.py", line 1' in problem["traceback"]
            assert states(host).keys() == {"another", "fail", "title", "wait"}

    asyncio.run(scene())


def test_what_waits_for_a_model_context_is_registered_when_it_comes() -> None:
    border = FakeBorder()
    with host_at(border, has_context=False) as host:
        load(host)
        assert border.registered == {}
        host.attach_context()
        assert [each["name"] for each in border.registered.values()] == ["add", "wait", "title", "fail"]


def test_every_function_that_javascript_calls_is_there() -> None:
    source = (Path(__file__).parents[3] / "static" / "python.js").read_text()
    (table,) = re.findall(r"const NAMES = {(.*?)};", source, re.DOTALL)
    names = re.findall(r': "(\w+)"', table)
    assert len(names) == table.count(",")
    assert [name for name in names if not hasattr(Host, name)] == []


def test_a_tool_that_others_hold_is_left_to_them() -> None:
    border = FakeBorder()
    with host_at(border) as host:
        assert load(host, APP.replace("@tool\ndef add", "@tool(held=True)\ndef add")) is None
        assert "add" not in states(host)


BOUND = APP.replace("@tool\ndef add", '@tool(match=["/cart/*", "#cart"])\ndef add')


def test_a_tool_that_is_bound_to_a_path_is_registered_while_the_page_is_there() -> None:
    border = FakeBorder()

    async def scene() -> None:
        with host_at(border) as host:
            host.moved("/", "")
            assert load(host, BOUND) is None
            assert "add" not in states(host)
            host.moved("/cart/1", "")
            assert border.registered[4]["name"] == "add"
            host.moved("/", "#cart")
            host.moved("/", "")
            await until(lambda: border.unregistered == [4])
            assert "add" not in states(host)

    asyncio.run(scene())


def test_an_app_that_is_loaded_where_a_path_fits_has_the_tool_bound_to_it_at_once_and_keeps_it() -> None:
    border = FakeBorder()

    async def scene() -> None:
        with host_at(border) as host:
            host.moved("/cart/1", "")
            load(host, BOUND)
            load(host, BOUND.replace("a + 1", "a + 2").replace("def fail", "def error"))
            await until(lambda: border.unregistered != [])
            assert border.unregistered == [4]
            names = [each["name"] for each in border.registered.values()]
            assert names == ["add", "wait", "title", "fail", "error"]
            answer = host.call_named("add", "c1", '{"a": 1}', None)
            assert answer
            assert json.loads(str(answer))["structuredContent"] == {"result": 3}

    asyncio.run(scene())


def test_the_name_of_a_bound_tool_is_taken_on_every_path() -> None:
    with host_at(FakeBorder()) as host:
        host.moved("/", "")
        load(host, BOUND)
        another = 'from webtools import tool\n@tool(match="/")\ndef add() -> None:\n    "Add."\n'
        problem = load(host, another, URL.replace("shop", "other"))
        assert problem
        assert "Two tools are called 'add'" in problem["message"]


def test_an_app_whose_objects_cannot_be_looked_at_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(module: object) -> None:
        raise RuntimeError("unbound")

    monkeypatch.setattr("webtools.browser.apps.declared_in", fail)
    with host_at(FakeBorder()) as host:
        problem = load(host)
        assert problem
        assert problem["message"] == f"{URL}: its tools cannot be found, RuntimeError: unbound"
        assert "Traceback" in problem["traceback"]


def test_an_app_without_tools_is_warned_of() -> None:
    border = FakeBorder()
    with host_at(border) as host:
        assert load(host, "x = 1") is None
        ((level, text),) = border.logged
        assert level == "warn"
        assert "defines no tool" in text


def test_a_console_that_fails_loses_a_line_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(level: str, text: str) -> None:
        raise OSError("no console")

    border = FakeBorder()
    monkeypatch.setattr(border, "log", fail)
    with host_at(border) as host:
        load(host)
        answer = host.call(4, "c1", "{}")
        assert isinstance(answer, str)
        assert verdict(json.loads(answer))[0] == "TOOL_HANDLER_ERROR"
    assert "no console" in capsys.readouterr().err


def test_closing_leaves_nothing_of_the_host() -> None:
    async def scene() -> None:
        logger = logging.getLogger("webtools")
        handlers = logger.handlers[:]
        border = FakeBorder()
        with host_at(border) as host:
            load(host)
            host.call(2, "c1", "{}")
            await asyncio.sleep(0)
        assert verdict(border.settled["c1"])[0] == "CANCELLED"
        assert border.unregistered == [1, 2, 3, 4]
        assert border.timers == {}
        assert (logger.handlers, logger.propagate) == (handlers, True)
        with pytest.raises(WebtoolsError):
            await page("shop").title()

    asyncio.run(scene())


def test_what_idempotent_calls_were_told_is_kept_by_the_page_for_the_next_host() -> None:
    source = '''
from webtools import tool

worked = []

@tool(idempotency="key")
def order(key: str) -> int:
    """Order."""
    worked.append(key)
    return len(worked)
'''
    border = FakeBorder()
    answers = []
    for url in ("http://localhost/one.py", "http://localhost/two.py"):
        with host_at(border) as host:
            assert load(host, source, url) is None
            answers.append(json.loads(str(host.call_named("order", "c1", '{"key": "k"}', None))))
    assert answers[1] == {**answers[0], "_meta": {"replayed": True}}
    assert list(border.stored) == ["webtools.idempotency"]


def test_what_the_person_is_asked_crosses_the_border_by_its_number() -> None:
    border = FakeBorder()
    source = '''
from webtools import tool

@tool(confirm="Pay now?", held=True)
def pay() -> str:
    """Pay."""
    return "paid"
'''

    async def scene() -> None:
        with host_at(border) as host:
            load(host, source)
            host.hold(1, "pay", None, None, None)
            assert [host.call(1, call_id, "{}") for call_id in ("c1", "c2")] == [None, None]
            await until(lambda: len(border.questions) == 2)
            assert border.registered[1]["confirm"] == border.questions[1]["message"] == "Pay now?"
            host.confirmed(1, "allowed")
            await until(lambda: "c1" in border.settled)
            assert text_of(border.settled["c1"]) == "paid"
            host.release(1)
            await until(lambda: "c2" in border.settled)
            assert verdict(border.settled["c2"]) == ("UI_CONTEXT_CLOSED", "none", False)
            assert border.withdrawn == [2]

    asyncio.run(scene())


def test_a_call_is_shown_in_the_page_and_waits_where_that_takes_a_moment() -> None:
    async def scene() -> None:
        border = FakeBorder()
        border.is_shown_at_once = False
        with host_at(border) as host:
            find = "@tool(fields={'q': '#q'})\ndef find(q: str) -> str:\n  'd'\n  return q"
            source = f"from webtools import tool\n{find}"
            assert host.load("/find.py", source) is None
            assert host.call_named("find", "c1", '{"q": "boots"}', None) is None
            ((number, call_id, wire),) = border.shown
            assert (call_id, wire) == ("c1", {"tool": "find", "fields": [["#q", "boots"]]})
            await asyncio.sleep(0)
            assert border.settled == {}
            host.page_answered(number, "null")
            await until(lambda: "c1" in border.settled)
            border.is_shown_at_once = True
            assert host.call_named("find", "c2", '{"q": "bags"}', None) is not None

    asyncio.run(scene())
