"""Tables of a tournament from a list of all its results: every goal is kept until the means are taken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from veil.match.standings import Mean, Standings, mean_of
from veil.match.store import Result


def compute_standings(results: Sequence[Result], games: Sequence[str], players: Sequence[str]) -> list[Standings]:
    """Return a table per game that was played; games and players in the order they are named."""
    by_game = [(game, [entry for entry in results if entry.game == game]) for game in games]
    return [_fill_table(played, game, tuple(players)) for game, played in by_game if played]


class GoalList:
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
    overall = {spec: GoalList() for spec in players}
    pairs: dict[tuple[str, str], GoalList] = defaultdict(GoalList)
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
