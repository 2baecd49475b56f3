"""Kernels on the sequence form: the loops that all full-width algorithms share.

`x` [S + R] is a profile as realization weights: x[slot] is the probability that its owner plays all moves up to this
one, and x[S + r] = 1 is role r's empty sequence. `policy` [S] is the profile as behaviour, per infoset. `q` [S + R]
holds counterfactual values of slots: the expected payoff after a slot, weighted by the reach of chance and the others.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import borrowing, kernel, match_regrets
from veil.equilibrium.form import Form


@kernel
def sequences_of(
    parent: np.ndarray, slot: np.ndarray, chance_prob: np.ndarray, slot_role: np.ndarray, num_roles: int
) -> tuple[np.ndarray, np.ndarray]:
    """Walk down the tree; return (sequence of every role [N, R], probability of chance [N]) for every node."""
    num_slots = len(slot_role)
    sequence = np.empty((len(parent), num_roles), np.int32)
    reach = np.ones(len(parent))
    for role in range(num_roles):
        sequence[0, role] = num_slots + role
    for node in range(1, len(parent)):
        above = parent[node]
        for role in range(num_roles):
            sequence[node, role] = sequence[above, role]
        reach[node] = reach[above] * chance_prob[node]
        if slot[node] >= 0:
            sequence[node, slot_role[slot[node]]] = slot[node]
    return sequence, reach


@borrowing
def add_payoffs(form: Form, role: int, x: np.ndarray, q: np.ndarray) -> None:
    """Sum the payoffs of terminals times the others' reach, counted at the last move of a role.

    Only the role's own rows of q are set, in place.
    """
    add_payoffs_of_rows(form, role, x, q, 0, form.role_slots[role + 1] - form.role_slots[role] + 1)


@borrowing
def add_payoffs_of_rows(form: Form, role: int, x: np.ndarray, q: np.ndarray, begin: int, end: int) -> None:
    """Do `add_payoffs` for the rows begin .. end - 1 of a role alone; its empty sequence is the last row."""
    row_start, weight, others = form.row_start, form.weight, form.others
    first, last = form.role_slots[role], form.role_slots[role + 1]
    num_slots = form.role_slots[-1]
    for at in range(begin, end):
        row = first + at if at < last - first else num_slots + role
        total = 0.0
        if others.shape[0] == 1:
            for entry in range(row_start[row], row_start[row + 1]):
                total += weight[entry] * x[others[0, entry]]
        else:
            for entry in range(row_start[row], row_start[row + 1]):
                product = weight[entry]
                for other in range(others.shape[0]):
                    product *= x[others[other, entry]]
                total += product
        q[row] = total


@borrowing
def back_up(form: Form, role: int, policy: np.ndarray, q: np.ndarray) -> None:
    """Add the value of every infoset to the move before it, from the last infoset to the first (q changed)."""
    slot_start, before = form.slot_start, form.infoset_before
    for infoset in range(form.role_start[role + 1] - 1, form.role_start[role] - 1, -1):
        value = 0.0
        for slot in range(slot_start[infoset], slot_start[infoset + 1]):
            value += policy[slot] * q[slot]
        q[before[infoset]] += value


@borrowing
def back_up_best(form: Form, role: int, best: np.ndarray, q: np.ndarray) -> None:
    """Add the value of every infoset's best move to the move before it; `best` [I] gets its slot (q, best changed)."""
    slot_start, before = form.slot_start, form.infoset_before
    for infoset in range(form.role_start[role + 1] - 1, form.role_start[role] - 1, -1):
        chosen = slot_start[infoset]
        for slot in range(chosen + 1, slot_start[infoset + 1]):
            if q[slot] > q[chosen]:
                chosen = slot
        best[infoset] = chosen
        q[before[infoset]] += q[chosen]


@borrowing
def realize(form: Form, role: int, policy: np.ndarray, x: np.ndarray) -> None:
    """Compute the realization weights of a role from its behaviour (x changed in place)."""
    slot_start, before = form.slot_start, form.infoset_before
    for infoset in range(form.role_start[role], form.role_start[role + 1]):
        reach = x[before[infoset]]
        for slot in range(slot_start[infoset], slot_start[infoset + 1]):
            x[slot] = reach * policy[slot]


@borrowing
def realize_pure(form: Form, role: int, best: np.ndarray, x: np.ndarray) -> None:
    """Compute the realization weights of a pure policy, best [I] (x changed in place)."""
    slot_start, before = form.slot_start, form.infoset_before
    for infoset in range(form.role_start[role], form.role_start[role + 1]):
        for slot in range(slot_start[infoset], slot_start[infoset + 1]):
            x[slot] = 0.0
        x[best[infoset]] = x[before[infoset]]


@borrowing
def normalise(slot_start: np.ndarray, weight: np.ndarray, policy: np.ndarray) -> None:
    """Compute behaviour from weights: positive parts in proportion, uniform if there are none (policy changed)."""
    for infoset in range(len(slot_start) - 1):
        first = slot_start[infoset]
        match_regrets(weight, first, slot_start[infoset + 1], policy, first)
