"""The list of what is not reproduced belongs to experiments that exist."""

from __future__ import annotations

from veil_lab.papers import EXPERIMENTS, GAPS, find_gaps


def test_every_gap_belongs_to_an_experiment_and_says_why() -> None:
    assert {gap.experiment for gap in GAPS} <= set(EXPERIMENTS)
    assert all(gap.what and gap.why for gap in GAPS)


def test_gaps_are_those_of_the_experiments_that_were_run() -> None:
    assert find_gaps(["hyperplay-monty"]) == []
    report = {"name": "hyperplay-monty", "gaps": [{"what": "a figure", "why": "it rained"}]}
    assert find_gaps(["hyperplay-monty"], [report]) == [("hyperplay-monty", "a figure", "it rained")]
    assert {gap.experiment for gap in find_gaps(["oos-fig4-small", "oos-fig4-large"])} == {
        "oos-fig4-small",
        "oos-fig4-large",
    }
