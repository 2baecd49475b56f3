"""How `random` plays: uniformly among its legal moves. The one place that says so.

GDL-II fixes this for the role `random`; players whose way of playing is unknown are taken to play so as well. Whoever
needs a probability or a move of chance takes it from here, so that another distribution would be a change in one place.
Kernels, which cannot call Python, say where they do the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def uniform_probabilities(legal: np.ndarray) -> np.ndarray:
    """[B, moves] the probability of every move, for legal moves [B, moves] bool; all 0 where none is legal."""
    probabilities: np.ndarray = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
    return probabilities


def uniform_log_probability(counts: np.ndarray) -> np.ndarray:
    """The log probability of one of so many legal moves, for counts of any shape; 0 where there is none to choose."""
    log_probability: np.ndarray = -np.log(np.maximum(counts, 1))
    return log_probability


def draw_uniformly(moves: Sequence[T], rng: np.random.Generator) -> T:
    """One of the moves, of which there is at least one; takes one number from `rng`."""
    return moves[int(rng.integers(len(moves)))]


def draw_rows_uniformly(legal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """[B] one of the legal moves [B, moves] of every row, each of which has one at least.

    Takes one number per row from `rng`; none at all where no row has a choice.
    """
    count = legal.sum(axis=1)
    if (count == 1).all():
        only: np.ndarray = legal.argmax(axis=1)
        return only
    rank = (rng.random(len(legal)) * count).astype(np.int64)
    drawn: np.ndarray = (np.cumsum(legal, axis=1) > rank[:, None]).argmax(axis=1)
    return drawn
