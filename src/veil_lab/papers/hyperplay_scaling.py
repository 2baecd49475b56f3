"""The cost of HyperPlay and HyperPlay-II as games grow (section 7.1 and 7.5 of the article).

1. Every family is played in at least four sizes; states visited per match count everything: playouts, simulations, the
   replay of worlds, nested beliefs, and the updates of the player's own belief.
2. Within each family, log(states) is fitted by a straight line in log(bf d^2) for HyperPlay, log(bf^2 d^4) for
   HyperPlay-II: an exponent of 1 is the article's growth. Its error is half of a 95 % interval of the slope.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from veil.engine import load
from veil.intervals import LEVEL
from veil.report import Report, pyplot, save
from veil_lab.papers.article import (
    ARTICLE,
    HP,
    HP2,
    OURS,
    PRINTED,
    SAMPLER_OF,
    SETTINGS_REMARK,
    THEIRS,
    VARIANT_OF,
    VARIANTS_REMARK,
    say_size,
)
from veil_lab.series import play_series


class FamilySizes(NamedTuple):
    """A family of games in growing sizes; all other roles move at random."""

    role: str  # the role that is measured
    games: tuple[str, ...]


FAMILIES: dict[str, FamilySizes] = {
    "number_guessing": FamilySizes(
        "guesser", tuple(f"number_guessing(max={size}, turns={size})" for size in (4, 6, 8, 12, 16))
    ),
    "battleships_in_fog": FamilySizes("red", tuple(f"battleships_in_fog(size={size})" for size in (2, 3, 4, 5))),
    "hidden_connect": FamilySizes("red", tuple(f"hidden_connect(size={size}, line=3)" for size in (3, 4, 5, 6))),
    "blind_breakthrough": FamilySizes(
        "white",
        tuple(
            f"blind_breakthrough(width={width}, height={height})"
            for width, height in ((2, 4), (3, 4), (4, 4), (4, 5), (5, 5))
        ),
    ),
    "banker_and_thief": FamilySizes(
        "banker", tuple(f"banker_and_thief(banks={banks}, notes=6)" for banks in (2, 3, 4, 5))
    ),
}
QUICK = ("number_guessing", "banker_and_thief")
MATCHES = 10
HYPERPLAY, LIFTED = "HyperPlay", "HyperPlay-II"


class MatchCost(NamedTuple):
    """The mean cost of a player for a whole match."""

    branching: float  # moves to choose from, if there is a choice
    depth: float  # rounds
    states: float  # states visited
    samplers: str = "-"  # samplers of the worlds

    def bound(self, power: int) -> float:
        """Return (bf d^2) to the power."""
        return float(self.branching * self.depth**2) ** power


class GrowthFit(NamedTuple):
    """A fit states = factor * bound ^ exponent, by least squares of the logarithms."""

    exponent: float
    half: float  # of a 95 % interval of the exponent; NaN with fewer than three sizes
    factor: float
    r_squared: float

    def __str__(self) -> str:
        return f"{self.exponent:.2f} ± {self.half:.2f}"


class Measured(NamedTuple):
    """The costs of one player in one setting: by family, size by size."""

    power: int  # of bf d^2 in the article's bound
    costs: dict[str, list[MatchCost]]

    def fits(self) -> dict[str, GrowthFit]:
        """Return the growth within each family."""
        return {family: fit(costs, self.power) for family, costs in self.costs.items()}


def scaling(seed: int = 0, quick: bool = False) -> Report:
    """Return states visited per match by family and size, with the article's growth fitted within each family."""
    matches, models = (1 if quick else MATCHES), 2
    families = {name: sizes for name, sizes in FAMILIES.items() if not quick or name in QUICK}
    specs = {(HYPERPLAY, setting): (1, HP + more) for setting, more in SAMPLER_OF.items()}
    specs |= {(LIFTED, setting): (2, HP2 + sampler + inside) for setting, (sampler, inside) in VARIANT_OF.items()}
    measured = {
        key: Measured(
            power,
            {name: _costs(sizes, spec.format(models, models), matches, seed) for name, sizes in families.items()},
        )
        for key, (power, spec) in specs.items()
    }
    shared = {"matches": matches, "models, playouts, simulations": models, "seed": seed}
    return Report(
        name="hyperplay-scaling",
        title="growth of states visited per match within a family: exponent of bf d^2, and of bf^2 d^4",
        source=f"{ARTICLE}, sections 7.1 and 7.5",
        settings=shared,
        columns=("family", "sizes", "theirs", *(f"{player}, {setting}" for player, setting in measured), "lowest R^2"),
        rows=_fit_rows(measured),
        remarks=[
            "Theirs: HyperPlay visits O(bf d^2) states, HyperPlay-II O(bf^2 d^4): an exponent of 1 of either bound, "
            "or less, as it is an upper bound. bf is the number of moves to choose from, d the rounds of the player's "
            "matches against random players.",
            *say_size(quick, matches=(matches, MATCHES), families=(len(families), len(FAMILIES))),
            SETTINGS_REMARK,
            VARIANTS_REMARK,
            _say_who_answered(measured),
            "Krieg-TicTacToe is left out: its sizes from 3 to 5 are too few for a line.",
            "Our default keeps the infoset exactly as long as it fits: that grows with the infoset, not with bf d^2. "
            "Where d is the same in all sizes (banker_and_thief) bf alone grows.",
        ],
        gaps=[
            *_find_gaps(measured),
            ("the growth in Krieg-TicTacToe", "the authors' public files have two sizes, and ours three: no line"),
        ],
        figures={"hyperplay-scaling.png": lambda path: _draw(path, measured)},
        parts=[_list_sizes(families, measured, shared)],
    )


def _find_gaps(measured: Mapping[tuple[str, str], Measured]) -> list[tuple[str, str]]:
    """Return the families in which the article's players grow faster than its bound: 1 is below the interval."""
    other = []
    for player, setting in ((HYPERPLAY, THEIRS), (LIFTED, PRINTED)):
        for name, growth in measured[player, setting].fits().items():
            if round(growth.exponent - growth.half, 2) > 1:
                other.append(f"{player} in {name}: {growth}")
    return [("growth within the bound in all families", "; ".join(other))] if other else []


def _say_who_answered(measured: Mapping[tuple[str, str], Measured]) -> str:
    """Return a remark that says which samplers gave the worlds in the largest size of each family, by setting."""
    said = []
    for setting in SAMPLER_OF:
        costs = measured[HYPERPLAY, setting].costs
        said.append(f"{setting}: " + ", ".join(f"{name} {sizes[-1].samplers}" for name, sizes in costs.items()))
    return "Worlds of HyperPlay in the largest sizes came from: " + "; ".join(said)


def _costs(sizes: FamilySizes, spec: str, matches: int, seed: int) -> list[MatchCost]:
    return [measure_cost(name, sizes.role, spec, matches, seed) for name in sizes.games]


def measure_cost(name: str, role: str, spec: str, matches: int, seed: int) -> MatchCost:
    """Return the cost of a player of this spec for a match against random players."""
    game = load(name)
    others = {other: "random" for other in game.roles if other not in (role, "random")}
    series = play_series(game, {role: spec} | others, matches, seed)
    return MatchCost(series.branching(role), series.rounds(), series.states_per_match(role), series.samplers(role))


def fit(costs: Sequence[MatchCost], power: int) -> GrowthFit:
    """Fit a straight line through the logarithms."""
    x = np.log([max(cost.bound(power), 1.0) for cost in costs])
    y = np.log([max(cost.states, 1.0) for cost in costs])
    exponent, height = np.polyfit(x, y, 1)
    rest = float(((y - (exponent * x + height)) ** 2).sum())
    spread = float(((y - y.mean()) ** 2).sum())
    return GrowthFit(float(exponent), _half_width(x, rest), float(np.exp(height)), 1.0 - rest / max(spread, 1e-12))


def _half_width(x: np.ndarray, rest: float) -> float:
    """Return half of the interval of a slope with this sum of squared residuals, by Student's distribution."""
    if len(x) < 3:
        return float("nan")
    from scipy.special import stdtrit  # takes long to import

    error = np.sqrt(rest / (len(x) - 2) / ((x - x.mean()) ** 2).sum())
    return float(stdtrit(len(x) - 2, (1 + LEVEL) / 2) * error)


def _fit_rows(measured: Mapping[tuple[str, str], Measured]) -> list[tuple[Any, ...]]:
    fits = {key: one.fits() for key, one in measured.items()}
    sizes = {name: len(costs) for one in measured.values() for name, costs in one.costs.items()}
    return [
        (
            name,
            count,
            1,
            *(str(each[name]) for each in fits.values()),
            min(each[name].r_squared for each in fits.values()),
        )
        for name, count in sizes.items()
    ]


def _list_sizes(
    families: Mapping[str, FamilySizes], measured: Mapping[tuple[str, str], Measured], settings: Mapping[str, Any]
) -> Report:
    """Return the measurements, game by game."""
    rows = []
    for family, sizes in families.items():
        for number, name in enumerate(sizes.games):
            costs = {key: one.costs[family][number] for key, one in measured.items()}
            states = [round(cost.states) for cost in costs.values()]
            shape = costs[LIFTED, OURS]
            times = costs[LIFTED, PRINTED].states / max(1.0, costs[HYPERPLAY, THEIRS].states)
            rows.append((name, round(shape.branching, 1), round(shape.depth, 1), *states, round(times, 1)))
    return Report(
        name="hyperplay-scaling-sizes",
        title="states visited per match, all counted",
        source=f"{ARTICLE}, section 7.5: an order of magnitude more states for HyperPlay-II in every game",
        settings=settings,
        columns=(
            "game",
            "bf",
            "d",
            *(f"{player}, {setting}" for player, setting in measured),
            "HP-II / HP, as printed",
        ),
        rows=rows,
    )


def _draw(path: Path, measured: Mapping[tuple[str, str], Measured]) -> None:
    plt = pyplot()
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.8), layout="constrained")
    for axis, (player, setting) in zip(axes, ((HYPERPLAY, THEIRS), (LIFTED, PRINTED)), strict=True):
        one = measured[player, setting]
        for family, growth in one.fits().items():
            bounds = [cost.bound(one.power) for cost in one.costs[family]]
            (line,) = axis.plot(bounds, [cost.states for cost in one.costs[family]], "o", markersize=4)
            ends = np.array([min(bounds), max(bounds)])
            label = f"{family} {growth}"
            axis.plot(ends, growth.factor * ends**growth.exponent, "-", lw=1, color=line.get_color(), label=label)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("bf d²" if one.power == 1 else "bf² d⁴")
        axis.set_ylabel("states visited per match")
        axis.set_title(f"{player}, {setting}", fontsize=10)
        axis.legend(fontsize=7)
    save(figure, path)
