"""Table 1 of Richards & Amir (2012): histories of information sets that samplers find in Racko, Battleship and GOPS.

The article took ten random positions per instance and 30 seconds each. It asked for at most 30 histories per position,
yet some of its cells exceed 300, so that limit did not hold for all. Here both are shown: histories up to 30 per
position, and as many as the time allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from veil.engine import Game, load
from veil.report import Report
from veil_lab.papers.experiments import split_games
from veil_lab.papers.isg_files import PATIENT, FilePair, find_files
from veil_lab.papers.isg_positions import CAP, CONTENDERS, COUNTED, MOST, Yield, draw_position, prepare, run_contender
from veil_lab.result_cache import get_or_compute

ARTICLE = "Richards & Amir, Information Set Generation in Partially Observable Games, AAAI (2012)"
SECONDS, QUICK_SECONDS = 30.0, 0.5  # per position
POSITIONS, QUICK_POSITIONS = 10, 3
MOST_ROUNDS = 100  # before a position of the authors' files
SHARES = (1 / 30, 1 / 10, 1 / 3, 1)  # of the time per position
COLUMNS = ("sampler", "theirs", "to 30", "of", "states", "all", "states", "cpu s")
Cell = tuple[int, int]


class TablePart(NamedTuple):
    """One of the three games of the table. R rows, C columns."""

    name: str
    spec: Callable[[int, int], str]  # of a row and a column
    names: tuple[str, str]  # the meaning of rows and columns
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    csp: tuple[tuple[int | None, ...], ...]  # [R][C] theirs; None if the table has no figure
    dfs: tuple[tuple[int | None, ...], ...]
    remark: str

    @property
    def cells(self) -> list[Cell]:
        """The cells that the table has."""
        return [cell for cell in self._all if self.find_theirs("CSP", cell) is not None]

    @property
    def corners(self) -> list[Cell]:
        """The smallest and the largest sizes."""
        rows, columns = (self.rows[0], self.rows[-1]), (self.columns[0], self.columns[-1])
        return [cell for cell in self.cells if cell[0] in rows and cell[1] in columns]

    @property
    def _all(self) -> list[Cell]:
        return [(row, column) for row in self.rows for column in self.columns]

    def find_theirs(self, contender: str, cell: Cell) -> int | None:
        """Return the figure of the article."""
        table = {"CSP": self.csp, "DFS": self.dfs}.get(contender)
        return table[self.rows.index(cell[0])][self.columns.index(cell[1])] if table else None


PARTS = (
    TablePart(
        name="racko",
        spec=lambda slots, cards: f"racko(slots={slots}, cards={cards})",
        names=("slots", "cards"),
        rows=(6, 7, 8, 9, 10),
        columns=(30, 40, 50, 60),
        csp=(
            (131, 106, 109, 149),
            (175, 158, 126, 158),
            (270, 146, 100, 220),
            (260, 158, 118, 87),
            (308, 273, 106, 179),
        ),
        dfs=((0, 30, 0, 0), *((0, 0, 0, 0),) * 4),
        remark="Ours: racks are filled card by card in turn, a drawn card may be discarded, and the game ends after as "
        "many turns as cards were left in the deck; the article says only that a set number of turns ends it.",
    ),
    TablePart(
        name="battleship",
        spec=lambda ships, size: f"battleship(size={size}, ships={ships})",
        names=("ships", "cells"),
        rows=(1, 2, 3, 4, 5),
        columns=(4, 6, 8, 10),
        csp=(
            (86, 287, 177, 555),
            (70, 121, 2161, 792),
            (39, 656, 318, 792),
            (1598, 90, 345, 865),
            (None, 173, 1087, 1074),
        ),
        dfs=((86, 232, 114, 166), (70, None, 141, 36), (39, 65, 0, 0), (194, 1, 0, 0), (None, 0, 0, 0)),
        remark="Ours: a fleet is the first of destroyer (2), cruiser (3), submarine (3), battleship (4), carrier (5). "
        "Both place theirs in turn, the longest ship first; in the authors' files, which have the same fleet, the "
        "shortest. Five ships do not fit 4x4.",
    ),
    TablePart(
        name="gops",
        spec=lambda bids, extra: f"gops(bids={bids}, extra={extra}, deal=early)",
        names=("bids", "extra"),
        rows=(2, 4, 6, 8, 10),
        columns=(10, 20, 30, 40),
        csp=((300,) * 4, (300,) * 4, (300, 200, 300, 200), (300,) * 4, (300,) * 4),
        dfs=((300, 300, 60, 30), (0, 30, 0, 30), *((0, 0, 0, 0),) * 3),
        remark="Ours: prizes are laid face down before the first bid, as in the article (deal=early).",
    ),
)


def sample_infosets(
    seed: int = 0,
    quick: bool = False,
    seconds: float | None = None,
    positions: int | None = None,
    game: str | None = None,
    authors: str | None = None,
) -> Report:
    """Return all cells of the table, or of the games in `game`; `quick`: its corners, three positions, 30 histories.

    `authors` is a folder with the authors' own POGDDL files; see `isg_files`.
    """
    usual = (QUICK_SECONDS, QUICK_POSITIONS) if quick else (SECONDS, POSITIONS)
    extent = TableExtent(seed, quick, seconds or usual[0], positions or usual[1])
    files = find_files(authors)
    reports, every = list[Report](), {name: list[Yield]() for name in CONTENDERS}
    parts = [part for part in PARTS if game is None or part.name in split_games(game)]
    for part in parts:
        ours = _measure_part(part, extent, every)
        reports.append(ours)
        cells = {cell: files.find_pair(part.name, cell) for cell in (part.corners if quick else part.cells)}
        pairs = {cell: pair for cell, pair in cells.items() if pair is not None}
        if pairs:
            reports.append(_measure_files(part, pairs, extent, ours))
        else:
            missing = f"The authors' own files of {part.name} are not at hand ({files.folder})."
            reports[-1] = replace(ours, remarks=[*ours.remarks, missing])
    first, *others = reports
    first = replace(first, settings=dict(first.settings) | ({"game": game} if game else {}))
    return replace(first, name="isg-table1", parts=[*others, _compare_limits(every, extent)])


def _measure_part(part: TablePart, extent: TableExtent, every: dict[str, list[Yield]]) -> Report:
    """Return the report of one game of the table; the results in all positions are added to `every`."""
    rows = list[tuple[Any, ...]]()
    for number, cell in enumerate(part.corners if extent.quick else part.cells):
        measured = _measure_cell(Trial(part.spec(*cell), None, number, extent))
        rows += _make_rows(part, cell, measured, extent.quick)
        for name, found in measured.yields.items():
            every[name] += found
    return Report(
        name=f"isg-table1-{part.name}",
        title=f"histories found in {extent.places} of {part.name}, {extent.seconds:g} s each",
        source=f"{ARTICLE}, table 1",
        settings=extent.settings | {"players": "random"},
        columns=(*part.names, *COLUMNS),
        rows=rows,
        remarks=[_find_full(rows), part.remark, *_explain_columns(extent)],
    )


def _measure_files(part: TablePart, pairs: dict[Cell, FilePair], extent: TableExtent, ours: Report) -> Report:
    """Return the report of the authors' own files, for the sizes that are at hand, beside our rules."""
    beside = {(row[0], row[1], row[2]): row[4] for row in ours.rows}
    rows = list[tuple[Any, ...]]()
    for number, (cell, pair) in enumerate(pairs.items()):
        trial = Trial(pair.name, pair, 100 + number, extent)
        for row in _make_rows(part, cell, _measure_cell(trial), extent.quick):
            rows.append((*row, beside.get(row[:3])))
    ends = ", read with --end-on-gain as their program does" if next(iter(pairs.values())).end_on_gain else ""
    return Report(
        name=f"isg-table1-{part.name}-files",
        title=f"histories found in {extent.places} of the authors' files of {part.name}, {extent.seconds:g} s each",
        source=f"{ARTICLE}, table 1",
        settings=dict(ours.settings) | {"rounds": MOST_ROUNDS},
        columns=(*part.names, *COLUMNS, "our rules, to 30"),
        rows=rows,
        remarks=[
            _find_full(rows),
            f"The authors' own domain and problems{ends}; positions lie in the first {MOST_ROUNDS} rounds, because "
            "random players exchange cards of their racks for hundreds of rounds. The sizes are those whose files are "
            "at hand. The last column is the figure of the same size under our rules, in other positions.",
        ],
    )


def _make_rows(part: TablePart, cell: Cell, measured: MeasuredCell, quick: bool) -> list[tuple[Any, ...]]:
    """Return one row for each sampler."""
    return [
        (*cell, name, part.find_theirs(name, cell), *_summarise(found, measured.possible, quick))
        for name, found in measured.yields.items()
    ]


class TableExtent(NamedTuple):
    """The size of a run."""

    seed: int
    quick: bool
    seconds: float  # of the processor, for each sampler in each position
    positions: int  # of each size

    @property
    def places(self) -> str:
        """The positions of each size, for a title."""
        return "a random position" if self.positions == 1 else f"{self.positions} random positions"

    @property
    def settings(self) -> dict[str, Any]:
        """The size for a table."""
        return {"positions": self.positions, "seconds": self.seconds, "seed": self.seed}


class MeasuredCell(NamedTuple):
    """The results of every sampler in the same positions."""

    yields: dict[str, list[Yield]]
    possible: int  # number of existing histories, at most 30 per position


class Trial(NamedTuple):
    """The settings of one cell."""

    spec: str  # of a bundled game, or the names of the files
    files: FilePair | None
    number: int  # of the cell, for its seed
    extent: TableExtent

    @property
    def seed(self) -> tuple[int, int]:
        """The seed of the cell."""
        return self.extent.seed, self.number

    def load(self) -> Game:
        """Return the game."""
        return load(self.spec, PATIENT) if self.files is None else self.files.load()

    def name_position(self, number: int) -> dict[str, Any]:
        """Return everything that the results in a position depend on."""
        return {
            "infoset of": self.spec,
            "position": (*self.seed, number),
            "seconds": self.extent.seconds,
            "stop at cap": self.extent.quick,
            "samplers": {name: contender.spec for name, contender in CONTENDERS.items()},
        }


class MeasuredPosition(NamedTuple):
    """The results of every sampler in one position."""

    yields: dict[str, Yield]
    wanted: int  # number of existing histories, at most 30


def _measure_cell(trial: Trial) -> MeasuredCell:
    """Return a cell; positions that are in the store are not measured again."""
    load_game = cache(trial.load)  # once, and only if a position is missing
    found = [
        get_or_compute(trial.name_position(number), MeasuredPosition, partial(_sample, trial, number, load_game))
        for number in range(trial.extent.positions)
    ]
    yields = {name: [position.yields[name] for position in found] for name in CONTENDERS}
    return MeasuredCell(yields, sum(position.wanted for position in found))


def _sample(trial: Trial, number: int, load_game: Callable[[], Game]) -> MeasuredPosition:
    """Let every sampler sample in one position."""
    most = None if trial.files is None else MOST_ROUNDS
    position = draw_position(load_game(), np.random.default_rng((*trial.seed, number)), most)
    prepare(position)
    yields = {
        name: run_contender(position, contender, trial.extent.seconds, stop_at_cap=trial.extent.quick)
        for name, contender in CONTENDERS.items()
    }
    return MeasuredPosition(yields, position.wanted)


def _summarise(found: list[Yield], possible: int, quick: bool) -> tuple[Any, ...]:
    """Return our cells of a row."""
    times = [float("inf") if entry.seconds is None else entry.seconds for entry in found]
    middle = median(times)
    return (
        sum(entry.capped for entry in found),
        possible,
        sum(entry.capped_states for entry in found),
        None if quick else sum(entry.every for entry in found),
        None if quick else sum(entry.every_states for entry in found),
        None if middle == float("inf") else round(middle, 3),
    )


def _compare_limits(every: dict[str, list[Yield]], extent: TableExtent) -> Report:
    """Return in how many positions each sampler has found what it was asked for, by the time that it has."""
    limits = [extent.seconds * share for share in SHARES]
    total = max(len(found) for found in every.values())
    return Report(
        name="isg-table1-limits",
        title=f"positions, of {total}, in which a sampler has found 30 histories, or all there are, by its time",
        source=f"{ARTICLE}, section Empirical Results",
        settings=extent.settings,
        columns=("sampler", *(f"{limit:.3g} s" for limit in limits)),
        rows=[
            (name, *(sum(entry.seconds is not None and entry.seconds <= limit for entry in found) for limit in limits))
            for name, found in every.items()
        ],
        remarks=[
            "Positions under our rules, in all games of the run. One run with the longest time gives all columns."
        ],
    )


def _find_full(rows: list[tuple[Any, ...]]) -> str:
    """Return a remark on the samplers that found everything."""
    parts = []
    for name in CONTENDERS:
        own = [row for row in rows if row[2] == name]
        full = sum(row[4] == row[5] for row in own)
        times = [row[9] for row in own if row[9] is not None]
        slowest = f", the median position in at most {max(times):.2f} s" if len(times) == len(own) else ""
        parts.append(f"{name} {full}{slowest}")
    return f"Full cells of {len(rows) // len(CONTENDERS)}: {'; '.join(parts)}."


def _explain_columns(extent: TableExtent) -> list[str]:
    """Return the meaning of the columns."""
    return [
        f"theirs: histories summed over ten positions, 30 s each. to 30: ours, distinct ones, at most {CAP} per "
        f"position; of: the existing ones. all: as many as {extent.seconds:g} s give, at most {MOST:,} per position. "
        "cpu s: the median of the processor seconds until 30, or all there are, were found, the game being prepared.",
        "figure 5: the article's CSP as printed, any open round and any plausible move of it alike. CSP: our default, "
        "with the round of the fewest moves, moves drawn as the record suggests, a search back after failures, and "
        "listing.",
        "states: joint moves tested (DFS, HyperPlay, particle), choices made (CSP), decisions made (ASP), each with "
        "the histories played again; our engine flatters DFS, so compare states rather than seconds.",
        f"How many histories there are is counted by answer sets, up to {COUNTED:,}. A sampler that has found all of "
        "them is stopped.",
    ]
