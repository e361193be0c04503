"""Tools that components hold; what they do is the page's affair."""

from webtools import page, tool

lab = page("lab")


@tool(held=True)
async def alpha(do: str = "nothing", token: int = 0) -> str:
    """Do something in the page."""
    return str(await lab.run(do))


@tool(held=True)
async def beta(do: str = "nothing", token: int = 0) -> str:
    """Do something in the page."""
    return str(await lab.run(do))


@tool(held=True)
async def gamma(do: str = "nothing", token: int = 0) -> str:
    """Do something in the page."""
    return str(await lab.run(do))


@tool(held=True)
async def delta(do: str = "nothing", token: int = 0) -> str:
    """Do something in the page."""
    return str(await lab.run(do))
