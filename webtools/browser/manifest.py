"""What an app's tools are, for a page that has them before Python is up; docs/boot.md has the form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from types import ModuleType

from webtools._exceptions import ToolDefinitionError, WebtoolsError
from webtools.browser.apps import AppProblem, load, tools_in
from webtools.browser.archives import Archives
from webtools.browser.border import Bytes
from webtools.tools.tool import Tool


def digest_of(app: str | bytes) -> str:
    """The SHA-256 of an app's source, or of its archive."""
    data = app.encode(errors="replace") if isinstance(app, str) else app
    return hashlib.sha256(data).hexdigest()


def manifest_of(digest: str, tools: Iterable[Tool], version: str) -> str:
    """Write the manifest of an app; the same for the same app.

    Tools that only the tab offers which owns something are not in it: which tab that is, Python has to ask.

    Args:
        digest: The app's, see `digest_of`.
        tools: What it defines.
        version: The library's.

    Raises:
        AppProblem: Two tools have one name.
    """
    offered = [each for each in tools if not each.guards.owner or each.guards.owner.others == "refused"]
    names = [each.name for each in offered]
    for name in names:
        if names.count(name) > 1:
            raise AppProblem(f"Two tools are called {name!r}, and a name can exist once on a page.")
    wire = {
        "webtools": version,
        "app": digest,
        "tools": [_entry(each) for each in offered],
    }
    return json.dumps(wire, ensure_ascii=False, indent=1) + "\n"


def manifest_without_page(url: str, source: str, version: str) -> str:
    """Run an app where there is no page, and write its manifest; `webtools manifest` does so in Node.

    Returns:
        JSON text ``{"manifest"}``, or ``{"problem", "needsPage"}``: a clause that names file and line, and
        whether a page would have helped, as far as can be told.
    """
    return _answer(source, lambda: load(url, source), version)


def manifest_of_archive_without_page(url: str, archive: Bytes, entry: str, version: str) -> str:
    """Do the same with an app that is an archive."""
    data = archive.to_bytes()
    return _answer(data, lambda: Archives().load(url, data, entry), version)


def _answer(app: str | bytes, loaded: Callable[[], ModuleType], version: str) -> str:
    try:
        return json.dumps({"manifest": manifest_of(digest_of(app), tools_in(loaded()), version)})
    except AppProblem as problem:
        return json.dumps({"problem": f"{problem}", "needsPage": _needs_page(problem.__cause__)})


def _needs_page(error: BaseException | None) -> bool:
    """Whether it is what JavaScript's names raise that are not there, or ours."""
    if isinstance(error, ModuleNotFoundError | ToolDefinitionError):
        return False
    said_so = isinstance(error, AttributeError | ImportError | WebtoolsError)
    return said_so or type(error).__name__ == "JsException"


def _entry(tool: Tool) -> dict[str, object]:
    return {
        "definition": tool.definition.text,
        "held": tool.is_held_by_others,
        "match": list(tool.match),
        "timeout": tool.timeout,
    }
