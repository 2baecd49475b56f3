"""What an experiment of the lab hands over: a table with theirs beside ours, remarks, and figures."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veil.errors import fail


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One table or figure of a paper, run again."""

    name: str
    title: str
    source: str
    settings: Mapping[str, Any]  # what was run: games, iterations, seed
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    remarks: Sequence[str] = ()
    figures: Mapping[str, Callable[[Path], None]] = field(default_factory=dict)  # file name -> who draws it
    series: Mapping[str, Iterable[Any]] = field(default_factory=dict)  # columns of what the figure shows
    parts: Sequence[Report] = ()  # further tables

    def as_text(self) -> str:
        """For reading."""
        settings = ", ".join(f"{key} {value}" for key, value in self.settings.items())
        lines = [f"{self.name}: {self.title}", f"  {self.source}", f"  settings: {settings}", ""]
        lines += [f"  {line}" for line in table(self.columns, self.rows)]
        for remark in self.remarks:
            lines += textwrap.wrap(remark, 110, initial_indent="  - ", subsequent_indent="    ")
        for part in self.parts:
            lines += ["", part.as_text()]
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "settings": dict(self.settings),
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "remarks": list(self.remarks),
        } | ({"parts": [part.as_json() for part in self.parts]} if self.parts else {})

    def write(self, folder: Path, figures: bool = True) -> list[Path]:
        """The table and the series as CSV, the figures as PNG; returns the files."""
        written = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            written.append(_write_csv(folder / f"{self.name}.csv", self.columns, self.rows))
            if self.series:
                rows = list(zip(*self.series.values(), strict=True))
                written.append(_write_csv(folder / f"{self.name}-series.csv", list(self.series), rows))
        except OSError as error:
            raise fail("unwritable-file", name=str(folder), reason=error.strerror) from None
        for name, draw in self.figures.items() if figures else ():
            draw(folder / name)
            written.append(folder / name)
        for part in self.parts:
            written += part.write(folder, figures)
        return written


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Columns side by side; numbers to the right, words to the left."""
    cells = [list(map(str, columns)), *([_shown(value) for value in row] for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(columns))]
    numeric = [bool(rows) and all(_is_number(row[at]) for row in rows) for at in range(len(columns))]

    def line(values: list[str]) -> str:
        parts = (v.rjust(w) if n else v.ljust(w) for v, w, n in zip(values, widths, numeric, strict=True))
        return "  ".join(parts).rstrip()

    return [line(cells[0]), "  ".join("-" * width for width in widths), *map(line, cells[1:])]


def _write_csv(path: Path, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Path:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(["" if value is None else value for value in row] for row in rows)
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
