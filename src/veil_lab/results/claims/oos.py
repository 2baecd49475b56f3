"""Claims of the OOS paper (Lisý, Lanctot & Bowling 2015), sections 2 to 4.4.2: the algorithm and its convergence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import log
from statistics import fmean

from veil_lab.results.claims.verdicts import (
    INCOMPARABLE,
    Verdict,
    by_run,
    by_test,
    judge,
    judge_all,
    judge_each,
    soften,
)
from veil_lab.results.run import ExperimentRun, MissingCellError, TableRow

ROOT, AGGREGATE, TARGETING = "oos-fig3-root", "oos-fig3-aggregate", "oos-fig3-targeting"
PROGRAM = "oos-fig3-program"
GOOFSPIEL, DICE, POKER = GAMES = ("II-GS(6)", "LD(1,1)", "GP(3,3,2,2)")
WALKERS = "tests/unit/search/walks/tree/test_walkers.py::"
THEIR_MATCHES = 500  # per role, of the aggregate method
RISE = 1.03  # factor by which a curve has risen and not only trembled


def _not_local(run: ExperimentRun) -> Verdict:
    rows = run.table("oos-fig1-non-locality").find_all(search="OOS")
    off = max(abs(row.number("ours") - row.number("equilibrium")) for row in rows)
    return judge(off < 0.03, f"OOS is at most {off:.2g} off the equilibrium for either leaf")


def _blind(run: ExperimentRun) -> Verdict:
    table = run.table("oos-fig1-non-locality")
    gaps = []
    for search in ("UCT", "RM"):
        first, second = (row.number("ours") for row in table.find_all(search=search))
        gaps.append(abs(first - second))
    return judge(max(gaps) < 0.05, f"with either leaf they play the same, within {max(gaps):.2g}")


def _ends(run: ExperimentRun, game: str, search: str) -> tuple[float, float, float]:
    """Return NashConv of a search from the root: at first, lowest, at the end."""
    row = run.table().find(game=game, search=search)
    return row.number("ours: at first"), row.number("lowest"), row.number("at the end")


def _fastest(run: ExperimentRun) -> Verdict:
    cases, by_walks = list[tuple[str, bool]](), 0
    for game in GAMES:
        courses = {search: _average_points(run, game, search) for search in ("OOS", "UCT", "RM")}
        time, walks = (min(course[-1][axis] for course in courses.values()) for axis in (1, 0))
        ends = {search: read_at(course, 1, time) for search, course in courses.items()}
        same_walks = {search: read_at(course, 0, walks) for search, course in courses.items()}
        by_walks += same_walks["OOS"] == min(same_walks.values())
        shown = ", ".join(f"{search} {value:.3g}" for search, value in ends.items())
        cases.append((f"{game} ({shown} after {time:.2g} s)", ends["OOS"] == min(ends.values())))
    verdict = judge_each(cases, "lowest after as much processor time as all had")
    return Verdict(verdict.verdict, f"{verdict.why}; after as many walks in {by_walks} of {len(GAMES)}")


def _average_points(run: ExperimentRun, game: str, search: str) -> list[tuple[float, float, float]]:
    """Return (walks, seconds, NashConv) of a search, the mean of its runs, by walks."""
    series = run.table().series
    if series is None:
        raise MissingCellError("points")
    found: dict[float, list[tuple[float, float]]] = {}
    for row in series.records():
        if (row["game"], row["search"]) == (game, search):
            found.setdefault(row.number("walks"), []).append((row.number("seconds"), row.number("nash_conv")))
    return [
        (walks, fmean(seconds for seconds, _ in points), fmean(value for _, value in points))
        for walks, points in sorted(found.items())
    ]


def read_at(course: Sequence[tuple[float, float, float]], axis: int, place: float) -> float:
    """Return NashConv at a place on an axis (0 walks, 1 seconds), between points on logarithmic scales."""
    for before, after in pairwise(course):
        if before[axis] <= place <= after[axis]:
            share = log(place / before[axis]) / log(after[axis] / before[axis])
            return float(before[2] * (after[2] / before[2]) ** share)
    return course[-1][2]


def _to_zero(run: ExperimentRun) -> Verdict:
    cases = list[tuple[str, bool]]()
    for game in GAMES:
        first, _, last = _ends(run, game, "OOS")
        cases.append((f"{game} ({first:.3g} to {last:.3g})", last < 0.15 * first))
    return judge_each(cases, "fallen to less than 15 % of the start")


def _rises(search: str, wanted: bool) -> Callable[[ExperimentRun], Verdict]:
    def decide(run: ExperimentRun) -> Verdict:
        cases = list[tuple[str, bool]]()
        for game in GAMES:
            _, lowest, last = _ends(run, game, search)
            rose = last > RISE * lowest
            shown = f"{game} (lowest {lowest:.3g}, at the end {last:.3g})"
            cases.append((shown, rose == wanted))
        return judge_each(cases, "it rises" if wanted else "it does not rise")

    return decide


def _course(row: TableRow) -> dict[int, float]:
    """Return NashConv over iterations per move."""
    steps = {int(name.replace(",", "")): name for name in row if name.replace(",", "").isdigit()}
    return {step: row.number(name) for step, name in sorted(steps.items()) if row[name] is not None}


def _curves(run: ExperimentRun, game: str) -> dict[str, dict[int, float]]:
    return {str(row["player"]): _course(row) for row in run.table().find_all(game=game)}


def _ismcts_rises(run: ExperimentRun) -> Verdict:
    cases = list[tuple[str, bool]]()
    for player in ("UCT", "RM"):
        courses = [
            _course(row) for table in run.tables for row in table.find_all(game=GOOFSPIEL) if row["player"] == player
        ]
        course = max(courses, key=max)  # the one that goes on for longest
        step, last = max(course.items())
        shown = f"{player} (lowest {min(course.values()):.3g}, {last:.3g} after {step:,} iterations)"
        cases.append((shown, last > RISE * min(course.values())))
    return judge_each(cases, "it rises with more time")


def _program_rises(run: ExperimentRun) -> Verdict:
    cases = list[tuple[str, bool]]()
    for row in run.table().records():
        if ", program, " in str(row["player"]):
            values = list(_course(row).values())
            shown = f"{row['player']} (lowest {min(values):.3g}, at the end {values[-1]:.3g})"
            cases.append((shown, values[-1] > RISE * min(values)))
    return judge_each(cases, "it rises with more time")


def _oos_lowest(run: ExperimentRun) -> Verdict:
    curves = _curves(run, GOOFSPIEL)
    steps = [step for step in curves["OOS"] if step in curves["UCT"] and step in curves["RM"]]
    lower = [step for step in steps if curves["OOS"][step] < min(curves["UCT"][step], curves["RM"][step])]
    return judge_all([f"{step:,}" for step in lower], [f"{step:,}" for step in steps if step not in lower], "lowest")


def _dice(run: ExperimentRun) -> Verdict:
    curves = {player: list(course.values()) for player, course in _curves(run, DICE).items()}
    falls = {player: 1 - course[-1] / course[0] for player, course in curves.items()}
    steady = all(later < before for before, later in zip(curves["OOS"], curves["OOS"][1:], strict=False))
    shown = ", ".join(f"{player} by {100 * fall:.0f} %" for player, fall in falls.items())
    return judge(steady and falls["OOS"] == max(falls.values()), f"OOS falls at every step; in all {shown}")


def _poker(run: ExperimentRun) -> Verdict:
    ends = {player: list(course.values())[-1] for player, course in _curves(run, POKER).items()}
    good = [f"{player} ({ends[player]:.3g})" for player in ("UCT", "RM") if ends[player] < ends["OOS"]]
    bad = [f"{player} ({ends[player]:.3g})" for player in ("UCT", "RM") if ends[player] >= ends["OOS"]]
    return judge_all(good, bad, f"below OOS ({ends['OOS']:.3g})")


def _fall(course: dict[int, float]) -> float:
    """Return the share by which a course falls from its first to its last point."""
    values = list(course.values())
    return 1 - values[-1] / values[0]


def _settings(run: ExperimentRun, game: str, scheme: str) -> dict[tuple[float, float], dict[int, float]]:
    """Return (delta, epsilon) -> course of a scheme in a game."""
    found = {}
    for row in run.table().find_all(game=game):
        words = str(row["player"]).replace(",", "").split()
        if words[0] == scheme:
            found[float(words[2]), float(words[4])] = _course(row)
    if not found:
        raise MissingCellError(f"{game}, {scheme}")
    return found


def _weigh_matches(verdict: Verdict, run: ExperimentRun, *, compares: bool = False) -> Verdict:
    """Return a verdict, or a weaker one if the run has fewer matches than the paper: fewer infosets are reached.

    NashConv of one run has no interval, so few matches do not decide which of two settings is better (`compares`).
    """
    matches = int(run.table().settings["matches per role"])
    if matches >= THEIR_MATCHES:
        return verdict
    why = f"{matches} matches per role, theirs {THEIR_MATCHES}"
    if run.processor_seconds is not None and not run.reused:
        hours = run.processor_seconds * THEIR_MATCHES / matches / 3600
        why += f", which would take about {hours:.1g} hours of one core"
    return Verdict(INCOMPARABLE, f"{verdict.why}; {why}") if compares else soften(verdict, why)


def _closer_with_time(run: ExperimentRun) -> Verdict:
    cases = list[tuple[str, bool]]()
    for game, scheme in [*((game, "ist") for game in GAMES), (DICE, "pst"), (POKER, "pst")]:
        for (delta, epsilon), course in _settings(run, game, scheme).items():
            if (game, scheme, delta) != (DICE, "ist", 1.0):
                values = list(course.values())
                cases.append((f"{game} {scheme} {delta:g}/{epsilon:g}", values[-1] < values[0]))
    if all(holds for _, holds in cases):
        return _weigh_matches(judge(True, f"all {len(cases)} settings fall"), run)
    return _weigh_matches(judge_each(cases, "NashConv falls"), run)


def _full_targeting(run: ExperimentRun) -> Verdict:
    exact = run.table("oos-fig3-targeting-exact").records()
    falls = {row.number("delta"): _fall(_course(row)) for row in exact}
    fell = all(_fall(course) > 0 for (delta, _), course in _settings(run, DICE, "ist").items() if delta == 1)
    shown = ", ".join(f"{100 * fall:.0f} % with delta {delta:g}" for delta, fall in falls.items())
    why = f"asked at every infoset of a smaller game it falls by {shown}"
    stuck = falls[1.0] < 0.5 * min(fall for delta, fall in falls.items() if delta < 1)
    if fell:
        why += "; by the aggregate method it falls like the others, since most infosets are not reached"
    return judge_all(
        ["by brute force"] * stuck, ["by the aggregate method"] * fell + ["by brute force"] * (not stuck), why
    )


def _early(run: ExperimentRun) -> Verdict:
    cases = list[tuple[str, bool]]()
    for game in (GOOFSPIEL, POKER):
        first = {key: next(iter(course.values())) for key, course in _settings(run, game, "ist").items()}
        for epsilon in sorted({key[1] for key in first}):
            best = min((value, delta) for (delta, other), value in first.items() if other == epsilon)[1]
            cases.append((f"{game} epsilon {epsilon:g}", best == 1.0))
    return _weigh_matches(judge_each(cases, "full targeting is lowest with the least time"), run, compares=True)


def _late(run: ExperimentRun) -> Verdict:
    cases = list[tuple[str, bool]]()
    for game in (DICE, POKER):
        last = {key: list(course.values())[-1] for key, course in _settings(run, game, "pst").items()}
        for epsilon in sorted({key[1] for key in last}):
            weak = min(value for (delta, other), value in last.items() if other == epsilon and delta < 1)
            full = last[1.0, epsilon]
            cases.append((f"{game} epsilon {epsilon:g} ({weak:.3g}, full {full:.3g})", weak <= 1.02 * full))
    return _weigh_matches(judge_each(cases, "weaker targeting is as good with the most time"), run, compares=True)


CLAIMS = (
    by_run(
        "The equilibrium at an infoset depends on a leaf out of its reach: OOS finds it",
        "2.2, figure 1",
        ROOT,
        _not_local,
    ),
    by_run("A search of the subgame alone cannot find it", "2.2", ROOT, _blind),
    by_test(
        "Algorithm 1: regrets and averages by outcome sampling with targeting",
        "3.3",
        "tests/differential/test_online_search.py::test_online_outcome_sampling_takes_the_walks_of_algorithm_1",
    ),
    by_test(
        "The weight w_T of a target, equation (3)", "3.3", f"{WALKERS}test_the_weight_of_an_aim_is_what_the_text_says"
    ),
    by_test(
        "Public subgame targeting",
        "3.2",
        "tests/differential/test_online_search.py::test_public_subgames_are_targeted_as_in_the_oracle",
    ),
    by_test(
        "Consistency: with delta below 1 an equilibrium in the end",
        "3.3.1, theorem 1",
        f"{WALKERS}test_targeted_search_converges_at_the_target_and_elsewhere",
    ),
    by_test(
        "ISMCTS as described: starts in the infoset, statistics per infoset",
        "4.1",
        "tests/differential/test_online_search.py::test_bandits_take_the_walks_of_the_oracle",
    ),
    by_test(
        "The aggregate method",
        "4.2",
        "tests/differential/test_online_exploitability.py::test_the_aggregate_gives_the_nash_conv_of_the_slow_way",
    ),
    by_run("From the root OOS converges fastest in all games", "4.4.1, figure 3(a, d, h)", ROOT, _fastest),
    by_run("From the root OOS converges to the equilibrium", "4.4.1", ROOT, _to_zero),
    by_run("UCT first falls and then rises in all three games", "4.4.1", ROOT, _rises("UCT", True)),
    by_run("RM does not rise", "4.4.1", ROOT, _rises("RM", False)),
    by_run(
        "II-Goofspiel: both variants of ISMCTS are more exploitable with more time",
        "4.4.2, figure 3(b)",
        AGGREGATE,
        _ismcts_rises,
    ),
    by_run(
        "... with what the authors' program does beyond the text",
        "4.4.2, figure 3(b)",
        PROGRAM,
        _program_rises,
    ),
    by_run("II-Goofspiel: OOS is less exploitable at any time", "4.4.2, figure 3(b)", AGGREGATE, _oos_lowest),
    by_run("Liar's Dice: OOS falls steadily, ISMCTS hardly", "4.4.2, figure 3(e)", AGGREGATE, _dice),
    by_run("Poker: ISMCTS is less exploitable than OOS", "4.4.2, figure 3(i)", AGGREGATE, _poker),
    by_run(
        "OOS comes closer to the equilibrium with time", "4.4.2, figure 3(c, f, g, j, k)", TARGETING, _closer_with_time
    ),
    by_run(
        "OOS does not come closer with full targeting in Liar's Dice (IST, delta 1)",
        "4.4.2, figure 3(f)",
        TARGETING,
        _full_targeting,
    ),
    by_run("Full targeting is best with little time in the other games", "4.4.2, figure 3(c, j)", TARGETING, _early),
    by_run("With more time weaker targeting is as good, or better with PST", "4.4.2, figure 3(g, k)", TARGETING, _late),
)
