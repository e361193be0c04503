"""What apps say of themselves: `[tool.webtools]` in the `pyproject.toml` beside them, or a block in an app.

Source: https://packaging.python.org/en/latest/specifications/inline-script-metadata/
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from webtools.cli.terminal.problems import CommandProblem

__all__ = ["declared", "declared_ignored"]

_PROJECT = "pyproject.toml"
_OPTIONS = ("dependencies", "check")


def declared(folder: Path) -> list[Requirement]:
    """Give the requirements of the apps in a folder, in a fixed order; not those in folders below it.

    Raises:
        CommandProblem: One cannot be read.
    """
    found = {str(each): each for each in (*_of_project(folder / _PROJECT), *_of_apps(folder))}
    return [found[text] for text in sorted(found)]


def declared_ignored(folder: Path) -> list[str]:
    """Give the rules that `webtools check` leaves out for a folder's apps: ``check.ignore = ["long-name"]``.

    Raises:
        CommandProblem: They cannot be read.
    """
    project = folder / _PROJECT
    check = _table(project).get("check", {})
    ignored = check.get("ignore", []) if isinstance(check, dict) and check.keys() <= {"ignore"} else None
    if not isinstance(ignored, list) or not all(isinstance(rule, str) for rule in ignored):
        raise CommandProblem(
            f'{project}: check has a list of rules to leave out, such as check.ignore = ["long-name"]'
        )
    return ignored


def _of_project(project: Path) -> Iterator[Requirement]:
    yield from _requirements(_table(project).get("dependencies", []), project)


def _table(project: Path) -> dict[str, Any]:
    if not project.is_file():
        return {}
    table = _toml(_read(project), project).get("tool", {}).get("webtools", {})
    if not isinstance(table, dict):
        raise CommandProblem(
            f"{project}: [tool.webtools] must be a table; write dependencies = [...] below it"
        )
    unknown = [name for name in table if name not in _OPTIONS]
    if unknown:
        raise CommandProblem(f"{project}: [tool.webtools] has no {unknown[0]}; it has: {', '.join(_OPTIONS)}")
    return table


def _of_apps(folder: Path) -> Iterator[Requirement]:
    for path in sorted(folder.glob("[!.]*.py")):  # editors' own links and copies begin with a dot
        if not path.is_file():
            continue
        source = _read(path, errors="replace")  # a script that is none of ours may have another encoding
        block = _block(source, path)
        if block is not None and _is_app(source):
            yield from _requirements(_toml(block, path).get("dependencies", []), path)


def _block(source: str, path: Path) -> str | None:
    """Give the text of the comment that begins with `# /// script`."""
    lines = [line.rstrip() for line in source.splitlines()]
    begins = [number for number, line in enumerate(lines) if line == "# /// script"]
    if len(begins) > 1:
        raise CommandProblem(f'{path} has two blocks "# /// script"; make one of them')
    if not begins:
        return None
    inside = list(takewhile(lambda line: re.match(r"#( |$)", line), lines[begins[0] + 1 :]))
    if "# ///" not in inside:
        raise CommandProblem(f'{path}: the block "# /// script" has no end; close it with "# ///"')
    return "\n".join(line[2:] for line in inside[: inside.index("# ///")])


def _is_app(source: str) -> bool:
    """Whether it imports webtools, as whatever defines tools does; another script is none of ours."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return False  # the page will say so
    imported: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            imported.append(node.module or "")
    return any(name.partition(".")[0] == "webtools" for name in imported)


def _requirements(texts: Any, path: Path) -> Iterable[Requirement]:
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise CommandProblem(f'{path}: dependencies must be a list of texts, such as ["humanize>=4"]')
    for text in texts:
        try:
            need = Requirement(text)
        except InvalidRequirement as error:
            raise CommandProblem(
                f"{path}: {text!r} is no requirement; write a name, or one with versions, such as humanize>=4"
            ) from error
        need.name = canonicalize_name(need.name)
        yield need


def _toml(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CommandProblem(f"{path} cannot be read ({error}); mend its TOML") from error


def _read(path: Path, errors: str = "strict") -> str:
    try:
        return path.read_bytes().decode("utf-8-sig", errors)
    except OSError as error:
        raise CommandProblem(f"Cannot read {path} ({error.strerror}); give permission") from error
    except UnicodeDecodeError as error:
        raise CommandProblem(f"{path} is no UTF-8 text; save it as such") from error
