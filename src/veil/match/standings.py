"""What a tournament says: a cross table per game, means with intervals, errors, speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from veil.match.store import Result


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean goal with the half-width of its 95 % interval."""

    value: float
    half: float | None  # None where there is one match only
    matches: int

    def __str__(self) -> str:
        return f"{self.value:.1f}" if self.half is None else f"{self.value:.1f} ± {self.half:.1f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """One game of a tournament. P players."""

    game: str
    players: tuple[str, ...]
    overall: dict[str, Mean]  # in all roles, against all
    cross: dict[tuple[str, str], Mean]  # row against column, in both seats
    errors: dict[str, int]
    rounds_per_second: float


def mean_of(goals: Sequence[float]) -> Mean:
    """Student's interval; matches are independent."""
    values = np.array(goals, float)
    if len(values) < 2:
        return Mean(float(values.mean()), None, len(values))
    half = float(student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    return Mean(float(values.mean()), half, len(values))


def standings(results: Sequence[Result], games: Sequence[str], players: Sequence[str]) -> list[Standings]:
    """A table per game; games and players in the order they are named."""
    tables = [(game, [entry for entry in results if entry.game == game]) for game in games]
    return [_one(own, game, tuple(players)) for game, own in tables if own]


def _one(results: Sequence[Result], game: str, players: tuple[str, ...]) -> Standings:
    goals: dict[str, list[float]] = {spec: [] for spec in players}
    pairs: dict[tuple[str, str], list[float]] = {}
    errors = dict.fromkeys(players, 0)
    for entry in results:
        for seat, spec in enumerate(entry.players):
            goals[spec].append(entry.goals[seat])
            errors[spec] += entry.errors[seat]
            for other in sorted({*entry.players[:seat], *entry.players[seat + 1 :]}):
                pairs.setdefault((spec, other), []).append(entry.goals[seat])
    seconds = sum(entry.seconds for entry in results)
    return Standings(
        game=game,
        players=players,
        overall={spec: mean_of(own) for spec, own in goals.items()},
        cross={pair: mean_of(own) for pair, own in pairs.items()},
        errors=errors,
        rounds_per_second=sum(entry.rounds for entry in results) / max(seconds, 1e-9),
    )
