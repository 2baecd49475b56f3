"""One variant of a game, judged in a worker: solved if its tree fits, otherwise played by strong players.

Matches of one number have the same seed in all variants (common random numbers), so that variants are compared under
the same luck where their rules allow it. What comes back are goals and lengths, and not scores: a score belongs to the
aim of whoever tunes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from veil.engine import Game, GroundLimits, load, read_game
from veil.errors import VeilError
from veil.match import MatchConfig, check_seats, run_match
from veil.review import judge_soundness
from veil.review.headline import Scale, goal_scale
from veil.review.seats import PLAY_SECONDS, name_seats
from veil.review.solved_game import solve_game
from veil.streams import match_seed
from veil.vocabulary import RANDOM

METHOD, PRECISION = "pcfr+", 1e-4
SOUND_BUDGET = 50_000  # joint moves of the search for flaws
WEAK = "random"
FINAL_FLAWS = ("stuck", "stuck-later", "never-ends", "infoset-moves")  # a game with one cannot be judged


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantConfig:
    """How variants are judged."""

    player: str = "best"  # the strong player, where a variant is not solved
    needs_skill: bool = False  # whether strong players also meet random ones
    max_nodes: int = 200_000
    solve_seconds: float = 10.0
    max_rounds: int = 1000
    limits: GroundLimits = field(default_factory=GroundLimits)


class VariantMatch(msgspec.Struct, frozen=True):
    """One match of equal players, and per role one in which it alone is strong."""

    number: int
    goals: list[float]  # points of 100 per role, in the order of the rules
    length: int
    strong: list[list[float]] = []  # [role that is strong][role] points of 100


class VariantFacts(msgspec.Struct, kw_only=True):
    """What is known about a variant."""

    refused: str = ""  # why it is no game that can be judged
    roles: list[str] = []
    exact: bool = False
    goals: list[float] = []  # exact: points of 100 per role between equal strong players
    length: float = 0.0  # exact
    luck: float | None = None  # exact: share of the result that chance decides
    strong: list[list[float]] = []  # exact: [role that is strong][role]
    played: list[VariantMatch] = []  # otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantTask:
    """A task for any process: a variant, and the matches of it that are to be played."""

    key: str  # the setting, as the store knows it
    text: str  # the rules, or the name of a game of the catalogue
    is_rules: bool
    first: int  # number of the first match; 0: the variant is not known yet, and is checked and perhaps solved
    last: int
    seed: int
    config: VariantConfig

    @property
    def kind(self) -> str:
        """A key that is equal for tasks of about the same duration."""
        return f"{self.last - self.first} matches"

    def __str__(self) -> str:
        return self.key


def judge_variant(task: VariantTask) -> VariantFacts:
    """Check a variant, solve it if its tree fits, and otherwise play its matches."""
    try:
        game = read_game(task.text) if task.is_rules else load(task.text)
        game = Game(task.key, game.rules, task.config.limits, game.utility)
        if task.first == 0:
            flaws = judge_soundness(game, task.seed, SOUND_BUDGET).flaws
            final = [flaw for flaw in flaws if flaw.code in FINAL_FLAWS]
            if final:
                return VariantFacts(refused=final[0].message)
            solved = _solve(game, task.config)
            if solved is not None:
                return solved
        return VariantFacts(roles=list(name_seats(game, WEAK)), played=_play(game, task))
    except VeilError as error:
        return VariantFacts(refused=error.problems[0].message)


def _solve(game: Game, config: VariantConfig) -> VariantFacts | None:
    """Return the exact facts; None if the tree is too large or takes too long."""
    seconds = config.solve_seconds
    try:
        solved = solve_game(game, METHOD, max_nodes=config.max_nodes, seconds=seconds, precision=PRECISION)
    except VeilError:
        return None
    utility, scale = game.utility, goal_scale(game)

    def points(strong: frozenset[str]) -> list[float]:
        return [scale.score(worth * utility.scale + utility.zero) for worth in solved.values(strong).values()]

    lengths = solved.lengths(solved.policy)
    return VariantFacts(
        roles=list(solved.roles),
        exact=True,
        goals=points(frozenset(solved.roles)),
        length=sum(number * share for number, share in lengths.items()),
        luck=solved.luck() if RANDOM in game.roles else 0.0,
        strong=[points(frozenset([role])) for role in solved.roles],
    )


def _play(game: Game, task: VariantTask) -> list[VariantMatch]:
    """Play the matches of a task."""
    config, scale = task.config, goal_scale(game)
    equal = name_seats(game, config.player)
    played = []
    for number in range(task.first, task.last):
        seed = match_seed(task.seed, number)
        goals, length = _play_once(game, equal, seed, config, scale)
        strong = []
        for role in equal if config.needs_skill else ():
            seats = name_seats(game, WEAK) | {role: config.player}
            strong.append(_play_once(game, seats, seed, config, scale)[0])
        played.append(VariantMatch(number, goals, length, strong))
    return played


def _play_once(
    game: Game, specs: dict[str, str], seed: int, config: VariantConfig, scale: Scale
) -> tuple[list[float], int]:
    """Return the points of every role in one match, and its length."""
    match = MatchConfig(max_rounds=config.max_rounds, play_seconds=PLAY_SECONDS)
    log = run_match(game, check_seats(game, specs, match), seed, match)
    return [scale.score(float(log.goals[role])) for role in specs], len(log.rounds)
