"""The blocks of code in the documentation."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

_BLOCK = re.compile(
    r"(?:^`(?P<file>[\w./]+)`:?\n\n)?^```(?P<language>\w+)(?: (?P<mark>\w+))?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """One block.

    Attributes:
        line: Where it begins in the page.
        mark: What stands after the language; `fragment`: it is no whole of its language.
        file: The name of the file that it shows, on the line above it.
    """

    page: Path
    line: int
    language: str
    mark: str | None
    file: str | None
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """What people read: the documentation and what lies at the repository's root."""
    return sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in its order."""
    text = page.read_text("utf-8")
    return [
        Block(page, text.count("\n", 0, found.start("text")), **found.groupdict())
        for found in _BLOCK.finditer(text)
    ]


def as_one_module(page: Path) -> ModuleType:
    """Run the Python of a page, one block after the other: what they define."""
    module = ModuleType(f"docs_{page.stem}")
    sys.modules[module.__name__] = module  # where annotations are looked up
    for block in blocks(page):
        if block.language == "python" and not block.mark and not block.file:
            exec(compile(block.text, str(block), "exec", dont_inherit=True), module.__dict__)
    return module


def files_of(page: Path) -> dict[str, str]:
    """The files that a page shows, each as it is in the end."""
    return {block.file: block.text for block in blocks(page) if block.file}
