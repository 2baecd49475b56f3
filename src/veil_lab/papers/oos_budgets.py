"""Figure 4 of the OOS paper over the work per move, in several readings of what the players do.

The paper gives its players 0.1 s in the small games and does not say how many walks that was. So the nine cells between
searchers are played with several numbers of walks per move (an iteration of Online Outcome Sampling is two walks). A
*reading* says what the text leaves open; it holds for a whole table:

- text: ties of UCT at random; Online Outcome Sampling and regret matching play their mean strategies.
- ties: UCT takes the first of several best moves.
- most: regret matching plays the move of most walks.
- ties, most: both.
- current: Online Outcome Sampling and regret matching play their current strategies.
- program: what the authors' public program does (`oos_settings.PROGRAM_WALKS`), with as many walks before the match as
  for a move, and Online Outcome Sampling that plays its current strategy.

A cell *meets* the paper's if the two 95 % intervals have a number in common. What counts is how many cells of one
reading at one number of walks do so, all together: to choose the best for every cell would prove nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from veil.engine import load
from veil.match import Mean
from veil.report import Report, pyplot, save
from veil_lab.luck import LuckGauge
from veil_lab.papers.oos_matches import SMALL_ARENAS, Arena, play_cell
from veil_lab.papers.oos_settings import (
    GOOFSPIEL,
    PAPER,
    PROGRAM_GAMMA,
    PROGRAM_WALKS,
    SMALLER,
    Extent,
    choose_games,
    name_player,
    read_printed,
)
from veil_lab.series import open_workers

WALKS, QUICK_WALKS = (1000, 4000, 16_000, 60_000), (50, 200)  # per move
WALKS_PER_SECOND = 600_000  # of II-GS(6) on one core, about
SEARCHERS = ("OOS", "UCT", "RM")
PAIRS = tuple(product(SEARCHERS, SEARCHERS))
ISMCTS_PAIRS = tuple(product(("RM", "UCT"), ("RM", "UCT")))
PROGRAM = f"{PROGRAM_WALKS},prior_walks={{walks}}"
READINGS: dict[str, dict[str, str]] = {  # reading -> searcher -> options of its spec
    "text": {},
    "ties": {"UCT": "ties=first"},
    "most": {"RM": "play=most"},
    "ties, most": {"UCT": "ties=first", "RM": "play=most"},
    "current": {"OOS": "play=current", "RM": "play=current"},
    "program": {"OOS": "play=current", "UCT": PROGRAM, "RM": f"{PROGRAM},gamma={PROGRAM_GAMMA}"},
}


class BudgetCell(NamedTuple):
    """One cell of figure 4 with one number of walks per move."""

    mean: Mean
    states: float  # visited by the first player, per move


class ReadingTable(NamedTuple):
    """The nine cells of one game in one reading, for every number of walks."""

    arena: Arena
    reading: str
    cells: Mapping[tuple[str, str, int], BudgetCell]  # by first and second player and walks

    def show(self, first: str, second: str, walks: int) -> str:
        """Return a cell: the mean with its interval."""
        return self.cells[first, second, walks].mean.show(digits=1 if self.arena.value is None else 2)

    def find_met(self, walks: int) -> set[tuple[str, str]]:
        """Return which of the nine cells meet those of the paper; one without an interval does not."""
        printed = read_printed(self.arena.game)
        means = {pair: self.cells[*pair, walks].mean for pair in PAIRS}
        return {pair for pair, mean in means.items() if mean.half and printed[pair].meets(mean.known, mean.half)}

    def measure_distance(self, walks: int) -> float:
        """Return the root of the mean squared difference between our means and those of the paper."""
        printed = read_printed(self.arena.game)
        squares = [(self.cells[*pair, walks].mean.known - printed[pair].mean) ** 2 for pair in PAIRS]
        return sqrt(sum(squares) / len(squares))


def play_budgets(
    seed: int = 0, quick: bool = False, matches: int | None = None, seconds: float | None = None
) -> Report:
    """Return the cells between searchers over walks per move; `seconds` is a limit of the work per move."""
    extent = Extent.choose(seed, quick, matches, seconds)
    budgets = choose_budgets(extent)
    with open_workers(alone=quick) as executor:
        tables = [table for arena in SMALL_ARENAS for table in play_readings(arena, budgets, extent, executor)]
    return Report(
        name="oos-fig4-budgets",
        title="Cells between searchers that meet those of the paper, of nine; and their distance (root mean square)",
        source=f"{PAPER}, section 4.4.3, figures 4(a), 4(b), 4(c)",
        settings={"matches per cell": extent.matches, "seed": seed}
        | {f"reading {name}": tell_reading(options) for name, options in READINGS.items()},
        columns=("game", "reading", *(f"{walks:,} walks" for walks in budgets)),
        rows=[(table.arena.game, table.reading, *(tell_fit(table, walks) for walks in budgets)) for table in tables],
        remarks=[
            *(tell_nearest(tables, arena, budgets) for arena in SMALL_ARENAS),
            tell_rm(tables, budgets),
            "Distances are in points of percent, in poker in chips. Few matches have wide intervals, which meet more.",
            *([SMALLER] if quick else []),
        ],
        figures={"oos-fig4-budgets.png": lambda path: _draw(path, tables, budgets)},
        series=list_cells(tables),
        parts=[report_reading(table, budgets, extent) for table in tables],
    )


def choose_budgets(extent: Extent) -> tuple[int, ...]:
    """Return the numbers of walks per move: all, or those within the given seconds, at least the smallest."""
    if extent.quick:
        return QUICK_WALKS
    most = WALKS[-1] if extent.seconds is None else WALKS_PER_SECOND * extent.seconds
    return tuple(walks for walks in WALKS if walks <= most) or WALKS[:1]


def play_readings(
    arena: Arena, budgets: Sequence[int], extent: Extent, executor: Executor | None
) -> list[ReadingTable]:
    """Return a table per reading. Cells whose two players are the same in several readings are played once."""
    game = load(choose_games(extent.quick)[arena.game])
    gauge, played = LuckGauge(game), dict[tuple[str, str], BudgetCell]()

    def play(first: str, second: str) -> BudgetCell:
        if (first, second) not in played:
            seats = {"first": first, "second": second}
            mean, series = play_cell(arena, game, seats, extent, gauge, executor)
            played[first, second] = BudgetCell(mean, series.states("first"))
        return played[first, second]

    tables = []
    for reading in READINGS:
        cells = dict[tuple[str, str, int], BudgetCell]()
        for walks in budgets:
            specs = name_searchers(arena, reading, walks)
            cells |= {(*pair, walks): play(*(specs[name] for name in pair)) for pair in PAIRS}
        tables.append(ReadingTable(arena, reading, cells))
    return tables


def name_searchers(arena: Arena, reading: str, walks: int) -> dict[str, str]:
    """Return the specs of the three searchers; an iteration of Online Outcome Sampling is two walks."""
    iterations = {"OOS": walks // 2, "UCT": walks, "RM": walks}
    specs = {name: name_player(spec, iterations=iterations[name]) for name, spec in arena.searchers.items()}
    more = {name: options.format(walks=walks) for name, options in READINGS[reading].items()}
    return {name: f"{spec},{more[name]}" if name in more else spec for name, spec in specs.items()}


def tell_reading(options: Mapping[str, str]) -> str:
    """Return the options of a reading in words."""
    return "; ".join(f"{name} {option.format(walks='WALKS')}" for name, option in options.items()) or "as in figure 4"


def tell_fit(table: ReadingTable, walks: int) -> str:
    """Return how many cells meet those of the paper, and how far all are from them."""
    return f"{len(table.find_met(walks))}, {table.measure_distance(walks):.2g} off"


def tell_nearest(tables: Sequence[ReadingTable], arena: Arena, budgets: Sequence[int]) -> str:
    """Return which reading and number of walks is nearest to the paper in a game, as a whole, and what it misses."""
    of_game = [(table, walks) for table in tables if table.arena == arena for walks in budgets]
    table, walks = min(of_game, key=lambda entry: entry[0].measure_distance(entry[1]))
    met = table.find_met(walks)
    missed = ", ".join(f"{first}-{second}" for first, second in PAIRS if (first, second) not in met)
    widest = max(table.cells[*pair, walks].mean.half or 0.0 for pair in PAIRS)
    return (
        f"{arena.game}: the nearest table as a whole is `{table.reading}` with {walks:,} walks, which meets {len(met)} "
        f"of {len(PAIRS)} cells, with intervals of up to ± {widest:.2g}, and misses {missed or 'none'}."
    )


def tell_rm(tables: Sequence[ReadingTable], budgets: Sequence[int]) -> str:
    """Return what regret matching wins against itself in II-GS(6), in every reading."""
    theirs = read_printed(GOOFSPIEL)["RM", "RM"]
    ours = {
        table.reading: " / ".join(table.show("RM", "RM", walks) for walks in budgets)
        for table in tables
        if table.arena.game == GOOFSPIEL
    }
    shown = "; ".join(f"{reading} {values}" for reading, values in ours.items())
    return f"RM against RM in {GOOFSPIEL}, theirs {theirs}, ours from the fewest walks to the most: {shown}."


def list_cells(tables: Sequence[ReadingTable]) -> dict[str, list[Any]]:
    """Return all cells as columns."""
    rows = [
        (table.arena.game, table.reading, *key, cell.mean.known, cell.mean.half, cell.states)
        for table in tables
        for key, cell in table.cells.items()
    ]
    names = ("game", "reading", "first", "second", "walks", "mean", "half", "states")
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


def report_reading(table: ReadingTable, budgets: Sequence[int], extent: Extent) -> Report:
    """Return the cells of one game in one reading: a row per cell, a column per number of walks."""
    arena, printed = table.arena, read_printed(table.arena.game)
    rows: list[Sequence[Any]] = [
        (first, second, str(printed[first, second]), *(table.show(first, second, walks) for walks in budgets))
        for first, second in PAIRS
    ]
    for name in SEARCHERS:
        states = (f"{table.cells[name, name, walks].states:,.0f}" for walks in budgets)
        rows.append((f"states per move, {name}", "", "", *states))
    what = "chips above the value of the game" if arena.value is not None else "wins of the first, draws are halves, %"
    name = f"oos-fig4-budgets-{arena.game.partition('(')[0].lower()}-{table.reading.replace(', ', '-')}"
    specs = name_searchers(arena, table.reading, budgets[-1])
    return Report(
        name=name,
        title=f"{arena.game}, reading `{table.reading}`: {what}, over walks per move",
        source=f"{PAPER}, section 4.4.3",
        settings={"matches per cell": extent.matches, "seed": extent.seed, "with the most walks": dict(specs)},
        columns=("first", "second", "theirs", *(f"{walks:,} walks" for walks in budgets)),
        rows=rows,
    )


def _draw(path: Path, tables: Sequence[ReadingTable], budgets: Sequence[int]) -> None:
    """Draw a row of panels per game, a panel per pair of ISMCTS players, a line per reading; theirs is a band."""
    plt = pyplot()
    figure, axes = plt.subplots(
        len(SMALL_ARENAS), len(ISMCTS_PAIRS), figsize=(13.0, 8.4), layout="constrained", squeeze=False
    )
    for row, arena in zip(axes, SMALL_ARENAS, strict=True):
        printed = read_printed(arena.game)
        for axis, pair in zip(row, ISMCTS_PAIRS, strict=True):
            mean, half = printed[pair]
            axis.axhspan(mean - half, mean + half, color="#bbb", label="paper")
            for table in (table for table in tables if table.arena == arena):
                values = [table.cells[*pair, walks].mean.known for walks in budgets]
                axis.plot(budgets, values, marker=".", label=table.reading)
            axis.set_xscale("log")
            axis.set_title(f"{arena.game}: {pair[0]} against {pair[1]}", fontsize=9)
    for axis in axes[-1]:
        axis.set_xlabel("walks per move")
    axes[0][0].legend(fontsize=7)
    save(figure, path)
