"""Whom the rules favour: results per role under random play, between equal players, strong against weak, and exactly.

Exactly means: the tree fits, and a solver has found a profile whose exploitability is known. With two roles and a
constant sum that is the value of the game; otherwise it is one of several equilibria, or an approximation. All results
are goals of the rules, so that they can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np

from veil.engine import Game
from veil.match import MatchConfig, Mean, check_seats, mean_of, run_match
from veil.report import count_things
from veil.review.solved_game import SolvedGame
from veil.signals import check_signals
from veil.streams import match_seed
from veil.vocabulary import RANDOM

MIN_MATCHES = 4  # of a contest, however long they take
SMALL_MARGIN = 0.02  # goals: a smaller error of a solver is not shown
PLAY_SECONDS = 0.1  # for a move between equal players, so that one match cannot take all the time
RANDOM_PLAY, EQUAL, OTHERS, SKILL = "random", "equal", "others", "skill"  # kinds of contests


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReport:
    """Results of one way of playing: mean goal per role, how often all goals were equal, how long games were."""

    kind: str  # `random`, `equal`, `others` (another player in all seats) or `skill` (one strong role)
    play: str  # `random`, the spec of a player, or the solver
    games: int  # 0 if the result is an exact expectation
    goals: dict[str, Mean]
    draws: float | None  # share of games in which all roles had the same goal; None with one role
    rounds: Mean
    strong: str = ""  # the role that plays well while the others play at random
    lengths: dict[int, float] = field(default_factory=dict)  # share of games of every length
    moves: dict[str, set[str]] = field(default_factory=dict)  # moves that were chosen, by role

    @property
    def is_exact(self) -> bool:
        """Whether the goals are expectations that a solver has computed."""
        return self.games == 0 and any(mean.value is not None for mean in self.goals.values())

    @property
    def name(self) -> str:
        """Who plays, for people."""
        named = {RANDOM_PLAY: "random play", EQUAL: "equal strong players", OTHERS: "other players"}
        return named.get(self.kind) or f"{self.strong} strong, others random"

    @property
    def basis(self) -> str:
        """What the numbers rest on."""
        if self.is_exact:
            return self.play
        if self.kind == RANDOM_PLAY:
            return count_things(self.games, "random game")
        return f"{count_things(self.games, 'match', 'matches')}, {self.play}"

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "kind": self.kind,
            "play": self.play,
            "strong": self.strong,
            "games": self.games,
            "exact": self.is_exact,
            "goals": {role: {"mean": mean.value, "half": mean.half} for role, mean in self.goals.items()},
            "draws": self.draws,
            "rounds": self.rounds.value,
            "lengths": {str(number): share for number, share in self.lengths.items()},
        }


def judge_random(game: Game, goals: Sequence[np.ndarray], lengths: Sequence[int]) -> SeatReport:
    """Return the seats under random play, from goals [R] and lengths of games that ended."""
    by_role = {role: [float(row[i]) for row in goals] for i, role in enumerate(game.roles) if role != RANDOM}
    return SeatReport(
        kind=RANDOM_PLAY,
        play="random",
        games=len(goals),
        goals={role: mean_of(values) for role, values in by_role.items()},
        draws=_count_draws(by_role),
        rounds=mean_of(lengths),
        lengths=_count_lengths(lengths),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatContest:
    """Matches that are to be played: who sits where, how many at most, and until when."""

    kind: str
    specs: Mapping[str, str]  # by role
    play: str  # how the players are named in the report
    strong: str = ""
    matches: int
    seed: int
    max_rounds: int
    seconds: float


def name_seats(game: Game, spec: str) -> dict[str, str]:
    """Return the same player for all roles that need one."""
    return {role: spec for role in game.roles if role != RANDOM}


def judge_contest(game: Game, contest: SeatContest, say: Callable[[float], None] = lambda _: None) -> SeatReport:
    """Play the matches of a contest, at least `MIN_MATCHES`, and return what came of them.

    Matches of one number have the same chance moves in all contests of a seed. `say` is called after each match with
    the share of the work that is done. Ctrl-C ends the contest with the matches that are over.
    """
    config = MatchConfig(max_rounds=contest.max_rounds, play_seconds=PLAY_SECONDS)
    specs = check_seats(game, contest.specs, config)
    by_role: dict[str, list[float]] = {role: [] for role in specs}
    lengths: list[int] = []
    moves: dict[str, set[str]] = {role: set() for role in specs}
    start = perf_counter()
    for number in range(contest.matches):
        if number == 1:
            start = perf_counter()  # the first match may have to wait for kernels
        share = (perf_counter() - start) / contest.seconds
        say(max(share, number / contest.matches))
        if number >= MIN_MATCHES and share > 1.0:
            break
        check_signals()
        log = run_match(game, specs, match_seed(contest.seed, number), config)
        for entry in log.rounds:
            for role in specs:
                moves[role].add(entry.moves[role])
        if log.finished:
            lengths.append(len(log.rounds))
            for role in specs:
                by_role[role].append(float(log.goals[role]))
    return SeatReport(
        kind=contest.kind,
        play=contest.play,
        strong=contest.strong,
        games=len(lengths),
        goals={role: _limit_half(mean_of(values), game, role) for role, values in by_role.items()},
        draws=_count_draws(by_role),
        rounds=mean_of(lengths),
        lengths=_count_lengths(lengths),
        moves=moves,
    )


def judge_solved(solved: SolvedGame, kind: str, strong: str = "") -> SeatReport:
    """Return exact expectations: random play, equal strong players, or only the role `strong` plays well."""
    utility = solved.tree.game.utility
    players = {RANDOM_PLAY: [], EQUAL: solved.roles, SKILL: [strong]}[kind]
    worth = solved.values(frozenset(players))
    margin = (solved.margin or 0.0) * utility.scale if kind == EQUAL else 0.0
    half = margin if margin > SMALL_MARGIN else None
    goals = {role: Mean(value * utility.scale + utility.zero, half, 0) for role, value in worth.items()}
    policy = solved.uniform if kind == RANDOM_PLAY else solved.policy
    lengths = {} if strong else solved.lengths(policy)
    return SeatReport(
        kind=kind,
        play="computed exactly" if kind == RANDOM_PLAY else solved.basis,
        strong=strong,
        games=0,
        goals=goals,
        draws=None if strong else solved.draws(policy),
        rounds=Mean(sum(number * share for number, share in lengths.items()) if lengths else None, None, 0),
        lengths=lengths,
    )


def _limit_half(mean: Mean, game: Game, role: str) -> Mean:
    """Return a mean whose interval is not wider than the goals of its role: a few matches tell nothing more."""
    goals = game.program.goals[game.roles.index(role)]
    span = float(max(goals, default=0) - min(goals, default=0))
    return mean if mean.half is None else replace(mean, half=min(mean.half, span))


def _count_lengths(lengths: Sequence[int]) -> dict[int, float]:
    """Return the share of games of every length."""
    return {number: count / len(lengths) for number, count in sorted(Counter(lengths).items())}


def _count_draws(by_role: dict[str, list[float]]) -> float | None:
    """Return the share of games in which all roles had the same goal."""
    columns = list(by_role.values())
    if len(columns) < 2 or not columns[0]:
        return None
    return float(np.mean([len(set(goals)) == 1 for goals in zip(*columns, strict=True)]))
