"""The results of a tournament: a cross table per game, means with intervals, errors, speed.

Matches with the same number share their chance moves, and the seats of a match share the match, so their goals are not
independent. All goals of a player in the matches of one number therefore make one observation of the sample.

A match that was ended by the limit of rounds has no result: it is counted as unfinished, and no mean includes it.

A `GameTable` takes the matches one by one in the order of their numbers, and keeps only sums. Its memory does not grow
with the number of matches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import lcm
from statistics import fmean
from typing import NamedTuple

from veil.intervals import find_half_width, find_half_width_of, find_standard_error
from veil.match.log import MatchLog
from veil.match.store import Result, Score


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean goal with the half-width of its 95 % interval."""

    value: float | None  # None if no match has ended
    half: float | None  # None if the observations do not give one: there is only one, or all are equal
    matches: int  # that have ended; the mean is over these
    unfinished: int = 0  # further matches, which the limit of rounds has ended

    @property
    def known(self) -> float:
        """The mean goal. Raises `ValueError` if no match has ended."""
        if self.value is None:
            raise ValueError("no match has ended: there is no mean goal")
        return self.value

    def __str__(self) -> str:
        return self.show()

    def show(self, digits: int = 1, sign: str = "") -> str:
        """Return a text such as `50.0 ± 2.1`. With `sign="+"`, positive numbers have a sign too."""
        if self.value is None:
            return "-"
        half = "" if self.half is None else f" ± {self.half:.{digits}f}"
        return f"{self.value:{sign}.{digits}f}{half}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The results of one game of a tournament."""

    game: str
    players: tuple[str, ...]
    overall: dict[str, Mean]  # in all roles, against all
    cross: dict[tuple[str, str], Mean]  # row against column, in both seats
    errors: dict[str, int]
    rounds_per_second: float
    unfinished: int = 0  # matches that the limit of rounds has ended


def mean_of(goals: Sequence[float], unfinished: int = 0) -> Mean:
    """Return the mean with Student's interval of independent goals, one per match that has ended."""
    return Mean(fmean(goals) if goals else None, find_half_width_of(goals), len(goals), unfinished)


def mean_goal(logs: Sequence[MatchLog], role: str) -> Mean:
    """Return the mean goal of a role over matches of the same players. Unfinished matches are only counted."""
    goals = [log.goals[role] for log in logs if log.finished]
    return mean_of(goals, len(logs) - len(goals))


def compute_standings(results: Iterable[Result], games: Sequence[str], players: Sequence[str]) -> list[Standings]:
    """Return one table per game that was played, with games and players in the order of the arguments."""
    by_game: dict[str, list[Result]] = {game: [] for game in games}
    for entry in results:
        if entry.game in by_game:
            by_game[entry.game].append(entry)
    tables = []
    for game, played in by_game.items():
        table = GameTable(game, players)
        for entry in sorted(played, key=lambda entry: entry.number):
            table.add(entry.players, entry.score)
        if played:
            tables.append(table.standings())
    return tables


class GoalTally:
    """The goals of a player in matches that are added in the order of their numbers.

    The goals of all matches of one number make one observation, which is the mean of these goals. There is a separate
    sum for each number of goals in an observation. The sums are therefore integers: they are exact for any number of
    matches, and do not depend on the order of matches with the same number.
    """

    def __init__(self) -> None:
        self.matches = self.unfinished = 0
        self._number = -1  # of the matches that are being added
        self._sum = self._count = 0  # of their goals
        self._sums: dict[int, tuple[int, int, int]] = {}  # goals in an observation -> observations, sum, squares

    def add(self, number: int, goal_sum: int, goal_count: int) -> None:
        """Add one match that has ended, with `goal_count` goals whose sum is `goal_sum`."""
        if number != self._number:
            self._close()
            self._number = number
        self._sum += goal_sum
        self._count += goal_count
        self.matches += 1

    def mean(self) -> Mean:
        """Return the mean goal so far, with its interval."""
        self._close()
        observations = sum(count for count, _, _ in self._sums.values())
        if not observations:
            return Mean(None, None, 0, self.unfinished)
        unit = lcm(*self._sums)  # observations are whole multiples of 1 / unit
        total = sum(goals * (unit // size) for size, (_, goals, _) in self._sums.items())
        squares = sum(square * (unit // size) ** 2 for size, (_, _, square) in self._sums.items())
        error = find_standard_error(observations, total, squares)
        half = find_half_width(None if error is None else error / unit, observations)
        return Mean(total / (unit * observations), half, self.matches, self.unfinished)

    def _close(self) -> None:
        """Make one observation from the goals of the current number."""
        if self._count:
            count, total, squares = self._sums.get(self._count, (0, 0, 0))
            self._sums[self._count] = count + 1, total + self._sum, squares + self._sum * self._sum
        self._sum = self._count = 0


class GameTable:
    """The table of one game. Matches are added in the order of their numbers, and are not kept."""

    def __init__(self, game: str, players: Sequence[str]) -> None:
        self.game, self.players = game, tuple(players)
        self.matches = self.unfinished = 0
        self._overall = {spec: GoalTally() for spec in players}
        self._pairs: dict[tuple[str, str], GoalTally] = defaultdict(GoalTally)
        self._errors = dict.fromkeys(players, 0)
        self._rounds, self._seconds = 0, 0.0
        self._plans: dict[tuple[str, ...], list[SeatPlan]] = {}

    def add(self, players: tuple[str, ...], score: Score) -> None:
        """Add one match. `players` are in the order of the roles."""
        plans = self._plans.get(players) or self._plans.setdefault(players, self._plan(players))
        number, goals, errors, rounds, seconds, finished = score
        self.matches += 1
        self._rounds += rounds
        self._seconds += seconds
        self.unfinished += not finished
        for spec, seats, tallies in plans:
            for seat in seats:
                self._errors[spec] += errors[seat]
            if not finished:
                for tally in tallies:
                    tally.unfinished += 1
                continue
            total = sum([goals[seat] for seat in seats])
            for tally in tallies:
                tally.add(number, total, len(seats))

    def standings(self) -> Standings:
        """Return the results of the matches so far."""
        return Standings(
            game=self.game,
            players=self.players,
            overall={spec: tally.mean() for spec, tally in self._overall.items()},
            cross={pair: tally.mean() for pair, tally in self._pairs.items()},
            errors=dict(self._errors),
            rounds_per_second=self._rounds / max(self._seconds, 1e-9),
            unfinished=self.unfinished,
        )

    def _plan(self, players: tuple[str, ...]) -> list[SeatPlan]:
        """Return, for each player of a match, its seats and the tallies of its goals: overall, and per opponent."""
        plans = []
        for spec in dict.fromkeys(players):
            seats = [seat for seat, sitting in enumerate(players) if sitting == spec]
            others = [other for other in sorted(set(players)) if other != spec or len(seats) > 1]
            plans.append(SeatPlan(spec, seats, [self._overall[spec], *(self._pairs[spec, other] for other in others)]))
        return plans


class SeatPlan(NamedTuple):
    """One player of a match: its seats, and the tallies to which its goals are added."""

    spec: str
    seats: list[int]
    tallies: list[GoalTally]
