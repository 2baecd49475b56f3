"""Exact equilibrium of a two-role constant-sum game: the sequence-form linear program, solved by HiGHS.

Maximise v over realization weights x of the first role and values v of the second role's infosets, such that the first
role gets at least v, whatever the second role does (Koller, Megiddo & von Stengel 1996):

    x(empty) = 1,  x(before infoset) = sum of x over its moves,  x >= 0
    for every sequence s of the second role:
        v(infoset of s) <= sum of payoffs with s + values of the infosets after s

The multipliers of the second block are the second role's realization weights. A game of one role needs no program: one
pass back over its infosets gives the exact optimum.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy  # its parts are imported when they are used

from veil.equilibrium.configs import NoOptions
from veil.equilibrium.form import Form
from veil.equilibrium.response import find_best_response, to_behaviour, uniform_policy
from veil.errors import fail

if TYPE_CHECKING:
    from veil.equilibrium.prepared_game import PreparedGame

TOLERANCE = 1e-10  # the tightest that HiGHS takes
Matrix = Any  # scipy.sparse.csr_matrix


def make_lp(config: NoOptions, prepared: PreparedGame, seed: int) -> LpSolver:
    """Start a run. The run is not random."""
    del config, seed
    return LpSolver(prepared.form, prepared.total)


class LpSolver:
    """The linear program as a solver: its only iteration gives an equilibrium."""

    is_exact = True

    def __init__(self, form: Form, total: float | None) -> None:
        """Prepare the program; `total` is the sum of the payoffs.

        Raises `VeilError` if it varies, or for three roles.
        """
        check_scope(form, total)
        import_module("scipy.optimize")  # takes a third of a second, which does not count as solving
        self.form, self.total = form, total
        self.iterations = 0
        self._policy = uniform_policy(form)

    def run(self, iterations: int) -> None:
        """Solve the program. The number of iterations does not matter."""
        del iterations
        self._policy = solve_lp(self.form, self.total)
        self.iterations = 1

    def average(self) -> np.ndarray:
        """Return an equilibrium policy [S]."""
        return self._policy


def check_scope(form: Form, total: float | None) -> None:
    """Raise `VeilError` for games of more than two roles, and of two roles without a constant sum of payoffs."""
    if form.num_roles > 2 or (form.num_roles == 2 and total is None):
        what = f"{form.num_roles} roles" if form.num_roles > 2 else "payoffs whose sum varies"
        raise fail("needs-zero-sum", method="lp", what=what)


def solve_lp(form: Form, total: float | None) -> np.ndarray:
    """Return an equilibrium policy [S]; `total` is the sum of the payoffs (None: not constant)."""
    check_scope(form, total)
    if form.num_roles == 1:
        return find_best_response(form, uniform_policy(form), 0)[0]
    payoff = _payoffs(form)
    mine, theirs = _flow(form, 0), _flow(form, 1)
    columns, rows = payoff.shape
    infosets = theirs.shape[0]  # the first row is for the empty sequence
    # Variables: x (all of the first role's sequences), v (one per infoset of the second role). linprog minimises.
    blocks = scipy.sparse.hstack([-payoff.T, theirs.T], format="csr")
    equal = scipy.sparse.hstack([mine, scipy.sparse.csr_matrix((mine.shape[0], infosets))], format="csr")
    start = np.zeros(mine.shape[0])
    start[0] = 1.0
    cost = np.zeros(columns + infosets)
    cost[columns] = -1.0
    bounds = np.array([(0.0, np.inf)] * columns + [(-np.inf, np.inf)] * infosets)
    options = {"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE}
    solved = scipy.optimize.linprog(
        cost, A_ub=blocks, b_ub=np.zeros(rows), A_eq=equal, b_eq=start, bounds=bounds, method="highs", options=options
    )
    if solved.status != 0:
        raise ArithmeticError(f"HiGHS did not solve the linear program: {solved.message}")
    x = np.zeros(form.num_slots)
    x[form.role_range(0)] = solved.x[: columns - 1]
    x[form.role_range(1)] = -solved.ineqlin.marginals[: rows - 1]
    return to_behaviour(form, np.maximum(x, 0.0) + 0.0)  # rounding leaves -0.0 and worse


def _payoffs(form: Form) -> Matrix:
    """Return payoffs of the first role [its sequences, second role's sequences]; the empty sequences come last."""
    slots, (mine, theirs) = form.num_slots, np.diff(form.role_slots)
    rows = np.repeat(np.arange(slots + 2), np.diff(form.row_start))
    of_first = (rows < mine) | (rows == slots)
    row = np.where(rows[of_first] == slots, mine, rows[of_first])
    other = form.others[0][of_first]
    column = np.where(other == slots + 1, theirs, other - mine)
    return scipy.sparse.csr_matrix((form.weight[of_first], (row, column)), shape=(mine + 1, theirs + 1))


def _flow(form: Form, role: int) -> Matrix:
    """Return [1 + infosets, sequences]: each infoset's weight equals the sum of its moves.

    Row 0: the empty sequence is 1.
    """
    slots = form.role_range(role)
    infosets = range(int(form.role_start[role]), int(form.role_start[role + 1]))
    size = np.diff(form.slot_start)[infosets.start : infosets.stop]
    row = np.repeat(np.arange(1, len(infosets) + 1), size)
    before = form.infoset_before[infosets.start : infosets.stop]
    empty = slots.stop - slots.start
    column = np.where(before == form.num_slots + role, empty, before - slots.start)
    data = np.concatenate((np.ones(len(row)), -np.ones(len(column)), [1.0]))
    rows = np.concatenate((row, np.arange(1, len(infosets) + 1), [0]))
    columns = np.concatenate((np.arange(empty), column, [empty]))
    return scipy.sparse.csr_matrix((data, (rows, columns)), shape=(len(infosets) + 1, empty + 1))
