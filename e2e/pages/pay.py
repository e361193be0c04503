"""The tool of docs/credentials.md, and one that gives the token away."""

from webtools import Need, ToolContext, page, tool

bank = page("bank")


@tool(needs=Need("payments", scopes=["charge"]), consequential=True)
async def pay(ctx: ToolContext, cents: int) -> dict[str, int]:
    """Pay."""
    assert ctx.credential
    charged: dict[str, int] = await bank.charge(ctx.credential.to_headers(), cents)
    return charged


@tool(needs=Need("payments", scopes=["charge"]))
def leak(ctx: ToolContext) -> str:
    """Give the token away."""
    assert ctx.credential
    ctx.progress(ctx.credential.to_headers())
    raise LookupError(ctx.credential.to_headers()["Authorization"])
