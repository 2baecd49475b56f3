"""The sentence that a designer must know first, and the next few: from the figures of a review.

In this order: rules that are not sound; a result that is certain; seats that are not equal; chance that decides; skill
that does not matter; otherwise that the game is fair. Goals are put on a scale from 0, the lowest of any role, to 100,
the highest, so that games with any goals can be judged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from veil.engine import Game
from veil.games import POINTS, Utility
from veil.match import Mean
from veil.report import begin_sentence, count_things
from veil.review.game_review import Review
from veil.review.seats import EQUAL, RANDOM_PLAY, SKILL, SeatReport
from veil.review.verdict import find_verdict
from veil.vocabulary import RANDOM

CERTAIN = 0.999  # probability of an end that counts as certain
UNEQUAL, FAVOURED = 3.0, 10.0  # points of 100 between seats that count as unequal, and as clearly unequal
ENOUGH = 8  # matches; fewer say nothing about seats
LUCKY = 0.6  # share of the result from which on chance is the first thing to know
IDLE_SKILL = 10.0  # points of 100: less is hardly a gain by skill
NO_CHANCE = "Nothing is left to chance: the rules have no random moves"


@dataclass(frozen=True, slots=True)
class Scale:
    """The lowest and the highest goal of any role, and the unit in which goals are shown."""

    low: float
    high: float
    utility: Utility

    def score(self, goal: float) -> float:
        """Return a goal as points of 100."""
        return 100.0 * (goal - self.low) / ((self.high - self.low) or 1.0)

    @property
    def is_points(self) -> bool:
        """Whether goals are points of 100 themselves."""
        return (self.low, self.high) == (0.0, 100.0)

    @property
    def points(self) -> float:
        """The points of 100 that a difference of one in the unit is."""
        return 100.0 * (1.0 if self.unit == "goals" else self.utility.scale) / ((self.high - self.low) or 1.0)

    @property
    def unit(self) -> str:
        """The unit in which goals are shown."""
        return "goals" if self.is_points or self.utility == POINTS else self.utility.unit

    def size(self, goals: float | None) -> float | None:
        """Return a difference of goals in the unit."""
        return goals if goals is None or self.unit == "goals" else goals / self.utility.scale

    def own(self, mean: Mean) -> Mean:
        """Return a mean goal in the unit."""
        if self.unit == "goals" or mean.value is None:
            return mean
        return replace(mean, value=(mean.value - self.utility.zero) / self.utility.scale, half=self.size(mean.half))


def goal_scale(game: Game) -> Scale:
    """Return the scale of the goals that the rules of a game name."""
    named = [value for role, own in zip(game.roles, game.program.goals, strict=True) if role != RANDOM for value in own]
    return Scale(float(min(named, default=0)), float(max(named, default=100)), game.utility)


def find_headline(review: Review) -> tuple[str, list[str]]:
    """Return the sentence that comes first, and the further sentences that say something else."""
    verdict = find_verdict(review.game, review.soundness)
    sentences = [begin_sentence(sentence) for sentence in _list_sentences(review) if sentence]
    if not verdict.is_sound:
        return begin_sentence(verdict.sentence) + ".", sentences
    return (sentences[0], sentences[1:]) if sentences else ("No game has ended.", [])


def _list_sentences(review: Review) -> list[str]:
    """Return the sentences in the order of their weight."""
    equal, at_random = review.report(EQUAL), review.report(RANDOM_PLAY)
    is_thin = equal is not None and at_random is not None and not equal.is_exact and equal.games < ENOUGH
    report = at_random if is_thin else equal or at_random
    scale = goal_scale(review.game)
    if report is None or not any(mean.value is not None for mean in report.goals.values()):
        return []
    roles = list(report.goals)
    luck, skill = describe_luck(review), describe_skill(review, scale)
    if len(roles) == 1:
        return [_describe_puzzle(review, roles[0], scale)]
    certain = _describe_certain(review, scale)
    if certain:
        return [certain, skill]
    unequal = _describe_unequal(report, scale)
    balance = unequal or _describe_equal(report, scale)
    share, gain = find_luck(review), find_skill(review, scale)
    if is_thin and equal is not None:
        matches = count_things(equal.games, "match", "matches")
        return [balance, f"{matches} {_who(equal)} are too few to tell more: give the review more time.", luck]
    is_lucky = share is not None and share >= LUCKY
    if unequal and (_find_gap(report, scale) >= FAVOURED or not is_lucky):
        return [unequal, luck, skill]
    if is_lucky:
        return [luck, balance, skill]
    if gain is not None and gain < IDLE_SKILL:
        return [skill, balance, luck]
    return [balance, skill, luck]


def _who(report: SeatReport) -> str:
    return "under random play" if report.kind == RANDOM_PLAY else "between equal strong players"


def _show(mean: Mean, scale: Scale) -> str:
    """Return a goal in points of 100, in the unit of the game, or as it is, with the scale of its goals."""
    if scale.is_points:
        return f"{mean.show()} of 100"
    if scale.unit != "goals":
        return f"{scale.own(mean).show(2, '+')} {scale.unit}"
    return f"{mean.show(2)} (of {scale.low:g} to {scale.high:g})"


def _describe_puzzle(review: Review, role: str, scale: Scale) -> str:
    strong, weak = review.report(EQUAL), review.report(RANDOM_PLAY)
    assert weak is not None
    at_random = _show(weak.goals[role], scale)
    if strong is None:
        return f"{role} gets {at_random} with random moves."
    gain = scale.score(strong.goals[role].known) - scale.score(weak.goals[role].known)
    if abs(gain) < 1.0:
        return f"It does not matter how {role} plays: well or at random, it gets {at_random}."
    return f"{role} gets {_show(strong.goals[role], scale)} when it plays well, and {at_random} with random moves."


def _describe_certain(review: Review, scale: Scale) -> str:
    """Return a sentence if every game between strong players ends in the same way."""
    solved = review.solved
    if solved is None or not solved.is_proven:
        return ""
    utility, goals = review.game.utility, {}
    for number, role in enumerate(solved.roles):
        worth, share = max(solved.outcomes(number).items(), key=lambda entry: entry[1])
        if share < CERTAIN:
            return ""
        goals[role] = worth * utility.scale + utility.zero
    best, worst = max(goals, key=lambda role: goals[role]), min(goals, key=lambda role: goals[role])
    if goals[best] == goals[worst]:
        return "Every game is a draw when both play well."
    how = (
        "always wins"
        if goals[best] >= scale.high
        else f"always ends with {goals[best]:g}, {worst} with {goals[worst]:g},"
    )
    return f"{best} {how} when both play well: nothing that {worst} does can change it."


def _find_gap(report: SeatReport, scale: Scale) -> float:
    """Return the points of 100 between the best and the worst seat."""
    scores = [scale.score(mean.value) for mean in report.goals.values() if mean.value is not None]
    return max(scores) - min(scores)


def _describe_unequal(report: SeatReport, scale: Scale) -> str:
    """Return a sentence if the seats are certainly not equal."""
    known = {role: mean for role, mean in report.goals.items() if mean.value is not None}
    best, worst = (choose(known, key=lambda role: known[role].known) for choose in (max, min))
    gap = _find_gap(report, scale)
    noise = sum(100.0 * (known[role].half or 0.0) / ((scale.high - scale.low) or 1.0) for role in (best, worst))
    is_known = report.is_exact or (report.games >= ENOUGH)
    if not is_known or gap <= max(UNEQUAL, noise):
        return ""
    much = "favoured" if gap >= FAVOURED else "slightly favoured"
    goals = f"{_show(known[best], scale)}, {worst} {_show(known[worst], scale)}"
    return f"{best} is {much}: {_who(report)} it gets {goals}."


def _describe_equal(report: SeatReport, scale: Scale) -> str:
    goals = ", ".join(f"{role} gets {_show(mean, scale)}" for role, mean in report.goals.items())
    if report.is_exact:
        return f"The game is balanced: {_who(report)} {goals}."
    matches = count_things(report.games, "match", "matches")
    if report.kind == RANDOM_PLAY:
        matches = count_things(report.games, "random game")
    return f"No seat is clearly favoured {_who(report)}: {goals} ({matches})."


def find_luck(review: Review) -> float | None:
    """Return the share of the result that chance decides; None if it is not known."""
    if review.solved is not None:
        return review.solved.luck() if RANDOM in review.game.roles else 0.0
    return review.luck.chance if review.luck is not None else None


def describe_luck(review: Review) -> str:
    """Return a sentence about the part of chance in the result; empty if it is not known."""
    share = find_luck(review)
    if share is None or len(review.seats[0].goals) < 2:  # alone, a role may mix equally good moves at will
        return ""
    if RANDOM not in review.game.roles:
        guessing = review.solved is not None and review.solved.variance > 0
        return NO_CHANCE + ("; the result depends on who guesses right." if guessing else ".")
    if review.solved is not None:
        return f"Chance decides {100 * share:.0f} % of the result between equal strong players."
    assert review.luck is not None
    half = f" ± {100 * review.luck.half:.0f}" if review.luck.half else ""
    return f"Chance decides {100 * share:.0f}{half} % of the result under random play."


@dataclass(frozen=True, slots=True)
class Skill:
    """The goals of one role as the only strong player, and as a random one against one strong player."""

    role: str
    strong: Mean
    weak: Mean
    basis: str

    @property
    def is_known(self) -> bool:
        """Whether the goals are exact, or those of enough matches."""
        return self.strong.matches == 0 or min(self.strong.matches, self.weak.matches) >= ENOUGH

    @property
    def gain(self) -> Mean:
        """The difference of both, in goals."""
        half = ((self.strong.half or 0.0) ** 2 + (self.weak.half or 0.0) ** 2) ** 0.5 or None
        return Mean(self.strong.known - self.weak.known, half, self.strong.matches)


def list_skills(review: Review) -> list[Skill]:
    """Return what every role gets by playing well; empty if it is not known, or with one role."""
    contests = [report for report in review.seats if report.kind == SKILL]
    skills = []
    for report in contests:
        role = report.strong
        others = [
            other.goals[role] for other in contests if other.strong != role and other.goals[role].value is not None
        ]
        if not others or report.goals[role].value is None:
            return []
        half = sum((mean.half or 0.0) ** 2 for mean in others) ** 0.5 / len(others) or None
        weak = Mean(sum(mean.known for mean in others) / len(others), half, sum(mean.matches for mean in others))
        skills.append(Skill(role, report.goals[role], weak, report.basis))
    return skills


def find_skill(review: Review, scale: Scale) -> float | None:
    """Return what playing well is worth, the mean over the roles in points of 100; None if it is not known."""
    skills = list_skills(review)
    gains = [scale.score(skill.strong.known) - scale.score(skill.weak.known) for skill in skills]
    return sum(gains) / len(gains) if gains else None


def describe_skill(review: Review, scale: Scale) -> str:
    """Return a sentence about what skill is worth; empty if it is not known."""
    gain, skills = find_skill(review, scale), list_skills(review)
    if (
        gain is None
        or not all(skill.is_known for skill in skills)
        or any((skill.gain.half or 0.0) > abs(skill.gain.known) for skill in skills)
    ):
        return ""
    first, *others = skills
    shown = (
        f"As {first.role}, a strong player gets {_show(first.strong, scale)} against random moves, and random moves "
        f"get {_show(first.weak, scale)} against a strong player"
    )
    rest = "".join(f"; as {each.role}, {_show(each.strong, scale)} and {_show(each.weak, scale)}" for each in others)
    what = "Skill hardly matters" if gain < IDLE_SKILL else "Skill matters"
    return f"{what}. {shown}{rest}."
