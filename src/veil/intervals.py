"""The meaning of `±` in all output of Veil: half of a 95 % interval for a mean, by Student's distribution.

There is an interval if the observations show how far they scatter. One observation does not, and equal ones do not: two
matches that ended with 100 do not mean that all do.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

LEVEL = 0.95
MEANING = "95 %"  # printed beside a number
LEGEND = "± is half of a 95 % interval"  # printed beside a table


def find_standard_error(count: int, total: int, square_total: int) -> float | None:
    """Return the standard error of the mean of `count` whole numbers, given their sum and the sum of their squares.

    None for fewer than two. The numbers may be of any size: Python's integers are exact.
    """
    if count < 2:
        return None
    return sqrt((count * square_total - total * total) / (count * count * (count - 1)))


def find_half_width(error: float | None, count: int) -> float | None:
    """Return half of the interval around a mean of `count` observations with this standard error.

    The result is None if there is none.
    """
    if error is None or error == 0.0 or count < 2:
        return None
    from scipy.special import stdtrit  # takes long to import

    return float(stdtrit(count - 1, (1 + LEVEL) / 2) * error)


def find_half_width_of(values: Sequence[float]) -> float | None:
    """Return half of the interval around the mean of these observations; None if there is none."""
    import numpy as np  # takes long to import

    if len(values) < 2 or min(values) == max(values):  # compared, because equal ones may differ by rounding
        return None
    return find_half_width(float(np.std(values, ddof=1)) / sqrt(len(values)), len(values))


def show_half_width(half: float | None, digits: int) -> str:
    """Return the text behind a mean: ` ± 1.25 (95 %)`, or nothing."""
    return "" if half is None else f" ± {half:.{digits}f} ({MEANING})"
