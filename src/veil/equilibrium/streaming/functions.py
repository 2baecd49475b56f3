"""Policies that are functions: a network or a learner's table, asked once per infoset, in batches.

A function takes the name of a role, observations [N, bits] bool and legal moves [N, moves] bool, and returns
probabilities [N, moves]. Observations are those of the vector environment of kind `record`: one piece for each of the
last rounds, the newest first, with a bit for every own move and one for every percept.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import numpy as np

from veil.engine.lanes import unpack
from veil.equilibrium.response import uniform_policy
from veil.equilibrium.streaming.records import PlacedRecord, list_records
from veil.equilibrium.streaming.walk import Walk
from veil.errors import fail
from veil.limits import check_limit
from veil.signals import check_signals

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
    for role in range(len(walk.roles)):
        tokens = _TokenBits(walk, role)
        records = list_records(walk, role)
        while batch := list(islice(records, BATCH)):
            check_signals()
            legal = _legal_bits(walk, role, batch)
            given = function(walk.roles[role], tokens.observe(batch, pieces), legal.copy())
            chances = _check_answer(walk.roles[role], given, legal)
            for record, row in zip(batch, chances, strict=True):
                policy[record.slot : record.slot + len(record.moves)] = row[record.moves]
    return policy


class _TokenBits:
    """The bits of what a role is told in a round."""

    def __init__(self, walk: Walk, role: int) -> None:
        number = walk.graph.role_ids[role]
        moves, percepts = (len(part[number]) for part in (walk.game.program.moves, walk.game.program.percepts))
        self.width = moves + percepts
        self.levels = [
            np.concatenate([np.eye(moves, dtype=bool)[own], unpack(told, percepts)], axis=1)
            for own, told in (
                (level.token_move[role], np.ascontiguousarray(level.token_percepts[role]))
                for level in walk.graph.levels
            )
        ]

    def observe(self, records: list[PlacedRecord], pieces: int) -> np.ndarray:
        """Return the observations [N, pieces * width] of records."""
        observation = np.zeros((len(records), pieces, self.width), bool)
        for row, record in enumerate(records):
            for ago, (level, token) in enumerate(reversed(record.rounds[-pieces:])):
                observation[row, ago] = self.levels[level][token]
        return observation.reshape(len(records), -1)


def _legal_bits(walk: Walk, role: int, records: list[PlacedRecord]) -> np.ndarray:
    """Return the legal moves [N, moves] after records."""
    legal = np.zeros((len(records), len(walk.game.program.moves[walk.graph.role_ids[role]])), bool)
    for row, record in enumerate(records):
        legal[row, record.moves] = True
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
