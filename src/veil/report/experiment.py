"""The result of an experiment: a table with published figures beside ours, remarks, and plots."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veil.files import result_folder, write_text
from veil.intervals import LEGEND
from veil.report.tables import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One table or figure of a paper, reproduced."""

    name: str
    title: str
    source: str
    settings: Mapping[str, Any]  # the settings of the run: games, iterations, seed
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    remarks: Sequence[str] = ()
    gaps: Sequence[tuple[str, str]] = ()  # (part of the paper that this run does not show, why)
    figures: Mapping[str, Callable[[Path], None]] = field(default_factory=dict)  # file name -> its drawing function
    series: Mapping[str, Iterable[Any]] = field(default_factory=dict)  # columns of the data in the figure
    parts: Sequence[Report] = ()  # further tables

    def as_text(self) -> str:
        """Return the table with its title, settings and remarks, for people."""
        settings = ", ".join(f"{key} {value}" for key, value in self.settings.items())
        lines = [f"{self.name}: {self.title}", f"  {self.source}", f"  settings: {settings}", ""]
        lines += [f"  {line}" for line in Table(self.columns, self.rows).as_lines()]
        has_interval = any("±" in str(cell) for row in self.rows for cell in row)
        for remark in (*self.remarks, *([LEGEND] if has_interval else [])):
            lines += textwrap.wrap(remark, 110, initial_indent="  - ", subsequent_indent="    ")
        for part in self.parts:
            lines += ["", part.as_text()]
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data, for programs; figures and series are left out."""
        return {
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "settings": dict(self.settings),
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "remarks": list(self.remarks),
            "gaps": [{"what": what, "why": why} for what, why in self.gaps],
        } | ({"parts": [part.as_json() for part in self.parts]} if self.parts else {})

    def write(self, folder: Path, figures: bool = True) -> list[Path]:
        """Write the table and the series as CSV and, with `figures`, the figures as PNG; return the files."""
        result_folder(str(folder))
        contents = {f"{self.name}.csv": Table(self.columns, self.rows)}
        if self.series:
            rows = list(zip(*self.series.values(), strict=True))
            contents[f"{self.name}-series.csv"] = Table(list(self.series), rows)
        for name, table in contents.items():
            write_text(folder / name, table.as_csv())
        for name, draw in self.figures.items() if figures else ():
            draw(folder / name)
        written = [folder / name for name in (*contents, *(self.figures if figures else ()))]
        return written + [path for part in self.parts for path in part.write(folder, figures)]
