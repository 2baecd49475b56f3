"""Kernels that watch random games for groups of fluents of which two hold at once."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.bit_kernels import ZERO, count_bits
from veil.engine.lanes.block_kernels import advance_block, judge_block, open_block, step_block
from veil.engine.lanes.circuit_kernels import new_values
from veil.engine.lanes.code import FLUENTS, Code
from veil.engine.lanes.jit import Int, kernel
from veil.engine.lanes.playout_kernels import seed_block


@kernel
def watch_block(
    code: Code,
    width: Int,
    states: np.ndarray,
    seed: np.ndarray,
    block: Int,
    rounds: Int,
    starts: np.ndarray,
    members: np.ndarray,
    broken: np.ndarray,
) -> Int:
    """Play `rounds` rounds in all lanes of a block, from states [1, words]; return how many games ended.

    Lanes that end begin again. Group g is the fluents members[starts[g]:starts[g + 1]]; broken[g] becomes True if two
    of them hold in one state (changed in place).
    """
    v, rng = new_values(code, width), np.empty((4, width), np.uint64)
    start, over = np.zeros((1 + code.num_fluents, width), np.uint64), np.zeros(width, np.uint64)
    seed_block(seed, block, rng)
    open_block(code, v, start, states, np.zeros(64 * width, np.int64))
    ended = np.int64(0)
    for _ in range(rounds):
        watch_groups(v, code.areas[FLUENTS], starts, members, broken)
        judge_block(code, v, rng, over)
        for w in range(width):
            ended += count_bits(over[w])
        step_block(code, v, False)
        advance_block(code, v, start, over)
    return ended


@kernel
def watch_groups(v: np.ndarray, fluents: Int, starts: np.ndarray, members: np.ndarray, broken: np.ndarray) -> None:
    """Mark the groups of which two members hold in some lane (broken changed in place); marked groups are skipped."""
    for group in range(len(starts) - 1):
        if broken[group]:
            continue
        for w in range(v.shape[1]):
            once, twice = ZERO, ZERO
            for i in range(starts[group], starts[group + 1]):
                word = v[fluents + members[i], w]
                twice |= once & word
                once |= word
            if twice:
                broken[group] = True
