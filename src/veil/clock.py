"""Work that ends in time: deadlines, and pieces of work that fit before them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from time import perf_counter

from veil.signals import check_signals

CAREFUL = 0.5  # share of the remaining time that a piece of work may take at the pace of the last one


def has_passed(deadline: float | None) -> bool:
    """Return whether the deadline, a time of `perf_counter`, has passed; False without a deadline.

    A call is a safe point: if the command has to end, `KeyboardInterrupt` is raised.
    """
    check_signals()
    return deadline is not None and perf_counter() >= deadline


def show_seconds(seconds: float) -> str:
    """Return a time in a suitable unit: 40 s, 12 min, 3.5 h, 2e+07 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 100 else f"{hours:,.0f} h" if hours < 1e6 else f"{hours:.1g} h"


def pace(deadline: float, first: int = 1) -> Iterator[int]:
    """Yield sizes of pieces of work that will be done before the deadline; the first one comes in any case.

    A piece is at most twice as large as the last one, and at the last pace takes half of the remaining time: work that
    turns out to be slower than expected is still done in time.
    """
    size, seconds_each = first, 0.0
    while size:
        check_signals()
        begin = perf_counter()
        yield size
        seconds_each = max((perf_counter() - begin) / size, seconds_each / 2, 1e-9)
        size = max(0, min(2 * size, int(CAREFUL * (deadline - perf_counter()) / seconds_each)))


def split_portions(count: int, at_once: int, deadline: float | None, first: int = 8) -> Iterator[slice]:
    """Yield the numbers below `count` in slices of at most `at_once`, as long as their work is done by the deadline."""
    done = 0
    for size in repeat(at_once) if deadline is None else pace(deadline, first):
        check_signals()
        end = min(count, done + min(size, at_once))
        yield slice(done, end)
        done = end
        if done >= count:
            return
