"""How players compare over all games of a tournament: ranks, Elo, and paired tests on common seeds.

All matches of one number share their chance moves, so the number is the unit of observation:

1. The *score* of a player in a number is the mean over the games of its mean goal in the matches of that number. The
   difference of the scores of two players, number by number, is a series of paired observations: chance that helped
   both is in neither difference. Its mean has Student's interval, and the verdicts on all pairs hold together by Holm.
2. In a match, the player with the higher goal beats each player with a lower one; equal goals are a draw. Elo is the
   maximum-likelihood model of Bradley and Terry (1952) for these results, with one draw more between players that
   have met, so that a player that always wins has a rating, too. The mean of all ratings is 1500. The interval comes
   from how much the results scatter from number to number (the "sandwich" of the model's curvature around it).
3. The mean rank is the mean over the games of a player's rank by its mean goal; equal means share their ranks.

Only numbers in which as many matches have ended as in any other count for 1 and for the intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import TYPE_CHECKING, NamedTuple

from veil.intervals import find_half_width, find_holm_threshold
from veil.match.standings import Standings
from veil.match.store import Result, Score

if TYPE_CHECKING:
    import numpy as np

ELO_MEAN, ELO_SCALE = 1500.0, 400.0 / log(10.0)
MAX_STEPS, PRECISION = 10_000, 1e-9  # of the iterations for Elo
ROUNDING = 1e-6  # of differences and errors: less than this is none


class Estimate(NamedTuple):
    """A number with half of its 95 % interval; None if the observations do not give one."""

    value: float
    half: float | None

    def show(self, digits: int) -> str:
        """Return a text such as `50.0 ± 2.1`."""
        return f"{self.value:.{digits}f}" + ("" if self.half is None else f" ± {self.half:.{digits}f}")


class PairedDifference(NamedTuple):
    """How many goals a player has more than another one, over the same numbers."""

    player: str
    other: str
    goals: Estimate
    is_shown: bool  # that they differ is shown, by Holm's method over all pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Players over all games, the best first."""

    players: tuple[str, ...]  # by mean rank, then by mean goal
    games: tuple[str, ...]
    numbers: int  # that the differences are taken over
    mean_ranks: dict[str, float]
    mean_goals: dict[str, float]  # over the games
    elo: dict[str, Estimate]  # empty if nobody has met anybody
    differences: list[PairedDifference]  # of each player from each one after it


def rank_players(results: Iterable[Result], standings: Sequence[Standings]) -> Ranking | None:
    """Return the ranking for matches with their tables; None for fewer than two players."""
    if not standings:
        return None
    tally = RankingTally(standings[0].players)
    for entry in sorted(results, key=lambda entry: entry.number):
        tally.add(entry.game, entry.players, entry.score)
    return tally.ranking(standings)


class RankingTally:
    """Sums over the matches of all games, which are added in the order of their numbers and not kept."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = tuple(players)
        self._index = {spec: index for index, spec in enumerate(players)}
        self._met: dict[tuple[int, int], list[float]] = {}  # pair -> comparisons, sum of the first one's results
        self._number = -1
        self._goals: dict[str, list[list[int]]] = {}  # of the number: game -> sum and count per player
        self._wins = [0.0] * len(players)
        self._matches = 0
        self._sums: dict[int, _Moments] = {}  # by the matches of a number that have ended

    def add(self, game: str, players: tuple[str, ...], score: Score) -> None:
        """Add one match. `players` are in the order of the roles."""
        if score.number != self._number:
            self._close()
            self._number = score.number
        if not score.finished:
            return
        self._matches += 1
        sums = self._goals.get(game) or self._goals.setdefault(game, [[0, 0] for _ in self.players])
        seats = [(self._index[spec], goal) for spec, goal in zip(players, score.goals, strict=True)]
        for index, goal in seats:
            sums[index][0] += goal
            sums[index][1] += 1
        for (one, goal), (other, against) in combinations(seats, 2):
            if one != other:
                won = 0.5 if goal == against else float(goal > against)
                self._wins[one] += won
                self._wins[other] += 1.0 - won
                pair, won = ((one, other), won) if one < other else ((other, one), 1.0 - won)
                met = self._met.get(pair) or self._met.setdefault(pair, [0.0, 0.0])
                met[0] += 1.0
                met[1] += won

    def ranking(self, standings: Sequence[Standings]) -> Ranking | None:
        """Return the ranking of the matches so far, whose tables are `standings`; None for fewer than two players."""
        self._close()
        if len(self.players) < 2 or not self._sums or not standings:
            return None
        goals = {spec: _mean_goal(spec, standings) for spec in self.players}
        if None in goals.values():
            return None
        known = {spec: goal for spec, goal in goals.items() if goal is not None}
        ranks = _find_mean_ranks(self.players, standings)
        ordered = sorted(self.players, key=lambda spec: (ranks[spec], -known[spec]))
        moments = self._sums[max(self._sums)]
        return Ranking(
            players=tuple(ordered),
            games=tuple(table.game for table in standings),
            numbers=moments.count,
            mean_ranks=ranks,
            mean_goals=known,
            elo=self._find_elo(moments) if self._met else {},
            differences=self._find_differences(ordered, moments),
        )

    def _close(self) -> None:
        """Make one observation from the matches of the current number."""
        if self._matches:
            means = [[total / count if count else 0.0 for total, count in sums] for sums in self._goals.values()]
            scores = [sum(column) / len(means) for column in zip(*means, strict=True)]
            self._sums.setdefault(self._matches, _Moments(len(self.players))).add(scores, self._wins)
        self._goals, self._wins, self._matches = {}, [0.0] * len(self.players), 0

    def _find_differences(self, ordered: Sequence[str], moments: _Moments) -> list[PairedDifference]:
        from scipy.special import stdtr  # takes long to import

        found, p_values = [], []
        means, spread, count = moments.mean_scores(), moments.score_covariance(), moments.count
        for player, other in combinations(ordered, 2):
            one, two = self._index[player], self._index[other]
            mean = means[one] - means[two]
            variance = 0.0 if spread is None else spread[one, one] + spread[two, two] - 2 * spread[one, two]
            error = (variance / count) ** 0.5 if variance > ROUNDING**2 else None
            found.append((player, other, Estimate(float(mean), find_half_width(error, count))))
            # Differences that are all equal do not scatter: then it is the sign test.
            equal = min(1.0, 2.0 / 2**count) if abs(mean) > ROUNDING else 1.0
            p_values.append(equal if error is None else float(2 * stdtr(count - 1, -abs(mean) / error)))
        threshold = find_holm_threshold(p_values)
        return [
            PairedDifference(*difference, is_shown=p_value <= threshold)
            for difference, p_value in zip(found, p_values, strict=True)
        ]

    def _find_elo(self, moments: _Moments) -> dict[str, Estimate]:
        import numpy as np  # takes long to import

        size = len(self.players)
        played, won = np.zeros((size, size)), np.zeros((size, size))
        for (one, other), (count, wins) in self._met.items():
            played[one, other] = played[other, one] = count + 1.0
            won[one, other], won[other, one] = wins + 0.5, count - wins + 0.5
        strength = fit_strengths(played, won)
        chance = strength[:, None] / (strength[:, None] + strength[None, :])
        curvature = -played * chance * (1.0 - chance)
        np.fill_diagonal(curvature, 0.0)
        np.fill_diagonal(curvature, -curvature.sum(axis=1))
        inverse = np.linalg.pinv(curvature)
        spread, count = moments.win_covariance(), moments.count
        errors = np.zeros(size)
        if spread is not None:
            errors = np.sqrt(np.maximum(np.diag(inverse @ (count * spread) @ inverse), 0.0))
        ratings = np.log(strength) - np.log(strength).mean()
        return {
            spec: Estimate(
                float(ELO_MEAN + ELO_SCALE * ratings[index]),
                find_half_width(ELO_SCALE * error if error > ROUNDING else None, count),
            )
            for index, (spec, error) in enumerate(zip(self.players, errors.tolist(), strict=True))
        }


def fit_strengths(played: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the strengths of Bradley and Terry's model by Hunter's iterations (2004); their product is 1.

    `played` [P, P] are comparisons, `won` [P, P] the results of the row against the column.
    """
    import numpy as np  # takes long to import

    wins, strength = won.sum(axis=1), np.ones(len(played))
    for _ in range(MAX_STEPS):
        shares = (played / (strength[:, None] + strength[None, :])).sum(axis=1)
        better = np.divide(wins, shares, out=np.ones(len(played)), where=shares > 0)
        better /= np.exp(np.log(better).mean())
        if np.abs(np.log(better / strength)).max() < PRECISION:
            return np.asarray(better)
        strength = better
    return strength


class _Moments:
    """Sums of observations: scores and wins of all players, and their products."""

    def __init__(self, size: int) -> None:
        import numpy as np  # takes long to import

        self.count = 0
        self._sums = np.zeros((2, size))
        self._products = np.zeros((2, size, size))

    def add(self, scores: Sequence[float], wins: Sequence[float]) -> None:
        """Add the observation of one number."""
        import numpy as np  # takes long to import

        rows = np.array([scores, wins])
        self.count += 1
        self._sums += rows
        self._products += rows[:, :, None] * rows[:, None, :]

    def mean_scores(self) -> np.ndarray:
        """Return the mean score of each player [P]."""
        means: np.ndarray = self._sums[0] / self.count
        return means

    def score_covariance(self) -> np.ndarray | None:
        """Return the covariances of scores [P, P]; None for one observation."""
        return self._covariance(0)

    def win_covariance(self) -> np.ndarray | None:
        """Return the covariances of wins [P, P]; None for one observation."""
        return self._covariance(1)

    def _covariance(self, row: int) -> np.ndarray | None:
        if self.count < 2:
            return None
        mean = self._sums[row] / self.count
        covariance: np.ndarray = (self._products[row] - self.count * mean[:, None] * mean[None, :]) / (self.count - 1)
        return covariance


def _mean_goal(spec: str, standings: Sequence[Standings]) -> float | None:
    """Return the mean over the games of a player's mean goal; None if it has ended no match of a game."""
    means = [table.overall[spec].value for table in standings]
    return None if None in means else sum(mean for mean in means if mean is not None) / len(means)


def _find_mean_ranks(players: Sequence[str], standings: Sequence[Standings]) -> dict[str, float]:
    """Return the mean over the games of each player's rank; 1 is the best, and equal means share their ranks."""
    ranks = dict.fromkeys(players, 0.0)
    for table in standings:
        means = {spec: table.overall[spec].known for spec in players}
        for spec in players:
            better = sum(mean > means[spec] for mean in means.values())
            equal = sum(mean == means[spec] for mean in means.values())
            ranks[spec] += (better + (equal + 1) / 2) / len(standings)
    return ranks
