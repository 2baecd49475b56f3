"""Random games from the start, with mean goals and their errors: the results of `veil sim`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np

from veil.clock import has_passed
from veil.engine.lanes import Machine, Playouts
from veil.intervals import find_half_width, find_standard_error
from veil.limits import check_limit
from veil.signals import check_signals

FIRST_ROUNDS, MORE_ROUNDS = 1_000, 4  # of playouts under a clock: the first limit, and how much larger the next one is
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
    max_rounds: int  # after which playouts were cut: less than was asked for if time was short


class Timetable(NamedTuple):
    """Limits of playouts that may never end."""

    max_rounds: int
    deadline: float | None = None  # of `perf_counter`


def simulate(
    machine: Machine,
    playouts: int,
    seed: int,
    *,
    threads: int = 1,
    max_rounds: int = 100_000,
    deadline: float | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Simulation:
    """Play `playouts` random games from the start. A seed gives the same result on any number of threads.

    `progress` is called after every chunk with its number of playouts. With a deadline (of `perf_counter`) there may be
    fewer playouts, and those that do not end are cut earlier.
    """
    check_limit("playouts", playouts, "playouts")
    check_limit("threads", threads, "threads")
    check_limit("rounds", max_rounds, "max_rounds")
    states = machine.initial_states()
    machine.playouts(states, 1, seed, max_rounds=1)  # compiled before the clock starts
    start = perf_counter()
    goal_count = np.zeros(sum(map(len, machine.program.goals)), np.int64)
    length = steps = stuck = cut = done = 0
    limits = Timetable(max_rounds, deadline)
    for chunk, limit in _chunks(machine, states, playouts, seed, threads, limits):
        check_signals()
        done, max_rounds = done + int(chunk.playouts[0]), min(max_rounds, limit)
        goal_count += chunk.goal_count
        length += int(chunk.length_sum[0])
        steps, stuck, cut = steps + chunk.steps, stuck + chunk.stuck, cut + chunk.cut
        progress(int(chunk.playouts[0]))
        if has_passed(deadline):
            break
    seconds, playouts = perf_counter() - start, done
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
        max_rounds=max_rounds,
    )


def play_in_time(
    machine: Machine, states: np.ndarray, count: int, seed: int | tuple[int, ...], limits: Timetable, threads: int = 1
) -> tuple[Playouts, int]:
    """Play random games from states; return them, and the number of rounds after which they were cut.

    Without a deadline this is `Machine.playouts`. With one, the limit of rounds grows while games are cut, as long as
    the next attempt will end in time. Games that end within a limit are the same under every larger one.
    """
    rounds = limits.max_rounds if limits.deadline is None else min(limits.max_rounds, FIRST_ROUNDS)
    while True:
        begin = perf_counter()
        played = machine.playouts(states, count, seed, max_rounds=rounds, threads=threads)
        needed = MORE_ROUNDS * (perf_counter() - begin)
        is_last = rounds == limits.max_rounds or not played.cut
        if is_last or (limits.deadline is not None and perf_counter() + needed > limits.deadline):
            return played, rounds if played.cut else limits.max_rounds
        rounds = min(limits.max_rounds, MORE_ROUNDS * rounds)


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
    machine: Machine, states: np.ndarray, playouts: int, seed: int, threads: int, limits: Timetable
) -> Iterator[tuple[Playouts, int]]:
    """Yield the playouts in chunks, each with its own seed. Threads share chunks or, if there are few, lanes."""
    counts = [min(CHUNK, playouts - done) for done in range(0, playouts, CHUNK)]
    inside = threads if len(counts) < 2 * threads else 1

    def play(chunk: int) -> tuple[Playouts, int]:
        return play_in_time(machine, states, counts[chunk], (seed, chunk), limits, inside)

    if inside == threads:
        yield from map(play, range(len(counts)))
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(play, range(len(counts)))
    finally:
        pool.shutdown(cancel_futures=True)  # Ctrl-C waits for the running chunks, not for all
