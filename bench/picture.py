"""Draws the figures that matter most, for docs/speed.md."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.rows import Row
from bench.visits import NETWORKS, VISITS

__all__ = ["KINDS", "draw"]

KINDS = ("tools", "answer", "calls", "scale")
"""What it needs."""

COLOURS = {"webtools": "#0b6e4f", "PyScript": "#9aa5b1", "usewebmcp on React": "#9aa5b1"}
BASE = "#cbd2d9"
INK, FAINT = "#1f2933", "#7b8794"
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": BASE,
    "axes.labelcolor": FAINT,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.hashsalt": "webtools",  # the same figures give the same file
}
ROW_HEIGHT = 0.8
"""Of a group's bars together."""

Figures = Mapping[str, Mapping[str, Row]]
"""Rows by group and name."""


def draw(results: Mapping[str, Any], target: Path) -> None:
    """Write the picture, an SVG.

    Args:
        results: What `python -m bench` keeps; it has all `KINDS`.
        target: Where it is written.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(10, 8.2), layout="constrained")
        panels = figure.subplots(
            2, 2, gridspec_kw={"height_ratios": [1.45, 1], "hspace": 0.08, "wspace": 0.08}
        )
        tools_panel(panels[0][0], by_group(results, "tools"))
        answer_panel(panels[0][1], by_group(results, "answer"))
        calls_panel(panels[1][0], by_group(results, "calls"))
        scale_panel(panels[1][1], by_group(results, "scale"))
        figure.text(
            0.5,
            -0.02,
            f"Medians, lines from the least to the greatest of all rounds. {results['answer']['machine']}.",
            ha="center",
            color=FAINT,
        )
        figure.savefig(target, bbox_inches="tight", metadata={"Date": None}, facecolor="white")


def by_group(results: Mapping[str, Any], kind: str) -> Figures:
    """Give a kind's rows by their groups and names."""
    rows: list[Row] = results[kind]["rows"]
    return {
        row["group"]: {other["name"]: other for other in rows if other["group"] == row["group"]}
        for row in rows
    }


def tools_panel(axes: Axes, figures: Figures) -> None:
    """From navigation until an agent finds the tools."""
    title(axes, "Until an agent finds the page's ten tools", "ms, less is better")
    bars(axes, {group: figures[group] for group in visits_of("")})


def answer_panel(axes: Axes, figures: Figures) -> None:
    """From navigation until Python's first answer."""
    title(axes, "Until a tool in Python gives its first answer", "ms, less is better")
    bars(axes, {group.removeprefix("answer, "): figures[group] for group in visits_of("answer, ")})


def visits_of(prefix: str) -> list[str]:
    """Name the groups of all visits."""
    return [f"{prefix}{visit}, {network}" for visit in VISITS for network in NETWORKS]


def bars(axes: Axes, figures: Figures) -> None:
    """Draw a row of bars for each group, the first on top."""
    names = list(next(iter(figures.values())))
    height = ROW_HEIGHT / len(names)
    for row, name in enumerate(names):
        places = [group - ROW_HEIGHT / 2 + height * (row + 0.5) for group in range(len(figures))]
        rows = [figure[name] for figure in figures.values()]
        medians = [each["median"] for each in rows]
        axes.barh(places, medians, height * 0.9, color=COLOURS.get(name, BASE), label=name)
        axes.errorbar(medians, places, xerr=spans(rows), fmt="none", ecolor=INK, elinewidth=0.7)
        for place, each in zip(places, rows, strict=True):
            weight = "bold" if name == "webtools" else "normal"
            axes.annotate(
                f"{each['median']:,.0f}",
                (each["max"], place),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=7.5,
                fontweight=weight,
            )
    axes.set_yticks(range(len(figures)), [group.replace(", ", "\n") for group in figures])
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.tick_params(left=False, bottom=False, labelbottom=False)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, -0.1), ncols=len(names))


def calls_panel(axes: Axes, figures: Figures) -> None:
    """What a call costs, as multiples of a tool in JavaScript."""
    title(
        axes,
        "A call, as a multiple of the same tool in JavaScript",
        "× by the characters of its input, less is better",
    )
    texts = {group: figure for group, figure in figures.items() if group.startswith("text, ")}
    sizes = [group.removeprefix("text, ").removesuffix(" characters") for group in texts]
    for name, colour in {
        "webtools": COLOURS["webtools"],
        "JavaScript, zod": FAINT,
        "JavaScript, ajv": BASE,
    }.items():
        ratios = [figure[name]["ratio"] or 0 for figure in texts.values()]
        axes.plot(sizes, ratios, "o-", color=colour, label=name)
        if name == "webtools":
            points(axes, [f"{ratio:.2f} ×" for ratio in ratios], ratios)
    axes.axhline(1, color=BASE, linewidth=0.8, linestyle=":")
    lines(axes)


def scale_panel(axes: Axes, figures: Figures) -> None:
    """What a call costs among many tools."""
    title(axes, "A call of 100 characters among many tools", "µs by the number of tools, less is better")
    among = {group: figure for group, figure in figures.items() if group.startswith("call among ")}
    counts = [group.removeprefix("call among ").removesuffix(" tools") for group in among]
    for name, colour in {"webtools": COLOURS["webtools"], "JavaScript": FAINT}.items():
        rows = [figure[name] for figure in among.values()]
        medians = [each["median"] for each in rows]
        axes.errorbar(counts, medians, yerr=spans(rows), fmt="o-", color=colour, label=name, elinewidth=0.7)
        points(axes, [f"{median:,.0f}" for median in medians], [each["max"] for each in rows])
    lines(axes)


def spans(rows: list[Row]) -> list[list[float]]:
    """Give the error bars, downwards and upwards."""
    return [
        [each["median"] - each["min"] for each in rows],
        [each["max"] - each["median"] for each in rows],
    ]


def points(axes: Axes, texts: list[str], heights: list[float]) -> None:
    """Write beside each point."""
    for place, (text, height) in enumerate(zip(texts, heights, strict=True)):
        axes.annotate(
            text, (place, height), xytext=(0, 5), textcoords="offset points", ha="center", fontsize=7.5
        )


def lines(axes: Axes) -> None:
    """Give a panel of lines its frame; it begins at zero."""
    axes.margins(x=0.12)
    axes.set_ylim(0, axes.get_ylim()[1] * 1.1)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(bottom=False, left=False)
    axes.legend(frameon=False, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, -0.32), ncols=3)


def title(axes: Axes, text: str, unit: str) -> None:
    """Head a panel."""
    axes.set_title(f"{text}\n", loc="left", fontsize=10.5, fontweight="bold")
    axes.text(0, 1.015, unit, transform=axes.transAxes, fontsize=8, color=FAINT)
