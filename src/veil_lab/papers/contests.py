"""Comparison of two players in a game: against each other in both seats, or one after the other without an opponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from veil.engine import Game, load
from veil.match import MatchConfig, Mean, mean_of
from veil_lab.series import Series, play_series

How = Literal["alone", "against each other", "as a team", "against ITS"]
AGAINST: How = "against each other"
ITS = "its:iterations={0},seed=0"  # players with equal seeds share a convention
OPPONENT = ITS.format(20_000)  # opponent of the players that are compared against ITS


class Contest(NamedTuple):
    """A game of the text, and how two players are compared in it."""

    game: str
    roles: tuple[str, ...]  # roles of the compared players
    how: How
    theirs: str = ""  # the result in the text


class Side(NamedTuple):
    """The results and costs of one of the compared players: its seats, match by match."""

    seats: Sequence[tuple[Series, str]]

    @property
    def goals(self) -> np.ndarray:
        """[matches] its goals; the two seats of one match number count as one observation, their mean."""
        goals: np.ndarray = np.mean([[log.goals[role] for log in series.logs] for series, role in self.seats], axis=0)
        return goals

    @property
    def mean(self) -> Mean:
        """Its mean goal."""
        return mean_of(self.goals.tolist())

    @property
    def states(self) -> float:
        """States visited per decision."""
        return float(np.mean([series.states(role) for series, role in self.seats]))

    @property
    def samplers(self) -> str:
        """The samplers of its worlds."""
        return self.seats[0][0].samplers(self.seats[0][1])


def compare(
    contest: Contest, plain: str, lifted: str, matches: int, seed: int, config: MatchConfig | None = None
) -> tuple[Side, Side]:
    """Play a contest between two players; against each other they play half of the matches in either seat."""
    game = load(contest.game)
    if contest.how == AGAINST:
        first, second = contest.roles
        one = play_series(game, {first: plain, second: lifted}, matches // 2 or 1, seed, config)
        two = play_series(game, {first: lifted, second: plain}, matches // 2 or 1, seed, config)
        return Side([(one, first), (two, second)]), Side([(two, first), (one, second)])
    return _play_alone(game, contest, plain, matches, seed), _play_alone(game, contest, lifted, matches, seed)


def _play_alone(game: Game, contest: Contest, spec: str, matches: int, seed: int) -> Side:
    others = {role: OPPONENT for role in game.roles if role not in (*contest.roles, "random")}
    return Side([(play_series(game, dict.fromkeys(contest.roles, spec) | others, matches, seed), contest.roles[0])])
