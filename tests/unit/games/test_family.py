"""What a family is made of: parameters that read their values, utilities that count goals."""

import pickle

import numpy as np
import pytest

from veil.games import FAMILIES, POINTS, Parameter, Utility


def test_a_utility_survives_pickling() -> None:
    goals = np.array([[0, 50], [100, 30]])
    for family in FAMILIES.values():
        copy = pickle.loads(pickle.dumps(family.utility))
        assert copy == family.utility, family.name
        assert (copy.of(goals) == family.utility.of(goals)).all(), family.name


@pytest.mark.parametrize(
    ("utility", "values", "words"),
    [
        (POINTS, [0, 50, 100], "points = goal"),
        (Utility(zero=50, unit="chips"), [-50, 0, 50], "chips = goal - 50"),
        (Utility(zero=50, scale=50, unit="wins"), [-1, 0, 1], "wins = (goal - 50) / 50"),
        (Utility(scale=10), [0, 5, 10], "points = goal / 10"),
    ],
)
def test_a_utility_shifts_and_scales_goals(utility: Utility, values: list[float], words: str) -> None:
    assert utility.of(np.array([0, 50, 100])).tolist() == values
    assert utility.in_words() == words


def test_a_parameter_reads_whole_numbers_within_its_limits() -> None:
    size = Parameter(name="size", default=3, low=3, high=12, meaning="cells per side")
    assert [size.read(text) for text in ("3", "+12", "2", "13", "3.0", "three", "")] == [3, 12, *[None] * 5]
    assert (size.limits(), size.wanted()) == ("3..12", "a whole number from 3 to 12")
