"""Figure 4 of the OOS paper: OOS, ISMCTS with UCT and regret matching, and random play against each other.

Each cell is one series of matches with the row in the first seat and the column in the second. A move takes as many
states as its player visits in the paper's time (`oos_settings.BUDGETS`). In II-Goofspiel and Liar's Dice a cell is the
row's mean goal, which is its share of wins with draws as halves, in percent; in poker it is the row's chips per match
above the value of the game. Matches of one number have the same chance moves in all cells. In the small games luck is
subtracted (`veil_lab.luck`): means stay the same, and intervals become smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from veil.engine import Game, load
from veil.match import MatchConfig, Mean, mean_of
from veil.report import Report, pyplot, save
from veil_lab.luck import LuckGauge
from veil_lab.papers.oos_settings import (
    BUDGET_REMARK,
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
from veil_lab.series import Series, open_workers, play_series


class Arena(NamedTuple):
    """One table of figure 4."""

    game: str  # the paper's name
    oos: str
    value: float | None = None  # of the game for the first player, if cells are differences to it
    has_tree: bool = False  # whether the whole game fits into memory, so that luck can be computed

    @property
    def searchers(self) -> dict[str, str]:
        """The searchers, without budgets."""
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
    """Return figures 4(a, b, c)."""
    extent = Extent.choose(seed, quick, matches, seconds)
    return _play(SMALL_ARENAS, "oos-fig4-small", "4(a), 4(b), 4(c)", extent)


def play_large_games(
    seed: int = 0, quick: bool = False, matches: int | None = None, seconds: float | None = None
) -> Report:
    """Return figures 4(d, e, f)."""
    extent = Extent.choose(seed, quick, matches, seconds)
    return _play(LARGE_ARENAS, "oos-fig4-large", "4(d), 4(e), 4(f)", extent)


class ArenaTable(NamedTuple):
    """The cells of one table, with the row in the first seat."""

    arena: Arena
    game: Game
    searchers: dict[str, str]  # OOS, UCT, RM as they played
    cells: dict[tuple[str, str], Mean]  # in percent or, if the game has a value, in chips above it
    walks: dict[str, float]  # per move of a searcher, against itself
    moves: float  # of searchers per match, the mean of all cells

    def show(self, first: str, second: str) -> str:
        """Return a cell: the mean with its interval."""
        return self.cells[first, second].show(digits=1 if self.arena.value is None else 2)


def _play(arenas: Sequence[Arena], name: str, figures: str, extent: Extent) -> Report:
    """Return a table per game, the first one with the others as its parts."""
    with open_workers(alone=extent.quick) as executor:
        tables = [_fill_table(arena, extent, executor) for arena in arenas]
    source = f"{PAPER}, section 4.4.3, figures {figures}"
    first, *others = [_report(table, name, source, extent) for table in tables]
    return replace(first, name=name, parts=others, figures={f"{name}.png": partial(_draw, tables=tables)})


def _fill_table(arena: Arena, extent: Extent, executor: Executor | None) -> ArenaTable:
    """Return all cells of one game."""
    states, game = extent.choose_states(arena.game), load(choose_games(extent.quick)[arena.game])
    searchers = {name: name_player(spec, states=states[name]) for name, spec in arena.searchers.items()}
    specs = searchers | {"RND": "random"}
    gauge = LuckGauge(game) if arena.has_tree else None
    cells, walks, moves = {}, {}, list[float]()
    for first, second in product(COLUMNS, COLUMNS):
        seats = {"first": specs[first], "second": specs[second]}
        cells[first, second], series = play_cell(arena, game, seats, extent, gauge, executor)
        moves.append(series.decisions())
        if first == second and first in searchers:
            walks[first] = series.walks("first")
    return ArenaTable(arena, game, searchers, cells, walks, fmean(moves))


def play_cell(
    arena: Arena,
    game: Game,
    seats: dict[str, str],
    extent: Extent,
    gauge: LuckGauge | None,
    executor: Executor | None,
) -> tuple[Mean, Series]:
    """Return the mean of the first seat, in percent or in chips above the value of the game, and its matches."""
    even = 0.0 if arena.value is None else game.utility.zero + arena.value
    config = MatchConfig(reports=arena.has_tree)
    series = play_series(game, seats, extent.matches, extent.seed, config, executor)
    luck = [gauge.measure(log, "first") if gauge else 0.0 for log in series.logs]
    goals = [log.goals["first"] - lucky - even for log, lucky in zip(series.logs, luck, strict=True)]
    return mean_of(goals), series


def _report(table: ArenaTable, name: str, source: str, extent: Extent) -> Report:
    """Return one table, theirs below ours."""
    arena, printed = table.arena, read_printed(table.arena.game)
    rows: list[Sequence[str]] = []
    for first in COLUMNS:
        rows.append((first, "ours", *(table.show(first, second) for second in COLUMNS)))
        rows.append((first, "theirs", *(str(printed[first, second]) for second in COLUMNS)))
    what = "chips above the value of the game" if arena.value is not None else "wins of the row, draws are halves, %"
    return Report(
        name=f"{name}-{arena.game.partition('(')[0].lower()}",
        title=f"{arena.game}: {what}; the row moves first",
        source=source,
        settings={"game": table.game.name, "matches per cell": extent.matches, "seed": extent.seed, **table.searchers}
        | {"walks per move": ", ".join(f"{name} {walks:,.0f}" for name, walks in table.walks.items())},
        columns=("first", "", *COLUMNS),
        rows=rows,
        remarks=[
            *([] if arena.value is None else [f"The value of the game for the first player is {arena.value} chips."]),
            *extent.tell_work(arena.game),
            *extent.tell_hours(arena.game, table.moves, len(table.cells)),
            BUDGET_REMARK,
            *(["What was luck is subtracted from ours."] if arena.has_tree else []),
        ],
    )


def _draw(path: Path, tables: Sequence[ArenaTable]) -> None:
    """Draw a panel per game: ours as colour and number, theirs below in brackets."""
    plt = pyplot()
    figure, axes = plt.subplots(1, len(tables), figsize=(4.4 * len(tables), 4.2), layout="constrained", squeeze=False)
    for axis, table in zip(axes[0], tables, strict=True):
        centre = 50.0 if table.arena.value is None else 0.0
        printed = read_printed(table.arena.game)
        values = [[table.cells[first, second].known for second in COLUMNS] for first in COLUMNS]
        reach = max(abs(value - centre) for row in values for value in row) or 1.0
        axis.imshow(values, cmap="RdYlGn", vmin=centre - reach, vmax=centre + reach, alpha=0.7)
        for (y, first), (x, second) in product(enumerate(COLUMNS), enumerate(COLUMNS)):
            axis.text(x, y - 0.12, table.show(first, second), ha="center", va="center", fontsize=8)
            axis.text(x, y + 0.18, f"({printed[first, second]})", ha="center", va="center", fontsize=6.5, color="#444")
        axis.set_xticks(range(len(COLUMNS)), COLUMNS)
        axis.set_yticks(range(len(COLUMNS)), COLUMNS)
        axis.set_xlabel("moves second")
        axis.grid(visible=False)
        unit = "wins of the row, %" if table.arena.value is None else "chips above the value"
        axis.set_title(f"{table.arena.game}: {unit}", fontsize=10)
    axes[0][0].set_ylabel("moves first")
    figure.suptitle("ours, and in brackets those of the paper; ± is half of a 95 % interval", fontsize=9)
    save(figure, path)
