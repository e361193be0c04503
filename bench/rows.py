"""Rows of the table: what was measured of several that do the same, in rounds that took turns."""

from __future__ import annotations

import statistics
from typing import TypedDict

from rich.table import Table

__all__ = ["Row", "compare", "table_of"]


class Row(TypedDict):
    """One figure.

    `ratio` is the median of the rounds' ratios to the base, which is the first of its group; None where there
    is nothing to compare with.
    """

    group: str
    name: str
    unit: str
    median: float
    min: float
    max: float
    ratio: float | None
    ratio_min: float | None
    ratio_max: float | None


def compare(group: str, unit: str, taken: dict[str, list[float]]) -> list[Row]:
    """Make the rows of a group; the first name is the base of the ratios."""
    base = next(iter(taken.values()))
    return [_row(group, unit, name, values, base if len(taken) > 1 else []) for name, values in taken.items()]


def _row(group: str, unit: str, name: str, values: list[float], base: list[float]) -> Row:
    # what is below the clock's grain, such as a longest task that nobody noticed, has no ratio
    ratios = [value / of for value, of in zip(values, base, strict=False) if of > 0]
    return {
        "group": group,
        "name": name,
        "unit": unit,
        "median": statistics.median(values),
        "min": min(values),
        "max": max(values),
        "ratio": statistics.median(ratios) if ratios else None,
        "ratio_min": min(ratios, default=None),
        "ratio_max": max(ratios, default=None),
    }


def table_of(kind: str, rows: list[Row]) -> Table:
    """Make a kind's table."""
    table = Table("", "", "median", "min–max", "×", "min–max", title=kind, title_justify="left")
    for number, column in enumerate(table.columns):
        column.no_wrap, column.justify = True, "right" if number > 1 else "left"
    group = ""
    for row in rows:
        if row["group"] != group:
            table.add_section()
        ratio, span = ("", "") if row["ratio"] is None else (f"{row['ratio']:.2f}", _ratios(row))
        table.add_row(
            row["group"] if row["group"] != group else "",
            row["name"],
            f"{_number(row['median'])} {row['unit']}",
            f"{_number(row['min'])}–{_number(row['max'])}",
            ratio,
            span,
        )
        group = row["group"]
    return table


def _ratios(row: Row) -> str:
    return f"{row['ratio_min']:.2f}–{row['ratio_max']:.2f}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"
