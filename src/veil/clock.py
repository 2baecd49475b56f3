"""Work that ends in time: deadlines, and pieces of work that fit before them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from time import perf_counter

CAREFUL = 0.5  # of the time that is left is what a piece of work may take by the pace of the last one


def passed(deadline: float | None) -> bool:
    """Whether the moment is over; a missing deadline never is. Deadlines are times of `perf_counter`."""
    return deadline is not None and perf_counter() >= deadline


def paced(deadline: float, first: int = 1) -> Iterator[int]:
    """Sizes of pieces of work, one after the other, that will be over by the deadline; the first comes in any case.

    A piece is at most twice as large as the last one, and by its pace takes half of the time that is left: work that
    turns out slower than it looked is still done in time.
    """
    size, pace = first, 0.0
    while size:
        begin = perf_counter()
        yield size
        pace = max((perf_counter() - begin) / size, pace / 2, 1e-9)
        size = max(0, min(2 * size, int(CAREFUL * (deadline - perf_counter()) / pace)))


def portions(count: int, at_once: int, deadline: float | None, first: int = 8) -> Iterator[slice]:
    """The numbers below `count` in slices of at most `at_once`; those that will not be over by the deadline are not."""
    done = 0
    for size in repeat(at_once) if deadline is None else paced(deadline, first):
        end = min(count, done + min(size, at_once))
        yield slice(done, end)
        done = end
        if done >= count:
            return
