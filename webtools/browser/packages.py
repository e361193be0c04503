"""Packages that a page asks for with `data-packages`: installed by micropip, from the page's own index only.

micropip is in the page where `static/packages.js` has put it, and nowhere else.
"""

from __future__ import annotations

import copy
import importlib
import json
import posixpath
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urlsplit
from zipfile import BadZipFile, ZipFile

from webtools.browser.apps import AppProblem

_MISSING = re.compile(r"Can't (?:fetch metadata for|find a pure Python 3 wheel for) '(.*?)'\.")
"""How micropip (the pinned one) says that the index has not what is needed."""
_INSTALLED = re.compile(r"Requested '(.*?)', but (\S+) is already installed")

_OWN = "webtools-host"
_NEED = re.compile(r"([\w.-]+)[^;]*$")
"""A requirement without a marker: what is asked for in other places, or with an extra, is not needed."""
_INTO_PYTHON = re.compile(r"[^/]+\.data/data/lib/[^/]+/(?:site-packages/)?")
"""Where members of a wheel begin that are unpacked below `sys.prefix`, where Python has its modules."""


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
        manager = copy.copy(micropip.install.__self__)  # the page's own one keeps how it fetches
        manager.compat_layer = _checking(manager.compat_layer)
        await manager.install(requirements.split(), index_urls=[index])
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
    if isinstance(error, AppProblem):
        return f"data-packages: {error}"
    if type(error).__name__ == "InvalidRequirement":
        cure = "Write a name, name==1.2 or a URL that ends with .whl, each without spaces."
        return f"data-packages: {first_line}. {cure}"
    return f"data-packages: {type(error).__name__}: {first_line}"


def _checking(layer: Any) -> type:
    """Micropip's port to the page, but for wheels that are refused: it fetches all, then it installs them."""

    async def fetch_bytes(url: str, kwargs: dict[str, Any]) -> bytes:
        data: bytes = await layer.fetch_bytes(url, kwargs)
        path = unquote(urlsplit(url).path)
        if path.endswith(".whl"):
            check_names(path.rpartition("/")[2], data)
        return data

    return type(layer.__name__, (layer,), {"fetch_bytes": staticmethod(fetch_bytes)})


def check_names(wheel: str, data: bytes) -> None:
    """Refuse a wheel with a module of the standard library's, of webtools or of what webtools needs.

    Args:
        wheel: Its file's name.
        data: Its content; what is no archive is left to micropip, which says so.

    Raises:
        AppProblem: It has one, and would be in the other one's place.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            members = archive.namelist()
    except BadZipFile:
        return
    owners = dict.fromkeys(sys.stdlib_module_names, "Python's standard library")
    owners |= {top: name for name in _needed(_OWN, set()) for top in _tops(_members(name))}
    owners["webtools"] = "webtools"
    for top in sorted(_tops(members)):
        owner = owners.get(top)
        if owner:
            raise AppProblem(
                f"{wheel} has a module {top}, and so has {owner}, which every page needs as it is. "
                f"Leave the wheel out, or rename the module in it."
            )


def _needed(name: str, seen: set[str]) -> Iterator[str]:
    """Name a distribution and all that it needs."""
    if name in seen:
        return
    seen.add(name)
    yield name
    for need in _asked(metadata.requires, name):
        if found := _NEED.match(need):
            yield from _needed(found[1], seen)


def _members(name: str) -> list[str]:
    """What a distribution has installed."""
    return [str(file) for file in _asked(metadata.files, name)]


def _asked(ask: Callable[[str], list[Any] | None], name: str) -> list[Any]:
    """Ask for a distribution's metadata, which one that is not installed has not."""
    try:
        return ask(name) or []
    except metadata.PackageNotFoundError:
        return []


def _tops(members: Iterable[str]) -> set[str]:
    """Give the names at the top of a wheel that can be imported, however its paths are written."""
    tops = set()
    for member in members:
        path = posixpath.normpath(_INTO_PYTHON.sub("", posixpath.normpath(member), count=1))
        first, _, inner = path.removeprefix("__pycache__/").partition("/")
        stem, _, suffix = first.partition(".")
        if inner or suffix.endswith(("py", "pyc", "so")):
            tops.add(stem if not inner else first)
    return tops
