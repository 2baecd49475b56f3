"""Iterative Tree Search: Algorithm 1 of Chitizadeh & Thielscher (2018), on the sequence form.

The move probabilities mu are uniform at first. In iteration t = 1, 2, ...

1. Compute the probability rho of every state within its infoset, equation (5), from rhoFactor, the probability that
   chance and all roles lead to the state; and the expected utility u of every state, equation (6).
2. At every infoset choose the move with the highest sum of rho times u over its states, equation (7); one of several
   best moves is drawn uniformly.
3. Average the choice into mu: the chosen move gets 1 / (t + 1), equation (8), and all moves keep t / (t + 1) of their
   probability, equation (9).

A role remembers its own moves, so its own share of rhoFactor is the same in all states of an infoset. Neither that
share nor the denominator of (5) changes which move is best. So this module compares the sums without them: the
counterfactual values `q` of moves. Values that differ by less than 1e-12 of their size are equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veil.equilibrium.configs import NoOptions
from veil.equilibrium.form import Form
from veil.equilibrium.full_width_kernels import run_its
from veil.equilibrium.response import to_realization, uniform_policy

if TYPE_CHECKING:
    from veil.equilibrium.prepared_game import PreparedGame


def make_its(config: NoOptions, prepared: PreparedGame, seed: int) -> ItsSolver:
    """Start a run. The seed breaks ties between moves."""
    del config
    return ItsSolver(prepared.form, seed)


class ItsSolver:
    """The move probabilities of one run. Equal seeds give equal runs."""

    is_exact = False

    def __init__(self, form: Form, seed: int = 0) -> None:
        self.form = form
        self.iterations = 0
        self._rng = np.random.default_rng(seed)  # ties between moves
        self._policy = uniform_policy(form)
        self._x = to_realization(form, self._policy)
        self._q = np.zeros(len(self._x))
        self.run(0)  # compile before the clock starts

    def run(self, iterations: int) -> None:
        """Run `iterations` more iterations."""
        rng, first = self._rng, self.iterations + 1
        run_its(self.form, self._policy, self._x, self._q, rng, first, iterations)
        self.iterations += iterations

    def average(self) -> np.ndarray:
        """Return the move probabilities [S], which are averages of the choices."""
        return self._policy.copy()
