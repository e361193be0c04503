"""What the bench makes of its measurements; it measures nothing here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench.aims import AIMS, Aim, reached
from bench.picture import draw
from bench.rows import Row, compare
from bench.visits import NETWORKS, VISITS


def test_a_ratio_is_the_median_of_the_rounds_own_ratios() -> None:
    base, ours = compare("call", "µs", {"JavaScript": [100, 200, 1000], "webtools": [150, 400, 1500]})
    assert (base["ratio"], base["ratio_min"], base["ratio_max"]) == (1, 1, 1)
    assert (ours["ratio"], ours["ratio_min"], ours["ratio_max"]) == (1.5, 1.5, 2)
    assert (ours["median"], ours["min"], ours["max"]) == (400, 150, 1500)


@pytest.mark.parametrize("taken", [{"webtools": [5.0]}, {"base": [0.0], "webtools": [5.0]}])
def test_where_there_is_nothing_to_compare_with_there_is_no_ratio(taken: dict[str, list[float]]) -> None:
    *_, ours = compare("longest task", "ms", taken)
    assert (ours["median"], ours["ratio"]) == (5, None)


def test_the_same_figures_give_the_same_picture_with_the_text_of_each_bar(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        draw(results(), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    drawn = (tmp_path / "one.svg").read_text("utf-8")
    assert "1,234" in drawn  # matplotlib writes each text into a comment beside its outlines


def test_a_run_says_which_aims_it_has_reached_of_what_it_has_measured() -> None:
    calls = compare("text", "µs", {"JavaScript": [100], "webtools": [150]})
    tasks = compare("longest task", "ms", {"plain Pyodide": [0], "webtools": [90]})
    measured = {"calls": {"rows": calls}, "answer": {"rows": tasks}}
    aims = (
        Aim("calls", "text", 1.35),
        Aim("answer", "longest task", 150, "median"),
        Aim("tools", "first visit", 1.3),
    )
    found = reached(measured, aims)
    assert [(each.aim.kind, each.value, each.is_reached) for each in found] == [
        ("calls", 1.5, False),
        ("answer", 90, True),
    ]


def test_each_aim_is_a_row_of_the_bench_or_a_longest_task() -> None:
    found = reached(results())
    assert [aim for aim in AIMS if aim.of == "ratio"] == [each.aim for each in found]


def results() -> dict[str, Any]:
    names = {
        "tools": ("registerTool by hand", "usewebmcp on React", "webtools"),
        "answer": ("plain Pyodide", "PyScript", "webtools"),
        "calls": ("JavaScript", "JavaScript, zod", "JavaScript, ajv", "webtools"),
        "scale": ("JavaScript", "webtools"),
    }
    visits = [f"{visit}, {network}" for visit in VISITS for network in NETWORKS]
    groups = {
        "tools": visits,
        "answer": [f"answer, {visit}" for visit in visits],
        "calls": ["text, 100 characters", "text, 10,000 characters", "100 records"],
        "scale": ["call among 1 tools", "call among 10 tools"],
    }
    return {kind: {"machine": "a machine", "rows": rows(groups[kind], names[kind])} for kind in names}


def rows(groups: list[str], names: tuple[str, ...]) -> list[Row]:
    return [
        row for group in groups for row in compare(group, "ms", {name: [1233, 1234, 1235] for name in names})
    ]
