"""What every belief can do."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from veil.belief.bag import Bag


class Belief(Protocol):
    """A role's knowledge, kept round by round."""

    role: int
    rounds: int  # heard so far

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """The role played own_move and saw percepts [words]. `over`: the game has ended with this round.

        After the deadline (of `perf_counter`) a belief makes do with what it has found.
        """

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """At most so many distinct histories that explain all this, with weights; without count, all there are."""
