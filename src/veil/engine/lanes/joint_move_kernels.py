"""Kernels that list joint moves from packed rows of legal moves."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.bit_kernels import ONE, count_ones, list_ones, split_mix
from veil.engine.lanes.jit import Int, kernel


@kernel
def list_joint_moves(
    legal: np.ndarray,
    columns: np.ndarray,
    wanted: np.ndarray,
    role: Int,
    own_move: np.ndarray,
    limit: Int,
    rng: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """List the joint moves of every row: (row [N], joint move [N, R], moves per row and role [B, R]).

    The last role's move changes fastest. legal [B, words] is packed per role from columns [R + 1] on. Rows that are not
    `wanted` [B] have no joint moves. If role >= 0, the role plays own_move [B], and rows in which that is not legal
    have no joint moves. A row with more than `limit` joint moves gets `limit` random ones, drawn by rng [B], the state
    of SplitMix64 per row (changed in place).
    """
    roles = len(columns) - 1
    counts, sizes = count_joint_moves(legal, columns, wanted, role, own_move, limit)
    total, most = 0, 0
    for row in range(len(legal)):
        total += sizes[row]
        for r in range(roles):
            most = max(most, counts[row, r])
    rows, joints = np.empty(total, np.int64), np.empty((total, roles), np.int64)
    moves, turn = np.empty((roles, most), np.int64), np.zeros(roles, np.int64)
    entry = 0
    for row in range(len(legal)):
        if sizes[row] == 0:
            continue
        product: Int = 1
        for r in range(roles):
            list_ones(legal, row, columns[r], columns[r + 1], moves[r])
            if r == role:
                moves[r, 0] = own_move[row]
            turn[r] = 0
            product = min(product * (1 if r == role else counts[row, r]), limit + 1)
        for _ in range(sizes[row]):
            rows[entry] = row
            for r in range(roles):
                if product > limit and r != role:
                    turn[r] = split_mix(rng, row) % np.uint64(counts[row, r])
                joints[entry, r] = moves[r, turn[r]]
            entry += 1
            if product <= limit:
                for r in range(roles - 1, -1, -1):
                    turn[r] += 1
                    if turn[r] < (1 if r == role else counts[row, r]):
                        break
                    turn[r] = 0
    return rows, joints, counts


@kernel
def count_joint_moves(
    legal: np.ndarray, columns: np.ndarray, wanted: np.ndarray, role: Int, own_move: np.ndarray, limit: Int
) -> tuple[np.ndarray, np.ndarray]:
    """Return (moves per row and role [B, R], joint moves per row [B], at most `limit`).

    The arguments are those of `list_joint_moves`.
    """
    roles = len(columns) - 1
    counts = np.zeros((len(legal), roles), np.int64)
    sizes = np.zeros(len(legal), np.int64)
    for row in range(len(legal)):
        product = 1
        for r in range(roles):
            counts[row, r] = count_ones(legal, row, columns[r], columns[r + 1])
            if r != role:
                product = min(product * counts[row, r], limit + 1)
        if role >= 0:
            word = legal[row, columns[role] + own_move[row] // 64]
            if not (word >> np.uint64(own_move[row] % 64)) & ONE:
                product = 0
        sizes[row] = min(product, limit) if wanted[row] else 0
    return counts, sizes
