"""Random games from the start, with mean goals and their errors: the results of `veil sim`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from veil.engine.lanes import Machine, Playouts
from veil.intervals import find_half_width, find_standard_error
from veil.limits import check_limit
from veil.signals import check_signals

CHUNK = 65_536  # playouts between two calls of `progress`; results for a seed depend on it


@dataclass(frozen=True, slots=True)
class Simulation:
    """The result of random playouts. R roles."""

    playouts: int
    seconds: float  # of the simulation alone, without compiling
    steps: int
    mean_length: float
    goal_mean: np.ndarray  # [R]
    goal_error: tuple[float | None, ...]  # [R] standard error of the mean; None where there is one playout
    goal_half: tuple[float | None, ...]  # [R] half of the mean's 95 % interval; None where all goals are equal
    stuck: int
    cut: int


def simulate(
    machine: Machine,
    playouts: int,
    seed: int,
    *,
    threads: int = 1,
    max_rounds: int = 100_000,
    progress: Callable[[int], None] = lambda _: None,
) -> Simulation:
    """Play `playouts` random games from the start. A seed gives the same result on any number of threads.

    `progress` is called after every chunk with its number of playouts.
    """
    check_limit("playouts", playouts, "playouts")
    check_limit("threads", threads, "threads")
    check_limit("rounds", max_rounds, "max_rounds")
    states = machine.initial_states()
    machine.playouts(states, 1, seed, max_rounds=1)  # compiled before the clock starts
    start = perf_counter()
    goal_count = np.zeros(sum(map(len, machine.program.goals)), np.int64)
    length = steps = stuck = cut = 0
    for chunk in _chunks(machine, states, playouts, seed, threads, max_rounds):
        check_signals()
        goal_count += chunk.goal_count
        length += int(chunk.length_sum[0])
        steps, stuck, cut = steps + chunk.steps, stuck + chunk.stuck, cut + chunk.cut
        progress(int(chunk.playouts[0]))
    seconds = perf_counter() - start
    means, errors = zip(*_summarise(machine.program.goals, goal_count.tolist(), playouts), strict=True)
    return Simulation(
        playouts=playouts,
        seconds=seconds,
        steps=steps,
        mean_length=length / playouts,
        goal_mean=np.array(means),
        goal_error=errors,
        goal_half=tuple(find_half_width(error, playouts) for error in errors),
        stuck=stuck,
        cut=cut,
    )


def _summarise(
    goals: Sequence[Sequence[int]], counts: Sequence[int], playouts: int
) -> Iterator[tuple[float, float | None]]:
    """Yield per role the mean goal and its standard error, from the counts of goal values, in exact Python integers."""
    first = 0
    for values in goals:
        pairs = list(zip(values, counts[first : first + len(values)], strict=True))
        first += len(values)
        total, squares = (sum(count * value**power for value, count in pairs) for power in (1, 2))
        yield total / playouts, find_standard_error(playouts, total, squares)


def _chunks(
    machine: Machine, states: np.ndarray, playouts: int, seed: int, threads: int, max_rounds: int
) -> Iterator[Playouts]:
    """Yield the playouts in chunks, each with its own seed. Threads share chunks or, if there are few, lanes."""
    counts = [min(CHUNK, playouts - done) for done in range(0, playouts, CHUNK)]
    inside = threads if len(counts) < 2 * threads else 1

    def play(chunk: int) -> Playouts:
        return machine.playouts(states, counts[chunk], (seed, chunk), max_rounds=max_rounds, threads=inside)

    if inside == threads:
        yield from map(play, range(len(counts)))
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(play, range(len(counts)))
    finally:
        pool.shutdown(cancel_futures=True)  # Ctrl-C waits for the running chunks, not for all
