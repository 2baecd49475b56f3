"""Worlds of a record that are drawn by weight: against the same with array operations."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.thinning import slow_draw_by_record, slow_uniform_of_keys
from veil.belief.many_records.thinning_kernels import draw_by_record, uniform_of_keys


def some_worlds(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(weights [N], record [N], uniform [S]) of a few records with up to 30 worlds, some without any."""
    sizes = rng.integers(0, 30, 6)
    record = np.repeat(np.arange(6), sizes)
    weights = rng.exponential(size=len(record)) ** 3
    weights /= np.bincount(record, weights, minlength=6)[record]
    return weights, record, rng.random(6)


@pytest.mark.parametrize("seed", range(40))
def test_draws_are_those_of_the_slow_ones(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights, record, uniform = some_worlds(rng)
    most = int(rng.integers(1, 20))
    index, drawn = draw_by_record(weights, record, most, uniform)
    slow_index, slow_drawn = slow_draw_by_record(weights, record, most, uniform)
    assert index.tolist() == slow_index.tolist()
    assert drawn == pytest.approx(slow_drawn)


@pytest.mark.parametrize("most", [1, 3, 10])
def test_draws_of_a_record_are_its_own(most: int) -> None:
    record = np.repeat(np.arange(4), [2, 7, 0, 12])
    weights = np.random.default_rng(0).random(len(record))
    weights /= np.bincount(record, weights)[record]
    uniform = uniform_of_keys(np.arange(4, dtype=np.uint64), np.uint64(5))
    index, drawn = draw_by_record(weights, record, most, uniform)
    assert np.bincount(record[index], drawn, minlength=4) == pytest.approx([1, 1, 0, 1])
    assert (np.bincount(record[index], minlength=4) <= most).all()


def test_the_number_of_a_key_is_that_of_the_slow_formula() -> None:
    keys = np.random.default_rng(0).integers(0, 2**64, 100, np.uint64)
    for seed in (0, 7, 2**63 - 1):
        uniform = uniform_of_keys(keys, np.uint64(seed))
        assert uniform.tolist() == slow_uniform_of_keys(keys, seed).tolist()
        assert ((uniform >= 0) & (uniform < 1)).all()
