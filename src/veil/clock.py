"""Work that ends in time: deadlines, and pieces of work that fit before them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from time import perf_counter

from veil.signals import check_signals

CAREFUL = 0.5  # of the time that is left is what a piece of work may take by the pace of the last one


def has_passed(deadline: float | None) -> bool:
    """Whether it is later than the deadline, a time of `perf_counter`; without a deadline it never is.

    Whoever asks is at a safe point: where the command is to end, `KeyboardInterrupt` is raised.
    """
    check_signals()
    return deadline is not None and perf_counter() >= deadline


def pace(deadline: float, first: int = 1) -> Iterator[int]:
    """Sizes of pieces of work, one after the other, that will be over by the deadline; the first comes in any case.

    A piece is at most twice as large as the last one, and by its pace takes half of the time that is left: work that
    turns out slower than it looked is still done in time.
    """
    size, seconds_each = first, 0.0
    while size:
        check_signals()
        begin = perf_counter()
        yield size
        seconds_each = max((perf_counter() - begin) / size, seconds_each / 2, 1e-9)
        size = max(0, min(2 * size, int(CAREFUL * (deadline - perf_counter()) / seconds_each)))


def split_portions(count: int, at_once: int, deadline: float | None, first: int = 8) -> Iterator[slice]:
    """The numbers below `count` in slices of at most `at_once`, as far as their work will be over by the deadline."""
    done = 0
    for size in repeat(at_once) if deadline is None else pace(deadline, first):
        check_signals()
        end = min(count, done + min(size, at_once))
        yield slice(done, end)
        done = end
        if done >= count:
            return
