"""Every block of code that people read: Python runs, and the rest is at least what it is said to be.

A block that cannot be run as it stands, since it is cut or needs what is around it, has `fragment` after its
language.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.docs import DOCS, ROOT, Block, as_one_module, blocks, pages
from webtools.cli.app import app

PAGES = pages()
BLOCKS = [block for page in PAGES for block in blocks(page)]

ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def whole(*languages: str) -> list[Block]:
    """The blocks in these languages that are no fragments."""
    return [block for block in BLOCKS if block.language in languages and not block.mark]


@pytest.mark.parametrize("page", sorted({block.page for block in whole("python")}), ids=named)
def test_the_python_of_a_page_runs(page: Path) -> None:
    as_one_module(page)


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "python"], ids=str)
def test_python_has_no_syntax_error(block: Block) -> None:
    ast.parse(block.text)


def test_the_only_mark_is_that_of_a_fragment() -> None:
    assert {block.mark for block in BLOCKS} == {None, "fragment"}


def test_every_javascript_is_javascript(tmp_path: Path) -> None:
    files = {f"{number}.{block.language}": block for number, block in enumerate(whole("js", "jsx", "css"))}
    for name, block in files.items():
        (tmp_path / name).write_text(block.text, "utf-8")
    command = [str(ESBUILD), *files, "--outdir=out", "--log-level=error", "--format=esm"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    wrong = {str(files[name]) for name in re.findall(r"(\d+\.\w+):", done.stderr)}
    assert (wrong, done.returncode) == (set(), 0), done.stderr


@pytest.mark.parametrize("block", whole("json"), ids=str)
def test_json_is_json(block: Block) -> None:
    json.loads(block.text)


class Scripts(HTMLParser):
    """The `data-…` attributes of script tags."""

    def __init__(self) -> None:
        super().__init__()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self.attributes |= {name for name, _ in attrs if name.startswith("data-")}


@pytest.mark.parametrize("block", whole("html"), ids=str)
def test_a_script_tag_says_what_webtools_knows(block: Block) -> None:
    known = set(re.findall(r"`(data-[a-z]+)`", (DOCS / "pages.md").read_text("utf-8")))
    scripts = Scripts()
    scripts.feed(block.text)
    assert scripts.attributes <= known


TYPED = [
    (str(block), line)
    for block in whole("sh")
    for line in re.split(r"\n|&&", block.text.replace("\\\n", " "))
]
LINES = [
    pytest.param(line, id=f"{block}: {line}")
    for block, line in TYPED
    if re.search(r"-m webtools |-m nox -s |^webtools ", line)
]


def test_what_is_to_be_typed_begins_with_a_program() -> None:
    known = {"cd", "cp", "npm", "pytest", "python", "python3", "webtools"}
    assert [(block, line) for block, line in TYPED if line.strip() and line.split()[0] not in known] == []


@pytest.mark.parametrize("line", LINES)
def test_a_command_and_its_options_are_there(line: str) -> None:
    words = line.partition("#")[0].split()
    if "nox" in words:
        session = words[words.index("-s") + 1]
        assert f"@nox.session\ndef {session}(" in (ROOT / "noxfile.py").read_text("utf-8")
        return
    name, *given = words[words.index("webtools") + 1 :]
    known = {name for argument in app[name].assemble_argument_collection() for name in argument.names}
    assert {word.partition("=")[0] for word in given if word.startswith("-")} <= known
