"""Exact equilibrium of a two-role constant-sum game: the sequence-form linear program, solved by HiGHS.

1. A large game is solved by programs over few moves (`support_search`), a small one by one program over all
   (`sequence_program`).
2. A game of one role needs no program: one pass back over its infosets gives the exact optimum.
3. `refine=mistakes` chooses among the equilibria of two roles one that is sensible after mistakes (`lp_refinement`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from veil.equilibrium.configs import LpConfig
from veil.equilibrium.form import Form
from veil.equilibrium.lp_refinement import refine_equilibrium
from veil.equilibrium.response import find_best_response, to_behaviour, uniform_policy
from veil.equilibrium.sequence_program import make_program, solve_program
from veil.equilibrium.support_search import search_support
from veil.errors import fail

if TYPE_CHECKING:
    from veil.equilibrium.prepared_game import PreparedGame

LARGE = 5000  # slots, from which on programs over few moves are faster than one over all


def make_lp(config: LpConfig, prepared: PreparedGame, seed: int) -> LpSolver:
    """Start a run. The run is not random."""
    del seed
    return LpSolver(prepared.form, prepared.total, config.refine)


class LpSolver:
    """The linear program as a solver: its only iteration gives an equilibrium."""

    is_exact = True

    def __init__(self, form: Form, total: float | None, refine: str = "none") -> None:
        """Prepare the program; `total` is the sum of the payoffs.

        Raises `VeilError` if it varies, or for three roles.
        """
        check_scope(form, total)
        import_module("scipy.optimize")  # takes a third of a second, which does not count as solving
        self.form, self.total, self.refine = form, total, refine
        self.iterations = 0
        self._policy = uniform_policy(form)

    def run(self, iterations: int) -> None:
        """Solve the program. The number of iterations does not matter."""
        del iterations
        self._policy = solve_lp(self.form, self.total, self.refine)
        self.iterations = 1

    def average(self) -> np.ndarray:
        """Return an equilibrium policy [S]."""
        return self._policy


def check_scope(form: Form, total: float | None) -> None:
    """Raise `VeilError` for games of more than two roles, and of two roles without a constant sum of payoffs."""
    if form.num_roles > 2 or (form.num_roles == 2 and total is None):
        what = f"{form.num_roles} roles" if form.num_roles > 2 else "payoffs whose sum varies"
        raise fail("needs-zero-sum", method="lp", what=what)


def solve_lp(form: Form, total: float | None, refine: str = "none") -> np.ndarray:
    """Return an equilibrium policy [S]; `total` is the sum of the payoffs (None: not constant)."""
    check_scope(form, total)
    if form.num_roles == 1:
        return find_best_response(form, uniform_policy(form), 0)[0]
    if refine == "mistakes":
        return refine_equilibrium(form)
    policy = search_support(form) if form.num_slots >= LARGE else None
    return solve_at_once(form) if policy is None else policy


def solve_at_once(form: Form) -> np.ndarray:
    """Return an equilibrium policy [S] of a game of two roles with a constant sum, by one program over all moves."""
    solved = solve_program(make_program(form, 0))
    x = np.concatenate((solved.weights, solved.other_weights))
    return to_behaviour(form, np.maximum(x, 0.0) + 0.0)  # rounding leaves -0.0 and worse
