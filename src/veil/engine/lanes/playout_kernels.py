"""Kernels of playouts: every lane plays random games from its own state until it has played its quota."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.bit_kernels import ONE, ZERO, count_bits, lowest_bit, split_mix
from veil.engine.lanes.circuit_kernels import new_values, run_advance, run_choose, run_dynamic, run_static
from veil.engine.lanes.code import FLUENTS, GOALS, STUCK, TERMINAL, Code
from veil.engine.lanes.foresight_kernels import Foresight, look_ahead, new_foresight
from veil.engine.lanes.jit import Int, kernel
from veil.engine.lanes.playouts import SPLIT, PlayoutTally
from veil.engine.lanes.row_kernels import load_rows


@kernel
def play_blocks(
    code: Code,
    width: Int,
    states: np.ndarray,
    owner: np.ndarray,
    quota: np.ndarray,
    seed: np.ndarray,
    first: Int,
    stride: Int,
    max_rounds: Int,
    tally: PlayoutTally,
    depth: Int,
    chance: Int,
) -> None:
    """Play the lanes of every `stride`-th block from `first` on; results go to the tally, in place.

    Lane l plays quota[l] games from states[owner[l]]. A block's number and the seed [2] decide what happens in it. All
    roles but `chance` look ahead as far as `depth` says (`foresight_kernels`).
    """
    v, rng = new_values(code, width), np.empty((4, width), np.uint64)
    foresight = new_foresight(code, width, depth, chance)
    start = np.zeros((1 + code.num_fluents, width), np.uint64)
    lanes = 64 * width
    for block in range(first, (len(owner) + lanes - 1) // lanes, stride):
        seed_block(seed, block, rng)
        begin, end = block * lanes, min(len(owner), (block + 1) * lanes)
        play_block(code, v, start, states, owner[begin:end], quota[begin:end], rng, max_rounds, tally, foresight)


@kernel
def seed_block(seed: np.ndarray, block: Int, rng: np.ndarray) -> None:
    """Draw a state of xoshiro256++ for every word by SplitMix64 (rng [4, W] changed in place; seed [2])."""
    chain, only = np.empty(1, np.uint64), np.int64(0)
    chain[0] = seed[0] + np.uint64(block)
    chain[0] = split_mix(chain, only) ^ seed[1]
    for i in range(4):
        for w in range(rng.shape[1]):
            rng[i, w] = split_mix(chain, only)


@kernel
def play_block(
    code: Code,
    v: np.ndarray,
    start: np.ndarray,
    states: np.ndarray,
    owner: np.ndarray,
    quota: np.ndarray,
    rng: np.ndarray,
    max_rounds: Int,
    tally: PlayoutTally,
    foresight: Foresight,
) -> None:
    """Play in every lane its quota of random games from the state of its owner; results go to the tally, in place.

    A lane that ends starts again with the next step. Every lane has its own quota, so that short games are not counted
    more often than long ones. v [slots, W] and start [1 + F, W] are memory to work in.
    """
    lanes, width = len(owner), v.shape[1]
    fluents, terminal, stuck = code.areas[FLUENTS], code.areas[TERMINAL], code.areas[STUCK]
    load_rows(states, owner, np.int64(0), lanes, v, fluents, code.num_fluents)
    for i in range(code.num_fluents):
        for w in range(width):
            start[1 + i, w] = v[fluents + i, w]
    ended, alive, cut = start[0], np.zeros(width, np.uint64), np.zeros(width, np.uint64)
    playing = np.zeros(width, np.uint64)
    left, started = quota.copy(), np.zeros(lanes, np.int64)
    for lane in range(lanes):
        if left[lane] > 0:
            alive[lane // 64] |= ONE << np.uint64(lane % 64)
    now, next_look, steps, going = np.int64(0), np.int64(max_rounds), np.int64(0), lanes > 0
    while going:
        run_static(code, v)
        run_choose(code, v, rng)
        going = False
        for w in range(width):
            over = alive[w] & (v[terminal, w] | v[stuck, w] | cut[w])
            steps += count_bits(alive[w] & ~over)
            if over:
                tally.totals[1] += count_bits(over & ~v[terminal, w] & ~cut[w])
                tally.totals[2] += count_bits(over & ~v[terminal, w] & cut[w])
                tally_goals(code, v, w, over, owner, tally)
                alive[w] &= ~tally_lengths(w, over, now, started, left, owner, tally)
            ended[w], cut[w] = over, ZERO
            going |= alive[w] != ZERO
            playing[w] = alive[w] & ~over
        if foresight.depth > 0 and going:
            steps += look_ahead(code, v, rng, playing, foresight)
        run_dynamic(code, v)
        run_advance(code, v, start)
        now += 1
        if now == next_look:  # a playout is cut when it has had max_rounds rounds
            next_look = now + max_rounds
            for lane in range(lanes):
                if now - started[lane] >= max_rounds:
                    cut[lane // 64] |= ONE << np.uint64(lane % 64)
                else:
                    next_look = min(next_look, started[lane] + max_rounds)
    tally.totals[0] += steps


@kernel
def tally_lengths(
    w: Int,
    ended: np.uint64,
    now: Int,
    started: np.ndarray,
    left: np.ndarray,
    owner: np.ndarray,
    tally: PlayoutTally,
) -> np.uint64:
    """Count the lengths of the ended lanes of a word; return the lanes that have played their quota (rest in place)."""
    done = ZERO
    playouts, length_sum, length_count = tally.playouts, tally.length_sum, tally.length_count
    longest = len(length_count) - 1
    while ended:
        bit = lowest_bit(ended)
        lane = 64 * w + bit
        ended &= ended - ONE
        length = now - started[lane]
        playouts[owner[lane]] += 1
        length_sum[owner[lane]] += length
        length_count[min(length, longest)] += 1
        started[lane] = now + 1
        left[lane] -= 1
        if left[lane] == 0:
            done |= ONE << np.uint64(bit)
    return done


@kernel
def tally_goals(code: Code, v: np.ndarray, w: Int, ended: np.uint64, owner: np.ndarray, tally: PlayoutTally) -> None:
    """Add the goals of the ended lanes; if a role has several values, the highest counts (tally changed in place)."""
    goal_start, goal_value, goals = code.goal_start, code.goal_value, code.areas[GOALS]
    high_sum, low_sum, goal_count = tally.goal_high_sum, tally.goal_low_sum, tally.goal_count
    for role in range(len(goal_start) - 1):
        open_lanes = ended
        for goal in range(goal_start[role + 1] - 1, goal_start[role] - 1, -1):
            word = v[goals + goal, w] & open_lanes
            open_lanes &= ~word
            goal_count[goal] += count_bits(word)
            high = goal_value[goal] >> SPLIT
            low = goal_value[goal] - (high << SPLIT)
            while word:
                state = owner[64 * w + lowest_bit(word)]
                high_sum[state, role] += high
                low_sum[state, role] += low
                word &= word - ONE
