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

`average_power` is the exponent of w(t). The papers leave the order of updates open; here roles update in turn
(`alternating`). All variants converge to an equilibrium in games of two roles with a constant sum; elsewhere they are a
heuristic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from veil.equilibrium.form import Form
from veil.equilibrium.records import Memory, Scheme
from veil.equilibrium.response import to_behaviour, to_realization, uniform_policy
from veil.limits import Limit
from veil.registry import check_options, option

if TYPE_CHECKING:
    from veil.equilibrium.prepared_game import PreparedGame

POWER, EITHER_POWER = Limit(0.0, 10.0), Limit(-10.0, 10.0)  # exponents of t; larger ones overflow
ALTERNATING = "roles update in turn, not all at once"
AVERAGE_POWER = "iteration t counts t^power in the average policy"


class RegretRule(NamedTuple):
    """Treatment of regrets from one iteration to the next."""

    plus: bool = False  # negative regrets become 0
    predictive: bool = False  # the last instant regret is expected again
    discounted: bool = False
    alpha: float = 0.0  # exponent of the discount of positive regrets
    beta: float = 0.0  # exponent of the discount of negative regrets


@dataclass(frozen=True, slots=True, kw_only=True)
class CfrConfig:
    """Options of plain CFR. The other members of the family have these options, too."""

    alternating: bool = option(True, ALTERNATING)
    average_power: float = option(0.0, AVERAGE_POWER, limit=POWER)

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def rule(self) -> RegretRule:
        """All regrets are kept."""
        return RegretRule()


@dataclass(frozen=True, slots=True, kw_only=True)
class CfrPlusConfig(CfrConfig):
    """Options of CFR+."""

    average_power: float = option(1.0, AVERAGE_POWER, limit=POWER)

    @property
    def rule(self) -> RegretRule:
        """Negative regrets become 0."""
        return RegretRule(plus=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class DcfrConfig(CfrConfig):
    """Options of discounted CFR."""

    alpha: float = option(1.5, "positive regrets are multiplied by t^alpha / (t^alpha + 1)", limit=POWER)
    beta: float = option(0.0, "negative regrets are multiplied by t^beta / (t^beta + 1)", limit=EITHER_POWER)
    average_power: float = option(2.0, AVERAGE_POWER, limit=POWER)

    @property
    def rule(self) -> RegretRule:
        """Earlier regrets count less."""
        return RegretRule(discounted=True, alpha=self.alpha, beta=self.beta)


@dataclass(frozen=True, slots=True, kw_only=True)
class PcfrPlusConfig(CfrConfig):
    """Options of predictive CFR+."""

    average_power: float = option(2.0, AVERAGE_POWER, limit=POWER)

    @property
    def rule(self) -> RegretRule:
        """Negative regrets become 0, and the last instant regret is expected again."""
        return RegretRule(plus=True, predictive=True)


def make_cfr(config: CfrConfig, prepared: PreparedGame, seed: int) -> CfrSolver:
    """Start a run of any member of the family. The run is not random."""
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
        rule = config.rule
        self._scheme = Scheme(
            config.alternating,
            rule.plus,
            rule.predictive,
            rule.discounted,
            float(rule.alpha),
            float(rule.beta),
            float(config.average_power),
        )
        self.run(0)  # compile before the clock starts

    def run(self, iterations: int) -> None:
        """Run `iterations` more iterations."""
        from veil.equilibrium.full_width_kernels import run_cfr

        run_cfr(self.form, self._scheme, self._memory, self.iterations + 1, iterations)
        self.iterations += iterations

    def average(self) -> np.ndarray:
        """Return the average policy [S]."""
        return to_behaviour(self.form, self._memory.policy_sum)
