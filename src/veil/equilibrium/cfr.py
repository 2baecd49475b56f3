"""Counterfactual regret minimisation and its relatives, on the sequence form.

An iteration t, for every role in turn:

1. Compute the counterfactual value v(I, a) of every move against the others' current policies, equation (1).
2. Add the current policy, as realization weights times w(t), to the sum that the average policy is made of, equation
   (2).
3. Add the instant regrets, v(I, a) minus the mean of v(I, .) under the current policy, to the regrets R(I, a).
4. Regret matching: the next policy plays a move in proportion to the positive part of its regret, and uniformly where
   no regret is positive.

Equation numbers are those of Lisy, Lanctot & Bowling (2015), section 2, which has all of it in one place.

| row   | regrets | w(t) | source |
|---|---|---|---|
| cfr   | all are kept | 1 | Zinkevich, Johanson, Bowling & Piccione 2007 |
| cfr+  | negative ones become 0 | t | Tammelin 2014 |
| dcfr  | positive ones times t^a/(t^a+1), negative ones times t^b/(t^b+1) | t^g | Brown & Sandholm 2019 |
| pcfr+ | as cfr+; step 4 expects the last instant regret once more | t^2 | Farina, Kroer & Sandholm 2021 |

`average_power` is the exponent of w(t). Where the papers leave the order of updates open, roles update in turn here
(`alternating`). All of them converge to an equilibrium in games of two roles with a constant sum; elsewhere they are a
heuristic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from veil.equilibrium.form import Form
from veil.equilibrium.records import Memory, Scheme
from veil.equilibrium.response import to_behaviour, to_realization, uniform_policy
from veil.limits import Limit
from veil.registry import check_options, option

if TYPE_CHECKING:
    from veil.equilibrium.prepared_game import PreparedGame

POWER, EITHER_POWER = Limit(0.0, 10.0), Limit(-10.0, 10.0)  # of the number of iterations; beyond, it overflows
ALTERNATING = "roles update in turn, not all at once"
AVERAGE_POWER = "iteration t counts t^power in the average policy"


@dataclass(frozen=True, slots=True, kw_only=True)
class CfrConfig:
    """Plain CFR. The other members of the family have these options, too."""

    alternating: bool = option(True, ALTERNATING)
    average_power: float = option(0.0, AVERAGE_POWER, limit=POWER)

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def scheme(self) -> Scheme:
        """All regrets are kept."""
        return Scheme(self.alternating, float(self.average_power))


@dataclass(frozen=True, slots=True, kw_only=True)
class CfrPlusConfig(CfrConfig):
    """CFR+."""

    average_power: float = option(1.0, AVERAGE_POWER, limit=POWER)

    @property
    def scheme(self) -> Scheme:
        """Negative regrets are forgotten."""
        return Scheme(self.alternating, float(self.average_power), plus=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class DcfrConfig(CfrConfig):
    """Discounted CFR."""

    alpha: float = option(1.5, "positive regrets are multiplied by t^alpha / (t^alpha + 1)", limit=POWER)
    beta: float = option(0.0, "negative regrets are multiplied by t^beta / (t^beta + 1)", limit=EITHER_POWER)
    average_power: float = option(2.0, AVERAGE_POWER, limit=POWER)

    @property
    def scheme(self) -> Scheme:
        """Earlier regrets count less."""
        alpha, beta = float(self.alpha), float(self.beta)
        return Scheme(self.alternating, float(self.average_power), discounted=True, alpha=alpha, beta=beta)


@dataclass(frozen=True, slots=True, kw_only=True)
class PcfrPlusConfig(CfrConfig):
    """Predictive CFR+."""

    average_power: float = option(2.0, AVERAGE_POWER, limit=POWER)

    @property
    def scheme(self) -> Scheme:
        """Negative regrets are forgotten, and the last instant regret is expected once more."""
        return Scheme(self.alternating, float(self.average_power), plus=True, predictive=True)


def make_cfr(config: CfrConfig, prepared: PreparedGame, seed: int) -> CfrSolver:
    """Start a run of any member of the family; nothing in it is random."""
    del seed
    return CfrSolver(prepared.form, config)


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
        """Run so many more iterations."""
        from veil.equilibrium.full_width_kernels import run_cfr

        run_cfr(self.form, self._scheme, self._memory, self.iterations + 1, iterations)
        self.iterations += iterations

    def average(self) -> np.ndarray:
        """Return the average policy [S]."""
        return to_behaviour(self.form, self._memory.policy_sum)
