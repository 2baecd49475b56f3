"""Exact equilibrium of a two-role constant-sum game: the sequence-form linear program, solved by HiGHS.

Maximise v over realization weights x of the first role and values v of the second role's infosets, such that whatever
the second role does, it leaves the first at least v (Koller, Megiddo & von Stengel 1996):

    x(empty) = 1,  x(before infoset) = sum of x over its moves,  x >= 0
    for every sequence s of the second role:
        v(infoset of s) <= sum of payoffs with s + values of the infosets after s

The multipliers of the second block are the second role's realization weights. One role alone has the exact optimum by
going back over its infosets; no program is needed.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack

from veil.equilibrium.form import Form
from veil.equilibrium.response import behaviour, best_response, uniform
from veil.errors import fail

TOLERANCE = 1e-10  # the tightest that HiGHS takes


def solve_lp(form: Form, total: float | None) -> np.ndarray:
    """[S] an equilibrium policy; `total` is what the payoffs add up to (None: not constant)."""
    if form.num_roles == 1:
        return best_response(form, uniform(form), 0)[0]
    if form.num_roles != 2 or total is None:
        what = f"{form.num_roles} roles" if form.num_roles != 2 else "payoffs whose sum varies"
        raise fail("needs-zero-sum", method="lp", what=what)
    payoff = _payoffs(form)
    mine, theirs = _flow(form, 0), _flow(form, 1)
    columns, rows = payoff.shape
    infosets = theirs.shape[0]  # the first one stands for the empty sequence
    # Variables: x (all of the first role's sequences), v (one per infoset of the second role). linprog minimises.
    blocks = hstack([-payoff.T, theirs.T], format="csr")
    equal = hstack([mine, csr_matrix((mine.shape[0], infosets))], format="csr")
    start = np.zeros(mine.shape[0])
    start[0] = 1.0
    cost = np.zeros(columns + infosets)
    cost[columns] = -1.0
    bounds = np.array([(0.0, np.inf)] * columns + [(-np.inf, np.inf)] * infosets)
    options = {"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE}
    found = linprog(
        cost, A_ub=blocks, b_ub=np.zeros(rows), A_eq=equal, b_eq=start, bounds=bounds, method="highs", options=options
    )
    if found.status != 0:
        raise ArithmeticError(f"HiGHS did not solve the linear program: {found.message}")
    x = np.zeros(form.num_slots)
    x[form.role_range(0)] = found.x[: columns - 1]
    x[form.role_range(1)] = -found.ineqlin.marginals[: rows - 1]
    return behaviour(form, np.maximum(x, 0.0) + 0.0)  # rounding leaves -0.0 and worse


def _payoffs(form: Form) -> csr_matrix:
    """[own sequences, their sequences] payoffs of the first role; the empty sequence is the last one of each."""
    slots, (own, theirs) = form.num_slots, np.diff(form.role_slots)
    rows = np.repeat(np.arange(slots + 2), np.diff(form.row_start))
    mine = (rows < own) | (rows == slots)
    row = np.where(rows[mine] == slots, own, rows[mine])
    other = form.others[0][mine]
    column = np.where(other == slots + 1, theirs, other - own)
    return csr_matrix((form.weight[mine], (row, column)), shape=(own + 1, theirs + 1))


def _flow(form: Form, role: int) -> csr_matrix:
    """[1 + infosets, sequences] what flows into an infoset flows out by its moves; row 0: the empty sequence is 1."""
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
    return csr_matrix((data, (rows, columns)), shape=(len(infosets) + 1, empty + 1))
