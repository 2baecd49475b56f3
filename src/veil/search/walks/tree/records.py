"""The records of the kernels of walks on explicit trees."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

FIRST_CHILD, NUM_CHILDREN, FIRST_SLOT, MOVER = range(4)  # columns of `WalkTree.nodes`
EVEN_CHANCE, UNEVEN_CHANCE = -1, -2  # movers: `random` with equal probabilities, and with others
OUTSIDE, ABOVE, INSIDE = range(3)  # of a target: no way leads in; some ways do; all ways do


class WalkTree(NamedTuple):
    """A tree for walking down. N nodes, S slots, R roles. A walk reads one row of `nodes` per step."""

    nodes: np.ndarray  # [N, 4] int32: first child, children, first slot of the infoset (-1: none), mover
    slot: np.ndarray  # [N] int32: slot of the move that leads here
    chance_prob: np.ndarray  # [N] probability of a chance edge
    utility: np.ndarray  # [N, R] payoffs, 0 halfway between the best and the worst of the role


class WalkTables(NamedTuple):
    """What walks learn. S slots."""

    numbers: np.ndarray  # [S, 4] regret, policy sum, walks that took the move, sum of the mover's payoffs after it
    is_known: np.ndarray  # [S] bool, at the first slot of an infoset: whether it is in the table
    available: np.ndarray  # [S] walks in which the move could be taken; only counted if nodes of a slot differ


class WalkPath(NamedTuple):
    """Scratch: the infosets of the table that a walk has passed, from the root down. D steps, K moves at most."""

    node: np.ndarray  # [D] int64
    chosen: np.ndarray  # [D] int64: index of the move
    other: np.ndarray  # [D] reach of chance and of all but the updated role, before the step
    sample: np.ndarray  # [D] probability of the sample before the step: delta * s1 + (1 - delta) * s2
    chance: np.ndarray  # [D] probability of the chance moves between this step and the next
    policy: np.ndarray  # [D, K] strategy at the step
