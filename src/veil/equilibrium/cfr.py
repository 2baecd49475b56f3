"""Counterfactual regret minimisation and its relatives, on the sequence form.

| name  | regrets | average | source |
|---|---|---|---|
| cfr   | all kept | every iteration the same | Zinkevich, Johanson, Bowling & Piccione 2007 |
| cfr+  | negative ones forgotten | iteration t counts t | Tammelin 2014 |
| dcfr  | positive times t^a/(t^a+1), negative times t^b/(t^b+1) | iteration t counts t^g | Brown & Sandholm 2019 |
| pcfr+ | as cfr+, the last instant regret expected again | iteration t counts t^2 | Farina, Kroer & Sandholm 2021 |

They converge to an equilibrium in games of two roles with a constant sum; elsewhere they are a heuristic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veil.equilibrium.form import Form
from veil.equilibrium.records import Memory, Scheme
from veil.equilibrium.response import behaviour, realization, uniform
from veil.errors import fail


@dataclass(frozen=True, slots=True, kw_only=True)
class CfrConfig:
    """A member of the family; the defaults are plain CFR with alternating updates."""

    alternating: bool = True  # roles update in turn, not all at once
    plus: bool = False  # forget negative regrets
    predictive: bool = False
    alpha: float | None = None  # discount of positive regrets; None: no discounts
    beta: float = 0.0  # of negative ones
    average_power: float = 0.0  # 0 every iteration the same, 1 linear, 2 quadratic

    def __post_init__(self) -> None:
        if self.average_power < 0:
            raise fail("bad-limit", name="average_power", value=self.average_power)


CFR = CfrConfig()
CFR_PLUS = CfrConfig(plus=True, average_power=1.0)
DCFR = CfrConfig(alpha=1.5, beta=0.0, average_power=2.0)
PCFR_PLUS = CfrConfig(plus=True, predictive=True, average_power=2.0)


class CfrSolver:
    """Regrets and average policy of one run."""

    def __init__(self, form: Form, config: CfrConfig = CFR_PLUS) -> None:
        self.form = form
        self.iterations = 0
        policy = uniform(form)
        x = realization(form, policy)
        slots = form.num_slots
        self._memory = Memory(np.zeros(slots), policy, np.zeros(slots), x, np.zeros(len(x)))
        self._scheme = Scheme(
            config.alternating,
            config.plus,
            config.predictive,
            config.alpha is not None,
            float(config.alpha or 0.0),
            float(config.beta),
            float(config.average_power),
        )
        self.run(0)  # compiled now, before anyone looks at the clock

    def run(self, iterations: int) -> None:
        """So many iterations more."""
        from veil.equilibrium.full_width_kernels import run_cfr

        run_cfr(self.form, self._scheme, self._memory, self.iterations + 1, iterations)
        self.iterations += iterations

    def average(self) -> np.ndarray:
        """[S] the average policy."""
        return behaviour(self.form, self._memory.policy_sum)


class ItsSolver:
    """Iterative Tree Search, Algorithm 1 of Chitizadeh & Thielscher (2018)."""

    def __init__(self, form: Form, seed: int = 0) -> None:
        self.form = form
        self.iterations = 0
        self._rng = np.random.default_rng(seed)  # ties between moves
        self._policy = uniform(form)
        self._x = realization(form, self._policy)
        self._q = np.zeros(len(self._x))
        self.run(0)

    def run(self, iterations: int) -> None:
        """So many iterations more."""
        from veil.equilibrium.full_width_kernels import run_its

        rng, first = self._rng, self.iterations + 1
        run_its(self.form, self._policy, self._x, self._q, rng, first, iterations)
        self.iterations += iterations

    def average(self) -> np.ndarray:
        """[S] the moves' probabilities, which are averages of what was chosen."""
        return self._policy.copy()


class XfpSolver:
    """Full-width extensive-form fictitious play (Heinrich, Lanctot & Silver 2015)."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.iterations = 0
        self._x = realization(form, uniform(form))
        self._q, self._response = np.zeros(len(self._x)), np.ones(len(self._x))
        self._best = np.zeros(len(form.infoset_before), np.int64)
        self.run(0)

    def run(self, iterations: int) -> None:
        """So many iterations more."""
        from veil.equilibrium.full_width_kernels import run_xfp

        first = self.iterations + 1
        run_xfp(self.form, self._x, self._q, self._best, self._response, first, iterations)
        self.iterations += iterations

    def average(self) -> np.ndarray:
        """[S] the average policy."""
        return behaviour(self.form, self._x)
