"""The kernel that watches groups of fluents, against bits that are looked at one by one."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.exclusion_kernels import watch_groups


def test_a_group_is_broken_where_two_of_its_words_share_a_bit() -> None:
    rng = np.random.default_rng(2)
    v = rng.integers(0, 2**63, (12, 2), dtype=np.uint64) & rng.integers(0, 2**63, (12, 2), dtype=np.uint64)
    v &= rng.integers(0, 2**63, (12, 2), dtype=np.uint64) & rng.integers(0, 2**63, (12, 2), dtype=np.uint64)
    groups = [rng.choice(10, size, replace=False) for size in (1, 2, 2, 2, 3, 4)]
    starts = np.concatenate(([0], np.cumsum([len(group) for group in groups])))
    broken = np.zeros(len(groups), np.bool_)
    watch_groups(v, 2, starts, np.concatenate(groups), broken)  # the fluents begin at slot 2
    bits = (v[2:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    wanted = [bool((bits[group].sum(axis=0) > 1).any()) for group in groups]
    assert broken.tolist() == wanted
    assert {True, False} <= set(wanted)


def test_what_was_broken_stays_broken() -> None:
    broken = np.array([True])
    watch_groups(np.zeros((2, 1), np.uint64), 0, np.array([0, 2]), np.array([0, 1]), broken)
    assert broken.tolist() == [True]
