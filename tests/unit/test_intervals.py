from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import stdev

import pytest
from scipy.stats import t as student

from veil.intervals import find_half_width, find_half_width_of, find_standard_error, show_half_width


@pytest.mark.parametrize("values", [[0, 100], [50, 50, 100], [-3, 7, 7, 0], [10**15 - 1, 0, 0, 0, 1 - 10**15]])
def test_the_standard_error_is_that_of_the_sample(values: list[int]) -> None:
    error = find_standard_error(len(values), sum(values), sum(value**2 for value in values))
    assert error == pytest.approx(stdev(map(Fraction, values)) / sqrt(len(values)), rel=1e-12)


def test_large_numbers_that_differ_little_keep_their_error() -> None:
    values = [10**15 - 1, 10**15 - 2] * 1000
    error = find_standard_error(2000, sum(values), sum(value**2 for value in values))
    assert error == pytest.approx(0.5 / sqrt(1999), rel=1e-12)


def test_the_interval_is_students() -> None:
    values = [50.0, 100.0, 0.0, 50.0, 100.0]
    expected = student.ppf(0.975, 4) * stdev(values) / sqrt(5)
    assert find_half_width_of(values) == pytest.approx(expected, rel=1e-12)
    assert find_half_width(2.0, 1_000_000) == pytest.approx(2 * 1.959966, rel=1e-6)  # the normal distribution's


@pytest.mark.parametrize("values", [[], [7.0], [100.0, 100.0], [0.1] * 7])
def test_there_is_no_interval_where_nothing_scatters(values: list[float]) -> None:
    assert find_half_width_of(values) is None


def test_one_observation_has_no_error() -> None:
    assert find_standard_error(1, 7, 49) is None
    assert find_half_width(None, 1) is None
    assert find_half_width(find_standard_error(2, 14, 98), 2) is None  # nor do equal ones have an interval


def test_what_stands_behind_a_mean_says_its_level() -> None:
    assert show_half_width(1.255, 1) == " ± 1.3 (95 %)"
    assert show_half_width(None, 1) == ""
