"""The records of the kernels of HyperPlay: the models' paths and stacks, and the records they have to explain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

DONE, FULL, NOTHING, PAUSED = 0, 1, 2, 3  # how a search ends
PAUSE_AFTER = 1 << 18  # joint moves that are tested before a search pauses and comes to a safe point


class Stacks(NamedTuple):
    """The stacks of M models, with room for C entries each. R roles."""

    top: np.ndarray  # [M] entries in use
    round: np.ndarray  # [M, C] rounds played after the move; 0: only a cost
    cost: np.ndarray  # [M, C] states visited before it, itself included
    joint: np.ndarray  # [M, C, R]
    state: np.ndarray  # [M, C, words]
    log_weight: np.ndarray  # [M, C]


class Paths(NamedTuple):
    """The positions of M models. T rounds at most."""

    round: np.ndarray  # [M] rounds played
    joint: np.ndarray  # [M, T, R]
    state: np.ndarray  # [M, T + 1, words]
    log_weight: np.ndarray  # [M, T + 1]


class EncodedRecords(NamedTuple):
    """What a role was told, in numbers: K records of T rounds each. M models explain them."""

    role: int
    of_model: np.ndarray  # [M] the record that a model explains
    own_move: np.ndarray  # [K, T]
    percepts: np.ndarray  # [K, T, words]
    over: bool  # the game has ended with the last round


class Models(NamedTuple):
    """M models that are searched."""

    paths: Paths
    stacks: Stacks
    rng: np.ndarray  # [M] states of SplitMix64
    complete: np.ndarray  # [M] whether the stack holds all that is left of the tree
    visited: np.ndarray  # [M] states in this round
    idle: np.ndarray  # [M] whether it is not searched


class NextSteps(NamedTuple):
    """The next steps of L models: how many joint moves each has, and those that agree with the record, by model."""

    tested: np.ndarray  # [L] joint moves
    first: np.ndarray  # [L + 1] model l has agreeing moves [first[l], first[l + 1])
    rank: np.ndarray  # [N] place among the tested moves of the model
    joint: np.ndarray  # [N, R]
    state: np.ndarray  # [N, words] the state it leads to
    log_prob: np.ndarray  # [N] of the others' choices
