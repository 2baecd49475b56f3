from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from veil import load
from veil.engine import simulate
from veil.intervals import find_half_width

LARGEST = 10**15 - 1
PENNIES = """
(role a) (role b) (init start)
(<= (legal ?r heads) (role ?r))
(<= (legal ?r tails) (role ?r))
(<= (next done) (true start))
(<= (next both) (does a heads) (does b heads))
(<= terminal (true done))
(<= (goal a {high}) (true both))
(<= (goal a {low}) (not (true both)))
(<= (goal b 7) (true done))
"""


@pytest.mark.gate_cases(5)
@pytest.mark.compiled("slow as Python", only=("[1000000-",))
@pytest.mark.parametrize(
    ("low", "high"), [(0, 100), (0, 10**8), (0, LARGEST), (-LARGEST, LARGEST), (LARGEST - 1, LARGEST)]
)
@pytest.mark.parametrize("playouts", [2, 100_000, 1_000_000])
def test_sums_are_exact_for_every_goal_of_the_language(low: int, high: int, playouts: int) -> None:
    machine = load(PENNIES.format(low=low, high=high)).machine
    usual = simulate(load(PENNIES.format(low=0, high=1)).machine, playouts, seed=3)  # the same games
    won = round(float(usual.goal_mean[0]) * playouts)
    result = simulate(machine, playouts, seed=3)
    mean = Fraction(won * high + (playouts - won) * low, playouts)
    assert float(result.goal_mean[0]) == float(mean)
    if won:
        variance = Fraction(won * (playouts - won) * (high - low) ** 2, playouts * (playouts - 1))
        assert result.goal_error[0] == pytest.approx(float(variance / playouts) ** 0.5, rel=1e-12)
        assert result.goal_half[0] == find_half_width(result.goal_error[0], playouts)


def test_sums_of_a_state_are_exact_as_well() -> None:
    machine = load(PENNIES.format(low=-LARGEST, high=LARGEST)).machine
    found = machine.playouts(machine.initial_states(2), 50_000, seed=1)
    count = load(PENNIES.format(low=0, high=1)).machine.playouts(machine.initial_states(2), 50_000, seed=1)
    won = [int(entry) for entry in count.goal_sum[:, 0]]
    assert found.goal_sum[:, 0].tolist() == [float((2 * entry - 50_000) * LARGEST) for entry in won]
    assert found.goal_count.tolist() == count.goal_count.tolist()
    assert np.array_equal(found.goal_sum[:, 1], [350_000, 350_000])


def test_one_playout_has_no_error_bar() -> None:
    result = simulate(load("kuhn_poker").machine, 1, seed=0)
    assert result.goal_error == (None, None, None)
    assert result.goal_half == (None, None, None)


def test_equal_goals_have_no_interval() -> None:
    result = simulate(load(PENNIES.format(low=0, high=1)).machine, 1000, seed=0)
    assert result.goal_error[1] == 0.0
    assert result.goal_half[1] is None
