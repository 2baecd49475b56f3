from __future__ import annotations

import numpy as np
from scipy import stats

from veil.engine.lanes import draw_index, draw_unit, draw_weighted, split_mix, to_unit

FALSE_ALARM = 1e-6  # of every statistical test here; seeds are fixed, so a test that passes keeps passing


def test_a_word_becomes_a_number_below_one() -> None:
    assert to_unit(np.uint64(0)) == 0.0
    assert to_unit(np.uint64(1 << 63)) == 0.5
    assert to_unit(np.uint64(2**64 - 1)) == 1.0 - 2.0**-53


def test_a_draw_moves_one_generator_by_one_word() -> None:
    rng = np.array([7, 8], np.uint64)
    assert draw_unit(rng, 1) == to_unit(split_mix(np.array([8], np.uint64), 0))
    assert rng[0] == 7


def test_indices_are_equally_likely() -> None:
    rng = np.array([3], np.uint64)
    counts = np.bincount([draw_index(rng, 0, 5) for _ in range(10_000)], minlength=5)
    assert len(counts) == 5
    assert stats.chisquare(counts).pvalue > FALSE_ALARM


def test_an_index_is_drawn_in_proportion_to_its_weight() -> None:
    rng, weights = np.array([4], np.uint64), np.array([2.0, 0.0, 1.0, 5.0, 9.0])
    counts = np.bincount([draw_weighted(weights, 4, 8.0, rng, 0) for _ in range(10_000)], minlength=4)
    assert counts[1] == 0
    assert stats.chisquare(counts[[0, 2, 3]], np.array([2, 1, 5]) * 10_000 / 8).pvalue > FALSE_ALARM


def test_what_rounding_leaves_over_goes_to_the_last_index_with_a_weight() -> None:
    rng = np.array([1], np.uint64)
    assert {int(draw_weighted(np.array([0.0, 1e-9, 0.0]), 3, 1.0, rng, 0)) for _ in range(20)} == {1}
