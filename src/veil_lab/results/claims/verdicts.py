"""A claim of a paper, and the verdict on it: a function of the data of runs, so that both always agree.

There are three ways to decide about a claim: a kept run (`by_run`), a test of this repository (`by_test`), and nothing
because the paper gives nothing to compare with (`beyond_comparison`). A run that is smaller than the paper's decides
less: `judge_clear` knows cases that its intervals leave open, `soften` weakens a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from veil_lab.results.run import ExperimentRun

REPRODUCED, PARTLY, NOT, INCOMPARABLE, NOT_RUN = VERDICTS = (
    "reproduced",
    "partly",
    "not reproduced",
    "cannot be compared",
    "not run",
)


FEW = 4  # cases that are all named
FULL = 100  # matches of a full run of HyperPlay's contests


class Verdict(NamedTuple):
    """A verdict and its reason."""

    verdict: str
    why: str


class Claim(NamedTuple):
    """What a paper says, where, and what decides about it."""

    text: str
    place: str
    experiments: tuple[str, ...] = ()  # whose runs decide
    decide: Callable[..., Verdict] | None = None  # of these runs
    test: str | None = None  # `tests/....py::test_...`, if a test decides
    fixed: Verdict | None = None  # if nothing decides


def by_run(text: str, place: str, experiment: str, decide: Callable[[ExperimentRun], Verdict]) -> Claim:
    """Return a claim that one run decides."""
    return Claim(text, place, (experiment,), decide)


def by_test(text: str, place: str, test: str) -> Claim:
    """Return a claim that holds whenever a test of this repository passes."""
    return Claim(text, place, test=test)


def beyond_comparison(text: str, place: str, why: str) -> Claim:
    """Return a claim that cannot be compared."""
    return Claim(text, place, fixed=Verdict(INCOMPARABLE, why))


# Judgements


def judge_all(good: Sequence[str], bad: Sequence[str], what: str = "") -> Verdict:
    """Return reproduced if there is nothing bad, not reproduced if there is nothing good, otherwise partly.

    The reason names the smaller of both groups, and of few cases both.
    """
    total = len(good) + len(bad)
    if not total:
        return Verdict(NOT_RUN, "the run has no such cells")
    verdict = REPRODUCED if not bad else NOT if not good else PARTLY
    said = f"{what} " if what else ""
    if not bad or not good:
        some = "all" if not bad else "none"
        return Verdict(verdict, f"{said}in {some} of {total}: {join(good or bad)}")
    named = f": {join(good)}" if total <= FEW or len(good) <= len(bad) else ""
    others = f"; not in {join(bad)}" if total <= FEW or len(bad) < len(good) else ""
    return Verdict(verdict, f"{said}in {len(good)} of {total}{named}{others}")


def judge_each(cases: Sequence[tuple[str, bool]], what: str = "") -> Verdict:
    """Return the judgement of `judge_all` on cases, each with its name and whether the claim holds in it."""
    return judge_all([name for name, holds in cases if holds], [name for name, holds in cases if not holds], what)


def judge_clear(good: Sequence[str], bad: Sequence[str], unclear: Sequence[str], what: str) -> Verdict:
    """Return the judgement of `judge_all`, or a weaker one if some cases are open because their intervals are wide.

    The whole claim is then neither reproduced nor refuted: it is reproduced in part, or not compared at all.
    """
    if not unclear:
        return judge_all(good, bad, what)
    groups = (("in", good), ("not in", bad), ("intervals too wide to decide in", unclear))
    said = "; ".join(f"{how} {join(names)}" for how, names in groups if names)
    return Verdict(PARTLY if good else INCOMPARABLE, f"{what}: {said}")


def soften(verdict: Verdict, why: str) -> Verdict:
    """Return what a run smaller than the paper's may say: neither that all is reproduced nor that nothing is."""
    weaker = {REPRODUCED: PARTLY, NOT: INCOMPARABLE}.get(verdict.verdict, verdict.verdict)
    return Verdict(weaker, f"{verdict.why}; {why}")


def judge(holds: bool, why: str) -> Verdict:
    """Return reproduced or not."""
    return Verdict(REPRODUCED if holds else NOT, why)


def temper(verdict: Verdict, run: ExperimentRun) -> Verdict:
    """Return at most `partly` where a run has fewer matches than a full one: few matches show no equality."""
    if not has_few_matches(run):
        return verdict
    weaker = PARTLY if verdict.verdict == REPRODUCED else verdict.verdict
    return Verdict(weaker, f"{verdict.why}; only {run.table().settings['matches']} matches of {FULL}{_tell_hours(run)}")


def has_few_matches(run: ExperimentRun) -> bool:
    """Return whether a run has fewer matches than a full one of HyperPlay's contests."""
    return int(run.table().settings["matches"]) < FULL


def _tell_hours(run: ExperimentRun) -> str:
    """Return what a full run would take at the rate of this one; nothing if nobody has measured it."""
    if run.processor_seconds is None or run.reused:
        return ""
    hours = run.processor_seconds * FULL / int(run.table().settings["matches"]) / 3600
    return f", which would take about {hours:.1g} hours of one core"


def join(names: Iterable[str]) -> str:
    """Return `a, b and c`."""
    listed = list(names)
    return ", ".join(listed[:-1]) + f" and {listed[-1]}" if len(listed) > 1 else "".join(listed)


def meet(one: tuple[float, float | None], other: tuple[float, float | None]) -> bool:
    """Return whether two intervals meet, each given by its middle and its half; None: a point."""
    return abs(one[0] - other[0]) <= (one[1] or 0.0) + (other[1] or 0.0)


def show(value: float, half: float | None = None, digits: int = 1) -> str:
    """Return `51.2 ± 3.3`."""
    return f"{value:,.{digits}f}" + ("" if half is None else f" ± {half:.{digits}f}")
