"""What `±` means wherever Veil prints it: half of a 95 % interval for a mean, by Student's distribution.

There is an interval where the observations say how far they scatter. One observation does not, nor do equal ones:
that two matches ended with 100 does not mean that all do.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

LEVEL = 0.95
MEANING = "95 %"  # said beside a number
LEGEND = "± is half of a 95 % interval"  # said beside a table


def find_standard_error(count: int, total: int, square_total: int) -> float | None:
    """The standard error of the mean of `count` whole numbers, given their sum and the sum of their squares.

    None for fewer than two. The numbers may be of any size: Python's integers are exact.
    """
    if count < 2:
        return None
    return sqrt((count * square_total - total * total) / (count * count * (count - 1)))


def find_half_width(error: float | None, count: int) -> float | None:
    """Half of the interval around a mean of `count` observations with this standard error; None where there is none."""
    if error is None or error == 0.0 or count < 2:
        return None
    from scipy.special import stdtrit

    return float(stdtrit(count - 1, (1 + LEVEL) / 2) * error)


def find_half_width_of(values: Sequence[float]) -> float | None:
    """Half of the interval around the mean of these observations; None where there is none."""
    import numpy as np

    if len(values) < 2 or min(values) == max(values):  # compared, because equal ones may deviate by rounding
        return None
    return find_half_width(float(np.std(values, ddof=1)) / sqrt(len(values)), len(values))


def show_half_width(half: float | None, digits: int) -> str:
    """What stands behind a mean: ` ± 1.25 (95 %)`, or nothing."""
    return "" if half is None else f" ± {half:.{digits}f} ({MEANING})"
