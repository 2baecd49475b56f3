"""The records of the kernels of HyperPlay-II: values of moves, playouts, simulations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class ValuePool(NamedTuple):
    """Room for M moves of records with their values; moves of one record stand together, ascending."""

    move: np.ndarray  # [M]
    value: np.ndarray  # [M]
    visits: np.ndarray  # [M] playouts
    used: np.ndarray  # [1]


class PlayoutPairs(NamedTuple):
    """P pairs of a world and a move, for N worlds of S infosets, sorted: the playouts to play, and their results."""

    infoset: np.ndarray  # [N] of a world
    row: np.ndarray  # [N] of a world, in the pool
    weights: np.ndarray  # [N]
    world: np.ndarray  # [P]
    move: np.ndarray  # [P]
    end: np.ndarray  # [P] playouts of this pair and of those before it
    sums: np.ndarray  # [P] of the role's goals


class SimulatedGames(NamedTuple):
    """P simulations of which the first `alive[0]` rows go on. R roles."""

    state: np.ndarray  # [P, words] of a row
    record: np.ndarray  # [P, R] of a row
    legal: np.ndarray  # [P, words] of a row
    number: np.ndarray  # [P] the number of the simulation in a row
    first_move: np.ndarray  # [P] of a simulation: the first move of the own role
    last: np.ndarray  # [P] of a simulation: the round in which it is cut
    goals: np.ndarray  # [P] of a simulation: the own goal, 0 if it was cut
    rounds: np.ndarray  # [P] of a simulation: its length so far
    alive: np.ndarray  # [1]
    rng: np.ndarray  # [1] a state of SplitMix64
