"""Table 1 of Richards & Amir (2012): histories of information sets that samplers find in Racko, Battleship and GOPS.

The article took ten random positions per instance and 30 seconds each. It asked for at most 30 histories per position,
yet some of its cells exceed 300, so that limit did not hold for all. Here both are shown: histories up to 30 per
position, and as many as the time allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from veil.engine import load
from veil.report import Report
from veil_lab.papers.isg_files import FilePair, find_files
from veil_lab.papers.isg_positions import CAP, CONTENDERS, COUNTED, MOST, Yield, draw_position, prepare, run_contender
from veil_lab.result_cache import get_or_compute

ARTICLE = "Richards & Amir, Information Set Generation in Partially Observable Games, AAAI (2012)"
SECONDS, QUICK_SECONDS = 30.0, 0.5  # per position
POSITIONS, QUICK_POSITIONS = 10, 3
MOST_ROUNDS = 100  # before a position of the authors' files
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
    seed: int = 0, quick: bool = False, seconds: float | None = None, authors: str | None = None
) -> Report:
    """Return all cells of the table; `quick`: its corners, three positions each, until 30 histories are found.

    `authors` is a folder with the authors' own POGDDL files; see `isg_files`.
    """
    seconds = seconds or (QUICK_SECONDS if quick else SECONDS)
    files = find_files(authors)
    reports = []
    for part in PARTS:
        ours = _measure_part(part, seed, quick, seconds)
        reports.append(ours)
        cells = {cell: files.find_pair(part.name, cell) for cell in (part.corners if quick else part.cells)}
        pairs = {cell: pair for cell, pair in cells.items() if pair is not None}
        if pairs:
            reports.append(_measure_files(part, pairs, seed, quick, seconds, ours))
        else:
            missing = f"The authors' own files of {part.name} are not at hand ({files.folder})."
            reports[-1] = replace(ours, remarks=[*ours.remarks, missing])
    first, *others = reports
    return replace(first, parts=others)


def _measure_part(part: TablePart, seed: int, quick: bool, seconds: float) -> Report:
    """Return the report of one game of the table."""
    positions = QUICK_POSITIONS if quick else POSITIONS
    rows = list[tuple[Any, ...]]()
    for number, cell in enumerate(part.corners if quick else part.cells):
        trial = Trial(part.spec(*cell), None, positions, (seed, number), seconds, quick)
        rows += _make_rows(part, cell, _measure_cell(trial), quick)
    return Report(
        name="isg-table1" if part is PARTS[0] else f"isg-table1-{part.name}",
        title=f"histories found in {positions} random positions of {part.name}, {seconds:g} s each",
        source=f"{ARTICLE}, table 1",
        settings={"positions": positions, "seconds": seconds, "seed": seed, "players": "random"},
        columns=(*part.names, *COLUMNS),
        rows=rows,
        remarks=[_find_full(rows), part.remark, *_explain_columns(seconds)],
    )


def _measure_files(
    part: TablePart, pairs: dict[Cell, FilePair], seed: int, quick: bool, seconds: float, ours: Report
) -> Report:
    """Return the report of the authors' own files, for the sizes that are at hand, beside our rules."""
    positions = QUICK_POSITIONS if quick else POSITIONS
    beside = {(row[0], row[1], row[2]): row[4] for row in ours.rows}
    rows = list[tuple[Any, ...]]()
    for number, (cell, pair) in enumerate(pairs.items()):
        trial = Trial(pair.name, pair, positions, (seed, 100 + number), seconds, quick)
        for row in _make_rows(part, cell, _measure_cell(trial), quick):
            rows.append((*row, beside.get(row[:3])))
    ends = ", read with --end-on-gain as their program does" if next(iter(pairs.values())).end_on_gain else ""
    return Report(
        name=f"isg-table1-{part.name}-files",
        title=f"histories found in {positions} random positions of the authors' files of {part.name}, "
        f"{seconds:g} s each",
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


class MeasuredCell(NamedTuple):
    """The results of every sampler in the same positions."""

    yields: dict[str, list[Yield]]
    possible: int  # number of existing histories, at most 30 per position


class Trial(NamedTuple):
    """The settings of one cell."""

    spec: str  # of a bundled game, or the names of the files
    files: FilePair | None
    positions: int
    seed: tuple[int, int]
    seconds: float
    stop_at_cap: bool


def _measure_cell(trial: Trial) -> MeasuredCell:
    """Return a cell from the store, or measure it now."""
    piece = {
        "infosets of": trial.spec,
        "positions": trial.positions,
        "seed": trial.seed,
        "seconds": trial.seconds,
        "stop at cap": trial.stop_at_cap,
        "samplers": sorted(CONTENDERS),
    }
    return get_or_compute(piece, MeasuredCell, lambda: _sample_cell(trial))


def _sample_cell(trial: Trial) -> MeasuredCell:
    """Let every sampler sample in the same positions."""
    game = load(trial.spec) if trial.files is None else trial.files.load()
    most = None if trial.files is None else MOST_ROUNDS
    found = {name: list[Yield]() for name in CONTENDERS}
    possible = 0
    for number in range(trial.positions):
        position = draw_position(game, np.random.default_rng((*trial.seed, number)), most)
        prepare(position)
        possible += position.wanted
        for name, contender in CONTENDERS.items():
            found[name].append(run_contender(position, contender, trial.seconds, stop_at_cap=trial.stop_at_cap))
    return MeasuredCell(found, possible)


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


def _explain_columns(seconds: float) -> list[str]:
    """Return the meaning of the columns."""
    return [
        f"theirs: histories summed over ten positions, 30 s each. to 30: ours, distinct ones, at most {CAP} per "
        f"position; of: the existing ones. all: as many as {seconds:g} s give, at most {MOST:,} per position. cpu s: "
        "the median of the processor seconds until 30, or all there are, were found, the game being prepared.",
        "figure 5: the article's CSP as printed, any open round and any plausible move of it alike. CSP: our default, "
        "with the round of the fewest moves, moves drawn as the record suggests, a search back after failures, and "
        "listing.",
        "states: joint moves tested (DFS, HyperPlay, particle), choices made (CSP), decisions made (ASP), each with "
        "the histories played again; our engine flatters DFS, so compare states rather than seconds.",
        f"How many histories there are is counted by answer sets, up to {COUNTED:,}. A sampler that has found all of "
        "them is stopped.",
    ]
