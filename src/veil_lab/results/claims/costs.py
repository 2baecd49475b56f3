"""What an experiment would cost that has no kept run: its matches, at the rate of a kept run with the same players."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from veil_lab.papers.hyperplay_lifted import count_full_run
from veil_lab.papers.isg_positions import CONTENDERS
from veil_lab.papers.isg_table1 import PARTS, POSITIONS, SECONDS
from veil_lab.results.run import ExperimentRun

GAMES, PRUNING, TABLE = "hyperplay2-games", "hyperplay-pruning", "isg-table1"
SIZE = "models, playouts, simulations"  # the setting of `hyperplay-pruning`: one number for four of them
POWER = 4  # HyperPlay-II multiplies models, simulations, models inside and playouts inside


def tell_cost(experiment: str, runs: Mapping[str, ExperimentRun]) -> str:
    """Return a clause on the cost of an experiment, to stand behind a sentence; nothing if no kept run tells it."""
    tell = _COSTS.get(experiment)
    told = tell(runs) if tell is not None else ""
    return f"; {told}" if told else ""


def _tell_games(runs: Mapping[str, ExperimentRun]) -> str:
    run = runs.get(PRUNING)
    if run is None or run.processor_seconds is None or run.reused or not run.ran:
        return ""
    matches, size = count_full_run()
    times = (size / float(run.table().settings[SIZE])) ** POWER
    rate = run.processor_seconds / sum(int(entry["matches"]) for entry in run.ran)
    return (
        f"in full about {matches * rate * times / 3600:.0f} hours of one core: {matches:,} matches, which take "
        f"{rate:.2g} s each in {PRUNING} with players of one {times:.0f}th of the work"
    )


def _tell_table(runs: Mapping[str, ExperimentRun]) -> str:
    """Return a bound: all samplers use all of their time in all positions under our rules."""
    sizes, samplers = sum(len(part.cells) for part in PARTS), len(CONTENDERS)
    hours = sizes * samplers * POSITIONS * SECONDS / 3600
    return (
        f"in full at most {hours:.0f} hours of one core: {sizes} sizes, {POSITIONS} positions and {samplers} samplers "
        f"with {SECONDS:g} s each"
    )


_COSTS: Mapping[str, Callable[[Mapping[str, ExperimentRun]], str]] = {GAMES: _tell_games, TABLE: _tell_table}
