"""What of an author's folder the world sees, and which of it are pages."""

import shutil
from collections.abc import Iterator
from pathlib import Path

__all__ = ["copy_shown", "has_page", "is_shown", "pages_in"]

_PAGES = frozenset({".htm", ".html"})


def copy_shown(directory: Path, site: Path) -> None:
    """Copy what `webtools serve` shows of a folder, but for what Python leaves behind (`__pycache__`)."""
    site.mkdir()
    for path in sorted(directory.rglob("*")):
        parts = path.relative_to(directory).parts
        if path.is_file() and "__pycache__" not in parts and is_shown(path, directory):
            copy = site.joinpath(*parts)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def is_shown(path: Path, directory: Path) -> bool:
    """Tell whether neither the file nor what it links to is hidden, or elsewhere."""
    found = path.resolve()
    if not found.is_relative_to(directory.resolve()):
        return False
    parts = (*path.relative_to(directory).parts, *found.relative_to(directory.resolve()).parts)
    return not any(part.startswith(".") for part in parts)


def has_page(folder: Path) -> bool:
    """Tell whether there is anything to open."""
    return any(pages_in(folder))


def pages_in(folder: Path) -> Iterator[Path]:
    """Find the pages in a folder and those below it, hidden ones too, in a fixed order."""
    yield from sorted(path for path in folder.rglob("*") if path.suffix in _PAGES)
