"""The options of solvers. They import no kernels, so that a command line can list them at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from veil.equilibrium.records import Scheme
from veil.limits import Limit
from veil.registry import check_options, option

EXPLORE = 0.6  # as in the experiments of Lanctot et al.
POWER, EITHER_POWER = Limit(0.0, 10.0), Limit(-10.0, 10.0)  # of the number of iterations; beyond, it overflows
SCHEDULED, FALL = Limit(5.0, 100.0), -5.0  # exponents of averages that fall from iteration to iteration
Refine = Literal["none", "mistakes"]
ALTERNATING = "roles update in turn, not all at once"
AVERAGE_POWER = "iteration t counts t^power in the average policy"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOptions:
    """The config of a solver that has nothing to set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LpConfig:
    """The linear program."""

    refine: Refine = option("none", "mistakes: of all equilibria, one that earns most against uniform play")

    def __post_init__(self) -> None:
        check_options(self)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PdcfrPlusConfig(CfrConfig):
    """Predictive discounted CFR+."""

    alpha: float = option(2.3, "regrets are multiplied by t^alpha / (t^alpha + 1)", limit=POWER)
    average_power: float = option(5.0, AVERAGE_POWER, limit=POWER)

    @property
    def scheme(self) -> Scheme:
        """Predictive CFR+ whose earlier regrets count less."""
        power, alpha = float(self.average_power), float(self.alpha)
        return Scheme(self.alternating, power, plus=True, predictive=True, discounted=True, alpha=alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class HsPcfrPlusConfig(CfrConfig):
    """Predictive CFR+ with a schedule."""

    average_power: float = option(
        30.0, "exponent of the average policy at first; it falls by 5 until the horizon", limit=SCHEDULED
    )
    horizon: int = option(1000, "iterations until the exponent is constant", limit="iterations")

    @property
    def scheme(self) -> Scheme:
        """Predictive CFR+ that forgets early policies fast."""
        power, horizon = float(self.average_power), float(self.horizon)
        return Scheme(self.alternating, power, plus=True, predictive=True, horizon=horizon, power_change=FALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeConfig:
    """Outcome sampling."""

    explore: float = option(
        EXPLORE, "probability that the walking role plays uniformly, not by its policy", limit=Limit(1e-6, 1.0)
    )

    def __post_init__(self) -> None:
        check_options(self)
