"""The meaning of `±` in all output of Veil: half of a 95 % interval for a mean, by Student's distribution.

There is an interval if the observations show how far they scatter. One observation does not, and equal ones do not: two
matches that ended with 100 do not mean that all do.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

LEVEL = 0.95
ROUNDING = 1e-9  # of the observations: smaller differences between them are none
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


def find_half_width_of_share(share: float, count: int) -> float | None:
    """Return half of the interval around a share of `count` observations; None if it is 0 or 1."""
    return find_half_width(sqrt(max(0.0, share * (1.0 - share)) / count), count) if count else None


def find_half_width_of_ratio(parts: Sequence[float], wholes: Sequence[float]) -> float | None:
    """Return half of the interval around the sum of the parts divided by that of the wholes (the delta method).

    The pairs are independent; None if there is no interval.
    """
    import numpy as np  # takes long to import

    above, below = np.asarray(parts, np.float64), np.asarray(wholes, np.float64)
    total = float(below.sum())
    if len(below) < 2 or total <= 0.0:
        return None
    rest = above - above.sum() / total * below
    if np.abs(rest).max() <= ROUNDING * np.abs(above).max():
        return None
    return find_half_width(float(rest.std(ddof=1)) * sqrt(len(below)) / total, len(below))


def find_holm_threshold(p_values: Sequence[float]) -> float:
    """Return the largest p-value that is significant by Holm's method, so that all verdicts hold together; -1 if none.

    The probability that any verdict is wrong is then at most 1 - LEVEL, however the tests depend on each other.
    """
    largest = -1.0
    for number, p_value in enumerate(sorted(p_values)):
        if p_value > (1 - LEVEL) / (len(p_values) - number):
            break
        largest = p_value
    return largest


def show_half_width(half: float | None, digits: int) -> str:
    """Return the text behind a mean: ` ± 1.25 (95 %)`, or nothing."""
    return "" if half is None else f" ± {half:.{digits}f} ({MEANING})"
