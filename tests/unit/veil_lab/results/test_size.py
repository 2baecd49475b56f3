"""The size of a run beside the paper's."""

from __future__ import annotations

from tests.support.runs import make_report, run_of
from veil_lab.papers import EXPERIMENTS
from veil_lab.results.size import PAPER_SIZES, QUICK, QUICK_BUT_WHOLE, UNKNOWN, describe_size


def test_a_quick_run_says_how_much_smaller_it_is_than_the_papers() -> None:
    assert describe_size("its-table1", {"iterations": 50_000}, True, None) == [
        QUICK,
        "iterations 50,000, the paper's 1,000,000: 0.05 of them",
    ]


def test_a_quick_run_of_an_unknown_size_is_compared_with_the_run_that_is_kept() -> None:
    kept = run_of(make_report([(1,)], ("x",), settings={"games": 20, "seed": 0, "players": "weak"}))
    said = describe_size("hyperplay-bias", {"games": 3, "seed": 0, "players": "weak"}, True, kept)
    assert said == [QUICK, UNKNOWN, "games 3, the kept run's 20: 0.15 of them"]


def test_a_run_as_large_as_the_papers_says_so() -> None:
    assert describe_size("its-fig5", {"iterations": 10_000}, False, None) == [
        "iterations 10,000, as many as the paper's"
    ]
    assert describe_size("its-fig5", {"iterations": 10_000}, True, None)[0] == QUICK_BUT_WHOLE


def test_sizes_are_those_of_experiments() -> None:
    assert set(PAPER_SIZES) <= set(EXPERIMENTS)
