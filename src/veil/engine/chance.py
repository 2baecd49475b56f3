"""How `random` plays: uniformly among its legal moves.

GDL-II defines this for the role `random`. Veil assumes it for players whose way of playing is unknown, too. Every
module that needs a probability or a move of chance uses this one, so that another distribution would change one place
only. Kernels cannot call Python; they say where they do the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def uniform_probabilities(legal: np.ndarray) -> np.ndarray:
    """Return [B, moves] the probability of every move, for legal moves [B, moves] bool.

    A row without legal moves is 0.
    """
    probabilities: np.ndarray = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
    return probabilities


def uniform_log_probability(counts: np.ndarray) -> np.ndarray:
    """Return the log probability of one move, given the number of legal moves in `counts` (any shape).

    It is 0 for count 0.
    """
    log_probability: np.ndarray = -np.log(np.maximum(counts, 1))
    return log_probability


def draw_uniformly(moves: Sequence[T], rng: np.random.Generator) -> T:
    """Return one of the `moves` (at least one) with equal probability. Takes one number from `rng`."""
    return moves[int(rng.integers(len(moves)))]


def draw_rows_uniformly(legal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return [B] one legal move of every row of `legal` [B, moves]. Every row must have at least one.

    Takes one number per row from `rng`, or no number if every row has exactly one legal move.
    """
    count = legal.sum(axis=1)
    if (count == 1).all():
        only: np.ndarray = legal.argmax(axis=1)
        return only
    rank = (rng.random(len(legal)) * count).astype(np.int64)
    drawn: np.ndarray = (np.cumsum(legal, axis=1) > rank[:, None]).argmax(axis=1)
    return drawn
