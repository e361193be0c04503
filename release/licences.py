"""The licences of what is in the wheel and is other people's, as their own packages tell them.

Each text is copied from the package that has it; nothing is written down here that could become wrong.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

from webtools.cli.terminal.problems import CommandProblem

__all__ = ["NOTICES", "write_licences"]

NOTICES = "NOTICES.md"
"""The list; the texts lie beside it."""

_FROM_NPM = ("pyodide", "react", "react-dom", "scheduler")
"""What of npm's packages is in the wheel: Python for pages, and what the example shop has bundled."""
_TEXT = re.compile(r"(LICEN[CS]E|COPYING|NOTICE)[^/]*$", re.IGNORECASE)
_COPYRIGHT = re.compile(rb"[ -~]*\bCopyright (?:\(c\) )?\d{4}[ -~]*|\(c\) Copyright [ -~]*")


@dataclass(frozen=True)
class _Part:
    """Somebody's work: its name and version, what it says of its licence, where it is from, and texts."""

    name: str
    version: str
    licence: str
    home: str
    texts: Mapping[str, str]


def write_licences(
    folder: Path, *, wheels: Iterable[Path], packages: Path, wasm: Path, info: Mapping[str, str]
) -> None:
    """Write the list of all parts, and their licences' texts.

    Args:
        folder: To be made.
        wheels: Those that pages get.
        packages: npm's `node_modules`.
        wasm: Pyodide's WebAssembly, in which there is more than it tells apart.
        info: What Pyodide's own lock says of its build.

    Raises:
        CommandProblem: A part has no text of its licence, and no other part has it, either.
    """
    wheels = list(wheels)
    parts = [*(_of_wheel(each) for each in wheels), *(_of_npm(packages / name) for name in _FROM_NPM)]
    folder.mkdir()
    lines = ["# What is in this wheel, and whose it is", ""]
    lines += ["webtools itself: MIT, see LICENSE. Beside it, each with what its own package says:", ""]
    lines += ["| part | version | licence | text | from |", "|---|---|---|---|---|"]
    for part in sorted(parts, key=lambda each: each.name.lower()):
        texts = _write_texts(folder, part) or [_same_licence(part, parts)]
        cells = (part.name, part.version, part.licence, ", ".join(texts), part.home)
        lines.append(f"| {' | '.join(cells)} |")
    lines += _in_wasm(wasm, info)
    lines += _in_rust(wheels)
    (folder / NOTICES).write_text("\n".join(lines) + "\n", "utf-8", newline="\n")


def _of_wheel(wheel: Path) -> _Part:
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        about = message_from_bytes(archive.read(next(n for n in names if n.endswith(".dist-info/METADATA"))))
        texts = {name: archive.read(name).decode("utf-8") for name in names if _TEXT.search(name)}
    # Before there were expressions, some put the whole text there.
    licence = (about["License-Expression"] or about["License"] or "see its text").splitlines()[0]
    return _Part(about["Name"], about["Version"], licence, _home(about), texts)


def _home(about: Message) -> str:
    urls = [url.partition(", ")[2] for url in about.get_all("Project-URL", [])]
    urls = [url for url in urls if "/sponsors/" not in url]
    code = [url for url in urls if re.match(r"https://github\.com/[^/]+/[^/]+/?$", url)]
    return next(iter([*code, *urls]), about["Home-page"] or "")


def _of_npm(package: Path) -> _Part:
    about = json.loads((package / "package.json").read_text("utf-8"))
    texts = {path.name: path.read_text("utf-8") for path in package.iterdir() if _TEXT.search(path.name)}
    home = about["repository"]["url"].removeprefix("git+").removesuffix(".git")
    return _Part(about["name"], about["version"], about["license"], home, texts)


def _write_texts(folder: Path, part: _Part) -> list[str]:
    written = []
    for path, text in sorted(part.texts.items()):
        inside = path.rpartition("/")[0].rpartition("/")[2].removesuffix("licenses")
        plain = "-".join(filter(None, [part.name, inside if "." not in inside else "", Path(path).name]))
        (folder / f"{plain}.txt").write_text(text, "utf-8", newline="\n")
        written.append(f"{plain}.txt")
    return written


def _same_licence(part: _Part, parts: Sequence[_Part]) -> str:
    """Name another part's text: Pyodide's npm package has none, but micropip, of the same people, has."""
    words = {"MPL-2.0": "Mozilla Public License Version 2.0"}
    for other in parts:
        for path, text in other.texts.items():
            if text.lstrip().startswith(words.get(part.licence, "\0")):
                return f"{other.name}-{Path(path).name}.txt"
    raise CommandProblem(
        f"{part.name} has no text of its licence, {part.licence}; add it to release/licences.py"
    )


def _in_wasm(wasm: Path, info: Mapping[str, str]) -> Iterator[str]:
    """Say what is in Pyodide's binary, by the copyright notices in it."""
    emscripten = info["platform"].removeprefix("emscripten_").replace("_", ".")
    yield from ("", "## In Pyodide's WebAssembly and standard library", "")
    yield f"CPython {info['python']}, whose licence is the text of PSF-2.0 above; built by Emscripten"
    yield f"{emscripten} with its C library, musl:"
    yield ""
    for text in ("LICENSE", "system/lib/libc/musl/COPYRIGHT"):
        yield f"- <https://github.com/emscripten-core/emscripten/blob/{emscripten}/{text}>"
    yield from ("", "The binary's own notices:", "")
    found = {match.decode("ascii").strip() for match in _COPYRIGHT.findall(wasm.read_bytes())}
    yield from (f"- {notice}" for notice in sorted(found))
    yield ""
    yield "The sources of all of it, and how it is built, are in Pyodide's repository, at its version's tag."


def _in_rust(wheels: Iterable[Path]) -> Iterator[str]:
    """List what wheels of native code say of their own parts, in their bills of materials."""
    for wheel in wheels:
        with ZipFile(wheel) as archive:
            bills = [
                json.loads(archive.read(name))
                for name in archive.namelist()
                if name.endswith(".cyclonedx.json")
            ]
        for bill in bills:
            yield from ("", f"## Compiled into {bill['metadata']['component']['name']}", "")
            yield from sorted({_crate(each) for each in bill["components"]})


def _crate(component: Mapping[str, object]) -> str:
    licences = component.get("licenses")
    told = [
        str(
            each.get("expression") or each.get("license", {}).get("id") or each.get("license", {}).get("name")
        )
        for each in (licences if isinstance(licences, list) else [])
    ]
    return f"- {component['name']} {component['version']}: {', '.join(told) or 'not told'}"
