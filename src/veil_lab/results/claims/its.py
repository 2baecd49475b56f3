"""Claims of the ITS paper (Chitizadeh & Thielscher 2018)."""

from __future__ import annotations

from veil_lab.results.claims.verdicts import (
    INCOMPARABLE,
    NOT,
    PARTLY,
    REPRODUCED,
    Verdict,
    by_run,
    by_test,
    judge,
    judge_all,
)
from veil_lab.results.run import ExperimentRun

SMALL = 0.01  # a probability that is almost zero
NEAR = 0.02  # difference of probabilities that are the same
EVEN = "half in the faulty bank"
HP2 = "tests/unit/search/hyperplay2/test_simulations.py::"
JAIR = "ours, by JAIR's definition"


def _first_tell(run: ExperimentRun) -> Verdict:
    ours = run.table().at("probability of telling first").number("ours")
    return judge(ours < SMALL, f"{ours:.3g} after 1,000 iterations")


def _tell_twice(run: ExperimentRun) -> Verdict:
    early, late = run.table().at("...").number("ours"), run.table().at("probability of telling a second").number("ours")
    return judge(late < SMALL and early < 0.05, f"{early:.3g} after 100 iterations, {late:.3g} after 1,000")


def _wait_then_tell(run: ExperimentRun) -> Verdict:
    table = run.table()
    wait = table.at("probability of waiting first").number("ours")
    told, silent = (table.at(f"telling after waiting, the wire that {what}").number("ours") for what in ("is", "sil"))
    why = f"waiting {wait:.3g} after 200; then telling {told:.3g} of one wire, {silent:.3g} of the other"
    return Verdict(REPRODUCED if min(wait, told, silent) > 0.9 else PARTLY if min(wait, told) > 0.9 else NOT, why)


def _ninety(run: ExperimentRun) -> Verdict:
    ours = run.table().at("what both get").number("ours")
    why = f"{ours:.4g}: a tie that the paper expects to last is left at once by Algorithm 1, silence means a wire"
    return judge(abs(ours - 90) < 1, why if abs(ours - 90) >= 1 else f"{ours:.4g}")


def _by_its_account(run: ExperimentRun) -> Verdict:
    rows = run.table("its-fig2-hyperplay2").records()
    off = max(abs(row.number("ours, by its account") - row.number("ITS paper")) for row in rows)
    other = " and ".join(f"{row.number(JAIR):.3g}" for row in rows)
    shown = " and ".join(f"{row.number('ours, by its account'):.3g}" for row in rows)
    return judge(off <= 2, f"{shown} by this account of it; {other} by the definition of the HyperPlay article")


def _left_at_d(run: ExperimentRun) -> Verdict:
    ours = run.table().at("left at d").number("ours")
    return Verdict(
        REPRODUCED if ours >= 99 else PARTLY if ours > 95 else NOT,
        f"{ours:g} % after 100 iterations; the paper's payoffs are only in its picture, ours are our own",
    )


def _from_the_first_on(run: ExperimentRun) -> Verdict:
    rows = [row for row in run.table().records() if row["theirs"] == "from the first on"]
    names = [(str(row[""]).partition(" at every")[0], row["ours"] is True) for row in rows]
    return judge_all([name for name, good in names if good], [name for name, good in names if not good])


def _penalty_kick(run: ExperimentRun) -> Verdict:
    rows = run.table().records()
    off = max(abs(row.number("theirs") - row.number("ours")) for row in rows)
    return judge(off < NEAR, f"at most {off:.2g} off the equilibrium after 10,000 iterations")


def _even_split(run: ExperimentRun) -> Verdict:
    row = run.table().at(EVEN)
    ours, theirs = row.number("ours"), row.number("theirs")
    return judge(abs(ours - theirs) < 2, f"{ours:g} %, theirs {theirs:g} %")


def _split_by_split(run: ExperimentRun) -> Verdict:
    rows = [row for row in run.table().records() if str(row["money distribution"]).startswith("50 ")]
    ours, theirs = ([row.number(who) for row in rows] for who in ("ours", "theirs"))
    off = max(abs(one - other) for one, other in zip(ours, theirs, strict=True))
    why = f"ours {min(ours):.3g} to {max(ours):.3g} %, theirs {min(theirs):.3g} to {max(theirs):.3g} %"
    return Verdict(REPRODUCED if off < 2 else PARTLY, f"{why}; the three are alike by symmetry" if off >= 2 else why)


def _count_splits(run: ExperimentRun) -> Verdict:
    said = next(remark for remark in run.table().remarks if "distributions of ten notes" in remark)
    return judge("There are 287" in said, said)


def _fails_in_poker(run: ExperimentRun) -> Verdict:
    rows = [row for row in run.table().records() if row["game"] == "leduc_poker"]
    first, last = rows[0], rows[-1]
    why = (
        f"no game and no figure is named; in leduc_poker its exploitability falls from {first.number('its'):.3g} to "
        f"{last.number('its'):.3g} after {last.number('iterations'):,.0f} iterations, cfr+ is at "
        f"{last.number('cfr+'):.2g}"
    )
    return Verdict(INCOMPARABLE, why)


def _solves_wire(run: ExperimentRun) -> Verdict:
    ours = run.table().at("what both get").number("ours")
    return judge(ours >= 89, f"both get {ours:.4g} from their mean strategies; who tells at once gets 80, later 90")


CLAIMS = (
    by_test(
        "One iteration of ITS is Algorithm 1, equations (1) to (9)",
        "section 3",
        "tests/differential/test_equilibrium.py::test_every_iteration_of_tree_search_is_that_of_the_slow_way",
    ),
    by_run("Telling first drops to almost zero in 1,000 iterations", "4.1, figure 2", "its-fig2", _first_tell),
    by_run("Telling twice quickly converges to zero", "4.1, figure 2", "its-fig2", _tell_twice),
    by_run(
        "After 200 iterations ITS very likely waits first and then tells", "4.1, figure 2", "its-fig2", _wait_then_tell
    ),
    by_run("Both players get 90 in the extended cutting wire", "4.1", "its-fig2", _ninety),
    by_run("ITS solves the extended cutting wire in play", "4.1", "its-fig2", _solves_wire),
    by_test(
        "HyperPlay fails in the cutting wire, HyperPlay-II solves it",
        "4.1",
        f"{HP2}test_a_teller_who_may_tell_once_tells",
    ),
    by_test("HyperPlay-II is short-sighted: it tells at the first level", "4.1", f"{HP2}test_a_teller_tells_too_early"),
    by_run("HyperPlay-II values tell1 at 75 and wait1 at 70", "4.1, equation (10)", "its-fig2", _by_its_account),
    by_run("Left at node d with 99 % after less than 100 iterations", "4.2, figure 4", "its-fig4", _left_at_d),
    by_run("Correct at a and e from the first iteration on", "4.2", "its-fig4", _from_the_first_on),
    by_test(
        "In one-step joint-move games ITS is fictitious play",
        "4.3",
        "tests/differential/test_fictitious_play.py::test_every_step_of_its_is_a_step_of_fictitious_play",
    ),
    by_run("Biased penalty kick: 40 : 60 and 60 : 40", "4.3, figure 5", "its-fig5", _penalty_kick),
    by_test(
        "Banker and Thief, two banks: 50-50 is worth 25, 40-60 is worth 24",
        "4.4",
        "tests/unit/games/test_matrix.py::test_banker_and_thief_halves_are_worth_25_and_forty_to_sixty_24",
    ),
    by_test("HyperPlay-II puts 40-60", "4.4", f"{HP2}test_a_banker_puts_forty_to_sixty"),
    by_test(
        "ITS solves Banker and Thief: 50-50 with two banks",
        "4.4",
        "tests/unit/equilibrium/test_solver_run.py::test_iterative_tree_search_splits_evenly_as_well",
    ),
    by_run("Half of the money in the faulty bank in 94 % of games", "4.4, table 1", "its-table1", _even_split),
    by_run("The single distributions: 35.67, 27.5, 30.88 %", "4.4, table 1", "its-table1", _split_by_split),
    by_run("There are 287 ways to distribute the money", "4.4", "its-table1", _count_splits),
    by_test(
        "HyperPlay and HyperPlay-II deliver pure strategies only",
        "4.3",
        f"{HP2}test_a_keeper_has_a_pure_strategy_where_equilibrium_is_mixed",
    ),
    by_run("ITS failed to perform well in larger games such as poker", "5", "its-poker", _fails_in_poker),
)
