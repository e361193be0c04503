"""SECURITY.md: each mechanism that it names is there, and so is each test that has tried the attack."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
SHOWN = sorted(set(re.findall(r"`((?:tests|e2e)/[\w/.]+)::([^`]+)`", TEXT)))
FILES = sorted(set(re.findall(r"`((?:static|webtools|tests|e2e)/[\w/.-]+\.\w+)", TEXT)))
ADVERSARIES = [
    "A hostile agent",
    "Hostile page data",
    "A hostile frame",
    "A hostile package",
    "A hostile tab",
]


@pytest.mark.parametrize(("file", "name"), SHOWN)
def test_a_test_that_is_named_exists(file: str, name: str) -> None:
    wanted = f"def {name}(" if file.endswith(".py") else name
    assert wanted in (ROOT / file).read_text("utf-8")


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_named_exists(file: str) -> None:
    assert (ROOT / file).is_file()


@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_of_each_adversary_it_says_what_stops_it_and_what_remains(adversary: str) -> None:
    part = TEXT.partition(f"### {adversary}\n")[2].partition("\n### ")[0]
    assert len(re.findall(r"\.(?:py|mjs)::", part)) >= 3
    assert "What remains" in part


LISTENS = re.compile(r"""(\S*)\bonmessage\b|(\S*)addEventListener\(\s*["']message["']""")

OWN = {"port1.", "this.#news.", "channel.port1."}
"""Ports that no other document has, and the broadcasts of our own origin (see "A hostile tab")."""


def test_no_module_listens_to_messages_of_windows() -> None:
    sources = list((ROOT / "static").glob("*.js"))
    assert len(sources) > 50
    heard = {"".join(who) for path in sources for who in LISTENS.findall(path.read_text("utf-8"))}
    assert heard == OWN
