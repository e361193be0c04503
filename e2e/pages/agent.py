from webtools import ToolContext, registry, tool
from webtools.agent import CancelSignal, OpenAIModel, ToolClient, run

KEY = "sk-e2e-very-secret-0123456789"

running: list[CancelSignal] = []


@tool(read_only=True)
def find(words: str) -> list[str]:
    """Find products."""
    return [f"{words}-1"]


@tool(held=True)
def pay(sku: str) -> str:
    """Pay for what is in the cart."""
    return f"paid {sku}"


@tool
def open_cart(sku: str) -> str:
    """Put a product into the cart and open it."""
    registry().hold(pay)
    return sku


@tool
def leak() -> str:
    """Tell the key."""
    return f"it is {KEY}"


@tool
async def ask(ctx: ToolContext, prompt: str, model: str) -> dict[str, object]:
    """Have an agent of the page's own do it."""
    signal = CancelSignal()
    running.append(signal)
    client = ToolClient(session_id="s1", offers=lambda each: each.name not in ("ask", "stop"))
    asked = OpenAIModel("/v1", model, api_key=KEY)
    result = await run(asked, prompt, client=client, on_event=ctx.progress, signal=signal)
    return {
        "outcome": result.outcome,
        "text": result.text,
        "error": result.error and result.error.kind,
        "results": [[each.call.name, (each.error or {}).get("code")] for each in result.results],
    }


@tool
def stop() -> None:
    """Stop the agent."""
    running[-1].fire("the person")
