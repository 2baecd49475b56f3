"""`review_game`: a review of a game for its designer, from its rules alone.

1. Soundness (`judge_soundness`), and random games in lanes: length, branching, goals of the seats, draws; moves, goals
   and percepts that never occurred.
2. These games with a fluent per rule: rules that never fire, which end comes how often; turn markers.
3. Random games with exact beliefs: bits of uncertainty per role and round; percepts that tell nothing or everything.
4. A solver, if the tree fits: exact results of equal players and of one strong one, luck, moves, mixing. Otherwise
   matches between equal strong players, and of one against random ones; luck by playouts.
5. Matches between weaker searchers, to see how much the results depend on the players.
6. What each kind of move and percept is worth.

Every step changes the record of the review, and reports it. Ctrl-C ends the review with what is there.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Literal

from veil.engine import Game, as_game
from veil.errors import Problem, VeilError, check_kind
from veil.limits import check_limit
from veil.players import PLAYERS
from veil.report import ReportPage, page_as_text
from veil.review import RandomTally, Soundness, judge_soundness, tally_random_games
from veil.review.findings import find_rule_slips, find_telling, find_unfair, find_unused
from veil.review.hidden import HiddenTally, measure_hidden
from veil.review.luck import LuckTally, measure_luck
from veil.review.option_worth import OptionWorth, find_move_worths, find_percept_worths, measure_move_kinds
from veil.review.seats import (
    EQUAL,
    OTHERS,
    RANDOM_PLAY,
    SKILL,
    SeatContest,
    SeatReport,
    judge_contest,
    judge_random,
    judge_solved,
    name_seats,
)
from veil.review.silent_rules import WatchedRules, watch_rules
from veil.review.solved_game import SolvedGame, solve_game
from veil.review.symmetry import find_symmetric_roles

HIDDEN_SHARE, SOLVE_SHARE, EQUAL_SHARE, SKILL_SHARE, OTHERS_SHARE, WORTH_SHARE = 0.12, 0.18, 0.28, 0.22, 0.15, 0.3
HIDDEN_GAMES = 64  # maximal number of games that are followed with beliefs
KIND_GAMES = 512  # random games that judge kinds of moves
METHOD = "pcfr+"
PRECISION = 1e-6  # of the range of payoffs: exploitability at which a game counts as solved
SEVERITIES = ("error", "warning", "note")
WEAK = "random"

State = Literal["running", "done", "interrupted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewConfig:
    """Limits on the work of a review."""

    games: int = 1024  # random games
    player: str = "best"  # the strong player, where the game is not solved
    other: str = "hyperplay:models=20,playouts=10"  # a weaker one, for comparison
    matches: int = 40  # maximal number of matches of each kind
    seconds: float = 30.0  # approximate time for beliefs, matches and solving; random games come on top
    max_rounds: int = 1000  # of a game
    max_worlds: int = 20_000  # of a belief that is followed
    max_nodes: int = 500_000  # of a tree that is solved

    def __post_init__(self) -> None:
        limits = {"games": "playouts", "matches": "matches", "seconds": "seconds", "max_rounds": "rounds"}
        for name, kind in (limits | {"max_worlds": "histories", "max_nodes": "nodes"}).items():
            check_limit(kind, getattr(self, name), name)
        PLAYERS.parse(self.player)
        PLAYERS.parse(self.other)


@dataclass(slots=True, kw_only=True)
class Review:
    """The results of a review; what is None or empty is not known (yet)."""

    game: Game
    config: ReviewConfig
    seed: int
    soundness: Soundness
    tally: RandomTally
    symmetric: list[tuple[str, str]]  # pairs of roles that the rules do not tell apart
    seats: list[SeatReport]  # random play first
    watched: WatchedRules | None = None
    hidden: dict[str, HiddenTally] = field(default_factory=dict)
    solved: SolvedGame | None = None
    luck: LuckTally | None = None  # under random play, where the game is not solved
    move_worths: list[OptionWorth] = field(default_factory=list)
    percept_worths: list[OptionWorth] = field(default_factory=list)
    slips: list[Problem] = field(default_factory=list)
    findings: list[Problem] = field(default_factory=list)
    state: State = "running"
    seconds: float = 0.0

    def report(self, kind: str, strong: str = "") -> SeatReport | None:
        """Return the results of one kind of contest; None if there are none."""
        return next((entry for entry in self.seats if entry.kind == kind and entry.strong == strong), None)

    def page(self) -> ReportPage:
        """Return the review as a page for people."""
        from veil.review.review_page import make_page  # which imports this module

        return make_page(self)

    def as_text(self) -> str:
        """Return the page for a terminal; the findings are messages and are shown beside it."""
        return page_as_text(self.page())

    def as_json(self) -> dict[str, Any]:
        """Return the review as plain data: the measurements, and the page."""
        lengths = self.tally.lengths
        solved, luck = self.solved, self.luck
        return {
            "game": self.game.name,
            "games": self.tally.games,
            "unfinished": self.tally.games - self.tally.ended,
            "length": {"mean": sum(lengths) / len(lengths), "min": min(lengths), "max": max(lengths)}
            if lengths
            else None,
            "branching": {role: self.tally.branching(number).value for number, role in enumerate(self.game.roles)},
            "symmetric": [list(pair) for pair in self.symmetric],
            "seats": [report.as_json() for report in self.seats],
            "exact": solved
            and {
                "method": solved.solution.method,
                "value": solved.solution.value,
                "exploitability": solved.solution.exploitability,
                "nodes": solved.tree.num_nodes,
            },
            "luck": {"share": solved.luck(), "half": None, "play": solved.basis}
            if solved
            else luck and {"share": luck.chance, "half": luck.half, "play": "random"},
            "hidden": {
                role: {"bits": known.mean_bits().value, "bits_by_round": known.by_round(), "beliefs_lost": known.lost}
                for role, known in self.hidden.items()
            },
            "findings": [entry.as_json() | {"severity": entry.severity} for entry in self.findings],
            "page": self.page().as_json(),
            "state": self.state,
            "seconds": round(self.seconds, 3),
        }


Listen = Callable[[Review | None, str, float], None]  # the review so far, what is being done, share of all work done


def ignore_steps(review: Review | None, task: str, share: float) -> None:
    """Do nothing."""


def review_game(
    game: Game | str | os.PathLike[str],
    config: ReviewConfig | None = None,
    *,
    seed: int = 0,
    listen: Listen = ignore_steps,
) -> Review:
    """Review a game: `review_game("kuhn_poker").page().headline`.

    `listen` is called with the review so far, the name of the step, and the share of the work that is done. If it
    raises `KeyboardInterrupt`, or with Ctrl-C, the review ends with what is there.
    """
    config, game = config or ReviewConfig(), as_game(game)
    check_kind("config", config, ReviewConfig)
    return _Reviewer(game, config, seed, listen).run()


class _Reviewer:
    """A review under way."""

    def __init__(self, game: Game, config: ReviewConfig, seed: int, listen: Listen) -> None:
        self.game, self.config, self.seed, self._listen = game, config, seed, listen
        self._start = perf_counter()
        self._done = 0.0  # shares of the seconds that are used up or not needed
        self._review: Review | None = None

    def run(self) -> Review:
        """Do all steps and return the review."""
        self._say("random games")
        review = self._review = self._begin()
        review.state = "done"
        try:
            for name, share, step in self._steps(review):
                self._say(name)
                step(share * self.config.seconds)
                self._done += share
                self._sum_up(review)
        except KeyboardInterrupt:
            review.state = "interrupted"
        self._sum_up(review)
        return review

    def _begin(self) -> Review:
        """Do the first step, which every review has."""
        game, config = self.game, self.config
        soundness = judge_soundness(game, self.seed)
        tally = tally_random_games(game, config.games, self.seed, config.max_rounds)
        return Review(
            game=game,
            config=config,
            seed=self.seed,
            soundness=soundness,
            tally=tally,
            symmetric=find_symmetric_roles(game),
            seats=[judge_random(game, tally.goals, tally.lengths)],
        )

    def _steps(self, review: Review) -> list[tuple[str, float, Callable[[float], None]]]:
        """Return name, share of the seconds, and function of every step."""
        listed: list[tuple[str, float, Callable[[float], None]]] = [
            ("rules that never fire", 0.0, lambda _: self._watch(review)),
            ("what is hidden", HIDDEN_SHARE, lambda seconds: self._follow(review, seconds)),
        ]
        if any(entry.code.startswith("stuck") for entry in review.soundness.flaws):
            return listed
        return [
            *listed,
            ("solving", SOLVE_SHARE, lambda seconds: self._solve(review, seconds)),
            ("equal strong players", EQUAL_SHARE, lambda seconds: self._contest(review, EQUAL, seconds)),
            ("strong against weak players", SKILL_SHARE, lambda seconds: self._judge_skill(review, seconds)),
            ("other players", OTHERS_SHARE, lambda seconds: self._contest(review, OTHERS, seconds)),
            ("what moves and percepts are worth", WORTH_SHARE, lambda seconds: self._weigh(review, seconds)),
        ]

    def _watch(self, review: Review) -> None:
        config = self.config
        review.watched = watch_rules(self.game, config.games, self.seed, config.max_rounds)
        review.slips = list(find_rule_slips(self.game, review.watched, config.games, self.seed, config.max_rounds))

    def _follow(self, review: Review, seconds: float) -> None:
        review.hidden = measure_hidden(
            self.game,
            min(self.config.games, HIDDEN_GAMES),
            self.seed,
            max_rounds=self.config.max_rounds,
            max_worlds=self.config.max_worlds,
            deadline=perf_counter() + seconds,
        )

    def _solve(self, review: Review, seconds: float) -> None:
        longer = (
            SOLVE_SHARE + EQUAL_SHARE + SKILL_SHARE
        ) / SOLVE_SHARE  # a solved game needs no matches of strong players
        try:
            review.solved = solve_game(
                self.game,
                METHOD,
                max_nodes=self.config.max_nodes,
                seconds=seconds * longer,
                precision=PRECISION,
                expanding=1.0 / longer,
            )
            review.seats[0] = judge_solved(review.solved, RANDOM_PLAY)
        except VeilError:  # too large, or too slow: matches take its place
            review.luck = measure_luck(self.game, self.seed, self.config.max_rounds)

    def _contest(self, review: Review, kind: str, seconds: float) -> None:
        """Judge equal players: strong ones, or the others."""
        if kind == EQUAL and review.solved is not None:
            review.seats.append(judge_solved(review.solved, EQUAL))
            return
        spec = self.config.player if kind == EQUAL else self.config.other
        if spec not in {report.play for report in review.seats}:
            review.seats.append(self._play(kind, name_seats(self.game, spec), spec, "", seconds))

    def _judge_skill(self, review: Review, seconds: float) -> None:
        """Judge every role as the only strong one."""
        roles = list(name_seats(self.game, WEAK))
        for role in roles if len(roles) > 1 else ():
            if review.solved is not None:
                review.seats.append(judge_solved(review.solved, SKILL, role))
                continue
            specs = name_seats(self.game, WEAK) | {role: self.config.player}
            play = f"{self.config.player} against {WEAK}"
            review.seats.append(self._play(SKILL, specs, play, role, seconds / len(roles)))

    def _play(self, kind: str, specs: dict[str, str], play: str, strong: str, seconds: float) -> SeatReport:
        contest = SeatContest(
            kind=kind,
            specs=specs,
            play=play,
            strong=strong,
            matches=self.config.matches,
            seed=self.seed,
            max_rounds=self.config.max_rounds,
            seconds=seconds,
        )
        name = f"{play} as {strong}" if strong else play
        return judge_contest(self.game, contest, lambda _: self._say(name))

    def _weigh(self, review: Review, seconds: float) -> None:
        """Judge kinds of moves and percepts."""
        if review.solved is None:
            games = min(KIND_GAMES, self.config.games)
            review.move_worths = measure_move_kinds(self.game, games, self.seed, self.config.max_rounds)
            return
        now = perf_counter()
        for worth in find_move_worths(review.solved, now + seconds / 2):
            review.move_worths.append(worth)
        for worth in find_percept_worths(review.solved, self.config.max_nodes, now + seconds, self._say):
            review.percept_worths.append(worth)

    def _sum_up(self, review: Review) -> None:
        """Bring the findings and the time of the review up to date."""
        played = review.report(EQUAL)
        findings = [
            *self.game.rules.problems,
            *review.soundness.flaws,
            *review.slips,
            *find_unused(self.game, review.tally, played),
            *find_telling(self.game, review.tally, review.hidden),
            *(finding for report in review.seats if report.kind != SKILL for finding in find_unfair(report)),
        ]
        review.findings = sorted(findings, key=lambda entry: SEVERITIES.index(entry.severity))
        review.seconds = perf_counter() - self._start

    def _say(self, task: str) -> None:
        """Report the step and the share of the work that is done."""
        passed = (perf_counter() - self._start) / self.config.seconds
        self._listen(self._review, task, min(0.99, max(self._done, passed)))
