"""Claims of the papers: every one has a verdict that the data decide."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.runs import make_report, run_of
from veil_lab.papers import EXPERIMENTS
from veil_lab.results.claims import PAPERS, VERDICTS, judge_paper
from veil_lab.results.claims.judgement import judge_run, show_verdicts
from veil_lab.results.claims.verdicts import INCOMPARABLE, NOT, NOT_RUN, PARTLY, REPRODUCED
from veil_lab.results.run import ExperimentRun

CLAIMS = [(paper, claim) for paper in PAPERS for claim in paper.claims]


def penalty_kick(left: float, **more: Any) -> ExperimentRun:
    rows = [("keeper left", 0.4, left), ("keeper right", 0.6, 1 - left)]
    return run_of(make_report(rows, ("after 10,000 iterations", "theirs", "ours")), "its-fig5", **more)


def test_every_claim_is_about_experiments_that_exist_and_is_decided_in_one_way() -> None:
    for _, claim in CLAIMS:
        assert set(claim.experiments) <= set(EXPERIMENTS)
        assert (claim.decide is not None) == bool(claim.experiments)
        assert sum(way is not None for way in (claim.decide, claim.test, claim.fixed)) == 1
    assert len({(paper.key, claim.text) for paper, claim in CLAIMS}) == len(CLAIMS)


def test_the_same_claim_is_reproduced_or_not_by_the_cells_beside_it() -> None:
    (good,), (bad,) = judge_run(penalty_kick(0.393)), judge_run(penalty_kick(0.5))
    assert (good.judgement.verdict, bad.judgement.verdict) == (REPRODUCED, NOT)
    assert bad.judgement.why == "at most 0.1 off the equilibrium after 10,000 iterations"
    assert bad.judgement.why in " ".join(" ".join(show_verdicts(penalty_kick(0.5))).split())


def test_without_a_run_a_claim_is_not_run_and_a_quick_run_decides_nothing() -> None:
    for paper in PAPERS:
        for row in judge_paper(paper, {}):
            assert row.judgement.verdict in VERDICTS
            assert row.judgement.verdict == NOT_RUN or not row.claim.experiments
    (row,) = judge_run(penalty_kick(0.4, quick=True))
    assert row.judgement.verdict == INCOMPARABLE


def test_a_run_of_another_form_is_no_verdict() -> None:
    (row,) = judge_run(run_of(make_report([(1,)], ("x",)), "its-fig5"))
    assert row.judgement.verdict == NOT_RUN
    assert "has no cell" in row.judgement.why


@pytest.mark.parametrize(("late", "verdict"), [(0.02, REPRODUCED), (0.001, PARTLY), (0.9, NOT)])
def test_the_cost_late_in_blind_breakthrough_is_judged_by_its_order_of_magnitude(late: float, verdict: str) -> None:
    columns = ("game", "early", "halfway", "late", "highest")
    report = make_report([("blind_breakthrough(width=5, height=5)", 1.0, 0.5, late, 1.0)], columns)
    rows = {row.claim.text[:4]: row.judgement.verdict for row in judge_run(run_of(report, "hyperplay-fig7"))}
    assert rows["Down"] == verdict
