"""Kernels of the walk: what every move of a role is worth against fixed policies of the others, without a tree.

The walk goes depth-first through the records of one role. At a record it holds the list of all histories that agree
with it: their states, the places of the other roles in their own records, and their weights, the probability that
chance and the others play so. One sweep over the list gives the lists of all records that can follow, side by side, and
adds the payoffs of games that end to the role's last move. So the memory is that of the lists on one path; lists are
read and written from one end to the other, and what is looked up are states and classes, of which there are few.

Histories of one record with the same state, and the same records of all other roles, are one from then on. With
`merges` they are looked for: each is compared with the last one of its state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine.lanes import Int, borrowing, kernel

ZERO, ONE, TWO, THREE, FOUR = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
LEAST_ROOM = np.int64(1 << 14)  # histories
NOWHERE, OWN, SEVERAL = -1, -1, -2


class PassTables(NamedTuple):
    """The levels of a game, one after the other, as the walk of one role reads them.

    N states, E edges, O other roles; C classes of the role and K ways to go on. In a *plain* state at most one role
    has a choice, and chance has none; its edges to the end of the game are not in `edges`, but in `ends`, one per move.
    """

    edge_start: np.ndarray  # [N + 1]
    edges: np.ndarray  # [E, 3 + 2 O] state or ~ payoffs, own rank, own token; per role: rank + 1, 0 if forced; token
    chance: np.ndarray  # [E] probability
    chooser: np.ndarray  # [N] who has a choice: OWN, also if nobody has, the place of another role, or SEVERAL
    choices: np.ndarray  # [N] moves of a chooser
    is_leaf: np.ndarray  # [N] the state is plain and has no `edges`
    end_start: np.ndarray  # [N] first of the state's `ends`; NOWHERE if no move ends the game
    ends: np.ndarray  # utility of the role if a chooser's move ends the game, else 0
    payoff: np.ndarray  # [P] utility of the role
    moves: np.ndarray  # [C] legal moves
    child_start: np.ndarray  # [C + 1]
    child: np.ndarray  # [K] class
    child_offset: np.ndarray  # [K] slots from a record to the one that follows
    child_rank: np.ndarray  # [K] which legal move
    row: np.ndarray  # [C] where the tokens of a class begin in `place`
    place: np.ndarray  # which of the ways to go on from a class has a token
    room: np.ndarray  # [K] edges of one state that have this token, at most
    other_next: np.ndarray  # [., 2] for a row and a token of another role: the row and the offset of its next record
    other_start: np.ndarray  # [O, 2] row and slot of the empty record
    merges: bool  # equal histories are looked for
    first_slot: int  # of the role
    depth: int  # levels
    halt: np.ndarray  # [1] whether the walk is to end before its end: somebody has asked for it


class Histories(NamedTuple):
    """Histories side by side, as many as there is room for. O other roles."""

    state: np.ndarray  # [size]
    weight: np.ndarray  # [size]
    place: np.ndarray  # [size, 2 O] row and slot of the record of every other role


OWN_CLASS, SLOT, BEFORE, FIRST, LAST = range(5)  # of a row of shards: a record at which a walk begins, its histories


@kernel
def make_histories(size: Int, others: Int) -> Histories:
    """Return room for histories."""
    return Histories(np.empty(size, np.int32), np.empty(size, np.float64), np.empty((size, 2 * others), np.int32))


@kernel
def copy_histories(given: Histories, first: Int, count: Int, size: Int) -> Histories:
    """Return a copy of some histories with room for `size`."""
    copy = make_histories(size, given.place.shape[1] // 2)
    put_histories(given, first, count, copy, np.int64(0))
    return copy


@kernel
def put_histories(given: Histories, first: Int, count: Int, target: Histories, at: Int) -> None:
    """Copy some histories to a place in `target` (changed in place)."""
    for i in range(count):
        target.state[at + i], target.weight[at + i] = given.state[first + i], given.weight[first + i]
        for column in range(given.place.shape[1]):
            target.place[at + i, column] = given.place[first + i, column]


@kernel
def walk(
    t: PassTables, policy: np.ndarray, q: np.ndarray, shard: np.ndarray, given: Histories, stop: Int
) -> tuple[float, np.ndarray, Histories]:
    """Add the payoffs of all games from a shard [5] on, times their weights, to the role's last moves (q changed).

    policy [S] is behaviour. Return the payoffs of games in which the role has no choice after the shard began, and the
    records after `stop` more rounds, at which the walk stops: shards [., 5] and their histories.
    """
    count = shard[LAST] - shard[FIRST]
    size = max(LEAST_ROOM, 2 * count)
    histories = copy_histories(given, shard[FIRST], count, size)
    shards, kept = np.zeros((16, 5), np.int64), make_histories(LEAST_ROOM, given.place.shape[1] // 2)
    stopped, filled_kept = 0, np.int64(0)
    widest = most = np.int64(1)
    for c in range(len(t.moves)):
        widest, most = max(widest, t.child_start[c + 1] - t.child_start[c]), max(most, t.moves[c])
    begin, end = np.zeros((t.depth + 1, widest), np.int64), np.zeros((t.depth + 1, widest), np.int64)
    frame = np.zeros((4, t.depth + 1), np.int64)  # class, slot, sequence before, next way to go on
    top = np.zeros(t.depth + 2, np.int64)
    gain, recent = np.zeros(most), np.full(len(t.chooser) if t.merges else 0, NOWHERE)
    above, level, first, last = 0.0, 0, np.int64(0), np.int64(count)
    frame[0, 0], frame[1, 0], frame[2, 0], top[0] = shard[OWN_CLASS], shard[SLOT], NOWHERE, count
    is_new = True
    while level >= 0:
        own, slot = frame[0, level], frame[1, level]
        children = t.child_start[own + 1] - t.child_start[own]
        if is_new:
            if t.halt[0]:
                break
            filled = top[level]
            for k in range(children):
                begin[level, k] = end[level, k] = filled
                filled += (last - first) * t.room[t.child_start[own] + k]
            if filled > size:
                while size < filled:
                    size *= 2
                histories = copy_histories(histories, 0, top[level], size)
            top[level + 1] = filled
            moves = t.moves[own]
            for move in range(moves):
                gain[move] = 0.0
            expand(t, policy, q, histories, first, last, own, slot, gain, begin[level], end[level], recent)
            if moves > 1:
                for move in range(moves):
                    q[slot + move] += gain[move]
            elif frame[2, level] != NOWHERE:
                q[frame[2, level]] += gain[0]
            else:
                above += gain[0]
            frame[3, level] = 0
        k = frame[3, level]
        while k < children and begin[level, k] == end[level, k]:
            k += 1
        is_new = k < children
        if not is_new:
            level -= 1
            continue
        frame[3, level] = k + 1
        first, last = begin[level, k], end[level, k]
        entry = t.child_start[own] + k
        before = slot + t.child_rank[entry] if t.moves[own] > 1 else frame[2, level]
        if level + 1 == stop:
            count = last - first
            if filled_kept + count > len(kept.state):
                kept = copy_histories(kept, 0, filled_kept, 2 * (filled_kept + count))
            if stopped == len(shards):
                shards = np.concatenate((shards, shards))
            put_histories(histories, first, count, kept, filled_kept)
            row = shards[stopped]
            row[OWN_CLASS], row[SLOT], row[BEFORE] = t.child[entry], slot + t.child_offset[entry], before
            row[FIRST], row[LAST] = filled_kept, filled_kept + count
            stopped, filled_kept, is_new = stopped + 1, filled_kept + count, False
            continue
        level += 1
        frame[0, level], frame[1, level], frame[2, level] = t.child[entry], slot + t.child_offset[entry], before
    return above, shards[:stopped].copy(), kept


@borrowing
def expand(
    t: PassTables, policy: np.ndarray, q: np.ndarray, histories: Histories, first: Int, last: Int, own: Int,
    own_slot: Int, gain: np.ndarray, begin: np.ndarray, end: np.ndarray, recent: np.ndarray,
) -> None:  # fmt: skip
    """Play a round from histories [first, last) of one record, of the class `own`.

    Payoffs of games that end are added to gain [moves], histories that go on to the lists of the records that follow,
    which are begin and end [ways to go on]; recent [N] is where a state came last. A leaf is played at once, and never
    gets into a list: what the role's own moves win there is added to q (all changed in place). Indices are unsigned:
    numba looks whether others are below 0.
    """
    state, weight, place = histories
    row, first_child = np.uint64(t.row[own]), np.uint64(t.child_start[own])
    others = np.uint64(place.shape[1] // 2)
    edges, other_next = t.edges, t.other_next
    for i in range(np.uint64(first), np.uint64(last)):
        here, share = np.uint64(state[i]), weight[i]
        chooser = t.chooser[here]
        if chooser != SEVERAL:
            slot = np.uint64(0)
            if chooser != OWN:
                slot = np.uint64(place[i, np.uint64(2 * chooser + 1)])
            if t.end_start[here] != NOWHERE:
                count, ends = np.uint64(t.choices[here]), np.uint64(t.end_start[here])
                if chooser == OWN:
                    for move in range(count):
                        gain[move] += share * t.ends[ends + move]
                else:
                    total = 0.0
                    for move in range(count):
                        total += policy[slot + move] * t.ends[ends + move]
                    gain[0] += share * total
        for edge in range(np.uint64(t.edge_start[here]), np.uint64(t.edge_start[here + ONE])):
            share = weight[i]
            if chooser == SEVERAL:
                share *= t.chance[edge]
                for o in range(others):
                    rank = edges[edge, THREE + TWO * o]
                    if rank:
                        share *= policy[np.uint64(place[i, TWO * o + ONE]) + np.uint64(rank - 1)]
            elif chooser != OWN:
                share *= policy[slot + np.uint64(edges[edge, np.uint64(3 + 2 * chooser)] - 1)]
            if share == 0.0:
                continue
            target = edges[edge, ZERO]
            if target < 0:
                gain[edges[edge, ONE]] += share * t.payoff[~target]
                continue
            k = np.uint64(t.place[row + np.uint64(edges[edge, TWO])])
            if t.is_leaf[target]:
                own_slot_there = np.uint64(own_slot + t.child_offset[first_child + k])
                gain[edges[edge, ONE]] += play_leaf(t, policy, q, place, i, edge, share, own_slot_there)
                continue
            at = np.uint64(end[k])
            if t.merges:
                twin = recent[target]
                recent[target] = at
                is_near = begin[k] <= twin < end[k] and state[twin] == target
                if is_near and is_twin(t, place, i, edge, twin):
                    weight[twin] += share
                    recent[target] = twin
                    continue
            end[k] += 1
            state[at], weight[at] = target, share
            for o in range(others):
                following = np.uint64(place[i, TWO * o]) + np.uint64(edges[edge, FOUR + TWO * o])
                place[at, TWO * o] = other_next[following, ZERO]
                place[at, TWO * o + ONE] = place[i, TWO * o + ONE] + other_next[following, ONE]


@borrowing
def play_leaf(
    t: PassTables, policy: np.ndarray, q: np.ndarray, place: np.ndarray, i: Int, edge: Int, share: float,
    own_slot: np.uint64,
) -> float:  # fmt: skip
    """Play the last move after an edge of history i, which comes with the weight `share`.

    If it is the role's own, what its moves win is added to q (changed in place) from own_slot on. Return what the move
    of another role gives on average, else 0.
    """
    there = np.uint64(t.edges[edge, ZERO])
    count, ends, chooser = np.uint64(t.choices[there]), np.uint64(t.end_start[there]), t.chooser[there]
    if chooser == OWN:
        for move in range(count):
            q[own_slot + move] += share * t.ends[ends + move]
        return 0.0
    column = np.uint64(2 * chooser)
    following = np.uint64(place[i, column]) + np.uint64(t.edges[edge, FOUR + column])
    slot = np.uint64(place[i, column + ONE] + t.other_next[following, ONE])
    total = 0.0
    for move in range(count):
        total += policy[slot + move] * t.ends[ends + move]
    return share * total


@borrowing
def is_twin(t: PassTables, place: np.ndarray, i: Int, edge: Int, twin: Int) -> bool:
    """Return whether an edge of history i leads to the records of all other roles that history `twin` has."""
    for o in range(place.shape[1] // 2):
        following = place[i, 2 * o] + t.edges[edge, 4 + 2 * o]
        if place[twin, 2 * o + 1] != place[i, 2 * o + 1] + t.other_next[following, 1]:
            return False
        if place[twin, 2 * o] != t.other_next[following, 0]:
            return False
    return True
