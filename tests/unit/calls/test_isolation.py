from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtools import ToolContext
from webtools.calls.facts import Identity, Scope
from webtools.calls.isolation import encoded, told, tool_session_key
from webtools.calls.signal import CancelSignal
from webtools.stores.credentials import CallCredentials, Credentials
from webtools.testing import FakeClock


async def _never(*_: object) -> bool:
    return False


async def _nobody(message: str) -> None:
    raise AssertionError(message)


BARE = ToolContext(
    _owns=lambda _: False,
    call_id="c1",
    tool="buy",
    door="test",
    received_at=0,
    signal=CancelSignal(),
    _refusal=lambda: None,
    _report=lambda _: None,
    _ask=_nobody,
    _until=_never,
    _after=lambda _: None,
    _artifacts=None,
    _keep=lambda *_: "started",
    _credentials=CallCredentials(Credentials(FakeClock()), None, "buy"),
)


def called(*, tenant: Any = None, principal: Any = None, **facts: Any) -> ToolContext:
    """The context of a call of which this is stated."""
    return replace(BARE, identity=Identity("talk-1", tenant, principal), **facts)


VECTORS: dict[str, tuple[ToolContext, Scope, str | None]] = {
    "a call": (BARE, "call", "c=c1"),
    "a call with a slash in its id": (called(call_id="a/b"), "call", "c=a%2Fb"),
    "a run without identity": (replace(BARE, run_id="r1"), "run", "t=_/p=_/r=r1"),
    "a session with tenant and principal": (
        called(tenant="acme", principal="ada", session_id="s1"),
        "session",
        "t=acme/p=ada/s=s1",
    ),
    "a tenant with a slash": (called(tenant="a/b", session_id="s1"), "session", "t=a%2Fb/p=_/s=s1"),
    "a tenant that looks encoded": (called(tenant="a%2Fb", run_id="r1"), "run", "t=a%252Fb/p=_/r=r1"),
    "a tenant that is the word for absent": (called(tenant="_", run_id="r1"), "run", "t=%5F/p=_/r=r1"),
    "a tenant that is the code of that word": (called(tenant="%5F", run_id="r1"), "run", "t=%255F/p=_/r=r1"),
    "a session called as the word for absent": (called(session_id="_"), "session", "t=_/p=_/s=%5F"),
    "an empty principal": (called(principal="", run_id="r1"), "run", "t=_/p=_/r=r1"),
    "no run": (called(tenant="acme", session_id="s1"), "run", None),
    "no session, and no fall-back to the run": (called(tenant="acme", run_id="r1"), "session", None),
    "an empty session": (called(session_id=""), "session", None),
    "the page": (called(tenant="acme", run_id="r1", session_id="s1"), "page", None),
}


@pytest.mark.parametrize("vector", VECTORS)
def test_the_key_is_that_of_the_specification_for(vector: str) -> None:
    ctx, scope, key = VECTORS[vector]
    assert tool_session_key(ctx, scope) == key


def test_c19_two_principals_or_tenants_with_one_session_id_have_different_keys() -> None:
    callers = [
        called(tenant=tenant, principal=principal, session_id="s1")
        for tenant in (None, "acme", "apex")
        for principal in (None, "ada", "bob")
    ]
    assert len({tool_session_key(each, "session") for each in callers}) == len(callers)


TEXTS = st.text("ab/%_=5F2tprs", max_size=6) | st.text(max_size=3)
FACTS = st.tuples(st.none() | TEXTS, st.none() | TEXTS, TEXTS.filter(bool))


@given(FACTS, FACTS, st.sampled_from(["run", "session"]))
def test_callers_share_a_key_only_where_all_their_facts_are_the_same(
    one: tuple[str | None, str | None, str], other: tuple[str | None, str | None, str], scope: Scope
) -> None:
    def key(facts: tuple[str | None, str | None, str]) -> str | None:
        tenant, principal, name = facts
        return tool_session_key(
            called(tenant=tenant, principal=principal, run_id=name, session_id=name), scope
        )

    is_same = [each or None for each in one] == [each or None for each in other]
    assert (key(one) == key(other)) is is_same


@given(TEXTS.filter(bool))
def test_no_fact_is_taken_for_an_absent_one_or_reaches_into_its_neighbour(fact: str) -> None:
    assert encoded(fact) != encoded(None)
    assert "/" not in encoded(fact)


@given(st.text(min_size=1))
def test_a_run_and_a_session_of_one_name_have_different_keys(name: str) -> None:
    ctx = called(run_id=name, session_id=name, call_id=name)
    keys = [tool_session_key(ctx, scope) for scope in ("call", "run", "session")]
    assert len(set(keys)) == 3


@pytest.mark.parametrize("value", [981_421, 0, b"981421", ["981421"], True], ids=repr)
@pytest.mark.parametrize("fact", ["tenant", "principal", "session_id", "call_id"])
def test_a_fact_that_is_no_text_is_refused_without_telling_it(fact: str, value: object) -> None:
    facts = {"session_id": "s1", fact: value}
    with pytest.raises(TypeError, match="is a text, not a") as raised:
        tool_session_key(called(**facts), "call" if fact == "call_id" else "session")
    assert repr(value) not in str(raised.value)
    assert "981421" not in str(raised.value)


@pytest.mark.parametrize("key", ["t=acme/p=ada/s=s1", "t=_/p=_/s=a\ud800", "page"])
def test_events_have_a_part_of_a_keys_hash_only(key: str) -> None:
    digest = hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()
    assert told(key) == digest[:12]


def test_an_unknown_scope_is_refused() -> None:
    with pytest.raises(ValueError, match="call, run, session, page"):
        tool_session_key(BARE, cast("Scope", "tab"))
