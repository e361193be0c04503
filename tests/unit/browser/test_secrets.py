"""A secret that the page has provided is nowhere to be found in what leaves the host."""

from __future__ import annotations

import asyncio
import gc
import json
from typing import Any

import pytest

from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.calls.caller import until
from webtools.browser.host import Host

SECRETS = ["plain-token-9f3a", 'quo"ted\\token-9f3a', "1234567890123"]

APP = '''
import asyncio, json, logging
from typing import Any
from webtools import Need, ToolContext, ToolError, tool

PAY = Need("payments")

def token(ctx: ToolContext) -> str:
    assert ctx.credential
    return ctx.credential.to_headers()["Authorization"].removeprefix("Bearer ")

@tool(needs=PAY)
def text(ctx: ToolContext) -> str:
    """Give it as a text."""
    return f"it is {token(ctx)}!"

@tool(needs=PAY)
def nested(ctx: ToolContext) -> dict[str, Any]:
    """Give it in data, as text in JSON in JSON, as a key, as a number."""
    it = token(ctx)
    number = int(it) if it.isdigit() else 0
    return {"a": [it], it: 1, "json": json.dumps({"json": json.dumps([it])}), "number": number}

@tool(needs=PAY)
def error(ctx: ToolContext) -> None:
    """Raise it for the agent to read."""
    raise ToolError(f"no: {token(ctx)}", code=token(ctx), details={"headers": ctx.credential.to_headers()})

@tool(needs=PAY)
def returned_error(ctx: ToolContext) -> dict[str, Any]:
    """Return it as an error."""
    return {"error": {"code": "NO", "message": token(ctx)}}

@tool(needs=PAY)
def crash(ctx: ToolContext) -> None:
    """Raise it, not meant for an agent."""
    raise LookupError(token(ctx))

@tool(needs=PAY)
async def crash_later(ctx: ToolContext) -> None:
    """The same, in an exception group with a note."""
    await asyncio.sleep(0)
    problem = LookupError(token(ctx))
    problem.add_note(f"with {token(ctx)}")
    raise ExceptionGroup(token(ctx), [problem])

@tool(needs=PAY)
def lie(ctx: ToolContext) -> list[int]:
    """Return it where something else is declared."""
    return [token(ctx)]

@tool(needs=PAY)
def progress(ctx: ToolContext) -> None:
    """Report it, also where the message is cut in the middle of it."""
    ctx.progress({"message": token(ctx), "rest": [token(ctx)]})
    for before in range(100, 121):
        ctx.progress({"message": "x" * before + token(ctx)})

@tool(needs=PAY)
def log(ctx: ToolContext) -> None:
    """Write it to the library's log."""
    logging.getLogger("webtools").warning("token %s", token(ctx))

@tool(needs=PAY)
async def ask(ctx: ToolContext) -> None:
    """Ask the person about it."""
    await ctx.confirm(f"Use {token(ctx)}?")

@tool(needs=PAY, idempotency="key")
def once(ctx: ToolContext, key: str) -> str:
    """Give it in an answer that is kept in the tab."""
    return token(ctx)

@tool(needs=PAY)
def keep(ctx: ToolContext) -> None:
    """Have a cleanup that fails with it."""
    it = token(ctx)
    def close() -> None:
        raise LookupError(it)
    ctx.on_teardown(close, scope="page", key=it)

@tool(needs=PAY)
async def leave_behind(ctx: ToolContext) -> None:
    """Raise it in a task that nobody awaits."""
    async def fail(it: str) -> None:
        raise LookupError(it)
    asyncio.ensure_future(fail(token(ctx)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)

@tool(needs=PAY)
def say(ctx: ToolContext) -> str:
    """Give the credential's own text."""
    return f"{ctx.credential} {ctx.credential!r} {ctx}"

@tool
async def pull(ctx: ToolContext) -> str:
    """Ask for it, and give it."""
    got = await ctx.credentials.get("payments")
    return json.dumps(got.to_headers())

@tool
async def outer(ctx: ToolContext) -> Any:
    """Give what another tool gives."""
    return [await ctx.tools.call("text"), await ctx.tools.call("nested")]
'''

TOOLS = APP.count("\n@tool")


pytestmark = pytest.mark.usefixtures("forgotten_apps")


class Border(FakeBorder):
    """Gives a credential for everything, at once.

    Attributes:
        answers: Those that were given at once, JSON text.
    """

    host: Host

    def __init__(self, secret: str) -> None:
        super().__init__()
        self.secret = secret
        self.answers: list[str] = []

    def requestCredential(self, number: int, text: str) -> None:  # noqa: N802  # JavaScript's name
        super().requestCredential(number, text)
        given = {"headers": {"Authorization": f"Bearer {self.secret}"}}
        self.host.provided(number, json.dumps(given))

    def confirm(self, question: int, text: str) -> None:
        super().confirm(question, text)
        self.host.confirmed(question, "allowed")

    def left(self) -> list[Any]:
        """All that has left the host."""
        return [
            self.answers,
            self.settled,
            self.progress,
            self.inner_calls,
            self.logged,
            self.questions,
            self.stored,
            self.teardowns,
            self.states,
        ]


async def visit(border: Border, debug: bool) -> None:
    """Call every tool once, and one of them twice."""
    with host_at(border, debug=debug) as host:
        border.host = host
        host.keep_log()
        host.provide(True)
        assert host.load("http://localhost/pay.py", APP) is None
        names = [each["name"] for each in border.registered.values()]
        assert len(names) == TOOLS
        for number, name in enumerate([*names, "once"]):
            text = '{"key": "k"}' if name == "once" else "{}"
            answer = host.call_named(name, f"c{number}", text, None)
            if isinstance(answer, str):
                border.answers.append(answer)
            else:
                await until(lambda: f"c{number}" in border.settled)  # noqa: B023  # waited for in this round
        gc.collect()  # only then is a task known to be awaited by nobody
    await until(lambda: len(asyncio.all_tasks()) == 1)


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("secret", SECRETS)
def test_no_answer_event_stored_text_or_line_has_the_secret(secret: str, debug: bool) -> None:
    border = Border(secret)
    asyncio.run(visit(border, debug))
    assert len(border.answers) + len(border.settled) == TOOLS + 1
    assert border.stored
    assert any("never retrieved" in line for _, line in border.logged)
    assert border.progress
    assert border.inner_calls
    assert border.questions
    assert {each["what"] for each in border.teardowns} == {"started", "fired", "failed"}
    left = repr(border.left())
    assert "[redacted]" in left
    for part in parts_of(secret):
        assert part not in left, part


def parts_of(secret: str) -> list[str]:
    """The secret, its forms as JSON and Python write it, and parts long enough to be of use."""
    written = json.dumps(secret)[1:-1]
    return [secret, written, repr(secret)[1:-1], secret[:8], secret[-8:], written[-8:]]


@pytest.mark.parametrize("secret", SECRETS)
def test_the_tools_themselves_have_it(secret: str) -> None:
    """Else the other test would find nothing, whatever the host did."""
    border = Border(secret)

    async def scene() -> None:
        with host_at(border) as host:
            border.host = host
            host.provide(True)
            check = APP + "\n@tool(needs=PAY)\ndef check(ctx: ToolContext) -> bool:\n    '''Look.'''\n"
            host.load("http://localhost/pay.py", f"{check}    return token(ctx) == {secret!r}\n")
            assert host.call_named("check", "c1", "{}", None) is None
            await until(lambda: "c1" in border.settled)

    asyncio.run(scene())
    assert border.settled["c1"]["structuredContent"] == {"result": True}
