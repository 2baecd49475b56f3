"""Kernels of the algorithms that run over all sequences every iteration: the CFR family, ITS, XFP."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import borrowing, kernel
from veil.equilibrium.form import Form
from veil.equilibrium.records import Memory, Scheme
from veil.equilibrium.sequence_kernels import add_payoffs, back_up, back_up_best, realize, realize_pure

TIE = 1e-12  # relative difference below which two values are equal


@kernel
def run_cfr(form: Form, scheme: Scheme, memory: Memory, first: int, count: int) -> None:
    """Run iterations first .. first + count - 1 of CFR (memory changed in place).

    Per iteration and role: compute counterfactual values against the others' current policies; add the current policy
    to the average; add to each regret what the move would have gained; regret matching gives the next policy. With
    alternating updates a role responds to the new policies of the roles before it.
    """
    roles = len(form.role_start) - 1
    for t in range(first, first + count):
        if scheme.alternating:
            for role in range(roles):
                add_payoffs(form, role, memory.realization, memory.cf_value)
                learn(form, scheme, memory, role, t)
        else:
            for role in range(roles):
                add_payoffs(form, role, memory.realization, memory.cf_value)
            for role in range(roles):
                learn(form, scheme, memory, role, t)


@borrowing
def learn(form: Form, scheme: Scheme, memory: Memory, role: int, t: int) -> None:
    """Update one role from its counterfactual values (memory changed in place)."""
    regret, policy, cf_value = memory.regret, memory.policy, memory.cf_value
    policy_sum, realization = memory.policy_sum, memory.realization
    slot_start, before = form.slot_start, form.infoset_before
    keep_positive = keep_negative = 1.0
    if scheme.discounted:
        keep_positive = t**scheme.alpha / (t**scheme.alpha + 1.0)
        keep_negative = t**scheme.beta / (t**scheme.beta + 1.0)
    if scheme.horizon > 0.0:
        shrink_average(form, scheme, memory, role, t)
        weight = 1.0
    else:
        weight = 1.0 if scheme.average_power == 0.0 else float(t) ** scheme.average_power
    for slot in range(form.role_slots[role], form.role_slots[role + 1]):
        policy_sum[slot] += weight * realization[slot]
    for infoset in range(form.role_start[role + 1] - 1, form.role_start[role] - 1, -1):
        begin, end = slot_start[infoset], slot_start[infoset + 1]
        value = 0.0
        for slot in range(begin, end):
            value += policy[slot] * cf_value[slot]
        cf_value[before[infoset]] += value
        total = 0.0
        for slot in range(begin, end):
            instant = cf_value[slot] - value
            grown = regret[slot] + instant
            if scheme.plus:
                grown = max(grown, 0.0) * keep_positive
            elif scheme.discounted:
                grown *= keep_positive if grown > 0.0 else keep_negative
            regret[slot] = grown
            predicted = max(grown + instant if scheme.predictive else grown, 0.0)
            policy[slot] = predicted
            total += predicted
        if total > 0.0:
            for slot in range(begin, end):
                policy[slot] /= total
        else:
            for slot in range(begin, end):
                policy[slot] = 1.0 / (end - begin)
    realize(form, role, policy, realization)


@borrowing
def shrink_average(form: Form, scheme: Scheme, memory: Memory, role: int, t: int) -> None:
    """Make earlier policies of a role count less than iteration t by a schedule (memory changed in place)."""
    power = scheme.average_power + min((t - 1.0) / scheme.horizon, 1.0) * scheme.power_change
    keep = ((t - 1.0) / t) ** power
    for slot in range(form.role_slots[role], form.role_slots[role + 1]):
        memory.policy_sum[slot] *= keep


@kernel
def run_its(
    form: Form, policy: np.ndarray, x: np.ndarray, q: np.ndarray, rng: np.random.Generator, first: int, count: int
) -> None:
    """Run iterations first .. first + count - 1 of Iterative Tree Search (policy, x and q changed in place).

    A role remembers its own moves, so its own share of rhoFactor is the same in all states of an infoset, and (7) picks
    the same move with the counterfactual value q in place of the sum of rho times u.
    """
    roles = len(form.role_start) - 1
    slot_start = form.slot_start
    for t in range(first, first + count):
        keep = t / (t + 1.0)
        for role in range(roles):
            add_payoffs(form, role, x, q)  # rhoFactor and u of all states, equations (5) and (6)
        for role in range(roles):
            back_up(form, role, policy, q)
        for role in range(roles):
            for infoset in range(form.role_start[role], form.role_start[role + 1]):
                begin, end = slot_start[infoset], slot_start[infoset + 1]
                chosen = choose_best(q, begin, end, rng)  # equation (7)
                for slot in range(begin, end):
                    policy[slot] *= keep  # equation (9)
                policy[chosen] += 1.0 / (t + 1.0)  # equation (8)
            realize(form, role, policy, x)


@borrowing
def choose_best(q: np.ndarray, begin: int, end: int, rng: np.random.Generator) -> int:
    """Return the slot of the highest value, drawn uniformly among equal ones."""
    best, size = q[begin], abs(q[begin])
    for slot in range(begin + 1, end):
        best, size = max(best, q[slot]), max(size, abs(q[slot]))
    equals, chosen = 0, begin
    for slot in range(begin, end):
        if q[slot] >= best - TIE * size:
            equals += 1
            if equals == 1 or rng.random() * equals < 1.0:
                chosen = slot
    return chosen


@kernel
def run_xfp(
    form: Form, x: np.ndarray, q: np.ndarray, best: np.ndarray, response: np.ndarray, first: int, count: int
) -> None:
    """Run full-width extensive-form fictitious play: add every role's best response to its average.

    Averages are taken in realization weights (all arrays but those of `form` are changed in place).
    """
    roles = len(form.role_start) - 1
    for t in range(first, first + count):
        for role in range(roles):
            add_payoffs(form, role, x, q)
        for role in range(roles):
            back_up_best(form, role, best, q)
            realize_pure(form, role, best, response)
            for slot in range(form.role_slots[role], form.role_slots[role + 1]):
                x[slot] += (response[slot] - x[slot]) / (t + 1.0)
