"""The page's modules for a static host: a folder named by their content, and an entry for each public one.

An entry imports all that its module is going to import, so that a browser asks for all of it at once.
"""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from webtools.cli.files.folder import DIGITS, INDEX
from webtools.cli.sources.bundle import ENTRIES

__all__ = ["write_modules"]

_IMPORT = re.compile(r'\b(?:from|import)"\./([\w.-]+\.js)"')
"""As `ensure_library` has them; a dynamic `import()` is for what few pages need."""


def write_modules(library: Path, target: Path, index: str, packages: Mapping[str, bytes]) -> str:
    """Write the library's modules below a folder, and their entries into it.

    Args:
        library: What `ensure_library` gave.
        target: What pages see as `/webtools/`.
        index: The runtime's, its paths relative to the folder `runtime/` beside the modules, where they
            look for it.
        packages: The files of the index of wheels, which the modules look for in `packages/` beside them.

    Returns:
        The name of the modules' folder; the same content has the same name.
    """
    modules = {path.name: path.read_bytes() for path in sorted(library.glob("*.js"))}
    together = hashlib.sha256(index.encode())
    beside = {f"packages/{name}": content for name, content in packages.items()}
    for name, content in (modules | beside).items():
        together.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    folder = f"lib-{together.hexdigest()[:DIGITS]}"
    (target / folder / "runtime").mkdir(parents=True)
    for name, content in (modules | beside).items():
        path = target / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (target / folder / "runtime" / INDEX).write_text(index, "utf-8")
    for entry in ENTRIES:
        needed = _reached(library, entry)
        lines = [f'import "./{folder}/{name}";' for name in sorted(needed - {entry})]
        lines.append(f'export * from "./{folder}/{entry}";')
        (target / entry).write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def _reached(library: Path, entry: str) -> set[str]:
    """Name a module and all that it imports."""
    reached: set[str] = set()
    ahead = {entry}
    while ahead:
        name = ahead.pop()
        reached.add(name)
        ahead |= {*_IMPORT.findall((library / name).read_text("utf-8"))} - reached
    return reached
