"""Figure 4 of the OOS paper: OOS, ISMCTS with UCT and regret matching, and random play against each other.

Each cell is one series of matches with the row in the first seat and the column in the second, by the clock. In
II-Goofspiel and Liar's Dice it is the row's mean goal, which is its share of wins with draws as halves, in percent; in
poker the row's chips per match above the value of the game. Matches of one number share their chance in all cells. In
the small games what was luck is subtracted (`lab.luck`): means stay the same, and intervals become smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

from veil.engine import load
from veil.lab.luck import LuckGauge
from veil.lab.papers.oos_settings import (
    COLUMNS,
    DICE,
    GOOFSPIEL,
    LARGE_DICE,
    LARGE_GOOFSPIEL,
    LARGE_POKER,
    PAPER,
    POKER,
    POKER_VALUE,
    RM,
    SMALLER,
    UCT,
    choose_games,
    read_printed,
)
from veil.lab.series import open_workers, play_series
from veil.match import MatchConfig, mean_of
from veil.report import Report

MATCHES, QUICK_MATCHES = 500, 4  # per cell
QUICK_SECONDS = 0.03


class Extent(NamedTuple):
    """How much is played."""

    seed: int
    quick: bool
    matches: int | None  # per cell; None: as many as in the paper, or a few

    @property
    def per_cell(self) -> int:
        """Matches per cell."""
        return self.matches or (QUICK_MATCHES if self.quick else MATCHES)


class Arena(NamedTuple):
    """One table of figure 4."""

    game: str  # the paper's name
    seconds: float  # per move
    oos: str
    value: float | None = None  # of the game for the first player, where cells are differences to it
    has_tree: bool = False  # whether the whole game fits into memory, so that luck can be told


SMALL_ARENAS = (
    Arena(GOOFSPIEL, 0.1, "oos:target=ist,delta=0.9,epsilon=0.4", has_tree=True),
    Arena(DICE, 0.1, "oos:target=pst,delta=0.9,epsilon=0.4", has_tree=True),
    Arena(POKER, 0.1, "oos:target=pst,delta=0.9,epsilon=0.4", POKER_VALUE, has_tree=True),
)
LARGE_ARENAS = (
    Arena(LARGE_GOOFSPIEL, 1.0, "oos:target=ist,delta=0.9,epsilon=0.4"),
    Arena(LARGE_DICE, 5.0, "oos:target=pst,delta=0.9,epsilon=0.8"),
    Arena(LARGE_POKER, 1.0, "oos:target=pst,delta=0.9,epsilon=0.4", POKER_VALUE),
)


def play_small_games(seed: int = 0, quick: bool = False, matches: int | None = None) -> Report:
    """Figures 4(a, b, c)."""
    return _play(SMALL_ARENAS, "oos-fig4-small", "4(a), 4(b), 4(c)", Extent(seed, quick, matches))


def play_large_games(seed: int = 0, quick: bool = False, matches: int | None = None) -> Report:
    """Figures 4(d, e, f)."""
    return _play(LARGE_ARENAS, "oos-fig4-large", "4(d), 4(e), 4(f)", Extent(seed, quick, matches))


def _play(arenas: Sequence[Arena], name: str, figures: str, extent: Extent) -> Report:
    """A table per game, the first one with the others as its parts."""
    with open_workers(alone=extent.quick) as executor:
        tables = [_fill_table(arena, name, figures, extent, executor) for arena in arenas]
    first, *others = tables
    return Report(**_fields(first) | {"name": name, "parts": others})


def _fields(report: Report) -> dict[str, Any]:
    return {name: getattr(report, name) for name in ("title", "source", "settings", "columns", "rows", "remarks")}


def _fill_table(arena: Arena, name: str, figures: str, extent: Extent, executor: Executor | None) -> Report:
    """All cells of one game, theirs below ours."""
    seed, quick = extent.seed, extent.quick
    game, printed = load(choose_games(quick)[arena.game]), read_printed(arena.game)
    specs = dict(zip(COLUMNS, (arena.oos, UCT, RM, "random"), strict=True))
    seconds, matches = QUICK_SECONDS if quick else arena.seconds, extent.per_cell
    gauge = LuckGauge(game) if arena.has_tree else None
    config = MatchConfig(play_seconds=seconds, reports=arena.has_tree)
    rows: list[Sequence[Any]] = []
    late = 0
    for first in COLUMNS:
        ours = []
        for second in COLUMNS:
            seats = {"first": specs[first], "second": specs[second]}
            series = play_series(game, seats, matches, seed, config, executor)
            goals = [log.goals["first"] - (gauge.measure(log, "first") if gauge else 0.0) for log in series.logs]
            ours.append(_show_cell(arena.value, game.utility.zero, goals))
            late += sum(sum(log.errors.values()) for log in series.logs)
        rows.append((first, "ours", *ours))
        rows.append((first, "theirs", *(str(printed[first, second]) for second in COLUMNS)))
    what = "chips above the value of the game" if arena.value is not None else "wins of the row, draws are halves, %"
    return Report(
        name=f"{name}-{arena.game.partition('(')[0].lower()}",
        title=f"{arena.game}: {what}; the row moves first",
        source=f"{PAPER}, section 4.4.3, figures {figures}",
        settings={
            "game": game.name,
            "seconds per move": seconds,
            "matches per cell": matches,
            "OOS": arena.oos,
            "seed": seed,
            "answers that were late": late,
        },
        columns=("first", "", *COLUMNS),
        rows=rows,
        remarks=[
            *([] if arena.value is None else [f"The value of the game for the first player is {arena.value} chips."]),
            *(["What was luck is subtracted from ours."] if arena.has_tree else []),
            *([SMALLER] if quick else []),
        ],
    )


def _show_cell(value: float | None, zero: int, goals: Sequence[float]) -> str:
    """The mean with its interval: in percent or, where the game has a value, in chips above it."""
    if value is None:
        return str(mean_of(goals))
    mean = mean_of([goal - zero - value for goal in goals])
    half = "" if mean.half is None else f" ± {mean.half:.2f}"
    return f"{mean.known:.2f}{half}"
