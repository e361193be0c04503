"""Packages that a page asks for with `data-packages`: installed by micropip, from the page's own index only.

micropip is in the page where `static/packages.js` has put it, and nowhere else.
"""

from __future__ import annotations

import importlib
import json
import re
import traceback

_MISSING = re.compile(r"Can't (?:fetch metadata for|find a pure Python 3 wheel for) '(.*?)'\.")
"""How micropip (the pinned one) says that the index has not what is needed."""
_INSTALLED = re.compile(r"Requested '(.*?)', but (\S+) is already installed")


async def install(requirements: str, index: str) -> str | None:
    """Install what is not there yet, and what it needs; JavaScript calls it.

    Args:
        requirements: With spaces between them: names, with versions where they matter, or URLs of wheels.
        index: The URL of the only index that is asked.

    Returns:
        None, or what went wrong: JSON text ``{"message", "traceback"}``.
    """
    micropip = importlib.import_module("micropip")
    try:
        await micropip.install(requirements.split(), index_urls=[index])
    except Exception as error:  # noqa: BLE001  # micropip raises what it likes, the network's errors, too
        trace = "".join(traceback.format_exception(error))
        return json.dumps({"message": explained(error, index), "traceback": trace})
    return None


def explained(error: Exception, index: str) -> str:
    """Say what micropip's error means for whoever wrote the page."""
    first_line = (str(error) or type(error).__name__).partition("\n")[0]
    if missing := _MISSING.match(first_line):
        return (
            f"data-packages: there is no fitting wheel for {missing[1]} in the page's own index, {index}/. "
            f'Put it into the folder wheels beside the page, of which "webtools serve" makes the index, '
            f"or give its full URL."
        )
    if installed := _INSTALLED.match(first_line):
        wanted, there = installed.groups()
        return f"data-packages: {wanted} is asked for, but the page has {there} already. Ask for that."
    if type(error).__name__ == "InvalidRequirement":
        cure = "Write a name, name==1.2 or a URL that ends with .whl, each without spaces."
        return f"data-packages: {first_line}. {cure}"
    return f"data-packages: {type(error).__name__}: {first_line}"
