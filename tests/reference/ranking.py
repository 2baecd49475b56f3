"""Rankings of a tournament from lists: SciPy's paired test, and Bradley and Terry's model by a general minimiser."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from math import log

import numpy as np
from scipy import optimize, stats

from veil.match.store import Result


def list_scores(results: Sequence[Result], spec: str) -> np.ndarray:
    """The scores of a player by number: the mean over the games of its mean goal."""
    goals: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for entry in results:
        for seated, goal in zip(entry.players, entry.goals, strict=True):
            if seated == spec:
                goals[entry.number][entry.game].append(goal)
    return np.array(
        [np.mean([np.mean(own) for own in by_game.values()]) for _, by_game in sorted(goals.items())], float
    )


def compare_pair(results: Sequence[Result], one: str, other: str) -> tuple[float, float, float]:
    """The mean difference, half of its interval, and the p-value."""
    test = stats.ttest_rel(list_scores(results, one), list_scores(results, other))
    low, high = test.confidence_interval(0.95)
    return (low + high) / 2, (high - low) / 2, float(test.pvalue)


def fit_elo(results: Sequence[Result], players: Sequence[str]) -> np.ndarray:
    """The ratings at the largest likelihood, with one draw more for each pair that has met."""
    outcomes = [
        (players.index(one), players.index(other), 0.5 if goal == against else float(goal > against))
        for entry in results
        for (one, goal), (other, against) in combinations(zip(entry.players, entry.goals, strict=True), 2)
        if one != other
    ]
    outcomes += [(one, other, 0.5) for one, other in {(min(pair[:2]), max(pair[:2])) for pair in outcomes}]

    def cost(rating: np.ndarray) -> float:
        margins = [(rating[one] - rating[other], won) for one, other, won in outcomes]
        return float(
            sum(np.logaddexp(0, -margin) * won + np.logaddexp(0, margin) * (1 - won) for margin, won in margins)
        )

    best = optimize.minimize(cost, np.zeros(len(players)), tol=1e-12).x
    return np.asarray(1500 + (best - best.mean()) * 400 / log(10))
