"""The examples that come with webtools: `examples/shop` names one wherever there is no such folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cyclopts import Token

from webtools.cli.installation import SOURCE

__all__ = ["folder_or_example", "folder_to_serve"]

_FOLDER = Path("examples")


def folder_or_example(_: object, tokens: Sequence[Token]) -> Path:
    """Convert an argument of the command line, as cyclopts has it done."""
    return folder_to_serve(Path(tokens[0].value), SOURCE.examples)


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
