"""Counterfactual regret minimisation and its relatives, on the sequence form.

An iteration t, for every role in turn:

1. Compute the counterfactual value v(I, a) of every move against the others' current policies, equation (1).
2. Add the current policy, as realization weights times w(t), to the sum behind the average policy, equation (2).
3. Add the instant regrets, v(I, a) minus the mean of v(I, .) under the current policy, to the regrets R(I, a).
4. Regret matching: the next policy plays a move in proportion to the positive part of its regret, and uniformly if no
   regret is positive.

Equation numbers are those of Lisy, Lanctot & Bowling (2015), section 2.

| row   | regrets | w(t) | source |
|---|---|---|---|
| cfr   | all are kept | 1 | Zinkevich, Johanson, Bowling & Piccione 2007 |
| cfr+  | negative ones become 0 | t | Tammelin 2014 |
| dcfr  | positive ones times t^a/(t^a+1), negative ones times t^b/(t^b+1) | t^g | Brown & Sandholm 2019 |
| pcfr+ | as cfr+; step 4 expects the last instant regret once more | t^2 | Farina, Kroer & Sandholm 2021 |
| pdcfr+ | as pcfr+; regrets times t^a/(t^a+1) at the end of iteration t | t^5 | Xu et al. 2024 |
| hs-pcfr+ | as pcfr+ | see below | Zhang, McAleer & Sandholm 2024 |

With a schedule of n iterations, w(t) = 1, but the sum of step 2 is multiplied by (t/(t+1))^g(t) after iteration t;
g(t) is 30 - 5 t/n up to iteration n, and 25 after it.

`average_power` is the exponent of w(t). The papers leave the order of updates open; here roles update in turn
(`alternating`). All variants converge to an equilibrium in games of two roles with a constant sum; elsewhere they are a
heuristic.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from veil.equilibrium.configs import CfrConfig
from veil.equilibrium.form import Form
from veil.equilibrium.full_width_kernels import run_cfr
from veil.equilibrium.prepared_game import PreparedGame
from veil.equilibrium.records import Memory
from veil.equilibrium.response import to_behaviour, to_realization, uniform_policy
from veil.equilibrium.threaded_cfr import count_threads, run_cfr_in_threads

if TYPE_CHECKING:
    from veil.equilibrium.streaming.walk import Walk

TINY = 1e-9  # regret, relative to the largest payoff, that says nothing but what to play without other regrets


def make_cfr(config: CfrConfig, prepared: PreparedGame | Walk, seed: int) -> CfrSolver:
    """Start a run of any member of the family. The run is not random."""
    del seed
    if isinstance(prepared, PreparedGame):
        return CfrSolver(prepared.form, config)
    from veil.equilibrium.streaming.walk_solver import WalkCfrSolver  # imports this module

    return WalkCfrSolver(prepared, config)


class CfrSolver:
    """Regrets and average policy of one run."""

    is_exact = False

    def __init__(self, form: Form, config: CfrConfig) -> None:
        self.form = form
        self.iterations = 0
        policy = uniform_policy(form)
        x = to_realization(form, policy)
        slots = form.num_slots
        self._memory = Memory(np.zeros(slots), policy, np.zeros(slots), x, np.zeros(len(x)))
        self._scheme = config.scheme
        self.run(0)  # compiled now, before anyone looks at the clock

    def run(self, iterations: int) -> None:
        """Run `iterations` more iterations."""
        threads, first = count_threads(self.form), self.iterations + 1
        if threads == 1:
            run_cfr(self.form, self._scheme, self._memory, first, iterations)
        else:
            run_cfr_in_threads(self.form, self._scheme, self._memory, first, iterations, threads)
        self.iterations += iterations

    def state(self) -> dict[str, np.ndarray]:
        """Return what the next iteration needs; the caller must not change it."""
        memory = self._memory
        return {"regret": memory.regret, "policy": memory.policy, "policy_sum": memory.policy_sum}

    def restore(self, iterations: int, state: Mapping[str, np.ndarray]) -> None:
        """Go on after `iterations` iterations of a run that had this state."""
        own = {name: np.array(values) for name, values in state.items()}
        self.iterations = iterations
        self._memory = self._memory._replace(**own, realization=to_realization(self.form, own["policy"]))

    def begin_with(self, policy: np.ndarray) -> None:
        """Take a policy [S] for the first iteration, and at infosets without regrets, instead of the uniform one."""
        x, scale = to_realization(self.form, policy), TINY * float(np.abs(self.form.weight).max(initial=0.0))
        self._memory = self._memory._replace(policy=policy.copy(), realization=x, regret=scale * policy)

    def grow(self, form: Form, kept: float = 1.0) -> None:
        """Go on in a larger form, in which every role has more slots after those it had.

        Regrets stay with their slots. What the average policy is made of counts `kept` times as much as before.
        """
        old, memory = self.form, self._memory
        slots, policy = form.num_slots, uniform_policy(form)
        regret, policy_sum = np.zeros(slots), np.zeros(slots)
        for role in range(form.num_roles):
            before = old.role_range(role)
            after = slice(int(form.role_slots[role]), int(form.role_slots[role]) + before.stop - before.start)
            policy[after], regret[after] = memory.policy[before], memory.regret[before]
            policy_sum[after] = kept * memory.policy_sum[before]
        x = to_realization(form, policy)
        self.form, self._memory = form, Memory(regret, policy, policy_sum, x, np.zeros(len(x)))

    def current(self) -> np.ndarray:
        """Return the policy [S] of the next iteration; the caller must not change it."""
        return self._memory.policy

    def average(self) -> np.ndarray:
        """Return the average policy [S]."""
        return to_behaviour(self.form, self._memory.policy_sum)
