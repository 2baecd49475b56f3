from __future__ import annotations

import numpy as np

from veil.engine.lanes.key_kernels import extend_key, mix_word, row_key
from veil.engine.lanes.keys import extend_keys, percept_keys, start_keys


def test_the_keys_of_kernels_are_those_of_arrays() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 2**63, (20, 3)).astype(np.uint64)
    moves = rng.integers(0, 500, 20)
    seen = percept_keys(rows)
    longer = extend_keys(start_keys(20), moves, seen)
    for row in range(20):
        assert row_key(rows, row, 0, 3) == seen[row]
        assert extend_key(start_keys(1)[0], moves[row], seen[row]) == longer[row]


def test_a_part_of_a_row_has_the_key_of_that_part() -> None:
    rows = np.arange(8, dtype=np.uint64).reshape(2, 4)
    assert row_key(rows, 1, 1, 3) == percept_keys(rows[1:, 1:3])[0]


def test_mixing_tells_words_apart() -> None:
    assert len({int(mix_word(np.uint64(word))) for word in range(1000)}) == 1000
