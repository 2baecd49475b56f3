"""Speed of beliefs: histories checked per second by exact belief, worlds per second by each sampler, their bytes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any

import numpy as np

from veil.belief import (
    ExactBelief,
    HyperPlayBelief,
    NoConsistentHistory,
    ParticleBelief,
    RejectionSampler,
    Sampler,
    TooManyWorlds,
)
from veil.engine import observe_history
from veil.report import Table
from veil_lab.bench.machine import about
from veil_lab.views import GAMES, View
from veil_lab.weak_play import weak_game

COUNT = 1000  # models, particles, samples
MAX_WORLDS = 1_000_000
LARGE = 10_000  # joint moves tested in one round


def measure_all(seconds: float, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Measure every game of the article's experiments, for about `seconds` seconds each."""
    rows = []
    for name, role in GAMES.items():
        say(f"measuring {name}")
        rows.append(measure(name, role, seconds))
    return {"games": rows} | about()


def measure(name: str, role: str, seconds: float) -> dict[str, Any]:
    """Measure one game: games between weak players until the time is up, with every belief on each of them."""
    view = View.of(name, role)
    spent = dict.fromkeys(("exact", "hyperplay", "particle", "random"), 0.0)
    worlds = dict.fromkeys(spent, 0)
    checked = largest = bytes_of_largest = 0
    large_seconds, large_checked = 0.0, 0
    start, number = perf_counter(), 0
    _warm(view)
    while number == 0 or perf_counter() - start < seconds:
        record = observe_history(view.game.machine, weak_game(view.game, number), view.role)[:-1]
        exact = ExactBelief(view.game.machine, view.role, max_worlds=MAX_WORLDS)
        with suppress(TooManyWorlds):
            for entry in record:
                before, clock = exact.states_visited, perf_counter()
                exact.observe(*entry)
                size, tested = exact.size, exact.states_visited - before
                spent["exact"] += perf_counter() - clock
                checked += tested
                if tested >= LARGE:
                    large_checked, large_seconds = large_checked + tested, large_seconds + perf_counter() - clock
                if size > largest:
                    largest, bytes_of_largest = size, exact.nbytes
        for sampler in ("hyperplay", "particle", "random"):
            belief = _make(view, sampler, number)
            seconds_of, found = _worlds_per_second(belief, record, number)
            spent[sampler] += seconds_of
            worlds[sampler] += found
        number += 1
    return {
        "game": name,
        "games": number,
        "exact_checked_per_second": checked / max(spent["exact"], 1e-9),
        "exact_checked_per_second_in_large_rounds": large_checked / large_seconds if large_seconds else None,
        "largest_infoset": largest,
        "bytes_per_world": bytes_of_largest / max(1, largest),
        "worlds_per_second": {name: worlds[name] / max(spent[name], 1e-9) for name in worlds if name != "exact"},
    }


def _make(view: View, sampler: str, seed: int) -> Sampler:
    machine, role = view.game.machine, view.role
    if sampler == "hyperplay":
        return HyperPlayBelief(machine, role, models=COUNT, seed=seed)
    if sampler == "particle":
        return ParticleBelief(machine, role, particles=COUNT, seed=seed)
    return RejectionSampler(machine, role, samples=COUNT, budget=1_000_000)


def _worlds_per_second(belief: Sampler, record: list[Any], seed: int) -> tuple[float, int]:
    """Return (seconds, worlds kept up to date): after every round, each model, particle or sample counts once."""
    start, found = perf_counter(), 0
    with suppress(NoConsistentHistory):
        for entry in record:
            belief.observe(*entry)
            if isinstance(belief, RejectionSampler):
                before = belief.successes
                with suppress(NoConsistentHistory):
                    belief.worlds(None, np.random.default_rng(seed))
                found += belief.successes - before
            else:
                found += COUNT
    return perf_counter() - start, found


def _observe(belief: Sampler, record: list[Any]) -> None:
    with suppress(TooManyWorlds):
        for entry in record:
            belief.observe(*entry)


def _warm(view: View) -> None:
    """Compile kernels before the clock starts."""
    record = observe_history(view.game.machine, weak_game(view.game, 0), view.role)[:2]
    for sampler in ("hyperplay", "particle"):
        _observe(_make(view, sampler, 0), record)
    _observe(ExactBelief(view.game.machine, view.role), record)


def as_table(result: dict[str, Any]) -> str:
    """Return the measurements as a table for people."""
    rows = [
        (
            row["game"],
            round(row["exact_checked_per_second"]),
            round(row["exact_checked_per_second_in_large_rounds"] or 0) or None,
            row["largest_infoset"],
            round(row["bytes_per_world"]),
            *(round(value) for value in row["worlds_per_second"].values()),
        )
        for row in result["games"]
    ]
    columns = (
        "game",
        "exact: checked/s",
        "in large rounds",
        "largest",
        "bytes/world",
        "hyperplay: worlds/s",
        "particle",
        "random",
    )
    return "\n".join(
        ["a world counts once per round; exact counts joint moves tested", *Table(columns, rows).as_lines()]
    )
