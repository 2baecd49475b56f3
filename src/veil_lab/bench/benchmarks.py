"""The benchmarks of `veil bench`, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from veil.errors import fail

BENCHMARKS: dict[str, str] = {  # name, which is also that of its module -> what it measures
    "engine": "random playouts per second",
    "solve": "iterations of the solvers per second",
    "belief": "histories tested and worlds sampled per second",
    "search": "walks of online search per second",
    "players": "decisions of players per second",
    "env": "steps of learners' environments per second, beside pgx and PettingZoo",
    "decisions": "how long players think by default, in every bundled game",
    "scale": "matches per second on processes and on a cluster, and what a store of results holds",
    "clock": "how players keep a clock of a tenth of a second",
    "studio": "thirty people who play in the browser at once, and two thousand slow clients",
}


ON_ANY_GAME = ("decisions", "clock")  # those that measure all bundled games, or the named games


class Benchmark(NamedTuple):
    """One benchmark, ready to run."""

    measure: Callable[[float, Callable[[str], None]], dict[str, Any]]  # (seconds each, callback for every step)
    as_text: Callable[[dict[str, Any]], str]


def find_benchmark(name: str, games: Sequence[str] = ()) -> Benchmark:
    """Return the benchmark of this name, for these games if it allows a choice; its module is imported now."""
    if name not in BENCHMARKS:
        raise fail("unknown-benchmark", name=name, names=", ".join(BENCHMARKS))
    module = import_module(f"veil_lab.bench.{name}")
    if not games:
        return Benchmark(module.measure_all, module.as_table)
    if name not in ON_ANY_GAME:
        raise fail("no-choice-of-games", name=name, names=", ".join(ON_ANY_GAME))
    return Benchmark(partial(module.measure_all, games=tuple(games)), module.as_table)
