"""One table, written for a terminal, as Markdown or as CSV.

Cells are numbers, texts or None. A column of numbers, also of numbers with a unit such as `12.5 %` or `40x`, is aligned
to the right, all others to the left. CSV has the values themselves, for programs.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+ ?(?:%|x|k|M|s|ms)?")
INTERVAL = re.compile(r" ± [\d,]*\.?\d+")
NOTHING = "-"  # stands for None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under the names of their columns; every row has as many cells as there are columns."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def as_lines(self) -> list[str]:
        """Return the lines for a terminal: columns side by side, the names underlined."""
        head, *lines = self._align()
        rule = ["-" * len(name) for name in head]
        return ["  ".join(cells).rstrip() for cells in (head, rule, *lines)]

    def as_markdown(self) -> list[str]:
        """Return the lines for a page in Markdown; people can read them as they stand."""
        head, *lines = self._align()
        ends = (":" if right else "-" for right in self.is_right())
        rule = "|".join("-" * (len(name) + 1) + end for name, end in zip(head, ends, strict=True))
        return [_put_bars(head), f"|{rule}|", *map(_put_bars, lines)]

    def as_csv(self) -> str:
        """Return the table for programs: the names, then a line per row; None is an empty cell."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(["" if value is None else value for value in row] for row in self.rows)
        return text.getvalue()

    def _align(self) -> list[list[str]]:
        """Return the cells as texts of one width per column; the names of the columns come first."""
        cells = [list(map(str, self.columns)), *([show_cell(value) for value in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        forms = [f"{'>' if right else '<'}{width}" for right, width in zip(self.is_right(), widths, strict=True)]
        return [[format(text, form) for text, form in zip(line, forms, strict=True)] for line in cells]

    def is_right(self, has_intervals: bool = False) -> list[bool]:
        """Return per column whether it holds numbers only; with `has_intervals`, also such as `50.0 ± 1.0`."""
        if not self.rows:
            return [False] * len(self.columns)
        columns = [list(column) for column in zip(*self.rows, strict=True)]
        if has_intervals:
            columns = [[INTERVAL.sub("", cell) if isinstance(cell, str) else cell for cell in each] for each in columns]
        return [all(map(_is_number, column)) for column in columns]


def show_cell(value: Any) -> str:
    """Return a cell for people: four digits of a small float, no fraction of a large one, thousands separated."""
    if value is None:
        return NOTHING
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def show_short(value: float | None) -> str:
    """Return a large number in three digits: 12.30M, 456k."""
    if value is None:
        return NOTHING
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.2f}{unit}" if value < 100 * limit else f"{value / limit:.0f}{unit}"
    return f"{value:.0f}"


def _put_bars(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return value == NOTHING or NUMBER.fullmatch(value) is not None
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
