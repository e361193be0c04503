"""Tools that look at what they are given, and tools that are guarded."""

import asyncio
from typing import Any

from webtools import Hold, SessionRouter, ToolContext, ToolError, page, registry, tool

FACTS = ("session_id", "turn_id", "turn_started_at", "run_id", "provider", "effort_level", "generation")

holds: dict[str, Hold] = {}
sessions = SessionRouter[str]()
doors: dict[str, asyncio.Event] = {"go": asyncio.Event()}
log: list[str] = []
document: dict[str, Any] = {"active": "A", "version": 4, "is_allowed": False}


@tool(read_only=True)
def facts(ctx: ToolContext) -> dict[str, Any]:
    """Say what the call's context has."""
    identity = ctx.identity and [ctx.identity.conversation_id, ctx.identity.tenant, ctx.identity.principal]
    return {
        "present": sorted(ctx.present),
        "call_id": ctx.call_id,
        "door": ctx.door,
        "iteration": ctx.iteration,
        "received_at": ctx.received_at,
        "deadline_at": ctx.deadline_at,
        "is_current": ctx.is_current(),
        "identity": identity,
        **{name: getattr(ctx, name) for name in FACTS},
    }


@tool
async def count(ctx: ToolContext, to: int) -> str:
    """Count, and report each number."""
    for number in range(1, to + 1):
        ctx.progress({"message": f"at {number}", "done": number, "total": to, "callId": "forged"})
        await asyncio.sleep(0)
    return "counted"


@tool(held=True, active=lambda: document["active"])
async def write(ctx: ToolContext, waits: bool = False) -> str:
    """Write into the document, perhaps after a wait."""
    if waits:
        await doors["go"].wait()
    ctx.ensure_current()
    log.append(f"wrote {ctx.resource_id}")
    return f"wrote {ctx.resource_id}"


@tool(serial=True)
async def step(ctx: ToolContext, number: int) -> None:
    """Take two steps, not to be mixed with another one's."""
    for _ in range(2):
        log.append(f"step {number}")
        await asyncio.sleep(0)


@tool(expected_version="expected", version=lambda: document["version"])
def edit(expected: int) -> int:
    """Raise the version of what was read."""
    document["version"] = expected + 1
    return expected + 1


@tool(permission=lambda _: document["is_allowed"] or "The page only shows this.")
def pay() -> None:
    """Pay."""
    log.append("paid")


@tool(timeout=30, idle_timeout=0.3)
async def upload(ctx: ToolContext, reports: int) -> None:
    """Report for a while, and then fall silent."""
    for number in range(reports):
        await asyncio.sleep(0.1)
        ctx.progress({"done": number})
    await asyncio.Event().wait()


@tool(timeout=0.2)
async def sleep() -> None:
    """Sleep for too long."""
    await asyncio.Event().wait()


@tool
async def listen(ctx: ToolContext) -> None:
    """Wait for the signal."""
    try:
        await ctx.signal.wait()
    finally:
        log.append(f"signal: {ctx.signal.reason}")


@tool(description="The first.", name="turning", held=True)
async def turning() -> None:
    await doors["go"].wait()


@tool(description="The second.", name="turning", held=True)
def turned() -> None: ...


@tool
def fail() -> None:
    """Fail."""
    raise LookupError("secret")


@tool
def lie() -> int:
    """Return something else than what is declared."""
    return "text"  # type: ignore[return-value]  # that is what it is for


@tool(max_chars=10)
def talk() -> str:
    """Talk too much."""
    return "x" * 11


@tool(max_chars=10, read_only=True)
def read() -> str:
    """Read too much."""
    return "x" * 11


@tool
def of_session(ctx: ToolContext) -> str:
    """Read the state of a session."""
    return sessions.of(ctx)


@tool(confirm="Submit it?")
def submit() -> None:
    """Submit."""
    log.append("submitted")


@tool(held=True, confirm="Publish it?")
def publish() -> None:
    """Publish."""
    log.append("published")


@tool
async def use(name: str) -> Any:
    """Use what the page exposes."""
    return await page(name).go()


@tool
def give_up() -> None:
    """Fail with words of the author's, and no code."""
    raise ToolError("none left")


@tool
def refuse() -> None:
    """Refuse with words of the author's."""
    raise ToolError("none left", code="SOLD_OUT", effect="none")


HELD: dict[str, Any] = {"publish": publish, "write": write, "turning": turning, "turned": turned}


@tool
def hold(what: str, resource_id: str | None = None) -> None:
    """Hold one of the tools."""
    holds[what] = registry().hold(HELD[what], resource_id=resource_id)


@tool
def release(what: str) -> None:
    """Release it; harmless twice."""
    if held := holds.pop(what, None):
        held.release()


@tool
def change(active: str | None = "A", version: int = 4, is_allowed: bool = False) -> None:
    """Change what the guards ask for."""
    document.update(active=active, version=version, is_allowed=is_allowed)


@tool
def go_on() -> None:
    """Let every waiting call go on."""
    doors.pop("go").set()
    doors["go"] = asyncio.Event()


@tool
def take_log() -> list[str]:
    """Give what was noted, once."""
    taken = log.copy()
    log.clear()
    return taken
