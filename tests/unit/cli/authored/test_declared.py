"""What apps say that they need, and what is said of what cannot be read."""

from pathlib import Path

import pytest

from webtools.cli.authored.declared import declared
from webtools.cli.terminal.problems import CommandProblem

BLOCK = """# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "Humanize>=4",
#
#     "xxhash ; sys_platform == 'emscripten'",
# ]
# ///
"""

APP = "from webtools import tool\n"


def texts(folder: Path) -> list[str]:
    return [str(need) for need in declared(folder)]


def test_a_block_in_an_app_names_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_bytes(b"\xef\xbb\xbf" + (BLOCK + APP).replace("\n", "\r\n").encode())
    assert texts(tmp_path) == ["humanize>=4", 'xxhash; sys_platform == "emscripten"']


def test_a_table_beside_the_apps_does_so_for_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "shop"\ndependencies = ["not-for-pages"]\n'
        '[tool.webtools]\ndependencies = ["zed", "attrs[more]<26,>=25"]\n'
    )
    (tmp_path / "shop.py").write_text(APP)
    assert texts(tmp_path) == ["attrs[more]<26,>=25", "zed"]


def test_what_is_said_twice_counts_once_in_a_fixed_order(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.webtools]\ndependencies = ["zed", "Humanize>=4"]\n')
    (tmp_path / "a.py").write_text(BLOCK + "import webtools.testing\n")
    assert texts(tmp_path) == ["humanize>=4", 'xxhash; sys_platform == "emscripten"', "zed"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("build.py", BLOCK + "import json, webtoolsmith\n"),
        ("broken.py", BLOCK + APP + "def f(:\n"),
        ("plain.py", APP),
        ("other.py", BLOCK.replace("/// script", "/// other") + APP),
        ("inside/shop.py", BLOCK + APP),
        ("pyproject.toml", '[project]\nname = "shop"\n'),
        ("empty.py", "# /// script\n# ///\n" + APP),
    ],
)
def test_what_is_no_app_here_or_needs_nothing_names_nothing(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    assert texts(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pyproject.toml", "[tool.webtools", r"pyproject\.toml cannot be read \(.*\); mend its TOML"),
        ("pyproject.toml", "[tool.webtools]\ndependences = []", "has no dependences; it has: dependencies"),
        ("pyproject.toml", '[tool.webtools]\ndependencies = "zed"', "must be a list of texts"),
        ("pyproject.toml", "[tool.webtools]\ndependencies = [1]", "must be a list of texts"),
        ("pyproject.toml", '[tool]\nwebtools = "zed"', r"\[tool\.webtools\] must be a table"),
        ("a.py", "# /// script\n# dependencies = [\n# ///\n" + APP, r"a\.py cannot be read"),
        (
            "a.py",
            '# /// script\n# dependencies = ["zed=4"]\n# ///\n' + APP,
            "'zed=4' is no requirement; write",
        ),
        ("a.py", "# /// script\n# dependencies = []\n" + APP, 'has no end; close it with "# ///"'),
        ("a.py", "# /// script\n# dependencies = []", "has no end"),
        ("a.py", BLOCK + BLOCK + APP, 'has two blocks "# /// script"; make one'),
    ],
)
def test_what_cannot_be_read_is_told_with_the_cure(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CommandProblem, match=said):
        declared(tmp_path)


def test_a_file_that_is_no_text_is_told_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"# \xff")
    with pytest.raises(CommandProblem, match="no UTF-8 text"):
        declared(tmp_path)


def test_scripts_beside_the_apps_may_have_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_bytes(b"# coding: latin-1\n# \xff\n")
    (tmp_path / "shop.py").write_text(BLOCK + APP)
    assert len(texts(tmp_path)) == 2


def test_what_editors_leave_beside_the_apps_is_not_read(tmp_path: Path) -> None:
    (tmp_path / ".#shop.py").symlink_to("ada@desk.4711:1700000000")
    (tmp_path / "._shop.py").write_bytes(b"\0\xff")
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "shop.py").write_text(BLOCK + APP)
    assert len(texts(tmp_path)) == 2
