"""Random games from the start, with mean goals and their errors: what `veil sim` shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from time import perf_counter

import numpy as np

from veil.engine.lanes import Machine, Playouts
from veil.limits import check_limit

CHUNK = 65_536  # playouts between two signs of life; part of what a seed means


@dataclass(frozen=True, slots=True)
class Simulation:
    """The result of random playouts. R roles."""

    playouts: int
    seconds: float  # of the simulation alone, without compiling
    steps: int
    mean_length: float
    goal_mean: np.ndarray  # [R]
    goal_error: np.ndarray  # [R] standard error of the mean
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
    """Play so many random games from the start. The same seed gives the same result on any number of threads.

    `progress` is called with the number of playouts of every chunk that is done.
    """
    check_limit("playouts", playouts, "playouts")
    check_limit("threads", threads, "threads")
    check_limit("rounds", max_rounds, "max_rounds")
    states = machine.initial_states()
    machine.playouts(states, 1, seed, max_rounds=1)  # compiled before the clock starts
    start = perf_counter()
    roles = len(machine.program.roles)
    goal_sum, goal_square_sum = np.zeros(roles, np.int64), np.zeros(roles, np.int64)
    length = steps = stuck = cut = 0
    for chunk in _chunks(machine, states, playouts, seed, threads, max_rounds):
        goal_sum += chunk.goal_sum[0]
        goal_square_sum += chunk.goal_square_sum[0]
        length += int(chunk.length_sum[0])
        steps, stuck, cut = steps + chunk.steps, stuck + chunk.stuck, cut + chunk.cut
        progress(int(chunk.playouts[0]))
    mean = goal_sum / playouts
    variance = np.maximum(0.0, goal_square_sum / playouts - mean**2)
    return Simulation(
        playouts=playouts,
        seconds=perf_counter() - start,
        steps=steps,
        mean_length=length / playouts,
        goal_mean=mean,
        goal_error=np.sqrt(variance) / sqrt(playouts),
        stuck=stuck,
        cut=cut,
    )


def _chunks(
    machine: Machine, states: np.ndarray, playouts: int, seed: int, threads: int, max_rounds: int
) -> Iterator[Playouts]:
    """The playouts in chunks, each with a seed of its own. Threads share chunks or, if there are few, lanes."""
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
        pool.shutdown(cancel_futures=True)  # Ctrl-C waits for the chunks at work, not for all
