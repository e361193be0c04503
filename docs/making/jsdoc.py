"""Reading the words that stand above declarations in our JavaScript: JSDoc, as prettier lays it out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

__all__ = ["STATIC", "Entry", "Tag", "TypeNames", "entries", "exported", "types"]

STATIC = Path(__file__).parents[2] / "static"

_BLOCK = re.compile(r"/\*\*(?P<words>(?:(?!\*/).)*)\*/(?=\s*(?P<code>[^\n]*))", re.DOTALL)
_DECLARED = re.compile(
    r"(?:export )?(?:async )?(?P<kind>function |class |get |const |let |this\.)?(?P<name>\w+)(?P<rest>.*)"
)
_EXPORTED = re.compile(r"^export const \{(?P<many>[^}]*)\}|^export \w+ (?P<one>\w+)", re.MULTILINE)
_TAG = re.compile(r"^@(\w+) ?", re.MULTILINE)
_IMPORT = re.compile(r'import\("\./([\w-]+\.js)"\)\.(\w+)')
_PROPERTY = re.compile(r"\[?(\w+)(?:=[^\]]*)?\]? ?(.*)", re.DOTALL)

TypeNames = list[tuple[str, str]]
"""Types by the file that defines them and their name there."""


@dataclass(frozen=True)
class Tag:
    """One tag, such as `@param {string} name the tool's`.

    Attributes:
        type: As it stands in the braces, imports left out.
        used: The types that it names.
    """

    kind: str
    type: str
    name: str
    text: str
    is_optional: bool
    used: TypeNames


@dataclass(frozen=True)
class Entry:
    """A declaration, or a type, and its words."""

    name: str
    text: str
    is_function: bool = False
    tags: list[Tag] = field(default_factory=list)

    def all(self, *kinds: str) -> list[Tag]:
        """Its tags of these kinds."""
        return [tag for tag in self.tags if tag.kind in kinds]


@cache
def entries(file: str) -> dict[str, Entry]:
    """What is declared in a file of `static/` below words of its own, by its name; the first of a name."""
    found: dict[str, Entry] = {}
    for block in _BLOCK.finditer((STATIC / file).read_text("utf-8")):
        declared = _DECLARED.match(block["code"])
        if not declared or "@typedef" in block["words"]:
            continue
        is_value = declared["kind"] in ("get ", "this.", "class ", "let ")
        is_function = not is_value and (declared["kind"] == "function " or "(" in declared["rest"])
        text, tags = _split(block["words"], file)
        found.setdefault(declared["name"], Entry(declared["name"], text, is_function, tags))
    return found


@cache
def types(file: str) -> dict[str, Entry]:
    """The types that a file defines, by their names; one may stand for another file's."""
    found: dict[str, Entry] = {}
    if not (STATIC / file).is_file():  # a `.d.ts`, whose types are within the library
        return found
    for block in _BLOCK.finditer((STATIC / file).read_text("utf-8")):
        text, tags = _split(block["words"], file)
        for place, tag in enumerate(tags):
            if tag.kind == "typedef":
                properties = tags[place + 1 :] if tag.type == "object" else []
                words = "\n".join(part for part in (text, tag.text) if part)
                found[tag.name] = Entry(tag.name, words, tags=[tag, *_until_the_next(properties)])
    return found


def exported(file: str) -> list[str]:
    """The names that a file exports, in its order."""
    source = (STATIC / file).read_text("utf-8")
    names = (match["many"] or match["one"] for match in _EXPORTED.finditer(source))
    return [name for each in names for name in re.findall(r"\w+", each) if name not in ("async", "function")]


def _until_the_next(tags: list[Tag]) -> list[Tag]:
    places = [place for place, tag in enumerate(tags) if tag.kind == "typedef"]
    return tags[: places[0]] if places else tags


def _split(words: str, file: str) -> tuple[str, list[Tag]]:
    """Part the words from the tags."""
    clean = re.sub(r"^[ \t]*\* ?", "", words.strip(), flags=re.MULTILINE)
    text, *rest = _TAG.split(clean)
    return text.strip(), [_tag(kind, body, file) for kind, body in zip(rest[::2], rest[1::2], strict=True)]


def _tag(kind: str, body: str, file: str) -> Tag:
    shown, body = _type(body)
    name, is_optional = "", False
    if kind in ("param", "property", "typedef"):
        is_optional = body.startswith("[")
        match = _PROPERTY.match(body)
        name, body = match.groups() if match else ("", body)
    text = re.sub(r"\s*\n\s*(?!\s*$)", " ", body).strip()
    return Tag(kind, _IMPORT.sub(r"\2", shown), name, text, is_optional, _used(shown, file))


def _type(body: str) -> tuple[str, str]:
    """Part a type in braces from what follows."""
    if not body.startswith("{"):
        return "", body.strip()
    depth = 0
    for place, letter in enumerate(body):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth == 0:
            return re.sub(r"\s+", " ", body[1:place]), body[place + 1 :].strip()
    raise ValueError(f"a type in JSDoc has no end: {body}")


def _used(shown: str, file: str) -> TypeNames:
    own = re.findall(r"\b[A-Z]\w+", re.sub(r'"[^"]*"', "", _IMPORT.sub("", shown)))
    return [*_IMPORT.findall(shown), *((file, name) for name in own)]
