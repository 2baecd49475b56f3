"""Kernels of CFR with entries (`entered_cfr`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veil.engine.lanes import kernel
from veil.equilibrium.form import Form
from veil.equilibrium.full_width_kernels import learn
from veil.equilibrium.records import Memory, Scheme
from veil.equilibrium.sequence_kernels import add_payoffs, realize

if TYPE_CHECKING:
    from veil.equilibrium.entered_cfr import Entries, EntryMemory


@kernel
def run_entered_cfr(
    form: Form, scheme: Scheme, memory: Memory, entries: Entries, entered: EntryMemory, first: int, count: int
) -> None:
    """Run iterations first .. first + count - 1; roles update in turn (memory and entered changed in place).

    After the update of the role that enters, the values of its entries stand in memory.cf_value.
    """
    begin = form.role_slots[entries.role]
    end = begin + len(entries.mass)
    for t in range(first, first + count):
        for role in range(len(form.role_start) - 1):
            add_payoffs(form, role, memory.realization, memory.cf_value)
            learn(form, scheme, memory, role, t)
            if role == entries.role:
                entered.weight[0] += 1.0 if scheme.average_power == 0.0 else float(t) ** scheme.average_power
                learn_to_follow(entries, entered, memory.cf_value[begin:end], scheme.predictive)
                learn_to_choose(entries, entered, memory.cf_value[begin:end], scheme.predictive)
                weigh_entries(entries, entered, memory.policy[begin:end])
                realize(form, role, memory.policy, memory.realization)


@kernel
def learn_to_follow(entries: Entries, entered: EntryMemory, value: np.ndarray, predictive: bool) -> None:
    """Update the game of following or stopping from the values [K] of entries, times the mass (entered changed)."""
    regret, follow = entered.follow_regret, entered.follow
    for k in range(len(value)):
        stopped = entries.mass[k] * entries.alternative[k]
        mean = follow[k] * value[k] + (1.0 - follow[k]) * stopped
        regret[k, 0] = max(regret[k, 0] + value[k] - mean, 0.0)
        regret[k, 1] = max(regret[k, 1] + stopped - mean, 0.0)
        on, off = regret[k, 0], regret[k, 1]
        if predictive:
            on, off = max(on + value[k] - mean, 0.0), max(off + stopped - mean, 0.0)
        follow[k] = on / (on + off) if on + off > 0.0 else 0.5


@kernel
def learn_to_choose(entries: Entries, entered: EntryMemory, value: np.ndarray, predictive: bool) -> None:
    """Update the game of choosing a record from the values [K] of entries, times the mass (entered changed)."""
    regret, choice = entered.choice_regret, entered.choice
    whole, count = entries.mass.sum(), len(value)
    margin = whole * (value / entries.mass - entries.alternative)
    mean, total = (choice * margin).sum(), 0.0
    for k in range(count):
        instant = margin[k] - mean
        regret[k] = max(regret[k] + instant, 0.0)
        choice[k] = max(regret[k] + instant, 0.0) if predictive else regret[k]
        total += choice[k]
    for k in range(count):
        choice[k] = choice[k] / total if total > 0.0 else 1.0 / count


@kernel
def weigh_entries(entries: Entries, entered: EntryMemory, weight: np.ndarray) -> None:
    """Compute the weight [K] of every entry from the two games (changed in place)."""
    mass, follow, choice = entries.mass, entered.follow, entered.choice
    if entries.share >= 0.0:
        chosen = (1.0 - entries.share) * mass.sum()
        weight[:] = entries.share * follow + chosen * choice / mass
    else:
        stopped = (mass * (1.0 - follow)).sum()
        weight[:] = follow + stopped * choice / mass
