"""Policies that are functions: a network or a learner's table, asked once per infoset, in batches.

A function takes the name of a role, observations [N, bits] bool and legal moves [N, moves] bool, and returns
probabilities [N, moves]. Observations are those of the vector environment of kind `record`: one piece for each of the
last rounds, the newest first, with a bit for every own move and one for every percept.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from veil.engine.lanes import unpack
from veil.equilibrium.response import uniform_policy
from veil.equilibrium.streaming.records import legal_sets, list_records
from veil.equilibrium.streaming.walk import Walk
from veil.errors import fail
from veil.limits import check_limit

PolicyFunction = Callable[[str, np.ndarray, np.ndarray], np.ndarray]

BATCH = 4096  # infosets that a function is asked about at once
TOLERANCE = 1e-4  # of the sum of probabilities


def ask_function(walk: Walk, function: PolicyFunction, rounds: int | None = None) -> np.ndarray:
    """Return the policy [S] of a function that observes the last `rounds` rounds, or all of them.

    Raises `VeilError` for results that are no probabilities of legal moves.
    """
    pieces = rounds if rounds is not None else max(1, len(walk.graph.levels) - 1)
    check_limit("record rounds", pieces, "rounds")
    policy = uniform_policy(walk.form)
    for role, name in enumerate(walk.roles):
        legal_of, told_as = _legal_bits(walk, role), _token_bits(walk, role)
        which, _ = legal_sets(walk, role)
        for batch in list_records(walk, role, BATCH, pieces):
            legal = legal_of[which[batch.own_class]]
            observed = told_as[batch.told].reshape(len(legal), -1)
            chances = _check_answer(name, function(name, observed, legal.copy()), legal)
            row, move = np.nonzero(legal)
            policy[batch.slot[row] + (np.cumsum(legal, axis=1) - 1)[row, move]] = chances[row, move]
    return policy


def _token_bits(walk: Walk, role: int) -> np.ndarray:
    """Return [tokens of all levels + 1, bits] what a role is told in a round; the last row, of no round, is empty."""
    number = walk.graph.role_ids[role]
    moves, percepts = (len(part[number]) for part in (walk.game.program.moves, walk.game.program.percepts))
    bits = [
        np.concatenate([np.eye(moves, dtype=bool)[own], unpack(np.ascontiguousarray(told), percepts)], axis=1)
        for own, told in ((level.token_move[role], level.token_percepts[role]) for level in walk.graph.levels)
    ]
    return np.concatenate([*bits, np.zeros((1, moves + percepts), bool)])


def _legal_bits(walk: Walk, role: int) -> np.ndarray:
    """Return [sets, moves] the moves of every set of legal moves of a role."""
    _, sets = legal_sets(walk, role)
    legal = np.zeros((len(sets), len(walk.game.program.moves[walk.graph.role_ids[role]])), bool)
    for number, moves in enumerate(sets):
        legal[number, moves] = True
    return legal


def _check_answer(role: str, given: object, legal: np.ndarray) -> np.ndarray:
    """Return the probabilities [N, moves], legal moves alone, each row with the sum 1."""
    chances = np.asarray(given, np.float64)
    if chances.shape != legal.shape:
        raise fail("policy-function", role=role, what=f"gives {list(chances.shape)} numbers, not {list(legal.shape)}")
    if not np.isfinite(chances).all() or (chances < -TOLERANCE).any():
        raise fail("policy-function", role=role, what="gives numbers that are no probabilities")
    chances = np.where(legal, np.maximum(chances, 0.0), 0.0)
    sums: np.ndarray = chances.sum(axis=1, keepdims=True)
    if (np.abs(sums - 1.0) > TOLERANCE).any():
        worst = float(sums.ravel()[np.abs(sums.ravel() - 1.0).argmax()])
        raise fail("policy-function", role=role, what=f"gives legal moves a probability of {worst:.6g} in all, not 1")
    return np.asarray(chances / sums)
