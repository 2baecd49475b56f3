from __future__ import annotations

import numpy as np
import pytest

from veil.engine.lanes.playouts import MAX_LENGTH, MAX_QUOTA, SPLIT, SPREAD, empty_tally, share_out, sum_tallies


@pytest.mark.parametrize(("states", "count"), [(1, 1), (1, 1000), (3, 1001), (1, 10_000_000), (500, 7)])
def test_every_state_gets_its_playouts(states: int, count: int) -> None:
    owner, quota = share_out(states, count)
    assert np.bincount(owner, weights=quota).tolist() == [count] * states
    assert quota.min() >= 1
    assert quota.max() <= MAX_QUOTA + 1
    assert np.ptp(quota) <= 1


def test_few_playouts_are_spread_over_many_lanes() -> None:
    assert len(share_out(1, SPREAD)[0]) == SPREAD
    assert len(share_out(1, 4 * SPREAD)[0]) == SPREAD


def test_tallies_are_added_up() -> None:
    tallies = [empty_tally(2, 3, 4) for _ in range(2)]
    for number, tally in enumerate(tallies, 1):
        for part in tally:
            part += number
    total = sum_tallies(tallies, 0)
    assert total.goal_sum.tolist() == [[3 * 2**SPLIT + 3] * 3] * 2
    assert total.goal_count.tolist() == [3] * 4
    assert (total.steps, total.stuck, total.cut) == (3, 3, 3)
    assert tallies[0].playouts.tolist() == [1, 1]  # unchanged


def test_a_round_before_makes_every_playout_longer() -> None:
    tally = empty_tally(1, 1, 1)
    tally.playouts[0], tally.length_sum[0] = 5, 4 * 2 + MAX_LENGTH
    tally.length_count[2], tally.length_count[MAX_LENGTH] = 4, 1
    total = sum_tallies([tally], 1)
    assert total.length_sum.tolist() == [4 * 3 + MAX_LENGTH + 1]
    assert total.length_count[3] == 4
    assert total.length_count[MAX_LENGTH] == 1  # the last entry counts the longer ones too
    assert len(total.length_count) == MAX_LENGTH + 1
