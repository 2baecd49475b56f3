"""The arrays of beliefs over many records: the records of all roles, and the worlds of their beliefs.

A record has a number. All data of a record stand in arrays at this number, so that kernels follow a record, find its
belief and draw its move without a Python object per record.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

UNKNOWN = -1  # a number of worlds or moves that has not been computed; a record that is not in the table
NUM_RECORDS, NUM_QUESTIONS = 0, 1  # entries of `RecordTable.used`


class RecordTable(NamedTuple):
    """Room for C records of all roles. Record r < R is the start of role r."""

    entry: np.ndarray  # [H] hash table of numbers by key and role, UNKNOWN if free; a power of two, at least 2 C
    key: np.ndarray  # [C] uint64
    role: np.ndarray  # [C]
    round: np.ndarray  # [C] rounds of the record; 0 at the start
    before: np.ndarray  # [C] the record a round earlier; itself at the start
    own_move: np.ndarray  # [C] in the last round
    percepts: np.ndarray  # [C, words] in the last round, packed; as wide as the widest role's
    first_world: np.ndarray  # [C] of its belief, in the pool of its role
    num_worlds: np.ndarray  # [C] UNKNOWN before it is computed
    first_value: np.ndarray  # [C] of its moves, in the pool of values
    num_values: np.ndarray  # [C] UNKNOWN before they are computed; 0 if nothing explains the record
    asked: np.ndarray  # [C] the last question that named it
    used: np.ndarray  # [2] records, questions


class WorldPool(NamedTuple):
    """Room for W worlds of the beliefs of a role; worlds of one record stand together."""

    states: np.ndarray  # [W, words]
    legal: np.ndarray  # [W, words] packed legal moves of all roles
    weights: np.ndarray  # [W] the sum for a record is 1
    keys: np.ndarray  # [W, R] keys of the records of all roles; [W, 0] if they are not needed
    used: np.ndarray  # [1]


class Frontier(NamedTuple):
    """N worlds of S records, sorted by record, and how the records go on."""

    states: np.ndarray  # [N, words]
    legal: np.ndarray  # [N, words]
    weights: np.ndarray  # [N]
    record: np.ndarray  # [N] of a world, from 0 to S - 1
    own_move: np.ndarray  # [S]
    percepts: np.ndarray  # [S, words], at least as many words as the role has


class NextFrontier(NamedTuple):
    """M worlds of S records one round later, sorted by record; the weights of a record have the sum 1."""

    states: np.ndarray  # [M, words]
    legal: np.ndarray  # [M, words]
    weights: np.ndarray  # [M]
    record: np.ndarray  # [M]
