"""The few numbers at the top of a review: seats, length, skill, chance, what is hidden, choices."""

from __future__ import annotations

from collections.abc import Iterator

from veil.match import Mean
from veil.report import Figure, KeyFact
from veil.review.game_review import Review
from veil.review.headline import ENOUGH, Scale, find_luck, list_skills
from veil.review.seats import EQUAL, RANDOM_PLAY, SeatReport
from veil.vocabulary import RANDOM

MOST_SEATS = 4  # roles whose goals fit beside each other


def list_key_facts(review: Review, scale: Scale) -> Iterator[KeyFact]:
    """Yield the numbers that are known."""
    report = _find_best_play(review)
    if report is not None:
        yield from _show_seats(report, scale)
        if report.rounds.value is not None:
            yield _make_fact("length of a game", report.rounds, "rounds", _describe(report))
    yield from _show_skill(review, scale)
    yield from _show_luck(review)
    hidden = {role: known.mean_bits() for role, known in review.hidden.items() if known.mean_bits().value is not None}
    if hidden:
        most = max(hidden, key=lambda role: hidden[role].known)
        label = f"hidden from {most}" if hidden[most].known > 0 else "hidden"
        yield _make_fact(label, hidden[most], "bits", "mean over the rounds of random games", 2)
    choices = {role: review.tally.branching(number) for number, role in enumerate(review.game.roles) if role != RANDOM}
    known = [mean for mean in choices.values() if mean.value is not None]
    if known:
        most = max((role for role in choices if choices[role].value is not None), key=lambda role: choices[role].known)
        yield _make_fact("moves to choose from", choices[most], "", f"mean per decision of {most}, random games", 2)


def _find_best_play(review: Review) -> SeatReport | None:
    """Return the results of the strongest players that are known well enough."""
    for kind in (EQUAL, RANDOM_PLAY):
        report = review.report(kind)
        if report is not None and (report.is_exact or report.games >= ENOUGH or kind == RANDOM_PLAY):
            return report
    return None


def _show_seats(report: SeatReport, scale: Scale) -> Iterator[KeyFact]:
    means = {role: scale.own(mean) for role, mean in report.goals.items() if mean.value is not None}
    if not means or len(means) > MOST_SEATS:
        return
    digits, sign = (1, "") if scale.is_points else (2, "+")
    numbers = " : ".join(f"{mean.known:{sign}.{digits}f}" for mean in means.values())
    halves = [mean.half for mean in means.values() if mean.half is not None]
    half = f" ± {max(halves):.{digits}f}" if halves else ""
    unit = "of 100" if scale.is_points else scale.unit
    yield KeyFact(label=f"{' : '.join(means)}, {unit}", number=numbers + half, basis=_describe(report))


def _describe(report: SeatReport) -> str:
    return f"{report.name}, {report.basis}"


def _show_skill(review: Review, scale: Scale) -> Iterator[KeyFact]:
    """Yield what playing well is worth, the mean over the roles."""
    gains = [skill.gain for skill in list_skills(review) if skill.is_known]
    basis = "strong against random players, and the other way round"
    strong, weak = review.report(EQUAL), review.report(RANDOM_PLAY)
    if len(review.seats[0].goals) == 1 and strong is not None and weak is not None:
        (one,), (other,) = strong.goals.values(), weak.goals.values()
        if one.value is not None and other.value is not None:
            gains, basis = [_subtract(one, other)], "playing well instead of at random"
    if gains:
        half = sum((gain.half or 0.0) ** 2 for gain in gains) ** 0.5 / len(gains) or None
        mean = Mean(sum(gain.known for gain in gains) / len(gains), half, 0)
        scaled = Mean(scale.size(mean.value), scale.size(mean.half), 0)
        digits = 1 if scale.is_points else 2
        yield _make_fact("gained by playing well", scaled, scale.unit, basis, digits)


def _subtract(one: Mean, other: Mean) -> Mean:
    half = ((one.half or 0.0) ** 2 + (other.half or 0.0) ** 2) ** 0.5 or None
    return Mean(one.known - other.known, half, 0)


def _show_luck(review: Review) -> Iterator[KeyFact]:
    share = find_luck(review)
    if share is None or len(review.seats[0].goals) < 2:
        return
    half = review.luck.half if review.solved is None and review.luck is not None else None
    basis = "of the result, " + ("equal strong players" if review.solved is not None else "random play")
    if RANDOM not in review.game.roles:
        basis = "the rules have no random moves"
    yield _make_fact("decided by chance", Mean(100 * share, half and 100 * half, 0), "%", basis, 0)


def _make_fact(label: str, mean: Mean, unit: str, basis: str, digits: int = 1) -> KeyFact:
    shown = Figure(label=label, value=mean.value, half=mean.half, unit=unit, digits=digits).show()
    return KeyFact(label=label, number=shown, basis=basis)
