"""The size of a run beside the paper's, and beside the run that is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veil_lab.results.run import ExperimentRun

PAPER_SIZES: Mapping[str, Mapping[str, float]] = {  # experiment -> a setting of its table -> its value in the paper
    "its-fig2": {"iterations": 1000},
    "its-fig4": {"iterations": 100},
    "its-fig5": {"iterations": 10_000},
    "its-table1": {"iterations": 1_000_000},
    "isg-table1": {"seconds": 30, "positions": 10},
    "oos-fig3-aggregate": {"matches per role": 500},
    "oos-fig3-program": {"matches per role": 500},
    "oos-fig3-targeting": {"matches per role": 500},
    "oos-fig4-small": {"matches per cell": 500},
    "oos-fig4-large": {"matches per cell": 500},
    "oos-fig4-budgets": {"matches per cell": 500},
    "oos-fig4-times": {"matches per cell": 500},
}
QUICK = "a quick run, to look at and not to compare"
QUICK_BUT_WHOLE = "a quick run, which is as large as a full one here"
UNKNOWN = "the paper does not say how much it ran"


def describe_size(experiment: str, settings: Mapping[str, Any], quick: bool, kept: ExperimentRun | None) -> list[str]:
    """Return sentences on the size of a run with these settings; `kept` is the full run, if there is one."""
    theirs = PAPER_SIZES.get(experiment, {})
    whole = bool(theirs) and all(settings.get(name) == value for name, value in theirs.items())
    said = [(QUICK_BUT_WHOLE if whole else QUICK)] if quick else []
    said += [_compare(name, settings[name], value, "the paper's") for name, value in theirs.items() if name in settings]
    if not theirs and not experiment.startswith(("exploit", "opponents", "oos-beyond", "resolve", "solver", "strong")):
        said.append(UNKNOWN)
    if quick and kept is not None:
        full = kept.tables[0].settings
        said += [
            _compare(name, value, full[name], "the kept run's")
            for name, value in settings.items()
            if _is_size(value) and _is_size(full.get(name)) and full[name] != value and name not in theirs
        ]
    return said


def _is_size(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _compare(name: str, ours: Any, theirs: float, whose: str) -> str:
    """Return `iterations 50,000, the paper's 1,000,000: 0.05 of them`."""
    if not _is_size(ours):
        return f"{name} {ours}, {whose} {theirs:,}"
    if ours == theirs:
        return f"{name} {ours:,}, as many as {whose}"
    return f"{name} {ours:,}, {whose} {theirs:,}: {ours / theirs:.2g} of them"
