"""Kernels of playouts that look ahead: decisive and anti-decisive moves (Teytaud & Teytaud 2010), in all lanes at once.

Every role first draws a uniform move. Then, with the others' moves as drawn:

1. Decisive: a role that can end the game with its highest goal does so.
2. Anti-decisive, from depth 2 on: if a role's drawn move ends the game with its lowest goal, or lets another role take
   a decisive move in the next round, the role draws among the moves that do neither, if there are any. An end that is
   best for both is no threat.

A pass tries one move per lane: the first legal moves of all lanes together, then the second, and so on. `v` holds the
state and what holds in it; the state after a tried move is judged in other memory. `random` never looks ahead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine.lanes.bit_kernels import ONE, ONES, ZERO, lowest_bit, next_word
from veil.engine.lanes.circuit_kernels import new_values, run_choose, run_dynamic, run_static
from veil.engine.lanes.code import FLUENTS, GOALS, LEGAL, MOVES, NEXT, TERMINAL, Code
from veil.engine.lanes.jit import Int, kernel

WINS, SAFE = 1, 2  # depths of foresight; 0 is none


class Foresight(NamedTuple):
    """How far playouts look ahead, and memory for it. M moves of all roles, W words."""

    depth: Int
    chance: Int  # the role that moves at random; -1 where there is none
    next: np.ndarray  # [slots, W] values one round later
    after: np.ndarray  # [slots, W] values two rounds later
    drawn: np.ndarray  # [M, W] the uniform moves
    chosen: np.ndarray  # [M, W] the moves that are played
    left: np.ndarray  # [2, M, W] moves to try, of this round and of the next
    seen: np.ndarray  # [lanes] number of safe moves so far


@kernel
def new_foresight(code: Code, width: Int, depth: Int, chance: Int) -> Foresight:
    """Return memory for a block of `width` words; empty if `depth` is 0."""
    width = width if depth else 0
    moves = code.role_moves[len(code.role_moves) - 1]
    return Foresight(
        depth,
        chance,
        new_values(code, width),
        new_values(code, width if depth >= SAFE else 0),
        np.zeros((moves, width), np.uint64),
        np.zeros((moves, width), np.uint64),
        np.zeros((2, moves, width), np.uint64),
        np.zeros(64 * width, np.int64),
    )


@kernel
def look_ahead(code: Code, v: np.ndarray, rng: np.ndarray, going: np.ndarray, room: Foresight) -> np.int64:
    """Replace drawn moves of the lanes in `going` [W] by better ones (v, rng and room changed in place).

    `v` must be judged, and moves must be drawn. Returns how many states were visited, in all lanes.
    """
    area, roles = code.areas[MOVES], len(code.role_moves) - 1
    moves = code.role_moves[roles]
    room.drawn[:] = v[area : area + moves]
    room.chosen[:] = room.drawn
    looked = np.int64(0)
    for role in range(roles):
        if role == room.chance or code.goal_start[role + 1] - code.goal_start[role] < 2:
            continue
        begin, end = code.role_moves[role], code.role_moves[role + 1]
        open_lanes = find_choices(code, v, role, going)
        won, tried = find_wins(code, v, room.next, room.left[0], role, open_lanes, np.int64(-1))
        looked += tried
        for w in range(len(won)):
            open_lanes[w] &= ~won[w]
            for move in range(begin, end):  # `left` holds the winning moves now
                room.chosen[move, w] = (room.chosen[move, w] & ~won[w]) | (room.left[0, move, w] & won[w])
        v[area + begin : area + end] = room.drawn[begin:end]
        if room.depth >= SAFE:
            looked += avoid_losses(code, v, rng, role, open_lanes, room)
            v[area + begin : area + end] = room.drawn[begin:end]
    v[area : area + moves] = room.chosen
    return looked


@kernel
def find_choices(code: Code, v: np.ndarray, role: Int, going: np.ndarray) -> np.ndarray:
    """Return [W] the lanes among those in `going` where the role has more than one legal move."""
    choices = np.zeros(len(going), np.uint64)
    for w in range(len(going)):
        one = ZERO
        for move in range(code.role_moves[role], code.role_moves[role + 1]):
            word = v[code.areas[LEGAL] + move, w]
            choices[w] |= one & word
            one |= word
        choices[w] &= going[w]
    return choices


@kernel
def find_wins(
    code: Code, v: np.ndarray, ahead: np.ndarray, left: np.ndarray, role: Int, wanted: np.ndarray, spared: Int
) -> tuple[np.ndarray, np.int64]:
    """Return (lanes [W] of `wanted` where the role can end the game with its highest goal, number of tried moves).

    Ends that are also best for the role `spared` do not count. In the returned lanes, left [M, W] is the winning move.
    The role's moves in v, `ahead` and `left` are changed in place.
    """
    begin, end = code.role_moves[role], code.role_moves[role + 1]
    top = code.areas[GOALS] + code.goal_start[role + 1] - 1
    spare = code.areas[GOALS] + code.goal_start[spared + 1] - 1 if spared >= 0 else np.int64(0)  # slot 0 is false
    won, tried = np.zeros(len(wanted), np.uint64), np.int64(0)
    fill_left(code, v, left, role, wanted)
    found = np.zeros((end - begin, len(wanted)), np.uint64)
    while True:
        some = try_next(code, v, left, role)
        if not some.any():
            break
        tried += step_ahead(code, v, ahead, some)
        for w in range(len(wanted)):
            wins = ahead[code.areas[TERMINAL], w] & ahead[top, w] & ~ahead[spare, w] & some[w]
            if wins:
                won[w] |= wins
                for move in range(begin, end):
                    found[move - begin, w] |= v[code.areas[MOVES] + move, w] & wins
                    left[move, w] &= ~wins
    left[begin:end] = found
    return won, tried


@kernel
def fill_left(code: Code, v: np.ndarray, left: np.ndarray, role: Int, wanted: np.ndarray) -> None:
    """Mark the legal moves of the role in the lanes `wanted` [W] as moves to try (left [M, W] changed in place)."""
    for move in range(code.role_moves[role], code.role_moves[role + 1]):
        for w in range(len(wanted)):
            left[move, w] = v[code.areas[LEGAL] + move, w] & wanted[w]


@kernel
def try_next(code: Code, v: np.ndarray, left: np.ndarray, role: Int) -> np.ndarray:
    """Make a move that is left the role's move in v.

    Return [W] the lanes that had one (v and left changed in place).
    """
    some = np.zeros(v.shape[1], np.uint64)
    for w in range(len(some)):
        without = ONES
        for move in range(code.role_moves[role], code.role_moves[role + 1]):
            word = left[move, w] & without
            v[code.areas[MOVES] + move, w] = word
            left[move, w] &= ~word
            without &= ~word
        some[w] = ~without
    return some


@kernel
def step_ahead(code: Code, v: np.ndarray, ahead: np.ndarray, lanes: np.ndarray) -> np.int64:
    """Judge in `ahead` the states after the moves of v.

    Return the number of lanes in `lanes` [W] (v, ahead changed).
    """
    run_dynamic(code, v)
    following, fluents = code.areas[NEXT], code.areas[FLUENTS]
    ahead[fluents : fluents + code.num_fluents] = v[following : following + code.num_fluents]
    run_static(code, ahead)
    count = np.int64(0)
    for w in range(len(lanes)):
        word = lanes[w]
        while word:
            word &= word - ONE
            count += 1
    return count


@kernel
def avoid_losses(
    code: Code, v: np.ndarray, rng: np.ndarray, role: Int, wanted: np.ndarray, room: Foresight
) -> np.int64:
    """Replace an unsafe drawn move of the role in `chosen` by a uniform safe one, if there is one.

    Only in the lanes `wanted` [W]. Returns the number of visited states; v's moves of the role and rng are changed.
    """
    unsafe, looked = find_unsafe(code, v, rng, role, wanted, room)
    if not unsafe.any():
        return looked
    area, begin, end = code.areas[MOVES], code.role_moves[role], code.role_moves[role + 1]
    fill_left(code, v, room.left[0], role, unsafe)
    room.seen[:] = 0
    while True:
        some = try_next(code, v, room.left[0], role)
        if not some.any():
            break
        bad, more = find_unsafe(code, v, rng, role, some, room)
        looked += more
        for w in range(len(some)):
            safe, taken = some[w] & ~bad[w], ZERO
            while safe:
                bit = lowest_bit(safe)
                safe &= safe - ONE
                room.seen[64 * w + bit] += 1
                if next_word(rng, w) % np.uint64(room.seen[64 * w + bit]) == ZERO:  # each is kept with equal chance
                    taken |= ONE << np.uint64(bit)
            if taken:
                for move in range(begin, end):
                    room.chosen[move, w] = (room.chosen[move, w] & ~taken) | (v[area + move, w] & taken)
    return looked


@kernel
def find_unsafe(
    code: Code, v: np.ndarray, rng: np.ndarray, role: Int, wanted: np.ndarray, room: Foresight
) -> tuple[np.ndarray, np.int64]:
    """Return (unsafe lanes [W] of `wanted`, number of visited states).

    A lane is unsafe if the moves of v end the game with the role's lowest goal, or let another role take a decisive
    move.
    """
    looked = step_ahead(code, v, room.next, wanted)
    unsafe, going = np.zeros(len(wanted), np.uint64), np.zeros(len(wanted), np.uint64)
    lowest = code.areas[GOALS] + code.goal_start[role]
    for w in range(len(wanted)):
        over = room.next[code.areas[TERMINAL], w]
        unsafe[w] = over & room.next[lowest, w] & wanted[w]
        going[w] = wanted[w] & ~over
    if not going.any():
        return unsafe, looked
    run_choose(code, room.next, rng)
    for other in range(len(code.role_moves) - 1):
        if other == role or other == room.chance or code.goal_start[other + 1] - code.goal_start[other] < 2:
            continue
        open_lanes = find_choices(code, room.next, other, going)
        begin, end = code.areas[MOVES] + code.role_moves[other], code.areas[MOVES] + code.role_moves[other + 1]
        kept = room.next[begin:end].copy()
        won, more = find_wins(code, room.next, room.after, room.left[1], other, open_lanes, role)
        room.next[begin:end] = kept
        looked += more
        for w in range(len(wanted)):
            unsafe[w] |= won[w]
            going[w] &= ~won[w]
    return unsafe, looked
