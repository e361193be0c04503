"""What a page uses of its Python, used ahead: so it is known, and in a snapshot it is there already.

`in_pyodide.mjs` runs it with the page's wheels installed, so it imports nothing else than they and
the standard library have.
"""

import contextlib
import gc
import importlib
import sys
import traceback
from datetime import datetime
from decimal import Decimal
from importlib.machinery import FrozenImporter
from pathlib import Path
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pydantic import BaseModel, TypeAdapter, ValidationError

__all__ = ["trim", "warm"]

LATE = "_late_stdlib.py"
"""A module in the trimmed zip: `NAMES` are the modules that only the whole one has."""

_PAGE = ("webtools.browser.crossing", "pydantic.main", "pydantic.types", "pydantic.networks")
_ALSO = ("webtools", "webtools.browser.awakening", "webtools.browser.late_stdlib", LATE.removesuffix(".py"))
_TO_INSTALL = ("tarfile",)
"""What Pyodide itself needs for a wheel that micropip has found."""
_OFTEN_IN_APPS = (
    *("bisect", "calendar", "collections.abc", "colorsys", "csv", "datetime", "difflib", "fractions"),
    *("functools", "graphlib", "heapq", "html", "ipaddress", "json", "logging", "operator", "pprint"),
    *("queue", "random", "secrets", "statistics", "string", "textwrap", "unicodedata", "uuid"),
    *("urllib.parse", "zoneinfo", "_strptime", "_threading_local"),
    *("importlib.resources", "importlib.resources._adapters", "importlib.readers"),
)


def trim(*, source: str, target: str, folder: str) -> None:
    """Write the part of a zip that a page uses: what webtools imports, and what apps often do.

    Args:
        source: The whole standard library, as bytecode; this Python runs from a copy of it.
        target: Written anew.
        folder: Where this Python has it, ends with "/".
    """
    for name in (*_PAGE, *_TO_INSTALL, *_OFTEN_IN_APPS):
        importlib.import_module(name)
    use_pydantic()
    origins = (
        getattr(getattr(module, "__spec__", None), "origin", None) or ""
        for module in list(sys.modules.values())
    )
    used = {origin.removeprefix(folder) for origin in origins if origin.startswith(folder)}
    with ZipFile(source) as whole, ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as trimmed:
        names = set()
        for member in whole.infolist():
            if member.filename in used:
                trimmed.writestr(member, whole.read(member))
            elif member.filename.endswith(".pyc"):
                names.add(_module_of(member.filename))
        names = {name for name in names if FrozenImporter.find_spec(name) is None}
        trimmed.writestr(ZipInfo(LATE, (1980, 1, 1, 0, 0, 0)), f"NAMES = frozenset({sorted(names)!r})\n")


def warm(*, imports: str) -> None:
    """Import what every page imports, and leave nothing else behind.

    Args:
        imports: Modules that the apps need, with spaces between; what cannot be imported is left out.
    """
    for name in (*_PAGE, *_ALSO):
        importlib.import_module(name)
    use_pydantic()
    for name in imports.split():
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    importlib.invalidate_caches()  # they keep zips open, and no page could close the files of another
    gc.collect()


def use_pydantic() -> list[dict[str, object]]:
    """Have it import what it imports when it is first used; gives the errors of an input that is wrong."""

    class Order(BaseModel):
        placed: datetime
        price: Decimal
        note: str | None = None

    orders = TypeAdapter(dict[UUID, list[Order]])
    orders.json_schema()
    try:
        orders.validate_json('{"1": [{"placed": "2026-02-30", "price": "x"}]}')
    except ValidationError as error:
        traceback.format_exception(error)
        return [dict(each) for each in error.errors(include_url=False)]
    return []


def _module_of(member: str) -> str:
    """Give `email/mime/__init__.pyc` as `email.mime`."""
    return ".".join(part for part in Path(member).with_suffix("").parts if part != "__init__")
