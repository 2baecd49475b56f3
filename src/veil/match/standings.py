"""What a tournament says: a cross table per game, means with intervals, errors, speed.

Matches with the same number share their chance, and the seats of a match share the match; neither are independent. So
all goals of a player in matches of one number make one observation, and the numbers are the sample.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from veil.match.store import Result


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean goal with the half-width of its 95 % interval."""

    value: float
    half: float | None  # None where there is one observation only
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
    """Student's interval for goals that are independent of each other, one per match."""
    values = np.array(goals, float)
    if len(values) < 2:
        return Mean(float(values.mean()), None, len(values))
    from scipy.stats import t as student  # half a second, for the last step of a tournament

    half = float(student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    return Mean(float(values.mean()), half, len(values))


def compute_standings(results: Sequence[Result], games: Sequence[str], players: Sequence[str]) -> list[Standings]:
    """Return a table per game that was played; games and players in the order they are named."""
    by_game = [(game, [entry for entry in results if entry.game == game]) for game in games]
    return [_fill_table(played, game, tuple(players)) for game, played in by_game if played]


class GoalTally:
    """Goals by the number of their match, and how many matches they come from."""

    def __init__(self) -> None:
        self.goals: dict[int, list[int]] = defaultdict(list)
        self.matches = 0

    def add(self, number: int, goals: list[int]) -> None:
        """One match more."""
        self.goals[number] += goals
        self.matches += 1

    def mean(self) -> Mean:
        """The mean goal; all goals of one number are one observation."""
        return replace(mean_of([fmean(goals) for goals in self.goals.values()]), matches=self.matches)


def _fill_table(results: Sequence[Result], game: str, players: tuple[str, ...]) -> Standings:
    """The table of one game."""
    overall = {spec: GoalTally() for spec in players}
    pairs: dict[tuple[str, str], GoalTally] = defaultdict(GoalTally)
    errors = dict.fromkeys(players, 0)
    for entry in results:
        for spec in dict.fromkeys(entry.players):
            seats = [seat for seat, sitting in enumerate(entry.players) if sitting == spec]
            goals = [entry.goals[seat] for seat in seats]
            errors[spec] += sum(entry.errors[seat] for seat in seats)
            overall[spec].add(entry.number, goals)
            for other in sorted(set(entry.players)):
                if other != spec or len(seats) > 1:
                    pairs[spec, other].add(entry.number, goals)
    seconds = sum(entry.seconds for entry in results)
    return Standings(
        game=game,
        players=players,
        overall={spec: tally.mean() for spec, tally in overall.items()},
        cross={pair: tally.mean() for pair, tally in pairs.items()},
        errors=errors,
        rounds_per_second=sum(entry.rounds for entry in results) / max(seconds, 1e-9),
    )
