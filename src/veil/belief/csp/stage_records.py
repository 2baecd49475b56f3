"""The records of the kernels of constraint satisfaction: the stage graph (figure 6), its trail, choices and solutions.

The circuit is unrolled, one row per round: slot s of row t says what holds in round t. The next state of row t is the
state of row t + 1. The last row is the state after the last round, before any move in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

UNKNOWN, TRUE, FALSE = 0, 1, 2  # of `Stages.value`; a literal holds if the value is TRUE + negated
# The reason why a slot has its value: a gate (its number, 0 or more), or one of these. An entry of `Learned` is
# LEARNED - number.
GIVEN, CHOSEN, SAME, ONE_MOVE, LEGAL_MOVE, ALL_EARLIER_CHOICES, LEARNED = -1, -2, -3, -4, -5, -6, -100
HEAD, TOP, BASE, ROUNDS, CONFLICT, NODE, STEPS = range(7)  # of `Stages.state`


class Stages(NamedTuple):
    """A stage graph: C rows, rounds + 1 in use. S slots, G gates, K terms, R roles; a *node* is row * S + slot."""

    state: np.ndarray  # [7] see above: next on the trail to look at, its end, where choices begin, rounds observed,
    # the reason and the node of a conflict, nodes looked at in all
    value: np.ndarray  # [C, S]
    reason: np.ndarray  # [C, S]
    place: np.ndarray  # [C, S] where on the trail
    true_count: np.ndarray  # [C, K] literals of a term that hold
    false_count: np.ndarray  # [C, K] that do not
    open_count: np.ndarray  # [C, G] terms of a gate without a literal that does not hold
    plausible: np.ndarray  # [C, R] moves of a role that are not excluded
    touched: np.ndarray  # [C] whether something in or next to the row has changed since it was looked at in lanes
    live: np.ndarray  # [C, S] whether conclusions about a slot are of use; others are not drawn (`relevance_kernels`)
    trail: np.ndarray  # [C * S] nodes in the order in which they got their values


class Learned(NamedTuple):
    """Knowledge from conflicts. At most N moves are refuted, at most D choices stand; K no-goods of L moves."""

    used: np.ndarray  # [1] how many moves are refuted as long as some choices stand
    because: np.ndarray  # [N, D] whether choice d is one of the reasons
    kept: np.ndarray  # [1] how many no-goods there have been; the last K are kept
    no_good: np.ndarray  # [K, L] nodes: moves that cannot all have been made; -1 after the last


class Choices(NamedTuple):
    """The choices of one attempt, at most D. A *variable* is a round and a role; V of them were open at first."""

    round: np.ndarray  # [V]
    role: np.ndarray  # [V]
    start: np.ndarray  # [D] where on the trail choice d stands
    node: np.ndarray  # [D] the move that was chosen
    weight: np.ndarray  # [T, M] how often a plausible move is chosen, relative to the others of its round and role
    conflict: np.ndarray  # [D] scratch: whether choice d is a reason of the conflict
    seen: np.ndarray  # [C * S] scratch: whether a place on the trail is a reason of the conflict


class Solutions(NamedTuple):
    """Up to N histories that were found. T rounds, R roles."""

    history: np.ndarray  # [N, T, R]
    log_choices: np.ndarray  # [N] log of 1 / (the probability of these choices)


class Planes(NamedTuple):
    """Scratch of a pass in lanes. S slots."""

    can: np.ndarray  # [S] words: lanes in which a slot can be true
    must: np.ndarray  # [S] words: in which it must be
    some: np.ndarray  # [S] whether it can be true in some lane that is left
    all: np.ndarray  # [S] whether it must be true in all of them
    passes: np.ndarray  # [1] so far
