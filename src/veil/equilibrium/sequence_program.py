"""The linear program of one role in sequence form, over all moves or over some (Koller, Megiddo & von Stengel 1996).

Maximise v(empty) over realization weights x of the role and values v of the other role's infosets, such that the role
gets at least v, whatever the other does:

    x(empty) = 1,  x(before infoset) = sum of x over its moves,  x >= 0
    for every sequence s of the other role:
        v(infoset of s) <= sum of payoffs with s + values of the infosets after s

The multipliers of the second block are the other role's realization weights.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used

from veil.equilibrium.form import Form

TOLERANCE = 1e-10  # the tightest that HiGHS takes
Matrix = Any  # scipy.sparse.csr_matrix


class SequenceProgram(NamedTuple):
    """The program of one role against another. The empty sequences come last, the rows of empty infosets first."""

    payoff: Matrix  # [own sequences, sequences of the other]
    flow: Matrix  # [1 + own infosets, own sequences]
    other_flow: Matrix  # [1 + infosets of the other, its sequences]


class ProgramSolution(NamedTuple):
    """An optimum of a program."""

    value: float  # v(empty)
    weights: np.ndarray  # of the own sequences without the empty one
    other_weights: np.ndarray  # of the other's


def make_program(form: Form, role: int, kept: np.ndarray | None = None) -> SequenceProgram:
    """Return the program of a role in a game of two; with `kept` [S + R], only over these sequences."""
    other = 1 - role
    program = SequenceProgram(_list_payoffs(form, role), _list_flow(form, role), _list_flow(form, other))
    if kept is None:
        return program
    own_columns, other_columns = _keep_sequences(form, role, kept), _keep_sequences(form, other, kept)
    return SequenceProgram(
        program.payoff[own_columns][:, other_columns],
        program.flow[_keep_infosets(form, role, kept)][:, own_columns],
        program.other_flow[_keep_infosets(form, other, kept)][:, other_columns],
    )


def solve_program(
    program: SequenceProgram, reward: np.ndarray | None = None, floor: float = -np.inf
) -> ProgramSolution:
    """Return an optimum; with a `reward` per own sequence, the largest reward among those with a value of `floor`."""
    columns, rows = program.payoff.shape
    infosets = program.other_flow.shape[0]
    blocks = scipy.sparse.hstack([-program.payoff.T, program.other_flow.T], format="csr")
    empty = scipy.sparse.csr_matrix((program.flow.shape[0], infosets))
    start = np.zeros(program.flow.shape[0])
    start[0] = 1.0
    cost = np.zeros(columns + infosets)  # linprog minimises
    if reward is None:
        cost[columns] = -1.0
    else:
        cost[:columns] = -reward
    bounds = np.array([(0.0, np.inf)] * columns + [(floor, np.inf)] + [(-np.inf, np.inf)] * (infosets - 1))
    solved = scipy.optimize.linprog(
        cost,
        A_ub=blocks,
        b_ub=np.zeros(rows),
        A_eq=scipy.sparse.hstack([program.flow, empty], format="csr"),
        b_eq=start,
        bounds=bounds,
        method="highs",
        options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
    )
    if solved.status != 0:
        raise ArithmeticError(f"HiGHS did not solve the linear program: {solved.message}")
    weights, multipliers = solved.x[: columns - 1], -solved.ineqlin.marginals[: rows - 1]
    return ProgramSolution(float(solved.x[columns]), weights, multipliers)


def _keep_sequences(form: Form, role: int, kept: np.ndarray) -> np.ndarray:
    """Return which sequences of a role are kept, its empty one last."""
    return np.concatenate((kept[form.role_range(role)], [True]))


def _keep_infosets(form: Form, role: int, kept: np.ndarray) -> np.ndarray:
    """Return which infosets of a role follow kept sequences, the empty one first."""
    before = form.infoset_before[form.role_start[role] : form.role_start[role + 1]]
    return np.concatenate(([True], kept[before]))


def _list_payoffs(form: Form, role: int) -> Matrix:
    """Return payoffs of a role [its sequences, sequences of the other]."""
    slots, own, other = form.num_slots, form.role_range(role), form.role_range(1 - role)
    rows = np.repeat(np.arange(slots + 2), np.diff(form.row_start))
    is_own = ((rows >= own.start) & (rows < own.stop)) | (rows == slots + role)
    row = np.where(rows[is_own] == slots + role, own.stop - own.start, rows[is_own] - own.start)
    sequence = form.others[0][is_own]
    column = np.where(sequence == slots + 1 - role, other.stop - other.start, sequence - other.start)
    shape = (own.stop - own.start + 1, other.stop - other.start + 1)
    return scipy.sparse.csr_matrix((form.weight[is_own], (row, column)), shape=shape)


def _list_flow(form: Form, role: int) -> Matrix:
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
