"""Matches whose clocks run in processor time: equal work for all players, also on a machine that others use.

`run_on_processor_time` replaces the clock (`perf_counter`) in all modules of Veil while a block runs. That is for
experiments in which players work in this process and nobody waits for anything: a process that sleeps uses no
processor time, and its deadlines never come.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from veil.match import PlayedMatch, Task, play_task
from veil.search import warm_up


@contextmanager
def run_on_processor_time() -> Iterator[None]:
    """Let the clocks of Veil count the processor time of this process while the block runs."""
    wall = time.perf_counter
    time.perf_counter = time.process_time  # for modules that are imported in the block
    _replace(wall, time.process_time)
    try:
        yield
    finally:
        time.perf_counter = wall
        _replace(time.process_time, wall)


def play_on_processor_time(task: Task) -> PlayedMatch:
    """Play a match with clocks of processor time. Game and kernels are compiled before the clocks run."""
    _ = task.game.machine
    warm_up()
    with run_on_processor_time():
        return play_task(task)


def _replace(old: Callable[[], float], new: Callable[[], float]) -> None:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("veil", "veil_lab") and vars(module).get("perf_counter") is old:
            vars(module)["perf_counter"] = new
