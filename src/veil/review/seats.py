"""Whom the rules favour: the mean goal of every seat under random play, between equal searchers, and exactly.

Exactly means: the tree fits, and a solver has found a profile whose exploitability is known. With two roles and a
constant sum that is the value of the game; otherwise it is one of several equilibria, or an approximation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from veil.engine import Game
from veil.equilibrium import solve
from veil.errors import VeilError
from veil.match import MatchConfig, Mean, check_seats, mean_of, run_match
from veil.streams import match_seed
from veil.vocabulary import RANDOM

PLAY_SECONDS = 0.2  # for a move between equal players, so that one match cannot take all the time
PRECISION = 1e-6  # exploitability at which a game counts as solved


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReport:
    """Results of one way of playing: mean goal per role, how often all goals were equal, how long games were."""

    play: str  # `random`, the spec of a player, or the spec of a solver
    games: int
    goals: dict[str, Mean]
    draws: float | None  # share of games in which all roles had the same goal; None with one role
    rounds: float | None
    moves: dict[str, set[str]] = field(default_factory=dict)  # moves that were chosen, by role

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "play": self.play,
            "games": self.games,
            "goals": {role: {"mean": mean.value, "half": mean.half} for role, mean in self.goals.items()},
            "draws": self.draws,
            "rounds": self.rounds,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactSeats:
    """The result of a solver: utility per role, and the exploitability."""

    method: str
    value: dict[str, float]
    exploitability: float
    nodes: int

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {
            "method": self.method,
            "value": self.value,
            "exploitability": self.exploitability,
            "nodes": self.nodes,
        }


def judge_random(game: Game, goals: Sequence[np.ndarray], lengths: Sequence[int]) -> SeatReport:
    """Return the seats under random play, from goals [R] and lengths of games that ended."""
    by_role = {role: [float(row[i]) for row in goals] for i, role in enumerate(game.roles) if role != RANDOM}
    return SeatReport(
        play="random",
        games=len(goals),
        goals={role: mean_of(values) for role, values in by_role.items()},
        draws=_count_draws(by_role),
        rounds=float(np.mean(lengths)) if lengths else None,
    )


def judge_searchers(game: Game, spec: str, matches: int, seed: int, *, max_rounds: int, deadline: float) -> SeatReport:
    """Return the seats when one player plays all of them, in `matches` matches or fewer until the deadline."""
    config = MatchConfig(max_rounds=max_rounds, play_seconds=PLAY_SECONDS)
    specs = check_seats(game, {role: spec for role in game.roles if role != RANDOM}, config)
    by_role: dict[str, list[float]] = {role: [] for role in specs}
    lengths: list[int] = []
    moves: dict[str, set[str]] = {role: set() for role in specs}
    for number in range(matches):
        if number and perf_counter() > deadline:
            break
        log = run_match(game, specs, match_seed(seed, number), config)
        for entry in log.rounds:
            for role in specs:
                moves[role].add(entry.moves[role])
        if log.finished:
            lengths.append(len(log.rounds))
            for role in specs:
                by_role[role].append(float(log.goals[role]))
    return SeatReport(
        play=spec,
        games=len(lengths),
        goals={role: mean_of(values) for role, values in by_role.items()},
        draws=_count_draws(by_role),
        rounds=float(np.mean(lengths)) if lengths else None,
        moves=moves,
    )


def judge_exactly(game: Game, method: str, *, max_nodes: int, seconds: float) -> ExactSeats | None:
    """Return the result of a solver within the time; None if the tree is too large, or the game cannot be solved."""
    try:
        solution = solve(game, method, seconds=seconds, target=PRECISION, max_nodes=max_nodes)
    except VeilError:
        return None
    nodes = len(solution.tree.flat.parent)
    return ExactSeats(method=method, value=solution.value, exploitability=solution.exploitability, nodes=nodes)


def _count_draws(by_role: dict[str, list[float]]) -> float | None:
    """Return the share of games in which all roles had the same goal."""
    columns = list(by_role.values())
    if len(columns) < 2 or not columns[0]:
        return None
    return float(np.mean([len(set(goals)) == 1 for goals in zip(*columns, strict=True)]))
