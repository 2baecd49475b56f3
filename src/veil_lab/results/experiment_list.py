"""The list of experiments: what each costs, and when it was last run, by the runs that are kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veil.report import Table
from veil_lab.papers import EXPERIMENTS, HOURS
from veil_lab.results.run import ExperimentRun, RunFile, read_runs

FOLDER = "results"  # of kept runs
SMALLER = {"seconds", "matches", "positions", "game"}  # options that make a run smaller
HOW = "veil reproduce NAME... runs them, all stands for those of minutes, --quick for a look."


def find_kept(here: Path | None = None) -> Path:
    """Return the folder of kept runs: `results` here if there is one, otherwise that of this program's sources."""
    beside = (here or Path.cwd()) / FOLDER
    has_runs = any(RunFile(beside, name, False).path.is_file() for name in EXPERIMENTS)
    return beside if has_runs else Path(__file__).parents[3] / FOLDER


def list_experiments(kept: Path | None = None) -> list[dict[str, Any]]:
    """Return what is known about each experiment, as plain data."""
    runs = read_runs(kept or find_kept())
    return [describe(name, runs) for name in EXPERIMENTS]


def describe(name: str, runs: Mapping[str, ExperimentRun]) -> dict[str, Any]:
    """Return what is known about an experiment."""
    run = runs.get(name)
    spent = None if run is None else run.processor_seconds
    return {
        "name": name,
        "takes": show_cost(
            None if is_from_store(run) else spent,
            name in HOURS,
            partly=run is not None and run.reused > 0,
            smaller=is_smaller(run),
        ),
        "processor_seconds": spent,
        "last_run": None if run is None else run.date,
        "version": None if run is None else run.versions.get("veil"),
        "title": None if run is None else run.tables[0].title,
    }


def is_smaller(run: ExperimentRun | None) -> bool:
    """Return whether a run was asked to be smaller than a full one."""
    return run is not None and not SMALLER.isdisjoint(run.given)


def is_from_store(run: ExperimentRun | None) -> bool:
    """Return whether a run took next to nothing because its pieces had been made before."""
    return run is not None and run.reused > 0 and (run.processor_seconds or 0.0) < 1


def show_cost(seconds: float | None, long: bool, *, partly: bool = False, smaller: bool = False) -> str:
    """Return the class of a cost and the measured time: `minutes (12 min)`.

    `partly`: only a part was measured. `smaller`: what was measured is less than a full run, so that it has no class.
    """
    unknown = "hours" if long else "minutes"
    if seconds is None:
        return f"{unknown}, not measured"
    kinds = {60.0: "seconds", 3600.0: "minutes", 86400.0: "hours"}
    kind = next((name for limit, name in kinds.items() if seconds < limit), "days")
    shown = {"seconds": (1, "s"), "minutes": (60, "min"), "hours": (3600, "h"), "days": (86400, "d")}[kind]
    measured = f"{'more than ' if partly else ''}{seconds / shown[0]:.2g} {shown[1]}"
    return f"{unknown}; a smaller run {measured}" if smaller else f"{kind} ({measured})"


def show_list(entries: list[dict[str, Any]]) -> str:
    """Return the list for people."""
    rows = [(one["name"], one["takes"], one["last_run"] or "never kept", one["title"] or "") for one in entries]
    table = Table(("experiment", "takes, one core", "last run", "what"), rows).as_lines()
    return "\n".join([*table, "", HOW])
