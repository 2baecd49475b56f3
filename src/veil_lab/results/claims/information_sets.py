"""Claims of the article on information set generation (Richards & Amir 2012)."""

from __future__ import annotations

from collections.abc import Callable

from veil_lab.results.claims.verdicts import (
    NOT,
    PARTLY,
    REPRODUCED,
    Verdict,
    beyond_comparison,
    by_run,
    by_test,
    judge,
    judge_each,
    untried,
)
from veil_lab.results.run import ExperimentRun, MissingCellError, TableRow

TABLE1 = "isg-table1"
RACKO, BATTLESHIP, GOPS = TABLE1, f"{TABLE1}-battleship", f"{TABLE1}-gops"
PARTS = {"Racko": RACKO, "Battleship": BATTLESHIP, "GOPS": GOPS}
READ = "opponents-read"
PRINTED = "figure 5"  # the article's algorithm as printed; CSP is our default
NAMES = {PRINTED: "as printed", "CSP": "our default"}


def _rows(run: ExperimentRun, part: str, sampler: str) -> list[TableRow]:
    rows = [row for row in run.table(part).records() if row["sampler"] == sampler]
    if not rows:
        raise MissingCellError(sampler)
    return rows


def _count(rows: list[TableRow], holds: Callable[[TableRow], bool]) -> tuple[int, int]:
    return sum(map(holds, rows)), len(rows)


def _count_found(run: ExperimentRun, sampler: str) -> dict[str, tuple[int, int]]:
    """Return (sizes in which a sampler finds histories, all sizes) by game."""
    found = {name: _rows(run, part, sampler) for name, part in PARTS.items()}
    return {name: _count(rows, lambda row: row.number("to 30") > 0) for name, rows in found.items()}


def _csp_finds(run: ExperimentRun) -> Verdict:
    said, whole = [], {}
    for sampler in (PRINTED, "CSP"):
        counts = _count_found(run, sampler)
        shown = ", ".join(f"{name} {found} of {total}" for name, (found, total) in counts.items())
        said.append(f"{NAMES[sampler]}: {shown}")
        whole[sampler] = all(found == total for found, total in counts.values())
    return judge(whole[PRINTED], f"sizes in which it finds histories, {'; '.join(said)}")


def _csp_full(run: ExperimentRun) -> Verdict:
    said, full = [], {}
    for sampler in (PRINTED, "CSP"):
        rows = [row for part in PARTS.values() for row in _rows(run, part, sampler)]
        full[sampler] = sum(row.number("to 30") == row.number("of") for row in rows), len(rows)
        said.append(f"{NAMES[sampler]} in {full[sampler][0]} of {full[sampler][1]} sizes")
    count, total = full[PRINTED]
    verdict = REPRODUCED if count == total else PARTLY if count else NOT
    return Verdict(verdict, f"30 histories or all there are in every position: {', '.join(said)}")


def _authors_files(run: ExperimentRun) -> Verdict:
    tables = [table for table in run.tables if table.name.endswith("-files")]
    if not tables:
        raise MissingCellError("the authors' files were not at hand")
    cases = []
    for table in tables:
        rows = [row for row in table.records() if row["sampler"] == "CSP"]
        found = sum(row.number("to 30") > 0 for row in rows)
        cases.append((f"{table.name.split('-')[-2]} ({found} of {len(rows)} sizes)", found == len(rows)))
    return judge_each(cases, "histories are found in all sizes at hand")


def _dfs_racko(run: ExperimentRun) -> Verdict:
    found, total = _count(_rows(run, RACKO, "DFS"), lambda row: row.number("to 30") > 0)
    verdict = REPRODUCED if found <= 1 else PARTLY if found <= total // 2 else NOT
    return Verdict(verdict, f"ours finds some in {found} of {total} sizes; our engine tests more moves per second")


def _dfs_battleship(run: ExperimentRun) -> Verdict:
    rows = [row for row in _rows(run, BATTLESHIP, "DFS") if row.number("ships") > 3 and row.number("cells") > 6]
    found, total = _count(rows, lambda row: row.number("to 30") > 0)
    return Verdict(
        REPRODUCED if not found else PARTLY if found < total else NOT,
        f"ours finds some in {found} of {total} sizes with more than three ships on more than 6x6 cells",
    )


def _dfs_gops(run: ExperimentRun) -> Verdict:
    found, total = _count(_rows(run, GOPS, "DFS"), lambda row: row.number("to 30") > 0)
    return judge(total - found > total / 2, f"ours finds none in {total - found} of {total} sizes")


def _csp_beats_dfs(run: ExperimentRun) -> Verdict:
    better = total = 0
    for part in PARTS.values():
        for csp, dfs in zip(_rows(run, part, PRINTED), _rows(run, part, "DFS"), strict=True):
            better += csp.number("to 30") > dfs.number("to 30")
            total += 1
    return judge(better > total / 2, f"as printed more histories in {better} of {total} sizes")


def _reads(run: ExperimentRun) -> Verdict:
    rows = run.table().records()
    row = rows[min(8, len(rows) - 1)]
    why = f"after round {row['round']} the true aim has {row.number('read, a HyperPlayer'):.0f} %, 50 % unread"
    return judge(row.number("read, a HyperPlayer") > row.number("uniform"), f"{why}; the article has no experiment")


CLAIMS = (
    by_test(
        "The poker game of figure 1: bluff with 1/3",
        "Background",
        "tests/unit/games/test_poker.py::"
        "test_simple_poker_is_worth_a_third_with_a_bluff_of_a_third_and_a_call_of_two_thirds",
    ),
    beyond_comparison(
        "The first player of figure 1 can guarantee 1/6",
        "Background",
        "by the payoffs of the figure it is 1/3, of which 1/6 is half; the same test holds it",
    ),
    by_test(
        "POGDDL describes partially observable games",
        "Logic Description Language, figure 2",
        "tests/differential/test_pogddl_families.py::test_the_whole_tree_is_that_of_the_family",
    ),
    by_test(
        "DFS-Infoset (figure 4) finds the information set",
        "figure 4",
        "tests/unit/belief/test_dfs.py::test_it_visits_as_many_states_as_the_oracle_and_finds_the_same",
    ),
    by_test(
        "The stage graph rules out no history of the set (figure 6)",
        "figure 6",
        "tests/differential/test_csp.py::test_no_plausible_move_and_no_fact_contradicts_a_history_of_the_infoset",
    ),
    by_test(
        "All histories come out if every choice is tried (footnote 1)",
        "figure 5",
        "tests/differential/test_csp.py::test_the_search_lists_the_whole_infoset",
    ),
    by_test(
        "The probability of a history is that of its opponents' moves (figure 3)",
        "Single-Point Decisions",
        "tests/differential/test_opponents.py::test_the_posterior_is_that_of_the_oracle_with_the_same_policy",
    ),
    by_run("Racko, Battleship and GOPS in POGDDL: the authors' own files", "Empirical Results", TABLE1, _authors_files),
    by_run("CSP-InfosetSample finds histories in every case", "Empirical Results, table 1", TABLE1, _csp_finds),
    by_run("The numbers of histories of table 1", "table 1", TABLE1, _csp_full),
    by_run("DFS-Infoset finds none in 19 of 20 sizes of Racko", "Racko", TABLE1, _dfs_racko),
    by_run("DFS-Infoset finds none in many larger Battleships", "Battleship", TABLE1, _dfs_battleship),
    by_run("DFS-Infoset finds none in over half of the sizes of GOPS", "GOPS", TABLE1, _dfs_gops),
    by_run("Constraint-based search far outperforms depth-first search", "Conclusions", TABLE1, _csp_beats_dfs),
    untried(
        "Over ten billion nodes in an information set of standard Racko",
        "Racko",
        "histories are counted up to a limit here",
    ),
    untried("Other limits than 30 seconds change little", "Empirical Results", "one limit is kept per run"),
    untried(
        "The stage graph takes O(P T) space, Reevaluate at most P T rounds (P propositions, T steps)",
        "Time and Space",
        "not measured",
    ),
    by_run("Histories allow to reason about the opponent's knowledge", "Conclusions", READ, _reads),
)
