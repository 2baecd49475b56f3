"""Kernels of the subset construction: which states a role holds possible after each record."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, kernel


@kernel
def list_successors(
    edge_start: np.ndarray, target: np.ndarray, token: np.ndarray, group: np.ndarray, groups: Int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct pairs token * groups + group[target] of each state's edges, ascending: (pairs, starts)."""
    states = len(edge_start) - 1
    pairs, starts = np.empty(len(target), np.int64), np.zeros(states + 1, np.int64)
    filled = 0
    for state in range(states):
        first = filled
        for edge in range(edge_start[state], edge_start[state + 1]):
            if target[edge] >= 0:
                pairs[filled] = token[edge] * groups + group[target[edge]]
                filled += 1
        filled = first + sort_distinct(pairs[first:filled])
        starts[state + 1] = filled
    return pairs[:filled].copy(), starts


@kernel
def sort_distinct(values: np.ndarray) -> int:
    """Sort values, each once, to the front (changed in place); return how many there are."""
    if len(values) < 2:
        return len(values)
    values.sort()
    kept = 1
    for i in range(1, len(values)):
        if values[i] != values[kept - 1]:
            values[kept] = values[i]
            kept += 1
    return kept


@kernel
def split_by_token(
    sets: np.ndarray, set_start: np.ndarray, pairs: np.ndarray, pair_start: np.ndarray, groups: Int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return what can follow each of C sets of states, split by what the role is told.

    The result is (tokens [K], ascending for every set; first of a set's tokens [C + 1]; members of the following sets;
    first member of each of them [K + 1]).
    """
    room = 1024
    members = np.empty(room, np.int64)
    tokens, member_start = np.empty(room, np.int64), np.zeros(room + 1, np.int64)
    child_start = np.zeros(len(set_start), np.int64)
    filled, children = 0, 0
    for c in range(len(set_start) - 1):
        count = 0
        for i in range(set_start[c], set_start[c + 1]):
            count += pair_start[sets[i] + 1] - pair_start[sets[i]]
        while filled + count > len(members):
            members = grow(members)
        while children + count > len(tokens):
            tokens = grow(tokens)
            member_start = grow(member_start)
        first = filled
        for i in range(set_start[c], set_start[c + 1]):
            for k in range(pair_start[sets[i]], pair_start[sets[i] + 1]):
                members[filled] = pairs[k]
                filled += 1
        filled = first + sort_distinct(members[first:filled])
        for i in range(first, filled):
            token = members[i] // groups
            if i == first or token != tokens[children - 1]:
                tokens[children] = token
                member_start[children] = i
                children += 1
            members[i] -= token * groups
        child_start[c + 1] = children
    member_start[children] = filled
    return tokens[:children].copy(), child_start, members[:filled].copy(), member_start[: children + 1].copy()


@kernel
def grow(values: np.ndarray) -> np.ndarray:
    """Return a copy with twice the room."""
    larger = np.zeros(2 * len(values), values.dtype)
    for i in range(len(values)):
        larger[i] = values[i]
    return larger
