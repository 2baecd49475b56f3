"""Full-width extensive-form fictitious play (Heinrich, Lanctot & Silver 2015, algorithm 1), on the sequence form.

All roles start with the uniform policy. In iteration t = 1, 2, ...

1. Every role computes a pure best response to the average policies of the others.
2. Every role's average policy becomes t / (t + 1) of itself and 1 / (t + 1) of the best response. The mixture is taken
   in realization weights: a player who draws one of the two before the game and plays it has this policy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veil.equilibrium.configs import NoOptions
from veil.equilibrium.form import Form
from veil.equilibrium.full_width_kernels import run_xfp
from veil.equilibrium.response import to_behaviour, to_realization, uniform_policy

if TYPE_CHECKING:
    from veil.equilibrium.prepared_game import PreparedGame


def make_xfp(config: NoOptions, prepared: PreparedGame, seed: int) -> XfpSolver:
    """Start a run. The run is not random."""
    del config, seed
    return XfpSolver(prepared.form)


class XfpSolver:
    """The average policies of one run."""

    is_exact = False

    def __init__(self, form: Form) -> None:
        self.form = form
        self.iterations = 0
        self._x = to_realization(form, uniform_policy(form))
        self._q, self._response = np.zeros(len(self._x)), np.ones(len(self._x))
        self._best = np.zeros(len(form.infoset_before), np.int64)
        self.run(0)  # compile before the clock starts

    def run(self, iterations: int) -> None:
        """Run `iterations` more iterations."""
        first = self.iterations + 1
        run_xfp(self.form, self._x, self._q, self._best, self._response, first, iterations)
        self.iterations += iterations

    def average(self) -> np.ndarray:
        """Return the average policy [S]."""
        return to_behaviour(self.form, self._x)
