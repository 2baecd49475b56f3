"""The run of an experiment from its name: the report for people, and the run with its origin for the repository."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import Any

from veil._version import __version__
from veil.report import Report
from veil_lab.bench.machine import commit
from veil_lab.papers import find_experiment
from veil_lab.results.run import ExperimentRun
from veil_lab.results.run_text import Origin, make_run
from veil_lab.results.size import describe_size
from veil_lab.run_notes import note_all

LIBRARIES = ("numpy", "numba", "scipy", "clingo")  # results depend on these; the others only show them


def perform(
    name: str, seed: int, quick: bool, given: Mapping[str, Any], kept: ExperimentRun | None = None
) -> tuple[Report, ExperimentRun]:
    """Run an experiment now. `given` are its options beyond seed and `quick`, `kept` its full run if there is one."""
    experiment = find_experiment(name)
    start, used = perf_counter(), _processor_seconds()
    with note_all() as notes:
        report = experiment(seed, quick, **given)
    origin = Origin(
        experiment=name,
        quick=quick,
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        seed=seed,
        given=given,
        size=describe_size(name, report.settings, quick, kept),
        seconds=perf_counter() - start,
        processor_seconds=_processor_seconds() - used,
        reused=notes.reused,
        versions=find_versions(),
        ran=list(notes.entries.values()),
    )
    return report, make_run(report, origin)


def find_versions() -> dict[str, Any]:
    """Return the versions that a result depends on, and the commit if this code is in a repository."""
    found: dict[str, Any] = {"veil": __version__, "commit": commit(), "python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def _processor_seconds() -> float:
    """Return the processor time of this process and of those that it has started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
