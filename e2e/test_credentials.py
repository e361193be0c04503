"""Credentials that a real page provides, and the sign-in of docs/credentials.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from e2e.agents import Agent, Mode, error_of, text_of
from e2e.authority import CODE, TOKEN, Authority
from e2e.conftest import PAGES, Watched, one_mode, visited
from e2e.places import CHECKOUT
from e2e.sites import serving

SECRET = "a-secret-token-7d1c"
GIVE = f"() => ({{headers: {{Authorization: 'Bearer {SECRET}'}}, expiresAt: Date.now() + 60_000}})"


@pytest.fixture(scope="module")
def page(browsers: Callable[[Mode], Browser], mode: Mode, pages: str) -> Iterator[Watched]:
    with visited(browsers(mode), f"{pages}keeping.html") as watched:
        yield watched


@pytest.fixture
def agent(page: Watched, mode: Mode) -> Iterator[Agent]:
    """An agent at a page without a provider, which says nothing but what a test expects."""
    page.page.evaluate("webtools.credentialsWith(null); told.length = 0; sessionStorage.clear()")
    page.problems.clear()
    yield Agent(page.page, mode)
    assert page.problems == []


def provide(agent: Agent, provider: str) -> None:
    agent.page.evaluate(f"webtools.credentialsWith({provider})")


def taken(page: Watched) -> list[str]:
    """What the console has been told, once."""
    said = page.problems.copy()
    page.problems.clear()
    return said


def test_a_tool_is_given_what_the_page_provides_and_it_is_kept_until_it_expires(agent: Agent) -> None:
    provide(agent, f"(asked) => {{ (window.asked ??= []).push(asked); return ({GIVE})(); }}")
    for _ in range(2):
        assert text_of(agent.call("pay")) == f"paid with {len(SECRET)} characters"
    asked = agent.page.evaluate("asked.map(({signal, ...rest}) => [signal.aborted, rest])")
    assert asked == [[False, {"service": "payments", "scopes": ["charge"]}]]


NONE: dict[str, tuple[str, str, str | None]] = {
    "no provider": ("null", "no provider", None),
    "null": ("async () => null", "refused", None),
    "a throw": (f"() => {{ throw new Error('{SECRET}'); }}", "failed", "for payments threw Error"),
    "a rejection": (f"async () => {{ throw '{SECRET}'; }}", "failed", "for payments threw string"),
    "nonsense": (f"() => '{SECRET}'", "invalid", "is not {headers: {name: text}"),
    "a slip": (f"() => ({{headers: {{A: '{SECRET}'}}, expires_at: 9e15}})", "invalid", "has 'expires_at'"),
    "an old one": (f"() => ({{headers: {{A: '{SECRET}'}}, expiresAt: 5}})", "invalid", "a later time in ms"),
}


@pytest.mark.parametrize("what", NONE)
def test_whatever_is_no_credential_keeps_the_tool_out(agent: Agent, page: Watched, what: str) -> None:
    provider, reason, said = NONE[what]
    provide(agent, provider)
    error = error_of(agent.call("pay"))
    assert (error["code"], error["effect"], error["retryable"]) == ("CREDENTIAL_UNAVAILABLE", "none", False)
    assert error["details"] == {"service": "payments", "reason": reason}
    assert "pay needs a credential for payments" in error["message"]
    if what == "no provider":
        assert "webtools.credentialsWith(" in error["message"]
    lines = taken(page)
    assert len(lines) == (said is not None)
    assert all(said in line and SECRET not in line for line in lines if said)


@one_mode
def test_a_provider_that_hangs_does_not_hold_the_call_beyond_its_deadline(agent: Agent) -> None:
    provide(agent, "({signal}) => new Promise(() => { window.waiting = signal; })")
    error = error_of(agent.call("pay"))
    assert (error["code"], error["effect"]) == ("TOOL_TIMEOUT", "none")
    assert agent.page.evaluate("waiting.aborted") is True


def test_a_handler_can_ask_or_go_another_way(agent: Agent) -> None:
    assert text_of(agent.call("pull")) == "degraded"
    provide(agent, GIVE)
    assert json.loads(text_of(agent.call("pull"))) == {"Authorization": "[redacted]"}


def test_a_secret_is_in_no_answer_event_storage_or_line(agent: Agent, page: Watched) -> None:
    provide(agent, GIVE)
    hows = ("leave a task", "crash", "error", "give", "give")
    answers = [agent.call("leak", {"how": how, "key": how}) for how in hows]
    answers += [
        agent.call("pull"),
        agent.call("outer", {"name": "leak", "args": {"how": "give", "key": "k"}}),
    ]
    assert [bool(each.get("isError")) for each in answers] == [False, True, True, *[False] * 4]
    assert answers[4]["_meta"] == {"replayed": True}
    seen = agent.page.evaluate("JSON.stringify([told, {...sessionStorage}])")
    lines = taken(page)
    assert any("never retrieved" in line or "nobody handled" in line for line in lines)
    for text in (json.dumps(answers), seen, "\n".join(lines)):
        assert "[redacted]" in text
        assert SECRET[:10] not in text
    kinds = {kind for kind, _ in agent.page.evaluate("told")}
    assert kinds >= {"callstart", "callprogress", "callend"}


# The sign-in of the documentation


@pytest.fixture(scope="module")
def authority() -> Iterator[tuple[Authority, str]]:
    """The server that signs in, on an origin of its own."""
    made = Authority()
    with serving(PAGES, made.wrap) as url:
        yield made, url.rstrip("/")


def sign_in_script(authority: str) -> str:
    """What docs/credentials.md says, for this server."""
    docs = (CHECKOUT / "docs" / "credentials.md").read_text("utf-8")
    (block,) = re.findall(r"```js\n(.*?)```", docs.partition("## Signing in by redirect")[2], re.DOTALL)
    assert '"https://auth.example"' in block
    return str(block).replace("https://auth.example", authority)


@one_mode
def test_a_person_signs_in_by_redirect_and_the_tool_pays(
    watched: Watched, mode: Mode, pages: str, authority: tuple[Authority, str]
) -> None:
    server, url = authority
    page = watched.page
    script = sign_in_script(url)
    page.route("**/sign-in.js", lambda route: route.fulfill(body=script, content_type="text/javascript"))
    page.goto(f"{pages}sign-in.html")
    assert watched.ready() == "ready"
    agent = Agent(page, mode)
    assert error_of(agent.call("pay", {"cents": 5}))["details"]["reason"] == "refused"
    with page.expect_navigation(url=re.compile("code=")):
        page.evaluate("void signIn()")
    assert watched.ready() == "ready"
    assert agent.call("pay", {"cents": 5})["structuredContent"] == {"charged": 5}
    assert server.charged[-1] == 5
    assert server.asked[-1]["code_challenge_method"] == "S256"
    leaked = agent.call("leak")
    check_nothing_is_told(page, watched.problems, leaked)


def check_nothing_is_told(page: Page, lines: list[str], answer: dict[str, Any]) -> None:
    seen = page.evaluate("JSON.stringify([told, {...sessionStorage}, {...localStorage}, location.href])")
    for text in (seen, json.dumps(answer), "\n".join(lines)):
        assert TOKEN not in text
        assert CODE not in text
    assert "[redacted]" in seen
    assert "[redacted]" in error_of(answer)["message"], "the page is in debug mode"


@one_mode
def test_a_code_with_another_verifier_or_state_opens_nothing(
    watched: Watched, mode: Mode, pages: str, authority: tuple[Authority, str]
) -> None:
    server, url = authority
    page = watched.page
    script = sign_in_script(url)
    page.route("**/sign-in.js", lambda route: route.fulfill(body=script, content_type="text/javascript"))
    refused = server.refused
    server.asked.append({"code_challenge": "of another page", "redirect_uri": f"{pages}sign-in.html"})
    page.goto(f"{pages}sign-in.html")
    page.evaluate("sessionStorage.setItem('sign-in', JSON.stringify({verifier: 'mine', state: 's'}))")
    page.goto(f"{pages}sign-in.html?code={CODE}&state=s")
    assert watched.ready() == "ready"
    assert error_of(Agent(page, mode).call("pay", {"cents": 5}))["code"] == "CREDENTIAL_UNAVAILABLE"
    assert server.refused == refused + 1
