"""Runs of experiments that nobody has made, for tests of what is done with runs."""

from __future__ import annotations

from typing import Any

from veil.report import Report
from veil_lab.results.run import ExperimentRun
from veil_lab.results.run_text import Origin, make_run


def make_report(rows: list[tuple[Any, ...]], columns: tuple[str, ...], **more: Any) -> Report:
    """A report with these rows."""
    given: dict[str, Any] = {
        "name": "its-fig5",
        "title": "a title",
        "source": "a paper",
        "settings": {"iterations": 10_000},
        **more,
    }
    return Report(columns=columns, rows=rows, **given)


def run_of(report: Report, experiment: str = "its-fig5", **more: Any) -> ExperimentRun:
    """The run of a report, as if it had been made now."""
    given: dict[str, Any] = {
        "quick": False,
        "date": "2026-11-18",
        "seed": 0,
        "seconds": 2.0,
        "processor_seconds": 1.5,
        "versions": {},
    }
    return make_run(report, Origin(experiment=experiment, **given | more))
