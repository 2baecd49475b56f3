"""Kernels of targets: a trie of serialised histories."""

from __future__ import annotations

import numpy as np

from veil.engine import Int, kernel, mix_word
from veil.search.fleet_records import BELOW, OUTSIDE, Trie


@kernel
def build_trie(histories: np.ndarray, order: np.ndarray) -> Trie:
    """The trie of histories [N, T, R], every joint move serialised in the order of the roles."""
    cells = histories.shape[0] * histories.shape[1] * histories.shape[2]
    size = 1
    while size < 2 * cells + 2:
        size *= 2
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
    return Trie(first[:used].copy(), sibling[:used].copy(), moves[:used].copy())


@kernel
def follow(trie: Trie, node: Int, move: Int) -> np.int64:
    """The node after a move: OUTSIDE where no history goes on so, BELOW where one ends."""
    if node < 0:
        return np.int64(node)
    child = trie.first_child[node]
    while child >= 0 and trie.move[child] != move:
        child = trie.next_sibling[child]
    if child < 0:
        return np.int64(OUTSIDE)
    return np.int64(child) if trie.first_child[child] >= 0 else np.int64(BELOW)


@kernel
def mark_children(trie: Trie, node: Int, moves: np.ndarray, count: Int, inside: np.ndarray) -> None:
    """inside [K]: whether each of these moves, ascending, stays inside (changed in place)."""
    for k in range(count):
        inside[k] = False
    child = trie.first_child[node]
    while child >= 0:
        low, high = np.int64(0), np.int64(count)
        while low < high:
            middle = (low + high) // 2
            if moves[middle] < trie.move[child]:
                low = middle + 1
            else:
                high = middle
        if low < count and moves[low] == trie.move[child]:
            inside[low] = True
        child = trie.next_sibling[child]
