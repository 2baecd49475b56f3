"""Claims of the HyperPlay article (Schofield & Thielscher 2019), sections 2 to 5: the technique and its samples."""

from __future__ import annotations

from veil_lab.results.claims.verdicts import (
    NOT,
    PARTLY,
    REPRODUCED,
    Verdict,
    beyond_comparison,
    by_run,
    by_test,
    judge,
    judge_all,
    judge_each,
    meet,
    show,
)
from veil_lab.results.run import ExperimentRun, TableRow

TESTS = "tests/differential/test_belief.py::"
SAMPLER = "tests/unit/belief/hyperplay/test_sampler.py::"
SETTINGS = ("article's sampler", "our default")
ORDER = 10.0  # factor up to which figures have the same order of magnitude


def name_short(row: TableRow, column: str = "game") -> str:
    """Return the name of a game without its parameters."""
    return str(row[column]).partition("(")[0]


def _monty(run: ExperimentRun) -> Verdict:
    row = run.table().at("weights")
    wins = {one: (row.number(f"wins, %, {one}"), row.half(f"wins, %, {one}")) for one in SETTINGS}
    good = all(meet(win, (200 / 3, 0.0)) for win in wins.values())
    return judge(good, "wins " + ", ".join(f"{show(*win)} ({one})" for one, win in wins.items()))


def _monty_unweighted(run: ExperimentRun) -> Verdict:
    weighted, uniform = run.table().at("weights"), run.table().at("uniform")
    shares = [(weighted.number(f"switches, {one}"), uniform.number(f"switches, {one}")) for one in SETTINGS]
    good = all(with_weights > 99 > without for with_weights, without in shares)
    return judge(good, "; ".join(f"switches in {one:g} % with weights, {other:g} % without" for one, other in shares))


def _cheaper(run: ExperimentRun) -> Verdict:
    rows = run.table().records()
    good = [name_short(row) for row in rows if row.number("highest") <= 1.005]
    return judge_all(good, [name_short(row) for row in rows if name_short(row) not in good], "never dearer")


def _two_percent(run: ExperimentRun) -> Verdict:
    row = run.table().at("blind_breakthrough")
    late = 100 * row.number("late")
    near = 2.2 / ORDER <= late <= 2.2 * ORDER
    return Verdict(REPRODUCED if near else PARTLY if late < 2.2 else NOT, f"late {late:.2g} % of a random sample")


def _biased(run: ExperimentRun) -> Verdict:
    rows = [row for row in run.table().records() if row["biased"] != "-"]
    return judge_each(
        [(f"{name_short(row)} ({row['games']})", row["biased"] == "yes") for row in rows],
        "bias is shown (games with a test)",
    )


def _quartiles(run: ExperimentRun) -> Verdict:
    cases = list[tuple[str, bool]]()
    for row in run.table().records():
        low, _, high = _read(row, "theirs")
        median = _median(row)
        cases.append((name_short(row), median is not None and low <= median <= high))
    return judge_each(cases, "our median is within their quartiles")


def _mastermind(run: ExperimentRun) -> Verdict:
    medians = {name_short(row): _median(row) or 0.0 for row in run.table().records()}
    most = max(medians, key=lambda name: medians[name])
    return judge(
        most == "mastermind", f"the fairest is {most}, {medians[most]:.3f}; mastermind {medians['mastermind']:.3f}"
    )


def _median(row: TableRow) -> float | None:
    values = _read(row, "no remedy")
    return values[1] if values[1] == values[1] else None


def _read(row: TableRow, column: str) -> list[float]:
    """Return the quartiles of a cell such as `0.030 0.158 0.454`."""
    return [float(value) for value in str(row[column]).split()]


def _fair_again(run: ExperimentRun) -> Verdict:
    rows = {name_short(row): row for row in run.table().records()}
    named = ("blind_breakthrough", "mastermind", "transit")
    last = {name: rows[name].number("last") for name in named if rows[name]["last"] != "-"}
    good = [f"{name} ({value:.3f})" for name, value in last.items() if value > 0.5]
    bad = [f"{name} ({value:.3f})" for name, value in last.items() if value <= 0.5]
    return judge_all(good, bad + [name for name in named if name not in last], "fair before the end")


def _no_better(run: ExperimentRun) -> Verdict:
    rows = run.table().records()
    better = [
        f"{name_short(row)}, {row['remedy']} ({row['mean goal']})" for row in rows if row["the remedy is"] == "better"
    ]
    return judge(
        not better, f"clearly better in {len(better)} of {len(rows)} rows" + "".join(f"; {one}" for one in better)
    )


def _cheap_remedies(run: ExperimentRun) -> Verdict:
    times = [row.number("states, times") for row in run.table().records()]
    return judge(max(times) < 1.1, f"{min(times):.2f} to {max(times):.2f} times the states")


def _late_row(run: ExperimentRun) -> TableRow:
    return run.table("hyperplay-table2").find(round=32)


def _on_line(run: ExperimentRun) -> Verdict:
    ours = _late_row(run).number("on line, plain")
    return judge(abs(ours - 50) <= 10, f"{ours:g} % on line in round 32")


def _bag_lasts(run: ExperimentRun) -> Verdict:
    row = run.table("hyperplay-table2").find(round=33)
    ours = row.number("on line, plain")
    return judge(ours >= 48.7, f"{ours:g} % on line in round 33, theirs 48.7 %")


def _valid(run: ExperimentRun) -> Verdict:
    ours = _late_row(run).number("valid, ours")
    return judge(ours < 0.01, f"{ours:g} % in round 32; it depends on how the players play")


def _bound(run: ExperimentRun) -> Verdict:
    row = _late_row(run)
    ours, theirs = row.number("bound, ours"), row.number("bound, theirs")
    return judge(1 / ORDER <= ours / theirs <= ORDER, f"{ours:.2g}, theirs {theirs:.2g}")


def _by_order(run: ExperimentRun, start: str) -> Verdict:
    row = run.table("hyperplay-table2-states").at(start)
    ours, theirs = row.number("ours"), row.number("theirs")
    near, same = 1 / ORDER <= ours / theirs <= ORDER, 0.5 <= ours / theirs <= 2
    return Verdict(REPRODUCED if same else PARTLY if near else NOT, f"{row['ours']}, theirs {row['theirs']}")


CLAIMS = (
    by_test(
        "The semantics of GDL-II (definitions 1 to 4), Monty Hall of figure 1 among the games",
        "2",
        "tests/differential/test_corpus.py::test_playthroughs_of_independent_provers_are_reproduced",
    ),
    by_test(
        "Weights by choice factors, equations (3) to (8)",
        "3.5",
        f"{TESTS}test_hyperplay_reaches_every_history_and_weighs_them_as_the_oracle_does",
    ),
    by_run(
        "Weighted models make the contestant of Monty Hall switch and win 2/3", "3.5, 4.2", "hyperplay-monty", _monty
    ),
    by_run("Only a weighted sample gives the correct result", "1.2, 3.5", "hyperplay-monty", _monty_unweighted),
    by_test(
        "Update() is sound: all that it returns is in the information set",
        "3.9",
        f"{TESTS}test_all_that_a_sampler_returns_explains_the_record",
    ),
    by_test(
        "Update() is complete: every history of the set can be reached",
        "3.9",
        f"{TESTS}test_single_models_reach_every_history_when_seeds_differ",
    ),
    by_test(
        "A model that takes too long goes off line, and comes back",
        "3.7, 4.2",
        f"{SAMPLER}test_a_model_out_of_budget_goes_off_line_and_comes_back",
    ),
    beyond_comparison(
        "Results of Monty Hall, Krieg-TicTacToe and Blind Breakthrough against the Cheat",
        "4.2, appendix D",
        "the appendix is not among our papers; the slides' words about it are judged on their page",
    ),
    by_test(
        "Silos: models crowd into the branch with few histories",
        "5.2, figure 6",
        f"{SAMPLER}test_without_balance_the_short_silo_is_full",
    ),
    by_test(
        "The share of agreeing joint moves, equations (15) to (17)",
        "5.1",
        f"{SAMPLER}test_the_share_of_moves_that_agree_is_that_of_equation_16",
    ),
    by_run("A HyperPlay sample is always cheaper than a random one", "5.5, figure 7; 8", "hyperplay-fig7", _cheaper),
    by_run("Down to 2.2 % of the cost late in Blind Breakthrough", "5.5, 5.7", "hyperplay-fig7", _two_percent),
    by_run("In every game the sample becomes biased in mid-game", "5.6, table 1", "hyperplay-table1", _biased),
    by_run("The quartiles of table 1", "5.6, table 1", "hyperplay-table1", _quartiles),
    by_run("The least biased in mid-game is Mastermind", "5.6", "hyperplay-table1", _mastermind),
    by_run(
        "Blind Breakthrough, Mastermind and Transit are fair again in the end", "5.6", "hyperplay-bias", _fair_again
    ),
    by_test(
        "Both remedies make the sample even",
        "5.6",
        f"{SAMPLER}test_balance_gives_every_history_the_same_number_of_models",
    ),
    by_run("The remedies do not make the player better", "5.6, appendix E.6", "hyperplay-remedies", _no_better),
    by_run("The remedies cost little", "5.6", "hyperplay-remedies", _cheap_remedies),
    by_run("Half of the models are on line in round 32", "5.7, table 2", "hyperplay-table2", _on_line),
    by_run("A bag of models lasts through the whole game", "5.7", "hyperplay-table2", _bag_lasts),
    by_run("A random history is valid with less than 0.01 % in round 32", "5.7, table 2", "hyperplay-table2", _valid),
    by_run("An upper bound of 6.0e23 histories in round 32", "5.7, table 2", "hyperplay-table2", _bound),
    by_run(
        "745 states for the update of a model",
        "5.7",
        "hyperplay-table2",
        lambda run: _by_order(run, "states that a successful model"),
    ),
    by_run("1.3 of 100 models lost in a round", "5.7", "hyperplay-table2", lambda run: _by_order(run, "models lost")),
    by_run(
        "166,000 states for the sample",
        "5.7",
        "hyperplay-table2",
        lambda run: _by_order(run, "states to take the sample"),
    ),
    by_run(
        "48 samples of HyperPlay for a random one",
        "5.7",
        "hyperplay-table2",
        lambda run: _by_order(run, "samples of HyperPlay"),
    ),
)
