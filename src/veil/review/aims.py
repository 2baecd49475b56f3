"""Aims of tuning: what makes a variant good. A score is a distance from the aim: 0 is best.

| aim | the score is |
|---|---|
| `fair` | the difference between the best and the worst seat, between equal strong players, in points of 100 |
| `length=12` | the difference between the mean length and 12 rounds |
| `skill` | 100 minus what a strong player gains over a random one in the same seat, in points of 100 |
| `luck=30` | the difference between the share of chance in the result and 30 %; of variants that are solved |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from veil.errors import fail
from veil.intervals import find_half_width_of
from veil.review.variant_play import VariantFacts

AIMS = {"fair": False, "length": True, "skill": False, "luck": True}  # name -> whether it needs a number
WORST = 1e9  # score of what cannot be judged by an aim


@dataclass(frozen=True, slots=True)
class TuningScore:
    """The distance of a variant from the aim, with half of its 95 % interval, and what it means."""

    value: float
    half: float | None  # None if it is exact, or not known
    meaning: str


@dataclass(frozen=True, slots=True)
class TuningAim:
    """An aim, with its number if it has one."""

    name: str
    target: float = 0.0

    def __str__(self) -> str:
        return f"{self.name}={self.target:g}" if AIMS[self.name] else self.name

    @property
    def needs_skill(self) -> bool:
        """Whether strong players have to meet random ones."""
        return self.name == "skill"

    def judge(self, facts: VariantFacts) -> TuningScore:
        """Return the score of a variant that is not refused."""
        judges: dict[str, Callable[[VariantFacts], TuningScore]] = {
            "fair": _judge_fairness,
            "length": self._judge_length,
            "skill": _judge_skill,
            "luck": self._judge_luck,
        }
        return judges[self.name](facts)

    def _judge_length(self, facts: VariantFacts) -> TuningScore:
        lengths = [float(match.length) for match in facts.played]
        mean = facts.length if facts.exact else sum(lengths) / len(lengths)
        half = None if facts.exact else find_half_width_of(lengths)
        return TuningScore(abs(mean - self.target), half, f"{mean:.1f} rounds")

    def _judge_luck(self, facts: VariantFacts) -> TuningScore:
        if facts.luck is None:
            return TuningScore(WORST, None, "not solved: the part of chance is not known")
        share = 100 * facts.luck
        return TuningScore(abs(share - self.target), None, f"chance decides {share:.0f} %")


def read_aim(text: str) -> TuningAim:
    """Return the aim that a text such as `fair` or `length=12` stands for."""
    name, sign, number = text.strip().partition("=")
    if name not in AIMS or AIMS[name] != bool(sign):
        raise fail("bad-aim", text=text)
    try:
        target = float(number) if sign else 0.0
    except ValueError:
        raise fail("bad-aim", text=text) from None
    if not 0.0 <= target <= 1e6:
        raise fail("bad-aim", text=text)
    return TuningAim(name, target)


def _judge_fairness(facts: VariantFacts) -> TuningScore:
    """Return how far the best and the worst seat are apart; with one role, how far it is from 50."""
    rows = [facts.goals] if facts.exact else [match.goals for match in facts.played]
    means = [sum(column) / len(column) for column in zip(*rows, strict=True)]
    meaning = " : ".join(f"{mean:.1f}" for mean in means)
    if len(means) == 1:
        half = None if facts.exact else find_half_width_of([row[0] for row in rows])
        return TuningScore(abs(means[0] - 50.0), half, f"{meaning} of 100")
    best, worst = means.index(max(means)), means.index(min(means))
    half = None if facts.exact else find_half_width_of([row[best] - row[worst] for row in rows])
    return TuningScore(means[best] - means[worst], half, meaning)


def _judge_skill(facts: VariantFacts) -> TuningScore:
    """Return what is missing to 100 points of gain by strong play."""
    rows = [facts.strong] if facts.exact else [match.strong for match in facts.played]
    gains = [_gain(row) for row in rows]
    gain = sum(gains) / len(gains)
    return TuningScore(100.0 - gain, None if facts.exact else find_half_width_of(gains), f"skill is worth {gain:.1f}")


def _gain(strong: Sequence[Sequence[float]]) -> float:
    """Return the mean over seats of what a role gets as the strong player, minus what it gets against one."""
    count = len(strong)
    if count == 1:
        return float(strong[0][0])
    roles = range(count)
    others = [sum(strong[other][role] for other in roles if other != role) / (count - 1) for role in roles]
    return sum(strong[role][role] - others[role] for role in range(count)) / count


def find_noise(one: TuningScore, other: TuningScore) -> float:
    """Return half of the interval around the difference of two scores."""
    return sqrt((one.half or 0.0) ** 2 + (other.half or 0.0) ** 2)
