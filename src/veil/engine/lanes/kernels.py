"""Numba kernels around the generated code: states in and out of lanes, steps, playouts.

A *block* is W words of 64 lanes. `v` is the value array of a block, [slots, W]; lane l is bit l % 64 of word l // 64.
The kernels know nothing of the game: they get a `Code` record and call its functions by address, so each is compiled
once per machine. Circuits too large for LLVM are evaluated from their arrays instead (`evaluate_blocks`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from veil.engine.lanes.jit import kernel

ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE, ZERO = np.uint64(1), np.uint64(0)
PRECISION = 24  # as in `codegen`


class Code(NamedTuple):
    """The functions of a circuit, as addresses (0: none) and as arrays. Q blocks, G gates, T terms."""

    static: np.uint64  # address
    dynamic: np.uint64
    percepts: np.uint64
    choose: np.uint64
    advance: np.uint64
    block_start: np.ndarray  # [Q + 1] gates of a block
    block_recursive: np.ndarray  # [Q] bool
    part_start: np.ndarray  # [4] the first block of `static`, `dynamic`, `percepts`, and the end
    gate_slot: np.ndarray  # [G]
    gate_start: np.ndarray  # [G + 1] terms of a gate
    term_start: np.ndarray  # [T + 1] literals of a term
    literal: np.ndarray  # 2 * slot + negated
    areas: np.ndarray  # [9] as `Layout`: fluents, moves, legal, goals, terminal, stuck, next, percepts, inner
    num_slots: np.int64
    num_fluents: np.int64
    role_moves: np.ndarray  # [R + 1] moves of a role, from the start of the area
    role_percepts: np.ndarray  # [R + 1]
    goal_start: np.ndarray  # [R + 1]
    goal_value: np.ndarray  # [G] ascending per role


FLUENTS, MOVES, LEGAL, GOALS, TERMINAL, STUCK, NEXT, PERCEPTS, INNER = range(9)


@intrinsic
def call_address(typingctx: Any, address: Any, first: Any, second: Any) -> Any:
    """Call `void f(i64, i64)` at an address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = ir.FunctionType(ir.VoidType(), [ir.IntType(64), ir.IntType(64)])
        builder.call(builder.inttoptr(args[0], function.as_pointer()), [args[1], args[2]])
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64, types.uint64), codegen


@kernel
def address(array):
    """Where an array lies in memory."""
    return np.uint64(array.ctypes.data)


@kernel
def run_part(code, v, function, part):
    """A part of the circuit, by its function or, where it has none, from its arrays (v changed in place)."""
    if function != ZERO:
        call_address(function, address(v), ZERO)
    else:
        evaluate_blocks(code, v, code.part_start[part], code.part_start[part + 1])


@kernel
def run_static(code, v):
    """Legal, goals and terminal of the states in `v` (changed in place)."""
    run_part(code, v, code.static, 0)


@kernel
def run_dynamic(code, v):
    """Next states (changed in place)."""
    run_part(code, v, code.dynamic, 1)


@kernel
def run_percepts(code, v):
    """What is seen, after `run_dynamic` (changed in place)."""
    run_part(code, v, code.percepts, 2)


@kernel
def run_choose(code, v, rng):
    """A uniform legal move per role and lane, and `stuck` (v and rng changed in place)."""
    if code.choose != ZERO:
        call_address(code.choose, address(v), address(rng))
    else:
        choose_moves(code, v, rng)


@kernel
def run_advance(code, v, start):
    """The next state becomes the state; start [1 + F, W]: ended lanes, and where they begin again (v changed)."""
    if code.advance != ZERO:
        call_address(code.advance, address(v), address(start))
        return
    fluents, following = code.areas[FLUENTS], code.areas[NEXT]
    for i in range(code.num_fluents):
        for w in range(v.shape[1]):
            v[fluents + i, w] = (v[following + i, w] & ~start[0, w]) | (start[1 + i, w] & start[0, w])


@kernel
def evaluate_blocks(code, v, first, last):
    """The circuit from its arrays: the same gates as the generated code, one after the other."""
    gate_slot, gate_start = code.gate_slot, code.gate_start  # once: to take an array out of a record costs atomics
    term_start, literals = code.term_start, code.literal
    for block in range(first, last):
        begin, end = code.block_start[block], code.block_start[block + 1]
        recursive = code.block_recursive[block]
        if recursive:
            for gate in range(begin, end):
                v[gate_slot[gate], :] = ZERO
        while evaluate_gates(gate_slot, gate_start, term_start, literals, v, begin, end) and recursive:
            pass


@kernel
def evaluate_gates(gate_slot, gate_start, term_start, literals, v, begin, end):
    """One pass over gates [begin, end), four words at a time; says whether a slot changed (v changed in place)."""
    changed = False
    width = v.shape[1]
    for w in range(0, width - 3, 4):
        for gate in range(begin, end):
            t0 = t1 = t2 = t3 = ZERO
            for term in range(gate_start[gate], gate_start[gate + 1]):
                p0 = p1 = p2 = p3 = ONES
                for at in range(term_start[term], term_start[term + 1]):
                    literal = literals[at]
                    slot, flip = literal >> 1, ZERO - np.uint64(literal & 1)
                    p0 &= v[slot, w] ^ flip
                    p1 &= v[slot, w + 1] ^ flip
                    p2 &= v[slot, w + 2] ^ flip
                    p3 &= v[slot, w + 3] ^ flip
                t0, t1, t2, t3 = t0 | p0, t1 | p1, t2 | p2, t3 | p3
            slot = gate_slot[gate]
            changed |= (t0 != v[slot, w]) | (t1 != v[slot, w + 1]) | (t2 != v[slot, w + 2]) | (t3 != v[slot, w + 3])
            v[slot, w], v[slot, w + 1], v[slot, w + 2], v[slot, w + 3] = t0, t1, t2, t3
    for w in range(width - width % 4, width):
        for gate in range(begin, end):
            total = ZERO
            for term in range(gate_start[gate], gate_start[gate + 1]):
                product = ONES
                for at in range(term_start[term], term_start[term + 1]):
                    product &= v[literals[at] >> 1, w] ^ (ZERO - np.uint64(literals[at] & 1))
                total |= product
            changed |= total != v[gate_slot[gate], w]
            v[gate_slot[gate], w] = total
    return changed


@kernel
def choose_moves(code, v, rng):
    """`choose` of the generated code, word by word: the same steps, the same random words, the same moves."""
    width = v.shape[1]
    role_moves, stuck = code.role_moves, code.areas[STUCK]
    all_legal, all_moves = code.areas[LEGAL], code.areas[MOVES]
    v[stuck, :] = ZERO
    number, rank = np.zeros(64, np.uint64), np.zeros(64, np.uint64)
    for role in range(len(role_moves) - 1):
        first, count = role_moves[role], role_moves[role + 1] - role_moves[role]
        legal, moves = all_legal + first, all_moves + first
        digits = 0
        while count >> digits:
            digits += 1
        for w in range(width):
            if count == 0:
                v[stuck, w] = ONES
                continue
            number[:] = ZERO
            rank[:] = ZERO
            some = ZERO
            for move in range(count):
                carry = v[legal + move, w]
                some |= carry
                for i in range(digits):
                    carry, number[i] = number[i] & carry, number[i] ^ carry
            v[stuck, w] |= ~some
            if count == 1:
                v[moves, w] = v[legal, w]
                continue
            for _ in range(digits + PRECISION):
                coin, carry = next_word(rng, w), ZERO
                for i in range(digits):
                    x, y = rank[i], number[i] & coin
                    total = x ^ y ^ carry
                    carry = (x & y) | ((x ^ y) & carry)
                    if i:
                        rank[i - 1] = total
                rank[digits - 1] = carry
            for move in range(count):
                borrow = v[legal + move, w]
                for i in range(digits):
                    borrow, rank[i] = ~rank[i] & borrow, rank[i] ^ borrow
                v[moves + move, w] = borrow


@kernel
def next_word(rng, w):
    """One step of xoshiro256++ for word w (rng [4, W] changed in place)."""
    total = rng[0, w] + rng[3, w]
    result = ((total << np.uint64(23)) | (total >> np.uint64(41))) + rng[0, w]
    shifted = rng[1, w] << np.uint64(17)
    rng[2, w] ^= rng[0, w]
    rng[3, w] ^= rng[1, w]
    rng[1, w] ^= rng[2, w]
    rng[0, w] ^= rng[3, w]
    rng[2, w] ^= shifted
    rng[3, w] = (rng[3, w] << np.uint64(45)) | (rng[3, w] >> np.uint64(19))
    return result


@kernel
def split_mix(states, at):
    """The next 64 random bits of one of many SplitMix64 generators (states changed in place)."""
    states[at] += np.uint64(0x9E3779B97F4A7C15)
    word = states[at]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def transpose(square):
    """A 64 x 64 matrix of bits, [64] words, bit j of word i <-> bit i of word j (changed in place; Warren 2003)."""
    step, mask = 32, np.uint64(0x00000000FFFFFFFF)
    while step:
        row = 0
        while row < 64:
            for i in range(row, row + step):
                change = ((square[i] >> np.uint64(step)) ^ square[i + step]) & mask
                square[i] ^= change << np.uint64(step)
                square[i + step] ^= change
            row += 2 * step
        step >>= 1
        mask ^= mask << np.uint64(step)


@kernel
def load_rows(rows, index, first, count, v, start, size):
    """Packed rows [B, words] into an area of v: lane l gets row index[first + l] (v changed in place)."""
    square = np.empty(64, np.uint64)
    for w in range(v.shape[1]):
        for chunk in range((size + 63) // 64):
            for bit in range(64):
                lane = 64 * w + bit
                square[bit] = rows[index[first + lane], chunk] if lane < count else ZERO
            transpose(square)
            for i in range(min(64, size - 64 * chunk)):
                v[start + 64 * chunk + i, w] = square[i]


@kernel
def store_rows(v, start, size, rows, first, count, column):
    """An area of v into packed rows [B, words], from a column on (rows changed in place)."""
    square = np.empty(64, np.uint64)
    for w in range(v.shape[1]):
        for chunk in range((size + 63) // 64):
            for i in range(64):
                at = 64 * chunk + i
                square[i] = v[start + at, w] if at < size else ZERO
            transpose(square)
            for bit in range(min(64, count - 64 * w)):
                rows[first + 64 * w + bit, column + chunk] = square[bit]


@kernel
def new_values(code, width):
    """An empty value array with its two constants."""
    v = np.zeros((code.num_slots, width), np.uint64)
    v[1, :] = ONES
    return v


@kernel
def judge_rows(code, width, states, index, legal, columns, terminal, goals):
    """Legal moves (packed per role), terminal [B] and goals [B, R] of every state (the last four changed in place)."""
    v = new_values(code, width)
    all_goals, end_slot = code.areas[GOALS], code.areas[TERMINAL]
    lanes = 64 * width
    for first in range(0, len(index), lanes):
        count = min(lanes, len(index) - first)
        load_rows(states, index, first, count, v, code.areas[FLUENTS], code.num_fluents)
        run_static(code, v)
        for role in range(len(code.role_moves) - 1):
            begin, end = code.role_moves[role], code.role_moves[role + 1]
            store_rows(v, code.areas[LEGAL] + begin, end - begin, legal, first, count, columns[role])
            for goal in range(code.goal_start[role], code.goal_start[role + 1]):  # ascending: the highest stays
                for lane in range(count):
                    if (v[all_goals + goal, lane // 64] >> np.uint64(lane % 64)) & ONE:
                        goals[first + lane, role] = code.goal_value[goal]
        for lane in range(count):
            terminal[first + lane] = (v[end_slot, lane // 64] >> np.uint64(lane % 64)) & ONE


@kernel
def step_rows(code, width, states, index, moves, following, percepts, columns):
    """Next states and percepts (packed per role) after joint moves [B, R] (the last but one and two changed)."""
    v = new_values(code, width)
    lanes = 64 * width
    roles = len(code.role_moves) - 1
    role_moves, all_moves = code.role_moves, code.areas[MOVES]
    for first in range(0, len(index), lanes):
        count = min(lanes, len(index) - first)
        load_rows(states, index, first, count, v, code.areas[FLUENTS], code.num_fluents)
        v[code.areas[MOVES] : code.areas[MOVES] + code.role_moves[roles], :] = ZERO
        for lane in range(count):
            for role in range(roles):
                slot = all_moves + role_moves[role] + moves[first + lane, role]
                v[slot, lane // 64] |= ONE << np.uint64(lane % 64)
        run_static(code, v)
        run_dynamic(code, v)
        run_percepts(code, v)
        store_rows(v, code.areas[NEXT], code.num_fluents, following, first, count, 0)
        for role in range(roles):
            begin, end = code.role_percepts[role], code.role_percepts[role + 1]
            store_rows(v, code.areas[PERCEPTS] + begin, end - begin, percepts, first, count, columns[role])


class Tally(NamedTuple):
    """What playouts add up to. B states, R roles, L lengths."""

    goal_sum: np.ndarray  # [B, R]
    goal_square_sum: np.ndarray  # [B, R]
    playouts: np.ndarray  # [B] that came to an end
    length_sum: np.ndarray  # [B] rounds
    length_count: np.ndarray  # [L] playouts per length; the last entry counts the longer ones too
    totals: np.ndarray  # [3] steps, stuck, cut


@kernel
def play_blocks(code, width, states, owner, quota, seed, first, stride, max_rounds, tally):
    """Play the lanes of every `stride`-th block from `first` on; a block's number and the seed decide what happens."""
    v, rng = new_values(code, width), np.empty((4, width), np.uint64)
    start = np.zeros((1 + code.num_fluents, width), np.uint64)
    lanes = 64 * width
    for block in range(first, (len(owner) + lanes - 1) // lanes, stride):
        seed_block(seed, block, rng)
        begin, end = block * lanes, min(len(owner), (block + 1) * lanes)
        play_block(code, v, start, states, owner[begin:end], quota[begin:end], rng, max_rounds, tally)


@kernel
def seed_block(seed, block, rng):
    """A state of xoshiro256++ for every word, drawn by SplitMix64 (rng [4, W] changed in place; seed [2])."""
    chain = np.array([seed[0] + np.uint64(block)])
    chain[0] = split_mix(chain, 0) ^ seed[1]
    for i in range(4):
        for w in range(rng.shape[1]):
            rng[i, w] = split_mix(chain, 0)


@kernel
def play_block(code, v, start, states, owner, quota, rng, max_rounds, tally):
    """Play every lane its quota of random games from the state of its owner; results go to the tally, in place.

    A lane that ends starts anew with the next step; every lane has its own quota, so that short games are not counted
    more often than long ones. v [slots, W] and start [1 + F, W] are room to work in.
    """
    lanes, width = len(owner), v.shape[1]
    fluents, terminal, stuck = code.areas[FLUENTS], code.areas[TERMINAL], code.areas[STUCK]
    load_rows(states, owner, 0, lanes, v, fluents, code.num_fluents)
    start[1:] = v[fluents : fluents + code.num_fluents]
    ended, alive, cut = start[0], np.zeros(width, np.uint64), np.zeros(width, np.uint64)
    left, started = quota.copy(), np.zeros(lanes, np.int64)
    for lane in range(lanes):
        if left[lane] > 0:
            alive[lane // 64] |= ONE << np.uint64(lane % 64)
    native, values, coins, begin = code.static != ZERO, address(v), address(rng), address(start)
    static, choose, dynamic, advance = code.static, code.choose, code.dynamic, code.advance
    now, next_look, steps, going = 0, max_rounds, 0, lanes > 0
    while going:
        if native:
            call_address(static, values, ZERO)
            call_address(choose, values, coins)
        else:
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
        if native:
            call_address(dynamic, values, ZERO)
            call_address(advance, values, begin)
        else:
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
def tally_lengths(w, ended, now, started, left, owner, tally):
    """Note the lengths of the lanes of a word that ended; returns those that have met their quota (rest in place)."""
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
def tally_goals(code, v, w, ended, owner, tally):
    """Add the goals of the lanes that ended; of several values the highest counts (tally changed in place)."""
    goal_start, goal_value, goals = code.goal_start, code.goal_value, code.areas[GOALS]
    goal_sum, goal_square_sum = tally.goal_sum, tally.goal_square_sum
    for role in range(len(goal_start) - 1):
        open_lanes = ended
        for goal in range(goal_start[role + 1] - 1, goal_start[role] - 1, -1):
            word = v[goals + goal, w] & open_lanes
            open_lanes &= ~word
            value = goal_value[goal]
            while word:
                state = owner[64 * w + lowest_bit(word)]
                goal_sum[state, role] += value
                goal_square_sum[state, role] += value * value
                word &= word - ONE


@kernel
def count_bits(word):
    """Ones of a word."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def lowest_bit(word):
    """Position of the lowest one."""
    return count_bits((word & (~word + ONE)) - ONE)


@kernel
def evaluate_rows(code, width, inputs, outputs):
    """Fluents and moves [B, words] -> everything from legal to percepts [B, words], packed (outputs changed)."""
    v = new_values(code, width)
    lanes = 64 * width
    index = np.arange(len(inputs))
    first_in, first_out, end = code.areas[FLUENTS], code.areas[LEGAL], code.areas[INNER]
    for first in range(0, len(inputs), lanes):
        count = min(lanes, len(inputs) - first)
        load_rows(inputs, index, first, count, v, first_in, first_out - first_in)
        run_static(code, v)
        run_dynamic(code, v)
        run_percepts(code, v)
        store_rows(v, first_out, end - first_out, outputs, first, count, 0)


@kernel
def list_joint_moves(legal, columns, wanted, role, own_move, limit, rng):
    """Joint moves of every row, the last role's fastest: (row [N], joint move [N, R], moves per row and role [B, R]).

    legal [B, words] packed per role from columns [R + 1] on; rows that are not `wanted` [B] have none. Where role >= 0,
    it plays own_move [B], and rows in which that is not legal have none. A row with more than `limit` joint moves gets
    so many at random, drawn by rng [B], the state of SplitMix64 per row (changed in place).
    """
    roles = len(columns) - 1
    counts = np.zeros((len(legal), roles), np.int64)
    sizes = np.zeros(len(legal), np.int64)
    for row in range(len(legal)):
        product = 1
        for r in range(roles):
            for w in range(columns[r], columns[r + 1]):
                counts[row, r] += count_bits(legal[row, w])
            if r != role:
                product = min(product * counts[row, r], limit + 1)
        if role >= 0:
            word = legal[row, columns[role] + own_move[row] // 64]
            product *= (word >> np.uint64(own_move[row] % 64)) & ONE
        sizes[row] = min(product, limit) if wanted[row] else 0
    rows, joints = np.empty(sizes.sum(), np.int64), np.empty((sizes.sum(), roles), np.int64)
    most = counts.max() if counts.size else 0
    moves, turn = np.empty((roles, most), np.int64), np.zeros(roles, np.int64)
    at = 0
    for row in range(len(legal)):
        if sizes[row] == 0:
            continue
        whole = 1
        for r in range(roles):
            list_moves(legal, row, columns[r], columns[r + 1], moves[r])
            if r == role:
                moves[r, 0] = own_move[row]
            turn[r] = 0
            whole = min(whole * (1 if r == role else counts[row, r]), limit + 1)
        for _ in range(sizes[row]):
            rows[at] = row
            for r in range(roles):
                if whole > limit and r != role:
                    turn[r] = split_mix(rng, row) % np.uint64(counts[row, r])
                joints[at, r] = moves[r, turn[r]]
            at += 1
            if whole <= limit:
                for r in range(roles - 1, -1, -1):
                    turn[r] += 1
                    if turn[r] < (1 if r == role else counts[row, r]):
                        break
                    turn[r] = 0
    return rows, joints, counts


@kernel
def list_moves(legal, row, begin, end, moves):
    """The numbers of the ones in packed columns [begin, end) of a row (moves changed in place)."""
    found = 0
    for w in range(begin, end):
        word = legal[row, w]
        while word:
            moves[found] = 64 * (w - begin) + lowest_bit(word)
            word &= word - ONE
            found += 1
