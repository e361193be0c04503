"""A shop whose orders must not be placed twice, and whose carts belong to sessions."""

from webtools import SessionRouter, ToolContext, page, tool

shop = page("shop")

carts = SessionRouter[list[str]]()
carts.open("A", [])
carts.open("B", [])
shown = "B"


@tool(idempotency="order_key")
async def order(sku: str, order_key: str, wait: bool = False) -> dict[str, object]:
    """Place an order, and wait for the delivery if that is wished."""
    number = await shop.place(sku)
    if wait:
        await shop.untilDelivered()
    return {"number": number, "sku": sku, "note": "größe"}


@tool(idempotency=True)
async def order_in_run(sku: str) -> int:
    """Place an order, once for each place in an agent's run."""
    number: int = await shop.place(sku)
    return number


@tool
def add(sku: str, ctx: ToolContext) -> list[str]:
    """Put something into the cart of the caller's session."""
    cart = carts.of(ctx)
    cart.append(sku)
    return cart


@tool(read_only=True)
def read_shown() -> list[str]:
    """Read the cart that the page shows."""
    return carts.get(shown)
