"""docs/support.json, of which the page on browser support is made, speaks of tests that there are."""

from __future__ import annotations

import json

from docs.making.support import REQUIREMENTS, RESULTS, THE_TABLE, names_of_tests, table

TESTS: dict[str, dict[str, dict[str, str]]] = json.loads(RESULTS.read_text("utf-8"))["tests"]


def test_every_result_is_of_a_test_that_there_is() -> None:
    named = {file: set(found) for file, found in TESTS.items() if file != THE_TABLE}
    assert {
        file: names - names_of_tests(file) for file, names in named.items() if names - names_of_tests(file)
    } == {}


def test_every_result_of_a_requirement_is_of_one_that_there_is() -> None:
    known = {each["id"] for each in json.loads(REQUIREMENTS.read_text("utf-8"))}
    assert set(TESTS[THE_TABLE]) - known == set()


def test_a_requirement_without_a_result_is_said_not_to_have_been_run() -> None:
    row = next(line for line in table().splitlines() if line.startswith("| R01 "))
    assert ("not run" in row) is ("firefox" not in TESTS[THE_TABLE]["R01"])
