"""What a tournament says: a cross table per game, means with intervals, errors, speed.

Matches with the same number share their chance, and the seats of a match share the match; neither are independent. So
all goals of a player in matches of one number make one observation, and the numbers are the sample.

A match that the limit of rounds has ended has no result: it is counted as unfinished, and is in no mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from veil.intervals import find_half_width_of
from veil.match.log import MatchLog
from veil.match.store import Result


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean goal with the half-width of its 95 % interval."""

    value: float | None  # None where no match has ended
    half: float | None  # None where the observations do not say: there is one, or all are equal
    matches: int  # that have ended, and are in the mean
    unfinished: int = 0  # matches besides: the limit of rounds has ended them

    @property
    def known(self) -> float:
        """The mean goal, for those who know that a match has ended."""
        if self.value is None:
            raise ValueError("no match has ended: there is no mean goal")
        return self.value

    def __str__(self) -> str:
        if self.value is None:
            return "-"
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
    unfinished: int = 0  # matches that the limit of rounds has ended


def mean_of(goals: Sequence[float], unfinished: int = 0) -> Mean:
    """Student's interval for goals that are independent of each other, one per match that has ended."""
    return Mean(fmean(goals) if goals else None, find_half_width_of(goals), len(goals), unfinished)


def mean_goal(logs: Sequence[MatchLog], role: str) -> Mean:
    """The mean goal of a role over matches of the same players; unfinished ones are counted and not averaged."""
    goals = [log.goals[role] for log in logs if log.finished]
    return mean_of(goals, len(logs) - len(goals))


def compute_standings(results: Sequence[Result], games: Sequence[str], players: Sequence[str]) -> list[Standings]:
    """Return a table per game that was played; games and players in the order they are named."""
    by_game = [(game, [entry for entry in results if entry.game == game]) for game in games]
    return [_fill_table(played, game, tuple(players)) for game, played in by_game if played]


class GoalTally:
    """Goals by the number of their match, and how many matches they come from."""

    def __init__(self) -> None:
        self.goals: dict[int, list[int]] = defaultdict(list)
        self.matches = self.unfinished = 0

    def add(self, entry: Result, goals: list[int]) -> None:
        """One match more."""
        if not entry.finished:
            self.unfinished += 1
            return
        self.goals[entry.number] += goals
        self.matches += 1

    def mean(self) -> Mean:
        """The mean goal; all goals of one number are one observation."""
        means = [fmean(goals) for goals in self.goals.values()]
        return replace(mean_of(means, self.unfinished), matches=self.matches)


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
            overall[spec].add(entry, goals)
            for other in sorted(set(entry.players)):
                if other != spec or len(seats) > 1:
                    pairs[spec, other].add(entry, goals)
    seconds = sum(entry.seconds for entry in results)
    return Standings(
        game=game,
        players=players,
        overall={spec: tally.mean() for spec, tally in overall.items()},
        cross={pair: tally.mean() for pair, tally in pairs.items()},
        errors=errors,
        rounds_per_second=sum(entry.rounds for entry in results) / max(seconds, 1e-9),
        unfinished=sum(not entry.finished for entry in results),
    )
