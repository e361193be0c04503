"""What tool-context.md, §2 says of one call, for every pair of declarations; nothing here is from the code.

A call goes through `STATIONS`. Something arrives at a `Point`, where the call waits, and is seen from there.

One declaration more is a row of `DECLARATIONS`, its places in `STATIONS`, and `pair_rig`'s part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, get_args

Point = Literal[
    "before", "following", "queued", "asked", "resolving", "issuing", "showing", "handler", "after"
]
"""Where the call is when something arrives; "following" waits for another call with its key,
"resolving" for what it wants, "issuing" for what it needs, "showing" for its fields."""

ORDER = (
    "owner",
    "permission",
    "input",
    "idempotency",
    "serial",
    "confirm",
    "wants",
    "needs",
    "show",
    "last look",
)
"""The steps that the code must have."""

STATIONS: dict[str, tuple[str, ...]] = {
    "door": ("owner", "held"),
    "permission": ("permission",),
    "input": ("input",),
    "idempotency": ("argument key", "derived key"),
    "serial": (),
    "current": ("owner", "held", "active"),
    "version before confirm": ("version",),
    "confirm": ("owner", "held", "confirm"),
    "current before wants": ("owner", "held", "active"),
    "wants": ("wants",),
    "current before needs": ("owner", "held", "active"),
    "needs": ("needs",),
    "current before show": ("owner", "held", "active", "version"),
    "show": (),
    "last look": ("owner", "held", "active", "permission", "version"),
    "handler": ("owner", "held", "active"),
}
"""The order of one call, and which declarations' refusals are seen there, the first one's first."""

WAITS: dict[Point, str] = {
    "before": "door",
    "following": "idempotency",
    "queued": "serial",
    "asked": "confirm",
    "resolving": "wants",
    "issuing": "needs",
    "showing": "show",
    "handler": "handler",
}

TIMEOUT, SHORT_TIMEOUT, IDLE_TIMEOUT, ASKING_LIMIT = 60.0, 10.0, 5.0, 120.0


@dataclass(frozen=True)
class Declaration:
    """One row: what an author can declare.

    Attributes:
        code: Of its refusal; None where it refuses nothing.
        needs: The one point that there is only because of it.
        last: The last point at which its refusal can still arrive.
        excludes: Of which other row no tool can have both.
    """

    name: str
    code: str | None = None
    needs: Point | None = None
    last: Point = "after"
    excludes: str = ""


DECLARATIONS = {
    row.name: row
    for row in (
        Declaration("owner", "NOT_OWNER"),
        Declaration("permission", "NOT_ALLOWED"),
        Declaration("input", "INVALID_TOOL_ARGS", last="before"),
        Declaration(
            "argument key", "IDEMPOTENCY_CONFLICT", "following", last="before", excludes="derived key"
        ),
        Declaration("derived key", "IDEMPOTENCY_CONFLICT", "following", last="before"),
        Declaration("serial", needs="queued"),
        Declaration("active", "RESOURCE_CHANGED"),
        Declaration("held", "STALE_TOOL_CALL"),
        Declaration("confirm", "USER_DENIED", "asked", last="asked"),
        Declaration("wants", "ARTIFACT_REFUSED", "resolving", last="resolving"),
        Declaration("needs", "CREDENTIAL_UNAVAILABLE", "issuing", last="issuing"),
        Declaration("fields", needs="showing"),
        Declaration("version", "VERSION_CONFLICT"),
        Declaration("timeout"),
        Declaration("idle timeout"),
        Declaration("errors"),
    )
}
POINTS: tuple[Point, ...] = get_args(Point)
KEYS = {"argument key", "derived key"}

Names = tuple[str, ...]
"""Declarations of one tool."""

COMPANY: dict[Names, tuple[Point, ...]] = {
    ("serial",): ("queued",),
    ("serial", "confirm"): ("queued", "asked"),
}
"""What is declared, too, so that a call of any pair waits there."""

PAIRS: list[Names] = [
    (one, other)
    for one, other in combinations(DECLARATIONS, 2)
    if DECLARATIONS[one].excludes != other and DECLARATIONS[other].excludes != one
]

Event = Literal["nothing", "refusal", "abort", "stale", "renewed", "deadline", "idle", "limit"]


@dataclass(frozen=True)
class Cell:
    """What arrives, and where.

    Attributes:
        names: What the tool declares.
        refusing: The declarations that refuse from then on.
        is_called_again: Whether a call with the same key comes right before that.
    """

    names: Names
    point: Point
    event: Event
    refusing: frozenset[str] = frozenset()
    is_called_again: bool = False

    def __str__(self) -> str:
        what = " and ".join(sorted(self.refusing)) if self.event == "refusal" else self.event
        return f"{what} at {self.point}{', with a replay' if self.is_called_again else ''}"


@dataclass(frozen=True)
class End:
    """How a call ends.

    Attributes:
        said: ``"done"``, or an error's code and effect.
        ran: How often its own handler is entered.
        asked: How often the person is asked for it.
    """

    said: str
    ran: int = 0
    asked: int = 0
    is_replayed: bool = False

    @property
    def is_kept(self) -> bool:
        """Whether it is the answer of a call that is made again."""
        return not self.said.endswith(" none")

    def replayed(self) -> End:
        return End(self.said, is_replayed=True)


@dataclass(frozen=True)
class Expected:
    """Of one cell.

    Attributes:
        replay: How the call ends that came with the same key meanwhile.
        again: How one ends that comes after all that, at a page that has been set right.
    """

    subject: End
    replay: End | None
    again: End


def points_of(names: Names) -> list[Point]:
    """Where a call of such a tool can wait."""
    here = {DECLARATIONS[name].needs for name in names}
    return [each for each in POINTS if each in ("before", "handler", "after") or each in here]


def with_company(pair: Names) -> dict[Names, list[Point]]:
    """What is declared, and where its calls are then made to wait."""
    found = {pair: points_of(pair)}
    for company, points in COMPANY.items():
        names = (*pair, *(each for each in company if each not in pair))
        found[names] = [*found.get(names, ()), *(each for each in points if each not in found.get(names, ()))]
    return found


def cells_of(pair: Names) -> Iterator[Cell]:
    """All that can arrive at a pair, by itself and in company, at each point."""
    for names, points in with_company(pair).items():
        for point in points:
            yield from _cells_at(point, names, pair)


def _cells_at(point: Point, names: Names, pair: Names) -> Iterator[Cell]:
    events: tuple[Event, ...] = ("nothing", "abort", "stale", "renewed", "deadline", "idle")
    cells = [Cell(names, point, event) for event in events]
    cells += [Cell(names, point, "refusal", refusing) for refusing in _refusals_at(point, pair)]
    if point == "asked":
        cells.append(Cell(names, point, "limit"))
    yield from cells
    if KEYS & set(names) and point != "before":
        yield from (replace(cell, is_called_again=True) for cell in cells)


def _refusals_at(point: Point, pair: Names) -> list[frozenset[str]]:
    """Each of the two, and both at once."""
    can = [
        name
        for name in pair
        if DECLARATIONS[name].code and POINTS.index(point) <= POINTS.index(DECLARATIONS[name].last)
    ]
    return [frozenset(some) for size in (1, 2) for some in combinations(can, size)]


def expected(cell: Cell) -> Expected:
    """Judge a cell."""
    subject = _subject(cell)
    replay = _replay(cell, subject) if cell.is_called_again else None
    again = _again(cell, subject, replay)
    return Expected(_named(cell, subject), replay and _named(cell, replay), _named(cell, again))


def _subject(cell: Cell) -> End:
    if cell.point == "following":
        return _follower(cell)
    if cell.event == "abort":
        return _ended(cell, "CANCELLED")
    if cell.event == "deadline" and cell.point != "asked":  # the time stands still while a person is asked
        return _ended(cell, "TOOL_TIMEOUT")
    if cell.event == "idle" and "idle timeout" in cell.names and cell.point == "handler":
        return _ended(cell, "TOOL_TIMEOUT")
    if cell.event == "limit":
        return End("CONFIRMATION_UNAVAILABLE none", asked=1)
    return _walked(cell, cell.point)


def _walked(cell: Cell, point: Point) -> End:
    """Go on from where the call waits, by the literal order."""
    is_asked = "confirm" in cell.names
    if point == "after":
        return End("done", 1, int(is_asked))
    refusing = {"held"} if cell.event == "stale" else cell.refusing
    way = list(STATIONS)[list(STATIONS).index(WAITS[point]) :]
    asked = int(is_asked and "confirm" not in way)
    for station in way:
        if station in ("version before confirm", "confirm") and not is_asked:
            continue
        if station == "current before show" and "fields" not in cell.names:
            continue
        asked += station == "confirm"
        for name in STATIONS[station]:
            if name in refusing:
                ran = int(station == "handler")
                return End(f"{_code(name, station)} {'unknown' if ran else 'none'}", ran, asked)
    return End("done", 1, asked)


def _code(name: str, station: str) -> str | None:
    """A call whose question is open when it goes stale has lost its dialog."""
    is_dialog_gone = (name, station) == ("held", "confirm")
    return "UI_CONTEXT_CLOSED" if is_dialog_gone else DECLARATIONS[name].code


def _ended(cell: Cell, code: str) -> End:
    """An abort or a deadline, which means something only to a call that has begun and has no answer."""
    if cell.point in ("before", "after"):
        return _walked(cell, cell.point)
    asked = int("confirm" in cell.names and POINTS.index(cell.point) >= POINTS.index("asked"))
    is_entered = cell.point == "handler"
    return End(f"{code} {'unknown' if is_entered else 'none'}", int(is_entered), asked)


def _follower(cell: Cell) -> End:
    """It gives up, or is told how the other one ended, whose handler was entered before."""
    if cell.event == "abort":
        return End("CANCELLED unknown")
    if cell.event == "deadline":
        return End("TOOL_TIMEOUT unknown")
    return _walked(cell, "handler").replayed()


def _replay(cell: Cell, subject: End) -> End:
    """It asks nobody and runs nothing, unless the first has done nothing: then it takes its place."""
    if cell.point != "after" and subject.is_kept:
        return _walked(cell, "handler").replayed()  # others wait, so the handler goes on
    if subject.is_kept:
        return subject.replayed()
    return _walked(cell, "queued")


def _again(cell: Cell, subject: End, replay: End | None) -> End:
    if KEYS & cell.refusing and subject.said.startswith("IDEMPOTENCY_CONFLICT"):
        return End(subject.said)
    kept = next((each for each in (replay, subject) if each and each.is_kept), None)
    if cell.point == "following" and cell.event == "abort":
        kept = End("done")  # the other one's, which has gone on
    if kept and KEYS & set(cell.names):
        return kept.replayed()
    if KEYS & cell.refusing:
        return End("IDEMPOTENCY_CONFLICT none")
    return End("done", 1, int("confirm" in cell.names))


def _named(cell: Cell, end: End) -> End:
    """The author's names win."""
    if end.said == "done" or "errors" not in cell.names:
        return end
    return replace(end, said=f"MY_{end.said}")
