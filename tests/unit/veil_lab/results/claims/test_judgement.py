"""Claims of the papers: every one has a verdict that the data decide."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.runs import make_report, run_of
from veil_lab.papers import EXPERIMENTS
from veil_lab.results.claims import PAPERS, VERDICTS, judge_paper
from veil_lab.results.claims.judgement import judge_claim, judge_run, show_verdicts
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


def test_a_claim_without_a_run_says_what_a_run_takes_where_a_kept_one_tells_its_rate() -> None:
    """15,390 matches at 0.01 s for a 16th of the work are 0.7 hours."""
    name = "models, playouts, simulations"
    ran = [{"game": "a", "players": "b", "matches": 1000}]
    pruning = run_of(
        make_report([], ("game",), settings={name: 3}), "hyperplay-pruning", processor_seconds=10.0, ran=ran
    )
    claims = {claim.experiments: claim for _, claim in CLAIMS}
    games = claims["hyperplay2-games",]
    assert judge_claim(games, {}) == (NOT_RUN, "no run of hyperplay2-games is kept")
    why = judge_claim(games, {"hyperplay-pruning": pruning}).why
    assert "in full about 1 hours of one core: 15,390 matches, which take 0.01 s each in hyperplay-pruning" in why


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


@pytest.mark.parametrize(
    ("cells", "verdict", "said"),
    [
        ((73.0, 70.0, 63.0, 62.0, 1), REPRODUCED, "all four cells meet with `ties-most` with 4,000 walks"),
        (
            (73.0, 70.0, 63.0, 62.0, 9),
            INCOMPARABLE,
            "with `ties-most` with 4,000 walks (intervals of up to ± 9)",
        ),
        ((73.0, 90.0, 80.0, 80.0, 1), PARTLY, "RM-RM meets with `ties-most` with 4,000 walks"),
        ((50.0, 90.0, 80.0, 80.0, 1), NOT, "RM-RM meets with none"),
    ],
)
def test_a_reading_has_to_meet_all_cells_of_ismcts_against_itself_at_once(
    cells: tuple[float, ...], verdict: str, said: str
) -> None:
    pairs = [
        ("RM", "RM", "73.1 ± 2.1"),
        ("RM", "UCT", "70.6 ± 1.7"),
        ("UCT", "RM", "62.7 ± 2.5"),
        ("UCT", "UCT", "62.9 ± 2.6"),
    ]
    rows = [(*pair, f"{cell} ± {cells[-1]}") for pair, cell in zip(pairs, cells[:-1], strict=True)]
    report = make_report(rows, ("first", "second", "theirs", "4,000 walks"), name="oos-fig4-budgets-ii-gs-ties-most")
    (row,) = judge_run(run_of(report, "oos-fig4-budgets"))
    assert row.judgement.verdict == verdict
    assert said in row.judgement.why


def test_the_authors_program_is_judged_by_its_own_curves() -> None:
    rows = [
        (f"{kind}, {what}, our way", 1.0, 0.5, last)
        for kind in ("UCT", "RM")
        for what, last in (("text", 0.4), ("program", 0.6))
    ]
    report = make_report(rows, ("player", "1,000", "3,000", "10,000"))
    (row,) = judge_run(run_of(report, "oos-fig3-program"))
    assert row.judgement.verdict == REPRODUCED
    assert "UCT, program, our way (lowest 0.5, at the end 0.6)" in row.judgement.why
