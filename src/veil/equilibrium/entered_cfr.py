"""CFR on a tree in which one role chooses, outside of the tree, how much it enters each of its records at the top.

The role has an *entry* for each of K records: an infoset with one slot, the k-th slot of the role. The realization
weight e(k) of that slot is what two games of the role say, which are played beside the tree:

1. *Follow or stop*, at every record: f(k) is the probability of following. Following is worth what comes after the
   entry, V(k); stopping is worth the alternative value a(k).
2. *Choose a record*: m(k) is the probability of choosing it, which is worth V(k) - a(k).

Chance comes to record k with the probability p(k). With a share s of the first game,

    e(k) = s f(k) + (1 - s) m(k) p / p(k), p the sum of all p(k);

with a share `STOPPED`, the second game gets exactly what the first one stops:

    e(k) = f(k) + m(k) r / p(k), r the sum of all p(k) (1 - f(k)).

Both games learn by the rule of the tree's solver, from the same values. s = 1 is the gadget Resolve (Burch, Johanson &
Bowling 2014), s = 0 is Maxmargin (Moravcik et al. 2016).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.equilibrium.cfr import CfrSolver
from veil.equilibrium.configs import CfrConfig, PcfrPlusConfig
from veil.equilibrium.form import Form
from veil.equilibrium.response import to_realization

STOPPED = -1.0  # the share for which the second game gets what the first one stops


class Entries(NamedTuple):
    """The entries of a role, K of them."""

    role: int  # its place among the roles that move
    mass: np.ndarray  # [K] p(k)
    alternative: np.ndarray  # [K] a(k)
    share: float  # of following or stopping


class EntryMemory(NamedTuple):
    """The state of the two games between two iterations."""

    follow_regret: np.ndarray  # [K, 2] of following and of stopping
    follow: np.ndarray  # [K] f(k)
    choice_regret: np.ndarray  # [K]
    choice: np.ndarray  # [K] m(k)
    weight: np.ndarray  # [1] of all iterations so far, in the average


class EnteredCfrSolver(CfrSolver):
    """A member of the CFR family beside the two games of entering."""

    def __init__(self, form: Form, config: CfrConfig, entries: Entries) -> None:
        count = len(entries.mass)
        self._entries = entries
        self._entered = EntryMemory(
            follow_regret=np.zeros((count, 2)),
            follow=np.full(count, 0.5),
            choice_regret=np.zeros(count),
            choice=np.full(count, 1.0 / count),
            weight=np.zeros(1),
        )
        super().__init__(form, config)
        self._enter()

    def run(self, iterations: int) -> None:
        """Run `iterations` more iterations."""
        from veil.equilibrium.entered_kernels import run_entered_cfr  # imports numba

        first = self.iterations + 1
        run_entered_cfr(self.form, self._scheme, self._memory, self._entries, self._entered, first, iterations)
        self.iterations += iterations

    def begin_with(self, policy: np.ndarray) -> None:
        """Take a policy [S] for the first iteration, and at infosets without regrets; entries stay."""
        super().begin_with(policy)
        self._enter()

    def grow(self, form: Form, kept: float = 1.0) -> None:
        """Go on in a larger form; see `CfrSolver.grow`."""
        super().grow(form, kept)
        self._entered.weight[0] *= kept

    def average(self) -> np.ndarray:
        """Return the average policy [S]; slots of entries have the average weight of entering."""
        policy, weight = super().average(), self._entered.weight[0]
        entries = self._slots()
        policy[entries] = self._memory.policy_sum[entries] / weight if weight > 0.0 else self._memory.policy[entries]
        return policy

    def _slots(self) -> slice:
        first = int(self.form.role_slots[self._entries.role])
        return slice(first, first + len(self._entries.mass))

    def _enter(self) -> None:
        from veil.equilibrium.entered_kernels import weigh_entries  # imports numba

        weigh_entries(self._entries, self._entered, self._memory.policy[self._slots()])
        self._memory.realization[:] = to_realization(self.form, self._memory.policy)


def warm_up_entries(form: Form) -> None:
    """Compile the kernels of entries with a small form."""
    EnteredCfrSolver(form, PcfrPlusConfig(), Entries(0, np.ones(1), np.zeros(1), STOPPED)).run(1)
