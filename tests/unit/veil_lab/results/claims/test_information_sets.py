"""Claims about table 1: what is found under our rules stands beside what is found in the authors' own files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.support.runs import make_report, run_of
from veil_lab.results.claims.judgement import judge_run
from veil_lab.results.claims.verdicts import Verdict

FILES = "Racko, Battleship and GOPS in POGDDL: the authors' own files"
EVERY_CASE = "CSP-InfosetSample finds histories in every case"
BETTER = "Constraint-based search far outperforms depth-first search"
GOPS = "DFS-Infoset finds none in over half of the sizes of GOPS"
LIMITS = "Other limits than 30 seconds change little"
GAMES = {
    "isg-table1": ("slots", "cards"),
    "isg-table1-battleship": ("ships", "cells"),
    "isg-table1-gops": ("bids", "extra"),
}
PARTS = {  # what stands under our rules -> under which name its files stand
    "isg-table1": "isg-table1-racko-files",
    "isg-table1-battleship": "isg-table1-battleship-files",
    "isg-table1-gops": "isg-table1-gops-files",
}


def judge(
    ours: Mapping[str, int],
    files: Mapping[str, int] | None,
    limits: tuple[int, int],
    seconds: float = 30.0,
    games: int = 3,
) -> dict[str, Verdict]:
    """The verdicts on a run with one size of each game: histories that each sampler finds, of 30."""
    reports, settings = [], {"seconds": seconds, "positions": 10}
    for name, size in list(GAMES.items())[:games]:
        for table, found in ((name, ours), (PARTS[name], files)):
            if found is not None:
                rows = [(10, 10, sampler, 30, count, 30) for sampler, count in found.items()]
                columns = (*size, "sampler", "theirs", "to 30", "of")
                reports.append(make_report(rows, columns, name=table, settings=settings))
    lines = [("figure 5", limits[0], 9), ("DFS", limits[1], 0)]
    reports.append(replace(make_report(lines, ("sampler", "0.1 s", "1 s")), name="isg-table1-limits"))
    first, *others = reports
    run = run_of(replace(first, parts=others), "isg-table1")
    return {row.claim.text: row.judgement for row in judge_run(run)}


@pytest.mark.parametrize("found", [30, 0])
def test_the_authors_files_count_for_both_forms_of_the_search(found: int) -> None:
    ours = {"CSP": 30, "figure 5": 30, "DFS": 0}
    verdicts = judge(ours, ours | {"figure 5": found}, (9, 0))
    assert verdicts[FILES].verdict == ("reproduced" if found else "partly")
    assert "racko, our default (1 of 1 sizes)" in verdicts[FILES].why
    assert ("racko, as printed (1 of 1 sizes)" in verdicts[FILES].why) == bool(found)
    assert f"in the authors' own files in {3 if found else 0} of 3" in verdicts[EVERY_CASE].why
    assert f"in 3 of 3 sizes; in the authors' own files in {3 if found else 0} of 3" in verdicts[BETTER].why


def test_without_the_files_nothing_is_said_of_them_and_their_claim_is_open() -> None:
    verdicts = judge({"CSP": 30, "figure 5": 30, "DFS": 0}, None, (9, 0))
    assert verdicts[FILES].verdict == "not run"
    assert verdicts[EVERY_CASE].verdict == "reproduced"
    assert "own files" not in verdicts[EVERY_CASE].why


def test_less_time_decides_less_but_what_is_found_in_it_is_found() -> None:
    """Three samplers in 59 sizes of ten positions with 30 s are at most 15 hours."""
    verdicts = judge({"CSP": 30, "figure 5": 0, "DFS": 30}, None, (9, 0), seconds=3.0)
    assert verdicts[EVERY_CASE].verdict == "cannot be compared"
    assert "3 s each, theirs 30; in full at most 15 hours of one core" in verdicts[EVERY_CASE].why
    assert verdicts[GOPS].verdict == "not reproduced"
    assert judge({"CSP": 30, "figure 5": 30, "DFS": 0}, None, (9, 0), seconds=3.0)[GOPS].verdict == "partly"


def test_a_run_of_one_game_decides_about_it_alone() -> None:
    """Three samplers in 19 sizes of ten positions with 30 s are at most five hours."""
    verdicts = judge({"CSP": 30, "figure 5": 30, "DFS": 0}, None, (9, 0), games=1)
    assert verdicts["DFS-Infoset finds none in 19 of 20 sizes of Racko"].verdict == "reproduced"
    assert verdicts[EVERY_CASE].verdict == "partly"
    assert "Racko 1 of 1; our default: Racko 1 of 1; without Battleship and GOPS" in verdicts[EVERY_CASE].why
    assert verdicts["DFS-Infoset finds none in many larger Battleships"] == (
        "not run",
        "the kept run is without Battleship, whose sizes take at most 5 hours of one core in full",
    )


def test_the_order_of_two_searches_is_compared_at_every_limit() -> None:
    found = {"CSP": 30, "figure 5": 30, "DFS": 0}
    assert judge(found, None, (5, 2))[LIMITS].verdict == "reproduced"
    assert judge(found, None, (2, 5))[LIMITS].verdict == "partly"
