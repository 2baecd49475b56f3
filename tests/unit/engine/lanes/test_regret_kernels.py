from __future__ import annotations

import numpy as np
import pytest

from veil.engine.lanes import match_regrets, mix_regrets


@pytest.mark.parametrize(
    ("regrets", "expected"),
    [([3.0, -1.0, 1.0], [0.75, 0.0, 0.25]), ([-1.0, 0.0], [0.5, 0.5]), ([0.0, -2.0, -3.0, 0.0], [0.25] * 4)],
)
def test_a_policy_is_in_proportion_to_positive_regrets_and_uniform_without(
    regrets: list[float], expected: list[float]
) -> None:
    room, policy = np.array([9.0, *regrets, 9.0]), np.full(7, -1.0)
    match_regrets(room, 1, 1 + len(regrets), policy, 2)
    assert policy.tolist() == [-1.0, -1.0, *expected, *[-1.0] * (5 - len(regrets))]


@pytest.mark.parametrize(
    ("regrets", "expected"), [([3.0, -1.0, 1.0], [0.625, 0.1, 0.275]), ([-1.0, 0.0, -2.0], [1 / 3] * 3)]
)
def test_a_uniform_part_is_mixed_in_where_a_regret_is_positive(regrets: list[float], expected: list[float]) -> None:
    numbers, policy = np.full((5, 2), 9.0), np.full(4, -1.0)
    numbers[1:4, 1] = regrets
    mix_regrets(numbers, 1, 1, 3, 0.1, 0.7, policy)
    assert policy.tolist() == pytest.approx([*expected, -1.0])
