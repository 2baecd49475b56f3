"""Kernels of targets: a trie of serialised histories, or a path of public classes (`records.LaneTarget`)."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, borrowing, kernel, mix_word, table_size
from veil.search.walks.lanes.records import BELOW, OUTSIDE, LaneTarget


@kernel
def build_trie(histories: np.ndarray, order: np.ndarray) -> LaneTarget:
    """Return the trie of histories [N, T, R], every joint move serialised in the order of the roles."""
    cells = histories.shape[0] * histories.shape[1] * histories.shape[2]
    size = table_size(cells + 1)
    mask = np.uint64(size - 1)
    edge, target = np.zeros(size, np.uint64), np.zeros(size, np.int32)
    first, sibling = np.full(cells + 1, -1, np.int32), np.full(cells + 1, -1, np.int32)
    moves = np.full(cells + 1, -1, np.int32)
    used = 1
    for row in range(histories.shape[0]):
        node = 0
        for round_index in range(histories.shape[1]):
            for role in order:
                move = histories[row, round_index, role]
                name = (np.uint64(node) << np.uint64(32)) | np.uint64(move + 1)
                place = mix_word(name) & mask
                while edge[place] != 0 and edge[place] != name:
                    place = (place + np.uint64(1)) & mask
                if edge[place] == 0:
                    edge[place], target[place] = name, used
                    sibling[used], moves[used] = first[node], move
                    first[node] = used
                    used += 1
                node = target[place]
    no_path, no_classes = np.zeros(0, np.int32), np.zeros((0, 0), np.int32)
    return LaneTarget(first[:used].copy(), sibling[:used].copy(), moves[:used].copy(), no_path, no_classes)


@borrowing
def follow(target: LaneTarget, node: Int, role: Int, move: Int) -> np.int64:
    """Return the node after a role's move: OUTSIDE if no history of the target goes on so, BELOW if one ends."""
    if node < 0:
        return np.int64(node)
    if len(target.path) > 0:
        if target.classes[role, move] != target.path[node]:
            return np.int64(OUTSIDE)
        return np.int64(node + 1) if node + 1 < len(target.path) else np.int64(BELOW)
    child = target.first_child[node]
    while child >= 0 and target.move[child] != move:
        child = target.next_sibling[child]
    if child < 0:
        return np.int64(OUTSIDE)
    return np.int64(child) if target.first_child[child] >= 0 else np.int64(BELOW)


@borrowing
def mark_inside(target: LaneTarget, node: Int, role: Int, moves: np.ndarray, count: Int, inside: np.ndarray) -> None:
    """Mark in inside [K] which of these moves of a role, ascending, stay inside (changed in place).

    If no move is of the class that a path asks for, all are marked: a walk in a dead end goes on unrestricted. The
    caller multiplies its probability by that of the move, and `follow` leads outside.
    """
    if len(target.path) > 0:
        members = 0
        for k in range(count):
            inside[k] = target.classes[role, moves[k]] == target.path[node]
            members += inside[k]
        for k in range(count):
            inside[k] |= members == 0
        return
    for k in range(count):
        inside[k] = False
    child = target.first_child[node]
    while child >= 0:
        low, high = np.int64(0), np.int64(count)
        while low < high:
            middle = (low + high) // 2
            if moves[middle] < target.move[child]:
                low = middle + 1
            else:
                high = middle
        if low < count and moves[low] == target.move[child]:
            inside[low] = True
        child = target.next_sibling[child]
