"""An app that tells how its Python came up."""

import asyncio
import random
import secrets
import sys
import uuid
from pathlib import Path

from webtools import tool

loaded = "webtools.browser.awakening" in sys.modules


@tool(read_only=True)
def how() -> dict[str, object]:
    """Tell what this Python is."""
    site = next(path for path in sys.path if path.endswith("site-packages"))
    return {
        "restored": loaded,
        "random": random.getrandbits(128),
        "uuid": str(uuid.uuid4()),
        "token": secrets.token_hex(),
        "later": random.random(),
        "modules": len(sys.modules),
        "files": sorted(path.name for path in Path(site).iterdir()),
    }


@tool(read_only=True)
async def slow(text: str) -> str:
    """Answer in a later turn."""
    await asyncio.sleep(0.01)
    return f"{text}, later"
