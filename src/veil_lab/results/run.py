"""One run of an experiment as data: what was run, with which versions, the cells with their intervals.

A run is a file `results/<experiment>.json`. It is small and easy to compare: keys have a fixed order, figures have
five digits, a row of a table is a line. A mean with its interval is a pair, `[51.2, 3.3]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from veil.errors import fail
from veil.files import decode_json, read_bytes
from veil_lab.papers import EXPERIMENTS

Cell = str | int | float | bool | None | tuple[float, float]
LEADING_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")


class MissingCellError(LookupError):
    """A run has no such table, row or column, or the cell is no number."""


class TableRow(dict[str, Cell]):
    """The cells of a row by the names of their columns; of two columns of one name, the second ends with ` 2`.

    `row["ours"]` is also the cell of `ours, 1,000 iterations`, if only one column begins so.
    """

    def __missing__(self, column: str) -> Cell:
        longer = [name for name in self if name.startswith(f"{column},")]
        if len(longer) != 1:
            raise MissingCellError(column)
        return self[longer[0]]

    def number(self, column: str) -> float:
        """Return a cell as a number: of an interval its middle, of `94.2 %` the number in front."""
        return read_number(self[column])

    def half(self, column: str) -> float | None:
        """Return half of the interval of a cell; None if it has none."""
        return read_half(self[column])


class RunSeries(msgspec.Struct, frozen=True):
    """The points behind a figure: rows under the names of their columns."""

    columns: list[str]
    rows: list[list[Cell]]

    def records(self) -> list[TableRow]:
        """Return the points, each by the names of its columns."""
        return [TableRow(zip(self.columns, row, strict=True)) for row in self.rows]


class RunTable(msgspec.Struct, frozen=True):
    """One table of a run."""

    name: str
    title: str
    source: str
    settings: dict[str, Any]
    columns: list[str]
    rows: list[list[Cell]]
    remarks: list[str]
    series: RunSeries | None = None

    def records(self) -> list[TableRow]:
        """Return the rows, each by the names of its columns."""
        names = list(name_apart(self.columns))
        return [TableRow(zip(names, row, strict=True)) for row in self.rows]

    def find(self, **cells: Cell) -> TableRow:
        """Return the first row with these cells, by column; `_` in a name stands for a space."""
        found = self.find_all(**cells)
        if not found:
            raise MissingCellError(f"{self.name}: no row with {cells}")
        return found[0]

    def find_all(self, **cells: Cell) -> list[TableRow]:
        """Return all rows with these cells."""
        wanted = {name.replace("_", " ").strip(): value for name, value in cells.items()}
        return [row for row in self.records() if all(row[name] == value for name, value in wanted.items())]

    def at(self, start: str) -> TableRow:
        """Return the first row whose first cell begins like this."""
        for row, cells in zip(self.records(), self.rows, strict=True):
            if str(cells[0]).startswith(start):
                return row
        raise MissingCellError(f"{self.name}: no row begins with {start}")


class ExperimentRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run of an experiment."""

    experiment: str
    quick: bool
    date: str  # of its end, in UTC
    seed: int
    given: dict[str, Any]  # options of the command that change the experiment
    size: list[str]  # its size beside the paper's
    seconds: float | None = None  # None if nobody has measured it
    processor_seconds: float | None = None  # of this machine; None if nobody has measured it
    reused: int  # pieces that came from a store and not from this run
    versions: dict[str, Any]
    source: str | None = None  # where the figures come from, if this program has not written them
    ran: list[dict[str, Any]] = []  # games, players, matches, samplers that answered
    tables: list[RunTable]
    gaps: list[dict[str, str]] = []  # what the experiment itself says that it does not show

    def table(self, name: str | None = None) -> RunTable:
        """Return a table by its name; the first one without a name."""
        for table in self.tables:
            if name in (None, table.name):
                return table
        raise MissingCellError(f"{self.experiment}: no table {name}")


def name_apart(columns: Sequence[str]) -> Iterator[str]:
    """Yield the names of columns, with a number behind those that have occurred before."""
    seen: dict[str, int] = {}
    for column in columns:
        seen[column] = seen.get(column, 0) + 1
        yield column if seen[column] == 1 else f"{column} {seen[column]}"


def read_number(cell: Cell) -> float:
    """Return the number of a cell; raises `MissingCellError` if it begins with none."""
    if isinstance(cell, tuple):
        return cell[0]
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return float(cell)
    match = LEADING_NUMBER.match(str(cell).removeprefix("more than ").removeprefix("< "))
    if match is None:
        raise MissingCellError(f"no number: {cell}")
    return float(match.group().replace(",", ""))


def read_half(cell: Cell) -> float | None:
    """Return half of the interval of a cell; None if it has none."""
    return cell[1] if isinstance(cell, tuple) else None


def decode_run(data: bytes | str, name: str) -> ExperimentRun:
    """Return the run that a text holds; `name` is for the message if it holds none."""
    return decode_json(data, ExperimentRun, name, lambda name, what: fail("bad-run", name=name, what=what))


def read_runs(folder: Path) -> dict[str, ExperimentRun]:
    """Return the full runs in a folder by the names of their experiments; other files are not looked at."""
    paths = {name: RunFile(folder, name, False).path for name in EXPERIMENTS}
    return {name: decode_run(read_bytes(path), str(path)) for name, path in paths.items() if path.is_file()}


class RunFile(NamedTuple):
    """The place of a run in a folder."""

    folder: Path
    experiment: str
    quick: bool

    @property
    def path(self) -> Path:
        """The file; that of a quick run has another name, so that it never replaces a full one."""
        return self.folder / f"{self.experiment}{'.quick' if self.quick else ''}.json"
