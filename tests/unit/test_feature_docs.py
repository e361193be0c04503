"""docs/teardown.md, credentials.md and agent.md have the numbers and words of the code."""

from __future__ import annotations

import inspect
from typing import get_args

from tests.docs import DOCS
from webtools.agent import client, openai_model, run
from webtools.agent.loop import Outcome
from webtools.agent.model import Kind
from webtools.stores.credentials import WHY
from webtools.stores.teardown import IDLE, LIMIT, MAX_LIVE, What


def test_the_numbers_and_words_are_those_of_the_code() -> None:
    teardown, credentials = _text("teardown"), _text("credentials")
    assert f"Each has {LIMIT:g} s" in teardown
    assert f"{IDLE / 60:g} minutes" in teardown
    assert f"Above {MAX_LIVE} on a page" in teardown
    assert all(f"`{what}`" in teardown for what in get_args(What))
    assert all(f"`{reason}`" in credentials for reason in WHY)


def test_the_limits_and_words_of_an_agent_are_those_of_the_code() -> None:
    agent = _text("agent")
    defaults = {name: each.default for name, each in inspect.signature(run).parameters.items()}
    assert f"replies of the model, {defaults['max_turns']}." in agent
    assert f"`max_calls` | {defaults['max_calls']}." in agent
    assert f"for all, {defaults['max_seconds']:g}," in agent
    assert all(f"`{word}`" in agent for word in (*get_args(Outcome), *get_args(Kind)[:-1]))
    assert f"more than {openai_model.MAX_WAIT:g} s" in agent
    assert f"waits for the new one, {client.MAX_WAIT:g} s at most" in agent


def _text(name: str) -> str:
    return (DOCS / f"{name}.md").read_text("utf-8")
