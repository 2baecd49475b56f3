"""Medians with intervals, and verdicts over many games."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from veil.intervals import find_holm_threshold
from veil_lab.papers.summaries import find_p_value, median_of


def test_the_interval_of_a_median_is_of_order_statistics() -> None:
    """Of 10 observations the second and the ninth: P(at most one is below the median) = 11/1024 on either side."""
    middle = median_of([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    assert tuple(middle) == (5.5, 2, 9)
    assert str(middle) == "5.5 (2 to 9)"


def test_too_few_observations_have_a_median_without_an_interval() -> None:
    assert str(median_of([3.0, 1.0, 2.0, 5.0, 4.0])) == "3"  # 2 / 32 is more than 5 %
    assert str(median_of([3.0, 1.0, 2.0, 5.0, 4.0, 6.0])) == "3.5 (1 to 6)"  # 2 / 64


def test_the_interval_covers_the_median_of_a_skewed_distribution() -> None:
    """20 observations of exp(normal): 95.9 % of intervals have the 1 in them; 400 of them, false alarm rate 0.1 %."""
    rng = np.random.default_rng(0)
    covered = [
        found.low <= 1 <= found.high for found in (median_of(np.exp(rng.normal(size=20)).tolist()) for _ in range(400))
    ]
    assert 0.92 <= np.mean(covered) <= 0.99


def test_holm_rejects_from_the_smallest_on_until_one_fails() -> None:
    """Four tests: 0.01 <= 0.05/4, 0.016 <= 0.05/3, 0.03 > 0.05/2: two verdicts; alone, three would be."""
    assert find_holm_threshold([0.03, 0.01, 0.5, 0.016]) == 0.016
    assert find_holm_threshold([0.03, 0.04]) == -1.0
    assert find_holm_threshold([]) == -1.0


def test_the_p_value_is_students() -> None:
    values = [3.0, -1.0, 4.0, 1.0, 5.0]
    assert find_p_value(values) == pytest.approx(ttest_1samp(values, 0).pvalue)


def test_equal_differences_are_judged_by_their_signs() -> None:
    """Two matches with the same result prove nothing; a hundred do."""
    assert find_p_value([10.0, 10.0]) == 0.5
    assert find_p_value([0.0] * 100) == 1.0
    assert find_p_value([40.0] * 100) < 1e-20
    assert find_p_value([10.0]) == 1.0
