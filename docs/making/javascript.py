"""The reference of JavaScript, as MyST Markdown: from the words above the declarations in `static/`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docs.making.jsdoc import Entry, Tag, TypeNames, entries, exported, types

__all__ = ["attributes", "members", "module", "typedefs"]

_OF_THE_HOST = "host.js"
_ENTRY = "webtools.js"
_UNSAID = {"webtools"}
"""What the module exports and the page describes: the host itself."""


class MissingWords(ValueError):
    """A public name has no words above it."""


def host() -> list[Entry]:
    """What the entry exports, and `window.webtools` has."""
    return [_entry(_OF_THE_HOST, name, _ENTRY) for name in sorted({*exported(_ENTRY), "version"} - _UNSAID)]


def members(name: str) -> list[Entry]:
    """What is public of a module: the entry's are the host's."""
    if name == _ENTRY:
        return host()
    inner = ["useWebTool"] if name == "react.js" else []
    return [_entry(name, each, name) for each in [*exported(name), *inner]]


def module(name: str) -> str:
    """The reference of one module that pages load, with the types of its own."""
    own = [entry for file, entry in _reached(_used_by(members(name))) if file == name]
    return "\n\n".join([*map(_function, members(name)), *map(_typedef, own)])


def typedefs(names: list[str]) -> str:
    """The types that the modules share: those that they speak of, and those that these speak of."""
    reached = _reached(_used_by([each for name in names for each in members(name)]))
    shared = [entry for file, entry in reached if file not in names]
    return "\n\n".join(_typedef(each) for each in sorted(shared, key=lambda entry: entry.name))


def attributes() -> str:
    """The attributes of the script tag: they are named as the options of `start` are."""
    options = types("options.js")["StartOptions"].all("property")
    rows = [
        f"| `data-{tag.name}`{'' if tag.is_optional else ' (needed)'} | {_cell(tag.text)} |"
        for tag in options
    ]
    return "\n".join(["| attribute | |", "|---|---|", *rows])


def _entry(file: str, name: str, public_in: str) -> Entry:
    found = entries(file).get(name) or entries(public_in).get(name)
    if name == "version":
        return Entry(name, "The library's version.")
    if not found or not found.text:
        raise MissingWords(f"static/{file}: `{name}` is public, so write a /** … */ above it")
    return found


def _used_by(public: Iterable[Entry]) -> TypeNames:
    return [used for entry in public for tag in entry.tags for used in tag.used]


def _reached(waiting: TypeNames) -> Iterator[tuple[str, Entry]]:
    """The types that can be reached from some, and the files that define them."""
    seen: set[tuple[str, str]] = set()
    while waiting:
        file, name = waiting.pop()
        found = types(file).get(name) if file.endswith(".js") else None
        if found is None or (file, name) in seen:
            continue
        seen.add((file, name))
        waiting += _used_by([found])
        if not _is_alias(found):
            yield file, found


def _is_alias(entry: Entry) -> bool:
    """Whether it is but another file's type by the same name."""
    return entry.tags[0].type == entry.name


def _function(entry: Entry) -> str:
    if not entry.is_function:
        return _fence("js:data", entry.name, [entry.text])
    params = entry.all("param")
    names = ", ".join(f"{tag.name}{'?' if tag.is_optional else ''}" for tag in params)
    fields = [*map(_param, params), *map(_outcome, entry.all("returns", "throws"))]
    return _fence("js:function", f"{entry.name}({names})", [entry.text, "\n".join(fields)])


def _typedef(entry: Entry) -> str:
    head, *properties = entry.tags
    shape = "" if head.type == "object" else f"`` {head.type} ``"
    return _fence(
        "js:data", entry.name, [":no-index:", entry.text, shape, "\n".join(map(_member, properties))]
    )


def _member(tag: Tag) -> str:
    optional = ", may be left out" if tag.is_optional else ""
    return f"- **{tag.name}** (`` {tag.type} ``{optional}){': ' if tag.text else ''}{tag.text}"


def _param(tag: Tag) -> str:
    return f":param {tag.name}: (`` {tag.type} ``) {tag.text}"


def _outcome(tag: Tag) -> str:
    kind = "returns" if tag.kind == "returns" else f"throws {tag.type or 'Error'}"
    shown = f"(`` {tag.type} ``) " if tag.kind == "returns" and tag.type else ""
    return f":{kind}: {shown}{tag.text}"


def _fence(directive: str, argument: str, parts: list[str]) -> str:
    body = "\n\n".join(part for part in parts if part)
    return f"::::{{{directive}}} {argument}\n{body}\n::::"


def _cell(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", text).replace("|", "\\|")
