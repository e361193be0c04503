"""`docs/errors.md` has every code that an agent can read; `e2e/test_error_codes.py` tries each."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from webtools.tools import codes

ROOT = Path(__file__).parents[2]

NO_CODES = {
    "DOCUMENT_CHANGED",  # an example of an author's
    "PYODIDE_ABI_VERSION",  # of the settings of a Python that the page has
    "REGISTRATION_FAILED",  # read by a React component; no call is answered so
    # variables of the environment
    "WAYLAND_DISPLAY",
    "WEBTOOLS_CACHE",
    "WEBTOOLS_CHROMIUM",
    "WEBTOOLS_DEBUG",
}


def python_words() -> Iterator[str]:
    authors = (ROOT / "webtools" / "cli" / "templates").rglob("*.py")
    for file in {*(ROOT / "webtools").rglob("*.py")} - {Path(codes.__file__), *authors}:
        module = ast.parse(file.read_text())
        for node in ast.walk(ast.Module([part for part in module.body if not is_list_of_exports(part)], [])):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def is_list_of_exports(part: ast.stmt) -> bool:
    """Whether it is `__all__`, whose words name constants of Python's."""
    return isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__all__"


def javascript_words() -> Iterator[str]:
    for file in (ROOT / "static").glob("*.js"):
        yield from re.findall(r'"(\w+)"', file.read_text())


def documented() -> list[str]:
    return re.findall(r"^\| `(\w+)`", (ROOT / "docs" / "errors.md").read_text(), re.MULTILINE)


def test_the_docs_have_the_codes_of_the_source() -> None:
    words = {*python_words(), *javascript_words()}
    in_source = {word for word in words if re.fullmatch(r"[A-Z]+_[A-Z_]+|CANCELLED", word)} - NO_CODES
    assert sorted(documented()) == sorted(in_source)


def test_the_list_of_the_codes_is_that_of_the_docs() -> None:
    assert list(codes.CODES) == sorted(documented())
