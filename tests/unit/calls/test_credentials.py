"""Credentials that the page provides: tool-context.md, §8."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest

from tests.unit.calls.caller import error_of, text_of, until, verdict
from tests.unit.calls.page_rig import PageRig
from webtools import Need, ToolContext, ToolError, tool
from webtools.calls.facts import BROWSER, Facts, Identity
from webtools.stores.credentials import LIMIT, Credential
from webtools.tools.encoding import Encoder

TOKEN = "Bearer secret-token-1"
GIVEN = json.dumps({"headers": {"Authorization": TOKEN}})


class Provider:
    """Notes what it is asked, and gives what the test says."""

    def __init__(self) -> None:
        self.asked: dict[int, dict[str, Any]] = {}
        self.withdrawn: list[int] = []

    def request(self, number: int, text: str) -> None:
        self.asked[number] = json.loads(text)

    def withdraw(self, number: int) -> None:
        self.withdrawn.append(number)


class Page(PageRig):
    """A page with a tool that needs a credential.

    Attributes:
        entered: What each handler that ran was given.
    """

    def __init__(self) -> None:
        self.provider = Provider()
        super().__init__(provider=self.provider)
        self.entered: list[Credential | None] = []

    def pay(self, **options: Any) -> Callable[..., Any]:
        """A tool that needs a credential, held."""

        @tool(**{"needs": Need("payments", scopes=["refund", "charge"]), **options})
        def pay(ctx: ToolContext) -> str:
            """Pay."""
            self.entered.append(ctx.credential)
            return f"paid with {sorted(ctx.credential.to_headers()) if ctx.credential else None}"

        self.registry.hold(pay)
        return pay

    def call(self, name: str = "pay", arguments: dict[str, Any] | None = None, facts: Facts = BROWSER) -> str:
        return super().call(name, arguments, facts)

    def later(self, ms: int) -> str:
        """What a provider gives that expires so much later."""
        expires_at = self.clock.epoch_ms() + ms
        return json.dumps({"headers": {"Authorization": TOKEN}, "expiresAt": expires_at})


def play(scene: Callable[[Page], Coroutine[Any, Any, None]]) -> Page:
    """Play a scene; no task, timer or request may be left when it ends."""
    page = Page()

    async def whole() -> None:
        await scene(page)
        page.dispatcher.close()
        await until(lambda: len(asyncio.all_tasks()) == 1)
        assert page.clock.pending == 0

    asyncio.run(whole())
    return page


async def asked(page: Page, number: int = 1) -> None:
    await until(lambda: number in page.provider.asked)


# Push


def test_a_tool_that_needs_a_credential_is_given_it() -> None:
    async def scene(page: Page) -> None:
        page.pay()
        call = page.call()
        await asked(page)
        assert page.entered == []
        page.credentials.provided(1, GIVEN)
        assert text_of(await page.answered(call)) == "paid with ['Authorization']"

    page = play(scene)
    assert page.provider.asked == {1: {"service": "payments", "scopes": ["charge", "refund"]}}
    (credential,) = page.entered
    assert credential
    assert credential.to_headers() == {"Authorization": TOKEN}
    assert page.provider.withdrawn == []


REFUSALS: dict[str, tuple[str, str]] = {
    '{"reason": "refused"}': ("refused", "The person may have to sign in there"),
    '{"reason": "failed"}': ("failed", "provider of credentials failed"),
    '{"reason": "no provider"}': ("no provider", "webtools.credentialsWith("),
    '{"reason": "made up"}': ("invalid", "is no credential"),
    "{}": ("invalid", "is no credential"),
    "[]": ("invalid", "is no credential"),
    "no JSON": ("invalid", "is no credential"),
    '{"headers": {}}': ("invalid", "is no credential"),
    '{"headers": {"Authorization": 5}}': ("invalid", "is no credential"),
    '{"headers": {"Authorization": " "}}': ("invalid", "is no credential"),
    '{"headers": {"Authorization": "a\\nb"}}': ("invalid", "is no credential"),
    '{"headers": {"Authorization": "größe"}}': ("invalid", "is no credential"),
    '{"headers": "Bearer x"}': ("invalid", "is no credential"),
    '{"headers": {"A": "token"}, "expiresAt": "soon"}': ("invalid", "is no credential"),
    '{"headers": {"A": "token"}, "expiresAt": true}': ("invalid", "is no credential"),
    '{"headers": {"A": "token"}, "expiresAt": 5}': ("invalid", "is no credential"),
    '{"headers": {"A": "token"}, "expiresAt": NaN}': ("invalid", "is no credential"),
    '{"headers": {"A": "token"}, "expiresAt": 1e999}': ("invalid", "is no credential"),
    '{"headers": {"A": "token"}, "expires_at": null}': ("invalid", "is no credential"),
}


@pytest.mark.parametrize("outcome", REFUSALS)
def test_whatever_is_no_credential_keeps_the_tool_from_running(outcome: str) -> None:
    async def scene(page: Page) -> None:
        page.pay()
        call = page.call()
        await asked(page)
        page.credentials.provided(1, outcome)
        answer = await page.answered(call)
        assert verdict(answer) == ("CREDENTIAL_UNAVAILABLE", "none", False)
        reason, words = REFUSALS[outcome]
        assert error_of(answer)["details"] == {"service": "payments", "reason": reason}
        assert "pay needs a credential for payments" in text_of(answer)
        assert words in text_of(answer)

    assert play(scene).entered == []


MISTAKES = {
    '{"headers": {"A": "token"}, "expires_at": null}': "has 'expires_at'; it must be {headers: {",
    '{"header": null}': "has 'header'; it must be",
    '{"headers": {"A": "token"}, "eyJhbGciOiJIUzI1NiJ9.e30": null}': "is not {headers: {name: text}, ",
    '{"0": null, "1": null}': "is not {headers: {name: text}, ",
}


@pytest.mark.parametrize("outcome", MISTAKES)
def test_the_console_names_what_is_misspelt_but_nothing_that_may_be_a_secret(
    outcome: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(page: Page) -> None:
        page.pay()
        call = page.call()
        await asked(page)
        page.credentials.provided(1, outcome)
        await page.answered(call)

    play(scene)
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith(f"What the page's provider gave for 'payments' {MISTAKES[outcome]}")


def test_without_a_provider_the_text_says_how_to_attach_one() -> None:
    async def scene(page: Page) -> None:
        page.credentials.attach(None)
        page.pay()
        answer = await page.answered(page.call())
        assert verdict(answer) == ("CREDENTIAL_UNAVAILABLE", "none", False)
        assert error_of(answer)["details"] == {"service": "payments", "reason": "no provider"}
        assert "Its author attaches one: webtools.credentialsWith(async (" in text_of(answer)

    assert play(scene).entered == []


def test_a_provider_that_hangs_is_given_up_and_asked_anew_next_time() -> None:
    async def scene(page: Page) -> None:
        page.pay()
        call = page.call()
        await asked(page)
        page.clock.advance(LIMIT)
        answer = await page.answered(call)
        assert error_of(answer)["details"]["reason"] == "timeout"
        assert page.provider.withdrawn == [1]
        page.credentials.provided(1, GIVEN)
        page.call()
        await asked(page, 2)

    assert play(scene).entered == []


@pytest.mark.parametrize("how", ["abort", "deadline"])
def test_an_abort_or_the_deadline_ends_the_wait_and_the_request(how: str) -> None:
    async def scene(page: Page) -> None:
        page.pay(timeout=5)
        call = page.call()
        await asked(page)
        if how == "abort":
            page.dispatcher.abort(call)
        else:
            page.clock.advance(5)
        code = {"abort": "CANCELLED", "deadline": "TOOL_TIMEOUT"}[how]
        assert verdict(await page.answered(call)) == (code, "none", False)
        await until(lambda: page.provider.withdrawn == [1])
        page.credentials.provided(1, GIVEN)

    assert play(scene).entered == []


def test_a_tool_that_goes_meanwhile_does_not_run() -> None:
    async def scene(page: Page) -> None:
        made = page.pay(held=True)
        (slot,) = page.registry
        assert slot.current
        call = page.call()
        await asked(page)
        slot.current.release()
        page.clock.advance(0)
        page.credentials.provided(1, GIVEN)
        assert verdict(await page.answered(call)) == ("STALE_TOOL_CALL", "none", False)
        page.registry.hold(made)

    assert play(scene).entered == []


def test_a_handler_that_needs_another_one_than_was_issued_does_not_run() -> None:
    async def scene(page: Page) -> None:
        page.pay()
        call = page.call()
        await asked(page)
        page.pay(needs=Need("bank"))
        page.credentials.provided(1, GIVEN)
        answer = await page.answered(call)
        assert verdict(answer) == ("CREDENTIAL_UNAVAILABLE", "none", False)
        assert error_of(answer)["details"] == {"service": "bank", "reason": "reloaded"}

    assert play(scene).entered == []


def test_permission_is_asked_again_after_the_wait() -> None:
    allowed = [True, False]

    async def scene(page: Page) -> None:
        page.pay(permission=lambda _: allowed.pop(0))
        call = page.call()
        await asked(page)
        page.credentials.provided(1, GIVEN)
        assert verdict(await page.answered(call)) == ("NOT_ALLOWED", "none", False)

    assert play(scene).entered == []


# Kept, and shared


def test_one_that_expires_is_kept_until_then_and_used_without_a_wait() -> None:
    async def scene(page: Page) -> None:
        page.pay()
        page.call()
        await asked(page)
        page.credentials.provided(1, page.later(1000))
        await until(lambda: len(page.entered) == 1)
        page.clock.advance(0.999)
        call = page.call()
        assert call in page.answers
        page.clock.advance(0.001)
        page.call()
        await asked(page, 2)

    assert len(play(scene).entered) == 2


def test_one_that_does_not_say_when_it_expires_is_not_kept() -> None:
    async def scene(page: Page) -> None:
        page.pay()
        for number in (1, 2):
            call = page.call()
            await asked(page, number)
            page.credentials.provided(number, GIVEN)
            await page.answered(call)

    assert len(play(scene).provider.asked) == 2


def test_calls_that_need_the_same_ask_once_and_the_last_to_give_up_ends_it() -> None:
    async def scene(page: Page) -> None:
        page.pay()
        first, second = page.call(), page.call()
        await asked(page)
        page.dispatcher.abort(first)
        await asyncio.sleep(0)
        assert page.provider.withdrawn == []
        page.credentials.provided(1, GIVEN)
        assert not (await page.answered(second)).get("isError")
        third, fourth = page.call(), page.call()
        await asked(page, 2)
        page.dispatcher.abort(third)
        page.dispatcher.abort(fourth)
        await until(lambda: page.provider.withdrawn == [2])

    assert len(play(scene).provider.asked) == 2


def test_what_is_kept_for_one_caller_is_given_to_no_other() -> None:
    ada = Identity("talk-1", tenant="acme", principal="ada")

    async def scene(page: Page) -> None:
        page.pay()
        for number, who in enumerate((ada, replace(ada, principal="bob"), None), 1):
            page.call(facts=Facts(door="page", identity=who))
            await asked(page, number)
            page.credentials.provided(number, page.later(1000))
            await until(lambda: len(page.entered) == number)  # noqa: B023  # waited for in this very round
        call = page.call(facts=Facts(door="page", identity=replace(ada, conversation_id="talk-2")))
        assert call in page.answers

    page = play(scene)
    identities = [each.get("identity") for each in page.provider.asked.values()]
    assert identities == [
        {"tenant": "acme", "principal": "ada"},
        {"tenant": "acme", "principal": "bob"},
        None,
    ]


def test_another_provider_forgets_what_the_one_before_gave_and_is_asked() -> None:
    async def scene(page: Page) -> None:
        page.pay()
        page.call()
        await asked(page)
        page.credentials.provided(1, page.later(1000))
        await until(lambda: len(page.entered) == 1)
        page.credentials.attach(page.provider)
        waiting = page.call()
        await asked(page, 2)
        page.credentials.attach(None)
        assert error_of(await page.answered(waiting))["details"]["reason"] == "refused"
        assert page.provider.withdrawn == [2]

    assert len(play(scene).entered) == 1


# Pull


def test_a_handler_can_ask_for_what_it_needs_by_itself() -> None:
    async def scene(page: Page) -> None:
        @tool
        async def send(ctx: ToolContext) -> list[str]:
            """Send."""
            assert ctx.has_credentials
            mail = await ctx.credentials.get("mail", scopes=["send"])
            return list(mail.to_headers())

        page.registry.hold(send)
        call = page.call("send")
        await asked(page)
        page.credentials.provided(1, GIVEN)
        assert (await page.answered(call))["structuredContent"] == {"result": ["Authorization"]}
        assert page.provider.asked[1] == {"service": "mail", "scopes": ["send"]}

    play(scene)


def test_where_the_page_has_none_the_stub_teaches_and_there_is_a_branch_for_it() -> None:
    async def scene(page: Page) -> None:
        page.credentials.attach(None)

        @tool
        async def send(ctx: ToolContext) -> str:
            """Send."""
            assert not ctx.has_credentials
            try:
                await ctx.credentials.get("mail")
            except ToolError as error:
                return error.message
            raise AssertionError("it was given one")

        page.registry.hold(send)
        said = text_of(await page.answered(page.call("send")))
        assert said.startswith("send needs a credential for mail, and got none: this page has no provider")
        assert "webtools.credentialsWith(async ({ service, scopes }) =>" in said

    play(scene)


def test_a_tool_that_declares_none_is_given_none() -> None:
    async def scene(page: Page) -> None:
        @tool
        def look(ctx: ToolContext) -> bool:
            """Look."""
            return ctx.credential is None and "credential" not in ctx.present

        page.registry.hold(look)
        assert (await page.answered(page.call("look")))["structuredContent"] == {"result": True}

    play(scene)


# A live object


def live() -> Credential:
    return Credential("payments", {"Authorization": TOKEN}, None)


def test_a_credential_has_no_text() -> None:
    for text in (repr(live()), str(live()), f"{live()}", json.dumps(Encoder().encode({"c": live()}))):
        assert "secret" not in text
    assert repr(live()) == "<Credential for 'payments'>"
    assert f"{live():>30}" == "   <Credential for 'payments'>"


@pytest.mark.parametrize("write", [pickle.dumps, copy.copy, copy.deepcopy], ids=lambda each: each.__name__)
def test_a_credential_cannot_be_written_down(write: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match="cannot be copied, pickled or written down"):
        write(live())


def test_a_credential_that_is_returned_is_a_placeholder_and_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene(page: Page) -> None:
        @tool(needs=Need("payments"))
        def leak(ctx: ToolContext) -> Any:
            """Leak."""
            return {"credential": ctx.credential}

        page.registry.hold(leak)
        call = page.call("leak")
        await asked(page)
        page.credentials.provided(1, GIVEN)
        answer = await page.answered(call)
        assert answer["structuredContent"] == {"credential": "<Credential>"}

    play(scene)
    assert "Tool 'leak' returned what JSON cannot hold: Credential is not data" in caplog.text


def test_changing_the_headers_that_it_gave_changes_nothing() -> None:
    credential = live()
    credential.to_headers().clear()
    assert credential.to_headers() == {"Authorization": TOKEN}
