"""Claims of the article on information set generation (Richards & Amir 2012)."""

from __future__ import annotations

from collections.abc import Callable

from veil_lab.results.claims.verdicts import (
    NOT,
    NOT_RUN,
    PARTLY,
    REPRODUCED,
    Verdict,
    beyond_comparison,
    by_run,
    by_test,
    judge,
    judge_each,
    soften,
)
from veil_lab.results.run import ExperimentRun, MissingCellError, TableRow

TABLE1 = "isg-table1"
RACKO, BATTLESHIP, GOPS = "Racko", "Battleship", "GOPS"
SIZES = {RACKO: ("slots", 20), BATTLESHIP: ("ships", 19), GOPS: ("bids", 20)}  # first column, number of sizes
READ = "opponents-read"
PRINTED = "figure 5"  # the article's algorithm as printed; CSP is our default
NAMES = {PRINTED: "as printed", "CSP": "our default"}
THEIR_SECONDS, THEIR_POSITIONS = 30.0, 10


def _rows(run: ExperimentRun, game: str, sampler: str) -> list[TableRow]:
    """Return the rows of a sampler under our rules; none if the run does not have the game."""
    for table in run.tables:
        if table.columns[0] == SIZES[game][0] and not table.name.endswith("-files"):
            return [row for row in table.records() if row["sampler"] == sampler]
    return []


def _list_games(run: ExperimentRun) -> list[str]:
    """Return the games of a run."""
    games = [game for game in SIZES if _rows(run, game, PRINTED)]
    if not games:
        raise MissingCellError(PRINTED)
    return games


def _all_rows(run: ExperimentRun, sampler: str) -> list[TableRow]:
    return [row for game in _list_games(run) for row in _rows(run, game, sampler)]


def _of_game(game: str, decide: Callable[[ExperimentRun], Verdict]) -> Callable[[ExperimentRun], Verdict]:
    """Return a decision that needs one game of the table; without it, it says what its sizes take."""

    def look(run: ExperimentRun) -> Verdict:
        if game in _list_games(run):
            return decide(run)
        hours = len(_samplers(run)) * SIZES[game][1] * THEIR_POSITIONS * THEIR_SECONDS / 3600
        return Verdict(
            NOT_RUN, f"the kept run is without {game}, whose sizes take at most {hours:.0f} hours of one core in full"
        )

    return look


def _samplers(run: ExperimentRun) -> set[str]:
    return {str(row["sampler"]) for row in run.table().records()}


def _files(run: ExperimentRun, sampler: str, game: str | None = None) -> list[TableRow]:
    """Return the rows of a sampler in the authors' own files: of one game, or of all; none if they were not at hand."""
    names = [f"{TABLE1}-{name.lower()}-files" for name in SIZES if game in (None, name)]
    tables = [table for table in run.tables if table.name in names]
    return [row for table in tables for row in table.records() if row["sampler"] == sampler]


def _found(row: TableRow) -> bool:
    return row.number("to 30") > 0


def _full(row: TableRow) -> bool:
    return row.number("to 30") == row.number("of")


def _beside(rows: list[TableRow], holds: Callable[[TableRow], bool]) -> str:
    """Return what is true of the authors' own files, to stand behind what is true under our rules."""
    if not rows:
        return ""
    count, total = _count(rows, holds)
    return f"; in the authors' own files in {count} of {total}"


def _count(rows: list[TableRow], holds: Callable[[TableRow], bool]) -> tuple[int, int]:
    return sum(map(holds, rows)), len(rows)


def _count_found(run: ExperimentRun, sampler: str) -> dict[str, tuple[int, int]]:
    """Return (sizes in which a sampler finds histories, all sizes) by game."""
    return {game: _count(_rows(run, game, sampler), _found) for game in _list_games(run)}


def _weigh_size(verdict: Verdict, run: ExperimentRun, *, of_one_game: bool = False) -> Verdict:
    """Return a verdict, or a weaker one if the run has less time, or fewer positions or games than the article.

    Claims about one game say that a sampler finds nothing. What it finds in less time it finds in more, too, so that
    these are refuted by any run. The hours are those of a run as large as the article's in which no sampler finds
    everything early.
    """
    settings = run.table().settings
    seconds, positions = float(settings["seconds"]), int(settings["positions"])
    missing = [game for game in SIZES if game not in _list_games(run) and not of_one_game]
    if seconds >= THEIR_SECONDS and positions >= THEIR_POSITIONS and not missing:
        return verdict
    sizes = sum(count for _, count in SIZES.values()) + len(_files(run, PRINTED))
    hours = sizes * len(_samplers(run)) * THEIR_POSITIONS * THEIR_SECONDS / 3600
    without = f"without {' and '.join(missing)}; " if missing else ""
    why = without + (
        f"positions per size {positions}, theirs {THEIR_POSITIONS}; {seconds:g} s each, theirs {THEIR_SECONDS:g}; "
        f"in full at most {hours:.0f} hours of one core"
    )
    is_shown = of_one_game and verdict.verdict == NOT
    return Verdict(NOT, f"{verdict.why}; {why}") if is_shown else soften(verdict, why)


def _csp_finds(run: ExperimentRun) -> Verdict:
    said, whole = [], {}
    for sampler in (PRINTED, "CSP"):
        counts = _count_found(run, sampler)
        shown = ", ".join(f"{name} {found} of {total}" for name, (found, total) in counts.items())
        said.append(f"{NAMES[sampler]}: {shown}{_beside(_files(run, sampler), _found)}")
        whole[sampler] = all(found == total for found, total in counts.values())
    return _weigh_size(judge(whole[PRINTED], f"sizes in which it finds histories, {'; '.join(said)}"), run)


def _csp_full(run: ExperimentRun) -> Verdict:
    said, full = [], {}
    for sampler in (PRINTED, "CSP"):
        rows = _all_rows(run, sampler)
        full[sampler] = _count(rows, _full)
        own = _beside(_files(run, sampler), _full)
        said.append(f"{NAMES[sampler]} in {full[sampler][0]} of {full[sampler][1]} sizes{own}")
    count, total = full[PRINTED]
    verdict = REPRODUCED if count == total else PARTLY if count else NOT
    return _weigh_size(Verdict(verdict, f"30 histories or all there are in every position: {'; '.join(said)}"), run)


def _authors_files(run: ExperimentRun) -> Verdict:
    tables = [table for table in run.tables if table.name.endswith("-files")]
    if not tables:
        raise MissingCellError("the authors' files were not at hand")
    cases = []
    for table in tables:
        for sampler, name in NAMES.items():
            found, total = _count([row for row in table.records() if row["sampler"] == sampler], _found)
            cases.append((f"{table.name.split('-')[-2]}, {name} ({found} of {total} sizes)", found == total))
    return _weigh_size(judge_each(cases, "histories are found in all sizes at hand"), run)


def _dfs_racko(run: ExperimentRun) -> Verdict:
    found, total = _count(_rows(run, RACKO, "DFS"), _found)
    verdict = REPRODUCED if found <= 1 else PARTLY if found <= total // 2 else NOT
    own = _beside(_files(run, "DFS", "Racko"), _found)
    why = f"ours finds some in {found} of {total} sizes{own}; our engine tests more moves per second"
    return _weigh_size(Verdict(verdict, why), run, of_one_game=True)


def _dfs_battleship(run: ExperimentRun) -> Verdict:
    rows = [row for row in _rows(run, BATTLESHIP, "DFS") if row.number("ships") > 3 and row.number("cells") > 6]
    found, total = _count(rows, _found)
    own = _beside([row for row in _files(run, "DFS", "Battleship") if row.number("ships") > 3], _found)
    verdict = REPRODUCED if not found else PARTLY if found < total else NOT
    why = f"ours finds some in {found} of {total} sizes with more than three ships on more than 6x6 cells{own}"
    return _weigh_size(Verdict(verdict, why), run, of_one_game=True)


def _dfs_gops(run: ExperimentRun) -> Verdict:
    found, total = _count(_rows(run, GOPS, "DFS"), _found)
    own = _beside(_files(run, "DFS", "GOPS"), lambda row: not _found(row))
    verdict = judge(total - found > total / 2, f"ours finds none in {total - found} of {total} sizes{own}")
    return _weigh_size(verdict, run, of_one_game=True)


def _csp_beats_dfs(run: ExperimentRun) -> Verdict:
    def compare(ours: list[TableRow], theirs: list[TableRow]) -> tuple[int, int]:
        pairs = list(zip(ours, theirs, strict=True))
        return sum(csp.number("to 30") > dfs.number("to 30") for csp, dfs in pairs), len(pairs)

    rows = (_all_rows(run, name) for name in (PRINTED, "DFS"))
    (better, total), (own, files) = compare(*rows), compare(_files(run, PRINTED), _files(run, "DFS"))
    said = f"; in the authors' own files in {own} of {files}" if files else ""
    return _weigh_size(judge(better > total / 2, f"as printed more histories in {better} of {total} sizes{said}"), run)


def _other_limits(run: ExperimentRun) -> Verdict:
    table = run.table(f"{TABLE1}-limits")
    limits, (csp, dfs) = table.columns[1:], (table.find(sampler=name) for name in (PRINTED, "DFS"))
    cases = [(f"{limit} ({csp[limit]} to {dfs[limit]})", csp.number(limit) > dfs.number(limit)) for limit in limits]
    what = "figure 5 as printed finds all that is asked for in more positions than DFS, by limit"
    return _weigh_size(judge_each(cases, what), run)


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
    by_run("DFS-Infoset finds none in 19 of 20 sizes of Racko", "Racko", TABLE1, _of_game(RACKO, _dfs_racko)),
    by_run(
        "DFS-Infoset finds none in many larger Battleships", "Battleship", TABLE1, _of_game(BATTLESHIP, _dfs_battleship)
    ),
    by_run("DFS-Infoset finds none in over half of the sizes of GOPS", "GOPS", TABLE1, _of_game(GOPS, _dfs_gops)),
    by_run("Constraint-based search far outperforms depth-first search", "Conclusions", TABLE1, _csp_beats_dfs),
    by_test(
        "Over ten billion nodes in an information set of standard Racko",
        "Racko",
        "tests/unit/veil_lab/papers/test_isg_table1.py::"
        "test_the_infoset_after_the_deal_of_racko_holds_all_orders_of_the_other_rack",
    ),
    by_run("Other limits than 30 seconds change little", "Empirical Results", TABLE1, _other_limits),
    by_test(
        "The stage graph takes O(P T) space, Reevaluate at most P T rounds (P propositions, T steps)",
        "Time and Space",
        "tests/differential/test_csp.py::"
        "test_a_graph_is_as_large_as_its_rounds_and_concludes_each_proposition_once_a_round",
    ),
    by_run("Histories allow to reason about the opponent's knowledge", "Conclusions", READ, _reads),
)
