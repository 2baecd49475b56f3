"""Generated blocks in pages that people write."""

from __future__ import annotations

import pytest

from tests.support.runs import make_report, run_of
from veil_lab.results.blocks import fill_blocks

PAGE = "Before.\n<!-- results: {0} -->\nold\n<!-- end -->\nAfter.\n"


def test_only_the_lines_between_the_marks_change_and_a_second_time_nothing() -> None:
    run = run_of(make_report([("random", 1.5)], ("player", "kuhn")), "exploit-table")
    filled = fill_blocks(PAGE.format("exploit-table"), {"exploit-table": run}, {})
    assert filled.startswith("Before.\n<!-- results: exploit-table -->\n| player | kuhn |\n")
    assert filled.endswith("<!-- end -->\nAfter.\n")
    assert "old" not in filled
    assert fill_blocks(filled, {"exploit-table": run}, {}) == filled


def test_a_block_without_a_run_says_how_to_make_one() -> None:
    filled = fill_blocks(PAGE.format("exploit-table"), {}, {})
    assert "No run is kept: `veil reproduce exploit-table`." in filled


def test_the_readme_counts_claims_without_any_run_and_takes_speed_from_benchmarks() -> None:
    engine = {"geomean_cpp": 80.4, "games": [{"ratio_cpp": 80.4}, {"ratio_cpp": None}]}
    solve = {"games": [{"iterations_per_second": {"cfr+": {"ratio": ratio}}} for ratio in (40.2, 7.0)]}
    filled = fill_blocks(PAGE.format("readme"), {}, {"engine": engine, "solve": solve})
    assert "| 7 to 40 times as many |" in filled
    assert "80 times as many (geometric mean over the 1 that both have)" in filled
    assert "claims of five papers" in filled
    assert "Bomb" not in filled


def test_a_block_that_is_not_known_is_an_error() -> None:
    with pytest.raises(KeyError):
        fill_blocks(PAGE.format("weather"), {}, {})
