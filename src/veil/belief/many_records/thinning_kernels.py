"""Kernels that draw some of the worlds of a record by their weights."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, extend_key, kernel, to_unit


@kernel
def draw_by_record(
    weights: np.ndarray, record: np.ndarray, most: Int, uniform: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (index [K], weight [K]): all worlds of a record with at most `most`; otherwise those of `most` draws.

    The weight of a drawn world is its share of the draws (systematic sampling). record [N] is sorted; the weights [N]
    of each record have the sum 1; uniform [S] is the random number of each record.
    """
    index, drawn, count = np.empty(len(weights), np.int64), np.empty(len(weights)), 0
    begin = 0
    while begin < len(record):
        end = begin
        while end < len(record) and record[end] == record[begin]:
            end += 1
        if end - begin <= most:
            for world in range(begin, end):
                index[count], drawn[count] = world, weights[world]
                count += 1
        else:
            point, edge = np.int64(0), 0.0
            for world in range(begin, end):
                edge += weights[world]
                times = 0
                while point < most and (point + uniform[record[begin]] < edge * most or world == end - 1):
                    point += 1
                    times += 1
                if times:
                    index[count], drawn[count] = world, times / most
                    count += 1
        begin = end
    return index[:count], drawn[:count]


@kernel
def uniform_of_keys(keys: np.ndarray, seed: np.uint64) -> np.ndarray:
    """Return a number from 0 to 1 for every 64-bit key [N]; equal keys and seeds give equal numbers."""
    uniform = np.empty(len(keys))
    for i in range(len(keys)):
        uniform[i] = to_unit(extend_key(keys[i], np.int64(0), seed))
    return uniform
