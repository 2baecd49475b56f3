"""Draws of some worlds of many records by weight, with one array operation per step."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.keys import extend_keys


def slow_draw_by_record(
    weights: np.ndarray, record: np.ndarray, most: int, uniform: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(index, weight): all worlds of a record with at most `most`; otherwise those that as many draws give, each with
    its share of the draws (systematic sampling). record [N] is sorted, weights [N] of each add up to 1.
    """
    index: list[int] = []
    shares: list[float] = []
    for name in np.unique(record).tolist():
        worlds = np.flatnonzero(record == name)
        if len(worlds) <= most:
            times = weights[worlds] * most
        else:
            points = (np.arange(most) + uniform[name]) / most
            hit = np.minimum(np.searchsorted(np.cumsum(weights[worlds]), points, side="right"), len(worlds) - 1)
            times = np.bincount(hit, minlength=len(worlds))
        index += worlds[times > 0].tolist()
        shares += (times[times > 0] / most).tolist()
    return np.array(index, np.int64), np.array(shares)


def slow_uniform_of_keys(keys: np.ndarray, seed: int) -> np.ndarray:
    """[N] a number from 0 to 1 for every key: the upper 53 bits of the key that is extended by the seed."""
    mixed = extend_keys(keys, np.zeros(len(keys), np.int64), np.full(len(keys), seed, np.uint64))
    return np.array([(int(word) >> 11) / 2**53 for word in mixed])
