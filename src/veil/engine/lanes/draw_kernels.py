"""Kernels that draw from generators of SplitMix64 (`split_mix`): a number, an index, an index by its weight."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.bit_kernels import split_mix
from veil.engine.lanes.jit import Int, inlined

TO_UNIT = 2.0**-53


@inlined
def to_unit(word: np.uint64) -> float:
    """64 random bits as a number in [0, 1)."""
    return np.float64(word >> np.uint64(11)) * TO_UNIT


@inlined
def draw_unit(rng: np.ndarray, which: Int) -> float:
    """Return a number in [0, 1) from one of the generators (rng [G] changed in place)."""
    return to_unit(split_mix(rng, which))


@inlined
def draw_index(rng: np.ndarray, which: Int, count: Int) -> np.int64:
    """Return a number below count, each as likely (rng [G] changed in place)."""
    return np.int64(draw_unit(rng, which) * count)


@inlined
def draw_weighted(weights: np.ndarray, count: Int, total: float, rng: np.ndarray, which: Int) -> np.int64:
    """Return an index below count in proportion to its weight; `total` is the sum of the weights (rng changed).

    It is one with a positive weight, whatever is rounded.
    """
    left, last = draw_unit(rng, which) * total, np.int64(0)
    for k in range(count):
        if weights[k] > 0.0:
            last = np.int64(k)
            left -= weights[k]
            if left < 0.0:
                break
    return last
