"""What an app's tools are, for a page that has them before Python is up; docs/boot.md has the form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from types import ModuleType

from webtools._exceptions import ToolDefinitionError, WebtoolsError
from webtools.browser.apps import AppProblem, Declared, declared_in, load
from webtools.browser.archives import Archives
from webtools.browser.border import Bytes
from webtools.tools.form_tool import FormTool
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
        JSON text ``{"tools"?, "manifest"?, "problem"?, "needsPage"?}``. `tools` is what `checkable` gives,
        of an app that could be run. Where there is no manifest, `problem` is a clause that says why, with
        file and line where it has one, and `needsPage` whether a page would have helped, as far as can be
        told.
    """
    return _answer(source, lambda: load(url, source), version, lambda name: name if name == url else None)


def manifest_of_archive_without_page(url: str, archive: Bytes, entry: str, version: str) -> str:
    """Do the same with an app that is an archive."""
    data = archive.to_bytes()
    archives = Archives()
    return _answer(data, lambda: archives.load(url, data, entry), version, archives.place)


def checkable(declared: Declared, place: Callable[[str], str | None]) -> list[dict[str, object]]:
    """All tools that an app has, also those that no manifest promises, for `webtools check`.

    Args:
        declared: What the app's module has.
        place: Gives for the name of a source file what an author calls it; None where it is not the app's.

    Returns:
        ``[{"definition", "held", "match", "asks", "file", "line"}]``. `asks`: whether a call asks the
        person, as far as can be told; `file` and `line` are None where they are not known.
    """
    tools = [_checkable(each, place) for each in declared.tools]
    return tools + [_checkable_form(each) for each in declared.forms]


def _checkable(tool: Tool, place: Callable[[str], str | None]) -> dict[str, object]:
    code = tool.code
    file = place(code.co_filename) if code else None
    return {
        "definition": tool.definition.text,
        "held": tool.is_held_by_others,
        "match": list(tool.match),
        "asks": tool.guards.confirm is not None or (code is not None and "confirm" in code.co_names),
        "file": file,
        "line": code.co_firstlineno if code and file else None,
    }


def _checkable_form(tool: FormTool) -> dict[str, object]:
    """One that is there while its form is; its schema is the page's to know."""
    asks = json.loads(tool.options)["submit"] == "person"
    return {"definition": tool.options, "held": True, "match": [], "asks": asks, "file": None, "line": None}


def _answer(
    app: str | bytes, loaded: Callable[[], ModuleType], version: str, place: Callable[[str], str | None]
) -> str:
    answer: dict[str, object] = {}
    try:
        declared = declared_in(vars(loaded()))
        answer["tools"] = checkable(declared, place)
        answer["manifest"] = manifest_of(digest_of(app), declared.tools, version)
    except AppProblem as problem:
        answer |= {"problem": f"{problem}", "needsPage": _needs_page(problem.__cause__)}
    return json.dumps(answer)


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
