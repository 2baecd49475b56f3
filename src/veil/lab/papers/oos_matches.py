"""Figure 4 of the OOS paper: OOS, ISMCTS with UCT and regret matching, and random play against each other.

Each cell is one series of matches with the row in the first seat and the column in the second. A move takes as many
states as its player visits in the paper's time (`oos_settings.BUDGETS`). In II-Goofspiel and Liar's Dice a cell is the
row's mean goal, which is its share of wins with draws as halves, in percent; in poker the row's chips per match above
the value of the game. Matches of one number share their chance in all cells. In the small games what was luck is
subtracted (`lab.luck`): means stay the same, and intervals become smaller.
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
    OOS_IST,
    OOS_PST,
    PAPER,
    POKER,
    POKER_VALUE,
    RM,
    UCT,
    Extent,
    choose_games,
    name_player,
    read_printed,
)
from veil.lab.series import open_workers, play_series
from veil.match import MatchConfig, mean_of
from veil.report import Report

MATCHES, QUICK_MATCHES = 500, 4  # per cell


class Arena(NamedTuple):
    """One table of figure 4."""

    game: str  # the paper's name
    oos: str
    value: float | None = None  # of the game for the first player, where cells are differences to it
    has_tree: bool = False  # whether the whole game fits into memory, so that luck can be told

    @property
    def searchers(self) -> dict[str, str]:
        """Who searches, without budgets."""
        return {"OOS": self.oos, "UCT": UCT, "RM": RM}


SMALL_ARENAS = (
    Arena(GOOFSPIEL, OOS_IST, has_tree=True),
    Arena(DICE, OOS_PST, has_tree=True),
    Arena(POKER, OOS_PST, POKER_VALUE, has_tree=True),
)
LARGE_ARENAS = (
    Arena(LARGE_GOOFSPIEL, OOS_IST),
    Arena(LARGE_DICE, "oos:target=pst,delta=0.9,epsilon=0.8"),
    Arena(LARGE_POKER, OOS_PST, POKER_VALUE),
)


def play_small_games(
    seed: int = 0, quick: bool = False, matches: int | None = None, seconds: float | None = None
) -> Report:
    """Figures 4(a, b, c)."""
    extent = Extent(seed, quick, matches or (QUICK_MATCHES if quick else MATCHES), seconds)
    return _play(SMALL_ARENAS, "oos-fig4-small", "4(a), 4(b), 4(c)", extent)


def play_large_games(
    seed: int = 0, quick: bool = False, matches: int | None = None, seconds: float | None = None
) -> Report:
    """Figures 4(d, e, f)."""
    extent = Extent(seed, quick, matches or (QUICK_MATCHES if quick else MATCHES), seconds)
    return _play(LARGE_ARENAS, "oos-fig4-large", "4(d), 4(e), 4(f)", extent)


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
    seed, matches, states = extent.seed, extent.matches, extent.choose_states(arena.game)
    game, printed = load(choose_games(extent.quick)[arena.game]), read_printed(arena.game)
    searchers = {name: name_player(spec, states=states[name]) for name, spec in arena.searchers.items()}
    specs = searchers | {"RND": "random"}
    gauge = LuckGauge(game) if arena.has_tree else None
    rows: list[Sequence[Any]] = []
    for first in COLUMNS:
        ours = []
        for second in COLUMNS:
            seats = {"first": specs[first], "second": specs[second]}
            series = play_series(game, seats, matches, seed, MatchConfig(reports=arena.has_tree), executor)
            goals = [log.goals["first"] - (gauge.measure(log, "first") if gauge else 0.0) for log in series.logs]
            ours.append(_show_cell(arena.value, game.utility.zero, goals))
        rows.append((first, "ours", *ours))
        rows.append((first, "theirs", *(str(printed[first, second]) for second in COLUMNS)))
    what = "chips above the value of the game" if arena.value is not None else "wins of the row, draws are halves, %"
    return Report(
        name=f"{name}-{arena.game.partition('(')[0].lower()}",
        title=f"{arena.game}: {what}; the row moves first",
        source=f"{PAPER}, section 4.4.3, figures {figures}",
        settings={
            "game": game.name,
            "matches per cell": matches,
            "seed": seed,
            **searchers,
        },
        columns=("first", "", *COLUMNS),
        rows=rows,
        remarks=[
            *([] if arena.value is None else [f"The value of the game for the first player is {arena.value} chips."]),
            *extent.tell_work(arena.game),
            *(["What was luck is subtracted from ours."] if arena.has_tree else []),
        ],
    )


def _show_cell(value: float | None, zero: int, goals: Sequence[float]) -> str:
    """The mean with its interval: in percent or, where the game has a value, in chips above it."""
    if value is None:
        return str(mean_of(goals))
    mean = mean_of([goal - zero - value for goal in goals])
    half = "" if mean.half is None else f" ± {mean.half:.2f}"
    return f"{mean.known:.2f}{half}"
