"""What HyperPlay and HyperPlay-II cost as games grow, and what discounting and pruning change (section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from veil.engine import load
from veil.lab.papers.article import ARTICLE
from veil.lab.series import play_series
from veil.report import Report, pyplot, save

HP = "hyperplay:models={0},playouts={0}"
HP2 = "hyperplay2:models={0},simulations={0},nested_models={0},nested_playouts={0},work=1000000000000"

FAMILIES: dict[str, tuple[str, ...]] = {  # who is measured in which sizes; whoever else plays moves at random
    "guesser": tuple(f"number_guessing(max={size}, turns={size})" for size in (4, 8, 16)),
    "red": (
        *(f"battleships_in_fog(size={size})" for size in (3, 4, 5)),
        *(f"hidden_connect(size={size}, line=3)" for size in (3, 4, 5)),
    ),
    "xplayer": ("krieg_tictactoe(size=3)",),
    "white": tuple(f"blind_breakthrough(width={size}, height={size})" for size in (4, 5)),
    "banker": tuple(f"banker_and_thief(banks={banks}, notes=6)" for banks in (2, 3, 4)),
}


class MatchCost(NamedTuple):
    """What a player needs for a whole match, on average."""

    branching: float  # moves to choose from, where there is a choice
    depth: float  # rounds
    states: float  # that are visited

    def bound(self, power: int) -> float:
        """(bf d^2) to the power."""
        return float(self.branching * self.depth**2) ** power


class GrowthFit(NamedTuple):
    """states = factor * bound ^ exponent, by least squares of the logarithms."""

    exponent: float
    factor: float
    r_squared: float


def scaling(seed: int = 0, quick: bool = False) -> Report:
    """States visited per match by game and size, with the growth the article states fitted to them."""
    matches, models = (2, 3) if quick else (5, 4)
    games = [(name, role) for role, sizes in FAMILIES.items() for name in (sizes[:1] if quick else sizes)]
    plain, lifted = (
        {name: _cost(name, role, spec.format(models), matches, seed) for name, role in games} for spec in (HP, HP2)
    )
    fits = fit(list(plain.values()), 1), fit(list(lifted.values()), 2)
    return Report(
        name="hyperplay-scaling",
        title="states visited per match as games grow",
        source=f"{ARTICLE}, sections 7.1 and 7.5",
        settings={"matches": matches, "models, playouts, simulations": models, "seed": seed},
        columns=("game", "bf", "d", "HyperPlay", "bf", "d", "HyperPlay-II", "times"),
        rows=[(name, *plain[name], *lifted[name], lifted[name].states / plain[name].states) for name, _ in games],
        remarks=[
            "Theirs: HyperPlay grows like bf d^2, HyperPlay-II like (bf d^2)^2; an order of magnitude more states in "
            "every game. bf is the number of moves to choose from, d the rounds of the player's matches.",
            f"Ours, over all games: HyperPlay like (bf d^2)^{fits[0].exponent:.2f} (R^2 {fits[0].r_squared:.2f}), "
            f"HyperPlay-II like (bf^2 d^4)^{fits[1].exponent:.2f} (R^2 {fits[1].r_squared:.2f}); an exponent of 1 is "
            "theirs. What a nested player thinks of an infoset is worked out once, however many simulations come "
            "through it; where infosets are large, its belief has to search as well.",
        ],
        figures={"hyperplay-scaling.png": lambda path: _draw(path, (plain, lifted), fits)},
        parts=[pruning(seed, quick)],
    )


def pruning(seed: int, quick: bool) -> Report:
    """HyperPlay-II with the heuristics of section 7.3 against HyperPlay."""
    matches, models = (2, 3) if quick else (40, 4)
    rows: list[tuple[Any, ...]] = []
    for name, role, depth in (
        ("number_guessing(max=8, turns=8)", "guesser", 2),
        ("battleships_in_fog(size=3)", "red", 6),
        ("hidden_connect(size=3, line=3)", "red", 4),
        ("krieg_tictactoe(size=3)", "xplayer", 6),
        ("banker_and_thief(banks=2, notes=6)", "banker", 5),
    ):
        game = load(name)
        highest = max(game.program.goals[game.roles.index(role)])
        others = {other: HP.format(models) for other in game.roles if other not in (role, "random")}
        for option in ("", "discount=0.95", f"cut_on_win={highest}", f"prune_on_depth={depth}"):
            spec = HP2.format(models) + (f",{option}" if option else "")
            series = play_series(game, {role: spec} | others, matches, seed)
            rows.append((name, option or "none", str(series.mean(role)), series.states(role)))
    return Report(
        name="hyperplay-pruning",
        title="HyperPlay-II with discounting and pruning, against HyperPlay",
        source=f"{ARTICLE}, sections 7.3 and 7.5",
        settings={"matches": matches, "models, playouts, simulations": models, "seed": seed},
        columns=("game", "option", "mean goal", "states per decision"),
        rows=rows,
        remarks=[
            "Theirs: discounting changes little; pruning helped in one game of five and may not be safe in "
            "banker_and_thief and battleships_in_fog.",
            "cut_on_win is the highest goal of the role, as their variation for games in which information is bought.",
        ],
    )


def _cost(name: str, role: str, spec: str, matches: int, seed: int) -> MatchCost:
    game = load(name)
    others = {other: "random" for other in game.roles if other not in (role, "random")}
    series = play_series(game, {role: spec} | others, matches, seed)
    return MatchCost(series.branching(role), series.rounds(), series.states_per_match(role))


def fit(costs: Sequence[MatchCost], power: int) -> GrowthFit:
    """A straight line through the logarithms."""
    x = np.log([max(cost.bound(power), 1.0) for cost in costs])
    y = np.log([max(cost.states, 1.0) for cost in costs])
    exponent, height = np.polyfit(x, y, 1)
    rest = y - (exponent * x + height)
    spread = float(((y - y.mean()) ** 2).sum())
    return GrowthFit(float(exponent), float(np.exp(height)), 1.0 - float((rest**2).sum()) / max(spread, 1e-12))


def _draw(
    path: Path, both: tuple[dict[str, MatchCost], dict[str, MatchCost]], fits: tuple[GrowthFit, GrowthFit]
) -> None:
    plt = pyplot()
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.8), layout="constrained")
    for axis, power, costs, line, title in zip(axes, (1, 2), both, fits, ("HyperPlay", "HyperPlay-II"), strict=True):
        families: dict[str, list[MatchCost]] = {}
        for name, cost in costs.items():
            families.setdefault(name.partition("(")[0], []).append(cost)
        for family, sizes in families.items():
            bounds, states = [cost.bound(power) for cost in sizes], [cost.states for cost in sizes]
            axis.plot(bounds, states, "o-", markersize=4, lw=1, label=family)
        bounds = [cost.bound(power) for cost in costs.values()]
        ends = np.array([min(bounds), max(bounds)])
        axis.plot(ends, line.factor * ends**line.exponent, "--", color="#555555", lw=1)
        axis.text(0.97, 0.04, f"exponent {line.exponent:.2f}", transform=axis.transAxes, ha="right", fontsize=9)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("bf d²" if power == 1 else "bf² d⁴")
        axis.set_ylabel("states visited per match")
        axis.set_title(title, fontsize=10)
    axes[0].legend(fontsize=8)
    save(figure, path)
