"""All papers with their claims, and the verdicts on them by the runs that there are."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from veil_lab.results.claims import hyperplay, hyperplay2, information_sets, its, oos, oos_matches, slides
from veil_lab.results.claims.costs import tell_cost
from veil_lab.results.claims.verdicts import INCOMPARABLE, NOT_RUN, REPRODUCED, Claim, Verdict
from veil_lab.results.run import ExperimentRun, MissingCellError

EARLIER = " (an earlier run, see there)"


class Paper(NamedTuple):
    """A paper: its page, its claims, the experiments that are shown on its page."""

    key: str  # name of the page
    title: str
    source: str
    claims: tuple[Claim, ...]
    prefixes: tuple[str, ...]  # of its experiments


PAPERS = (
    Paper(
        "hyperplay",
        "HyperPlay and HyperPlay-II",
        "Schofield & Thielscher, General Game Playing with Imperfect Information, JAIR 66 (2019)",
        hyperplay.CLAIMS + hyperplay2.CLAIMS,
        ("hyperplay-", "hyperplay2-"),
    ),
    Paper(
        "slides",
        "The slides of HyperPlay",
        "Schofield, Cerexhe & Thielscher, HyperPlay: A Solution to General Game Playing with Imperfect Information "
        "(2012), as slides",
        slides.CLAIMS,
        ("hyperplay-monty", "hyperplay-accuracy", "hyperplay-cheat"),
    ),
    Paper(
        "information-sets",
        "Information set generation",
        "Richards & Amir, Information Set Generation in Partially Observable Games, AAAI (2012)",
        information_sets.CLAIMS,
        ("isg-",),
    ),
    Paper(
        "oos",
        "Online Outcome Sampling",
        "Lisý, Lanctot & Bowling, Online Monte Carlo Counterfactual Regret Minimization for Search in Imperfect "
        "Information Games, AAMAS (2015)",
        oos.CLAIMS + oos_matches.CLAIMS,
        ("oos-fig",),
    ),
    Paper(
        "its",
        "Iterative Tree Search",
        "Chitizadeh & Thielscher, Iterative Tree Search in General Game Playing with Incomplete Information (2018)",
        its.CLAIMS,
        ("its-",),
    ),
)


class VerdictRow(NamedTuple):
    """A claim with the verdict on it."""

    paper: str
    claim: Claim
    judgement: Verdict

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return {
            "paper": self.paper,
            "claim": self.claim.text,
            "place": self.claim.place,
            "verdict": self.judgement.verdict,
            "why": self.judgement.why,
        }


def judge_paper(paper: Paper, runs: Mapping[str, ExperimentRun]) -> list[VerdictRow]:
    """Return the verdict on every claim of a paper."""
    return [VerdictRow(paper.key, claim, judge_claim(claim, runs)) for claim in paper.claims]


def judge_claim(claim: Claim, runs: Mapping[str, ExperimentRun]) -> Verdict:
    """Return the verdict on a claim by these runs."""
    if claim.fixed is not None:
        return claim.fixed
    if claim.test is not None:
        return Verdict(REPRODUCED, f"held by a test, `{claim.test.partition('::')[2]}`")
    missing = [name for name in claim.experiments if name not in runs]
    if missing:
        costs = "".join(tell_cost(name, runs) for name in missing)
        return Verdict(NOT_RUN, f"no run of {' and '.join(missing)} is kept{costs}")
    chosen = [runs[name] for name in claim.experiments]
    if any(run.quick for run in chosen):
        return Verdict(INCOMPARABLE, "a quick run is too small to compare")
    try:
        judgement = claim.decide(*chosen) if claim.decide is not None else Verdict(NOT_RUN, "nothing decides")
    except MissingCellError as missing_cell:
        return Verdict(NOT_RUN, f"the kept run is of an older form and has no cell {missing_cell}")
    earlier = any(run.source for run in chosen)
    return Verdict(judgement.verdict, judgement.why + (EARLIER if earlier else ""))


def judge_run(run: ExperimentRun) -> list[VerdictRow]:
    """Return the verdicts on all claims that this run alone decides."""
    return [
        VerdictRow(paper.key, claim, judge_claim(claim, {run.experiment: run}))
        for paper, claim in _list_claims()
        if claim.experiments == (run.experiment,)
    ]


@cache
def _list_claims() -> tuple[tuple[Paper, Claim], ...]:
    return tuple((paper, claim) for paper in PAPERS for claim in paper.claims)


def show_verdicts(run: ExperimentRun) -> list[str]:
    """Return the verdicts on a run for people, as lines; of a quick run, that there are none."""
    rows = judge_run(run)
    if run.quick and rows:
        return [f"  claims of the papers that a full run decides: {len(rows)}"]
    return ["  claims of the papers, by this run:"] * bool(rows) + [line for row in rows for line in _show_row(row)]


def _show_row(row: VerdictRow) -> Iterator[str]:
    text = f"{row.judgement.verdict}: {row.claim.text} ({row.claim.place}). {row.judgement.why}"
    yield from textwrap.wrap(text, 110, initial_indent="  - ", subsequent_indent="    ")


def count_verdicts(rows: Sequence[VerdictRow], verdicts: Sequence[str]) -> dict[str, int]:
    """Return how many claims have each verdict."""
    return {verdict: sum(row.judgement.verdict == verdict for row in rows) for verdict in verdicts}
