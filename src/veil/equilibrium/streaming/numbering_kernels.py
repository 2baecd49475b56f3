"""Kernels that number sequences of numbers: equal sequences get one number, in the order in which they come."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, kernel, mix_word, table_size

ODD = np.uint64(0xD6E8FEB86659FD93)


@kernel
def number_sequences(values: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number N sequences values[starts[i]:starts[i + 1]]: (number of each [N], place of the first of each number).

    Sequences are compared in full: a clash of hashes costs time, never a wrong result.
    """
    count = len(starts) - 1
    size = table_size(count)
    table, mask = np.full(size, -1, np.int64), np.uint64(size - 1)
    hashes = np.empty(count, np.uint64)
    numbers, first = np.empty(count, np.int64), np.empty(count, np.int64)
    known = np.int64(0)
    for i in range(count):
        hashed = np.uint64(starts[i + 1] - starts[i])
        for at in range(starts[i], starts[i + 1]):
            hashed = mix_word(hashed * ODD ^ np.uint64(values[at]))
        place = hashed & mask
        while table[place] >= 0:
            other = first[table[place]]
            if hashes[table[place]] == hashed and is_equal(values, starts, i, other):
                break
            place = (place + np.uint64(1)) & mask
        if table[place] < 0:
            table[place] = known
            hashes[known], first[known] = hashed, i
            known += 1
        numbers[i] = table[place]
    return numbers, first[:known].copy()


@kernel
def is_equal(values: np.ndarray, starts: np.ndarray, one: Int, other: Int) -> bool:
    """Return whether two sequences are equal."""
    length = starts[one + 1] - starts[one]
    if starts[other + 1] - starts[other] != length:
        return False
    same = np.int64(0)
    while same < length and values[starts[one] + same] == values[starts[other] + same]:
        same += 1
    return bool(same == length)


@kernel
def gather_sequences(values: np.ndarray, starts: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sequences in `which` [K], one after the other: (values, starts [K + 1])."""
    taken = np.zeros(len(which) + 1, np.int64)
    for i in range(len(which)):
        taken[i + 1] = taken[i] + starts[which[i] + 1] - starts[which[i]]
    result = np.empty(taken[-1], np.int64)
    for i in range(len(which)):
        for k in range(taken[i + 1] - taken[i]):
            result[taken[i] + k] = values[starts[which[i]] + k]
    return result, taken
