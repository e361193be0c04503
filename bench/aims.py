"""What was aimed at, and whether a run has reached it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from rich.table import Table

from bench.rows import Row

__all__ = ["AIMS", "Aim", "Reached", "aims_table", "reached"]


class Aim(NamedTuple):
    """At most so much, of webtools in a group of rows: its ratio to the group's first, or its median."""

    kind: str
    group: str
    most: float
    of: str = "ratio"


AIMS = (
    *(Aim("tools", f"{visit}, unthrottled", 1.3) for visit in ("first visit", "second visit")),
    Aim("answer", "answer, first visit, unthrottled", 0.35),
    Aim("answer", "answer, first visit, 20 Mbit/s", 0.75),
    Aim("answer", "answer, second visit, unthrottled", 0.25),
    *(
        Aim("answer", f"longest task, {visit}, unthrottled", 150, "median")
        for visit in ("first visit", "second visit")
    ),
    Aim("calls", "text, 100 characters", 1.35),
    Aim("calls", "text, 10,000 characters", 2),
    Aim("calls", "100 records", 2),
)


class Reached(NamedTuple):
    """An aim, and the figure that a run gave."""

    aim: Aim
    value: float

    @property
    def is_reached(self) -> bool:
        """Whether it is no more than was aimed at."""
        return self.value <= self.aim.most


def reached(results: Mapping[str, Any], aims: Iterable[Aim] = AIMS) -> list[Reached]:
    """Compare a run with the aims; those whose kind it has not measured are left out.

    Args:
        results: What `python -m bench` keeps.
        aims: In the order in which they are given.
    """
    found: list[Reached] = []
    for aim in aims:
        rows: list[Row] = results[aim.kind]["rows"] if aim.kind in results else []
        for row in rows:
            value = row["ratio"] if aim.of == "ratio" else row["median"]
            if (row["group"], row["name"]) == (aim.group, "webtools") and value is not None:
                found.append(Reached(aim, value))
    return found


def aims_table(found: Iterable[Reached]) -> Table:
    """Make the table of it."""
    table = Table("", "", "at most", "it is", "", title="aims", title_justify="left")
    for each in found:
        kind, group, most, of = each.aim
        unit = " ×" if of == "ratio" else " ms"
        figures = (f"{most:g}{unit}", f"{each.value:.3g}{unit}")
        table.add_row(kind, group, *figures, "reached" if each.is_reached else "missed")
    return table
