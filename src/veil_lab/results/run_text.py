"""From the report of an experiment to its run, and from a run to the text of its file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from veil.report import Report
from veil_lab.results.run import ExperimentRun, decode_run

INTERVAL = re.compile(r"([-+]?\d[\d,]*(?:\.\d+)?) ± (\d[\d,]*(?:\.\d+)?)")
DIGITS = 5  # of a stored figure
MAX_POINTS = 120  # of a curve over one increasing quantity; a longer one is thinned
WIDTH = 118  # of a line that holds a whole list


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Everything about a run that its report does not know."""

    experiment: str
    quick: bool
    date: str
    seed: int
    seconds: float
    processor_seconds: float
    versions: Mapping[str, Any]
    given: Mapping[str, Any] = field(default_factory=dict)
    size: Sequence[str] = ()
    reused: int = 0
    ran: Sequence[Mapping[str, Any]] = ()


def make_run(report: Report, origin: Origin) -> ExperimentRun:
    """Return the run of a report with all its parts."""
    tables = list(_list_tables(report))
    about = {name: getattr(origin, name) for name in origin.__dataclass_fields__}
    gaps = [gap for one in _list_reports(report) for gap in one.as_json().get("gaps", [])]
    return decode_run(spell_run(about | {"tables": tables, "gaps": gaps}), origin.experiment)


def _list_reports(report: Report) -> Iterator[Report]:
    yield report
    for part in report.parts:
        yield from _list_reports(part)


def _list_tables(report: Report) -> Iterator[dict[str, Any]]:
    for one in _list_reports(report):
        plain = one.as_json()
        table = {name: plain[name] for name in ("name", "title", "source", "settings", "columns", "rows", "remarks")}
        yield table | ({"series": _thin(one.series)} if one.series else {})


def _thin(series: Mapping[str, Any]) -> dict[str, Any]:
    """Return the points of a figure; of a long curve over one increasing quantity, a part of them."""
    columns = {name: [simplify(value) for value in values] for name, values in series.items()}
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    first = [row[0] for row in rows]
    if len(rows) > MAX_POINTS and all(isinstance(value, int) for value in first) and sorted(set(first)) == first:
        last = len(rows) - 1
        steps = {round((last + 1) ** (number / (MAX_POINTS - 1))) - 1 for number in range(MAX_POINTS)}
        rows = [rows[step] for step in sorted(steps)]
    return {"columns": list(columns), "rows": rows}


def simplify(value: Any) -> Any:
    """Return a value as JSON has it: figures of five digits, `51.2 ± 3.3` as a pair, NaN as null."""
    if hasattr(value, "item"):  # a number of NumPy
        value = value.item()
    if isinstance(value, float):
        return None if value != value else float(f"{value:.{DIGITS}g}")
    if isinstance(value, str) and (match := INTERVAL.fullmatch(value)):
        return [float(match[1].replace(",", "")), float(match[2].replace(",", ""))]
    if isinstance(value, Mapping):
        return {str(key): simplify(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple) or (hasattr(value, "__iter__") and not isinstance(value, str)):
        return [simplify(entry) for entry in value]
    return value


def spell_run(run: ExperimentRun | Mapping[str, Any]) -> str:
    """Return a run as the text of its file."""
    plain: Mapping[str, Any] = msgspec.to_builtins(run) if isinstance(run, ExperimentRun) else run
    fields = [name for name in ExperimentRun.__struct_fields__ if plain.get(name) is not None]
    return _spell({name: simplify(plain[name]) for name in fields}, "") + "\n"


def _spell(value: Any, indent: str) -> str:
    """Return JSON in which a dictionary has a line per key, a long list a line per entry."""
    inline, deeper = json.dumps(value, ensure_ascii=False), indent + "  "
    if not isinstance(value, dict | list) or not value:
        return inline
    nested = any(isinstance(entry, dict) for entry in (value.values() if isinstance(value, dict) else value))
    if isinstance(value, list):
        if len(inline) + len(indent) <= WIDTH and not nested and not any(isinstance(entry, list) for entry in value):
            return inline
        tables = any(isinstance(entry, dict) and "columns" in entry for entry in value)
        lines = (_spell(entry, deeper) if tables else json.dumps(entry, ensure_ascii=False) for entry in value)
        return "[\n" + ",\n".join(f"{deeper}{line}" for line in lines) + f"\n{indent}]"
    lines = (f"{deeper}{json.dumps(key)}: {_spell(entry, deeper)}" for key, entry in value.items())
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
