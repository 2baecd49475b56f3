"""Summaries of few observations: a median with its interval, and verdicts over many games with their error rate."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from veil.intervals import LEVEL, find_holm_threshold


class Median(NamedTuple):
    """A median; its interval reaches from one observation to another, NaN if there are too few of them."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if np.isnan(self.low):
            return f"{self.value:,.4g}"
        return f"{self.value:,.4g} ({self.low:,.4g} to {self.high:,.4g})"


def median_of(values: Sequence[float]) -> Median:
    """Return the median of independent observations, at least one, with a 95 % interval.

    The interval is of order statistics, whatever the distribution. It exists from six observations on.
    """
    ordered = sorted(values)
    count = len(ordered)
    below, left_out = 0.0, 0  # probability that the median is beyond the observation `left_out` from either end
    while left_out < count // 2 and below + comb(count, left_out) / 2**count <= (1 - LEVEL) / 2:
        below += comb(count, left_out) / 2**count
        left_out += 1
    middle = float(np.median(ordered))
    if left_out == 0:
        return Median(middle, float("nan"), float("nan"))
    return Median(middle, ordered[left_out - 1], ordered[count - left_out])


def find_p_value(differences: Sequence[float]) -> float:
    """Return the two-sided probability of differences at least this far from 0 on average, by Student's distribution.

    Equal differences do not show how far they scatter; then it is that of the sign test, 2 / 2^n, and 1 for zeros.
    """
    if len(set(differences)) < 2:
        return min(1.0, 2.0 / 2 ** len(differences)) if any(differences) else 1.0
    from scipy.special import stdtr  # takes long to import

    error = float(np.std(differences, ddof=1)) / len(differences) ** 0.5
    return float(2 * stdtr(len(differences) - 1, -abs(float(np.mean(differences))) / error))


def judge(differences: Sequence[np.ndarray]) -> list[str]:
    """Return `better`, `worse` or `unclear` for each series of differences, so that all hold together by Holm."""
    p_values = [find_p_value(one.tolist()) for one in differences]
    threshold = find_holm_threshold(p_values)
    return [
        "unclear" if p_value > threshold else "better" if one.mean() > 0 else "worse"
        for p_value, one in zip(p_values, differences, strict=True)
    ]


def explain_verdicts(count: int) -> str:
    """Return a remark on the verdicts of `judge` in a table that has `count` of them."""
    return (
        f"Better or worse: by Student's test of the differences match by match, {count} tests with Holm's method, so "
        f"that the probability of any wrong verdict is at most {100 * (1 - LEVEL):.0f} %; otherwise unclear. "
        "Differences that are all equal do not scatter: then it is the sign test."
    )
