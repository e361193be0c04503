"""Folders as the command line names them.

One of the examples that come with webtools is `examples/shop`, wherever there is no such folder.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cyclopts import Token

from webtools.cli.sources.installation import SOURCE

__all__ = ["folder_or_example", "folder_to_make", "folder_to_serve"]

_FOLDER = Path("examples")


def folder_or_example(_: object, tokens: Sequence[Token]) -> Path:
    """Convert an argument of the command line, as cyclopts has it done."""
    return folder_to_serve(folder_to_make(_, tokens), SOURCE.examples)


def folder_to_make(_: object, tokens: Sequence[Token]) -> Path:
    """Convert the name of a folder.

    Raises:
        ValueError: It is empty, as of a variable that is not set; a path would make the current folder of it.
    """
    if not tokens[0].value:
        raise ValueError("An empty name is no folder's; the current folder is .")
    return Path(tokens[0].value)


def folder_to_serve(path: Path, examples: Mapping[str, Path]) -> Path:
    """Give a path as it is, or the folder of the example that it names.

    Raises:
        ValueError: It is neither there nor the name of an example.
    """
    if path.parent != _FOLDER or path.exists():
        return path
    if path.name not in examples:
        known = ", ".join(f"{_FOLDER / name}" for name in examples) or "none (nox -s demo makes the shop one)"
        raise ValueError(
            f"There is no folder {path} here, and no example of that name; examples are: {known}"
        )
    return examples[path.name]
