"""Links of pages that GitHub shows in the repository, and the site without it."""

from __future__ import annotations

import os
import re
from pathlib import Path

__all__ = ["from_root", "lead_inward"]

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PROJECT = DOCS / "project"

AMONG_THE_PAGES = {
    ROOT / "README.md": DOCS / "index.md",
    ROOT / "SECURITY.md": PROJECT / "security.md",
    ROOT / "CHANGELOG.md": PROJECT / "changes.md",
    ROOT / "CONTRIBUTING.md": PROJECT / "contributing.md",
}
"""Files of the repository's root, and the pages of the site that have the same."""

_LINK = re.compile(r"\[([^\]]*)\]\(([\w./-]+)(#[^)]*)?\)")


def lead_inward(text: str, page: Path, place: Path | None = None) -> str:
    """Have a text's links lead to pages of the site where it has the same.

    Args:
        text: Markdown.
        page: The file that it stands in, from which its links lead.
        place: The page of the site that shows it; default: the same.
    """

    def inward(link: re.Match[str]) -> str:
        words, path, anchor = link.groups(default="")
        target = Path(os.path.normpath(page.parent / path))
        if target.is_dir():
            return words  # a folder is no page, and no file to load down
        target = AMONG_THE_PAGES.get(target, target)
        return f"[{words}]({os.path.relpath(target, (place or page).parent)}{anchor})"

    return _LINK.sub(inward, text)


def from_root(name: str) -> str:
    """A file of the repository's root, for the page of the site that shows it."""
    page = ROOT / name
    return lead_inward(page.read_text("utf-8"), page, AMONG_THE_PAGES[page])
