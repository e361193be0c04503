import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtools.calls.facts import Facts, Identity, facts_text, stated


def test_all_that_a_caller_can_state() -> None:
    text = json.dumps(
        {
            "sessionId": "s1",
            "turnId": "t1",
            "turnStartedAt": 17.0,
            "runId": "r1",
            "iteration": 3,
            "provider": "vendor",
            "effortLevel": "high",
            "identity": {"conversationId": "talk-1", "tenant": "acme", "principal": "ada"},
        }
    )
    assert stated(text) == Facts(
        door="page",
        iteration=3,
        turn_id="t1",
        turn_started_at=17,
        run_id="r1",
        session_id="s1",
        identity=Identity("talk-1", tenant="acme", principal="ada"),
        provider="vendor",
        effort_level="high",
    )


NOTHING = ["", "{}", '{"sessionId": null}', '{"sessionId": ""}', '{"identity": null}', '{"unknown": 1}', None]


@pytest.mark.parametrize("text", NOTHING)
def test_who_states_nothing_only_came_from_the_page(text: str | None) -> None:
    assert stated(text) == Facts(door="page")


def test_an_identity_may_have_no_more_than_its_conversation() -> None:
    text = '{"identity": {"conversationId": "talk-1", "tenant": ""}}'
    assert stated(text).identity == Identity("talk-1", None, None)


@pytest.mark.parametrize("name", ["sessionId", "turnId", "runId", "provider", "effortLevel"])
@pytest.mark.parametrize("value", [1, True, [], {}])
def test_a_text_is_a_text(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be a text$"):
        stated(json.dumps({name: value}))


@pytest.mark.parametrize("name", ["iteration", "turnStartedAt"])
@pytest.mark.parametrize("value", ["1", True, 1.5, -1, [], float("inf"), float("nan")])
def test_a_number_is_a_whole_one(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be a whole number that is not negative$"):
        stated(json.dumps({name: value}))


@pytest.mark.parametrize("who", [0, "ada", [], {}, {"conversationId": ""}, {"tenant": "acme"}])
def test_an_identity_has_a_conversation(who: object) -> None:
    with pytest.raises(ValueError, match="identity must be an object with a conversationId"):
        stated(json.dumps({"identity": who}))


def test_a_misspelt_tenant_is_not_as_if_none_were_stated() -> None:
    text = '{"identity": {"conversationId": "talk-1", "tennant": "acme"}}'
    with pytest.raises(
        ValueError, match="identity has no 'tennant'; it has conversationId, tenant, principal"
    ):
        stated(text)


@pytest.mark.parametrize("text", ["5", '"s1"', "[]", "null", "true"])
def test_the_facts_are_an_object(text: str) -> None:
    with pytest.raises(ValueError, match="the facts must be a plain object"):
        stated(text)


def test_facts_that_would_overflow_the_parser_are_refused() -> None:
    with pytest.raises(ValueError, match="the facts must be a plain object"):
        stated('{"identity":' + '{"a":' * 5000 + "1" + "}" * 5000 + "}")


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_whatever_is_stated_is_taken_or_refused_with_a_value_error(value: Any) -> None:
    for name in ("sessionId", "iteration", "identity"):
        with contextlib.suppress(ValueError):
            stated(json.dumps({name: value}))


WORDS = st.none() | st.text(min_size=1, max_size=5)


@given(
    st.builds(
        Facts,
        door=st.just("page"),
        iteration=st.integers(0, 9),
        turn_id=WORDS,
        turn_started_at=st.none() | st.integers(0, 2**50),
        run_id=WORDS,
        call_id=WORDS,
        session_id=WORDS,
        identity=st.none() | st.builds(Identity, st.text(min_size=1, max_size=5), WORDS, WORDS),
        provider=WORDS,
        effort_level=WORDS,
    )
)
def test_facts_that_are_written_are_read_as_they_were(facts: Facts) -> None:
    assert stated(facts_text(facts)) == facts
