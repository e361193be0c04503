"""Make an author's new project of a template: a page, its tools in Python, and tests that pass."""

import shutil
import unicodedata
from pathlib import Path
from typing import Literal

from webtools.cli.sources.installation import SOURCE
from webtools.cli.terminal.problems import CommandProblem

__all__ = ["Template", "make_project"]

Template = Literal["page", "react", "pyscript"]

TEMPLATES = Path(__file__).with_name("templates")

_PLACEHOLDER = "__NAME__"


def make_project(directory: Path, template: Template) -> None:
    """Fill a folder, made if there is none.

    Raises:
        CommandProblem: It has something in it, has no name that a page can have, or cannot be written to.
    """
    name = directory.resolve().name
    if not _is_name(name):
        raise CommandProblem(
            f"{name!r} cannot be the name of a page; choose one of letters, digits, spaces, dots, - and _ "
            "that begins with a letter or a digit"
        )
    more = {"site/vendor/react.js": _react()} if template == "react" else {}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise CommandProblem(f"{directory} is not empty; name a folder that is not there yet")
        _fill(directory, TEMPLATES / template, name, more)
    except FileExistsError as error:
        raise CommandProblem(f"{directory} is a file; name a folder that is not there yet") from error
    except OSError as error:
        raise CommandProblem(
            f"Cannot write to {directory} ({error.strerror}); give permission, or choose another folder"
        ) from error


def _is_name(text: str) -> bool:
    """Tell letters by Unicode: those of some scripts, and of file names on macOS, have marks that follow."""
    kinds = [unicodedata.category(each)[0] for each in text]
    return (
        bool(kinds)
        and kinds[0] in "LN"
        and all(kind in "LMN" or each in " .-_" for kind, each in zip(kinds, text, strict=True))
    )


def _fill(directory: Path, template: Path, name: str, more: dict[str, Path]) -> None:
    for source in sorted(template.rglob("*")):
        if source.is_file() and "__pycache__" not in source.parts:
            target = directory / source.relative_to(template)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text("utf-8").replace(_PLACEHOLDER, name)
            target.write_text(text, "utf-8", newline="\n")
    for path, source in more.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, directory / path)


def _react() -> Path:
    """React as one module, which it does not come as; the example has it."""
    shop = SOURCE.examples.get("shop")
    if shop is None:
        raise CommandProblem(
            "React is not here yet to be copied; in the clone of webtools, run once: python3 -m nox -s demo"
        )
    return shop / "vendor" / "react.js"
