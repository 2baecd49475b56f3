"""Claims of the HyperPlay article (Schofield & Thielscher 2019), sections 6 to 8: HyperPlay-II and its cost."""

from __future__ import annotations

from collections.abc import Callable

from veil_lab.results.claims.hyperplay import SETTINGS, name_short
from veil_lab.results.claims.verdicts import (
    INCOMPARABLE,
    NOT,
    PARTLY,
    REPRODUCED,
    Verdict,
    beyond_comparison,
    by_run,
    by_test,
    has_few_matches,
    join,
    judge,
    judge_clear,
    judge_each,
    meet,
    show,
    temper,
)
from veil_lab.results.run import ExperimentRun, MissingCellError, TableRow

GAMES, SCALING, PRUNING = "hyperplay2-games", "hyperplay-scaling", "hyperplay-pruning"
PRINTED = "as printed"
NARROW = 0.3  # half of an interval of an exponent that decides
LITTLE = 10  # points of mean goal: a difference that is certainly smaller is little


def _bomb(player: str, ask: float, wait: float, asks: bool) -> Callable[[ExperimentRun], Verdict]:
    def decide(run: ExperimentRun) -> Verdict:
        row = run.table().at(player)
        values = row.number("ours"), row.number("ours 2")
        shares = [row.number(f"asks, {one}") for one in SETTINGS]
        good = abs(values[0] - ask) <= 1 and abs(values[1] - wait) <= 1
        good = good and all((share > 50) == asks for share in shares)
        why = f"{values[0]:g} and {values[1]:g}; asks in {' and '.join(f'{share:g}' for share in shares)} % of matches"
        return judge(good, why)

    return decide


def _printed(run: ExperimentRun) -> list[TableRow]:
    """Return the rows of HyperPlay-II as printed."""
    rows = [row for row in run.table().records() if row["setting"] == PRINTED]
    if not rows:
        raise MissingCellError(PRINTED)
    return rows


def _show_others(run: ExperimentRun, verdict: str) -> str:
    """Return a sentence on the other settings in which HyperPlay-II is better or worse."""
    rows = [row for row in run.table().records() if row["setting"] != PRINTED]
    count = sum(row["HP-II is"] == verdict for row in rows)
    return f"with memo or our sampler {verdict} in {count} of {len(rows)}"


def _better_everywhere(run: ExperimentRun) -> Verdict:
    rows = [row for row in _printed(run) if row["theirs"] == "HP-II better"]
    named = {how: [name_short(row) for row in rows if row["HP-II is"] == how] for how in ("better", "unclear", "worse")}
    verdict = REPRODUCED if len(named["better"]) == len(rows) else PARTLY if named["better"] else NOT
    if verdict == NOT and not named["worse"] and has_few_matches(run):
        verdict = INCOMPARABLE
    said = "; ".join(f"{how} in {len(games)}: {', '.join(games)}" for how, games in named.items() if games)
    return temper(Verdict(verdict, f"as printed, of {len(rows)} games {said}; {_show_others(run, 'better')}"), run)


def _never_worse(run: ExperimentRun) -> Verdict:
    worse = [name_short(row) for row in _printed(run) if row["HP-II is"] == "worse"]
    said = f"worse in {', '.join(worse)}" if worse else "worse in none"
    return temper(judge(not worse, f"as printed {said}; {_show_others(run, 'worse')}"), run)


def _as_good(run: ExperimentRun) -> Verdict:
    rows = [row for row in _printed(run) if row["theirs"] == "as good"]
    cases = [(name_short(row), row["HP-II is"] != "better") for row in rows]
    return temper(judge_each(cases, "HyperPlay is as good"), run)


def _growth(player: str, setting: str) -> Callable[[ExperimentRun], Verdict]:
    """Return a decision on an upper bound: an exponent of it that is above 1 refutes it, one below 1 does not."""

    def decide(run: ExperimentRun) -> Verdict:
        column = f"{player}, {setting}"
        named: dict[str, list[str]] = {"good": [], "bad": [], "open": []}
        for row in run.table().records():
            value, half = row.number(column), row.half(column) or 0.0
            above, below = round(value - half, 2) > 1, round(value + half, 2) <= 1
            how = "bad" if above else "good" if below or half <= NARROW else "open"
            named[how].append(f"{row['family']} {show(value, half, 2)}")
        return judge_clear(named["good"], named["bad"], named["open"], "an exponent of at most 1, within its interval")

    return decide


def _order_of_magnitude(run: ExperimentRun) -> Verdict:
    rows = run.table("hyperplay-scaling-sizes").records()
    times = [row.number("HP-II / HP, as printed") for row in rows]
    large = sum(value >= 5 for value in times)
    verdict = REPRODUCED if large == len(times) else PARTLY if large else NOT
    return Verdict(
        verdict, f"{min(times):g} to {max(times):g} times the states; at least 5 times in {large} of {len(times)}"
    )


def _cells(run: ExperimentRun) -> dict[str, dict[str, TableRow]]:
    """Return the rows of the pruning table by game and option."""
    found: dict[str, dict[str, TableRow]] = {}
    for row in run.table().records():
        found.setdefault(name_short(row), {})[str(row["option"])] = row
    return found


def _compare(rows: dict[str, TableRow], option: str, column: str) -> int | None:
    """Return 1, -1 or 0: an option is clearly better, worse or alike; None if the interval leaves that open."""
    (one, none) = ((rows[name].number(column), rows[name].half(column)) for name in (option, "none"))
    if not meet(one, none):
        return 1 if one[0] > none[0] else -1
    return 0 if abs(one[0] - none[0]) + (one[1] or 0.0) + (none[1] or 0.0) <= LITTLE else None


def _discounting(run: ExperimentRun) -> Verdict:
    column = f"mean goal, {PRINTED}"
    changed = {game: _compare(rows, "discount=0.95", column) for game, rows in _cells(run).items()}
    named = {change: [game for game, one in changed.items() if one == change] for change in (0, 1, -1, None)}
    what = f"less than {LITTLE} points of difference"
    return judge_clear(named[0], named[1] + named[-1], named[None], what)


def _pruning_helps(run: ExperimentRun) -> Verdict:
    column, helped, open_games = f"mean goal, {PRINTED}", list[str](), list[str]()
    games = _cells(run)
    for game, rows in games.items():
        changes = [_compare(rows, option, column) for option in ("cut_on_win=goals", "prune_on_depth=true")]
        if 1 in changes:
            helped.append(game)
        elif None in changes:
            open_games.append(game)
    said = f"clearly better in {', '.join(helped) or 'none'} of {len(games)}; which one it was is not said"
    verdict = REPRODUCED if len(helped) == 1 else PARTLY if len(helped) == 2 else NOT
    if not open_games:
        return Verdict(verdict, said)
    said += f"; intervals too wide to decide in {join(open_games)}"
    return Verdict(PARTLY if len(helped) == 1 else NOT if len(helped) > 2 else INCOMPARABLE, said)


def _unsafe(run: ExperimentRun) -> Verdict:
    column, games = f"mean goal, {PRINTED}", _cells(run)
    named: dict[int | None, list[str]] = {-1: [], 0: [], None: []}
    for game in ("banker_and_thief", "battleships_in_fog"):
        options = [name for name in games[game] if name.startswith(("cut", "prune"))]
        changes = [_compare(games[game], option, column) for option in options]
        named[-1 if -1 in changes else None if None in changes else 0].append(game)
    return judge_clear(named[-1], named[0], named[None], "clearly worse with pruning")


def _samplers(run: ExperimentRun) -> Verdict:
    rows = [row for row in run.table().records() if str(row["sampler"]).startswith("hyperplay, the article")]
    shown = ", ".join(f"{name_short(row)} {show(row.number('mean goal'), row.half('mean goal'))}" for row in rows)
    return Verdict(INCOMPARABLE, f"the article leaves it open; with its sampler against ours, 50 is even: {shown}")


CLAIMS = (
    by_run(
        "HyperPlay values asking at 45, waiting at 50, and never asks",
        "6, example 2",
        "hyperplay2-bomb",
        _bomb("HyperPlay", 45, 50, False),
    ),
    by_run(
        "HyperPlay-II values asking at 90, waiting at 50, and asks",
        "6.4, example 2",
        "hyperplay2-bomb",
        _bomb("HyperPlay-II, as printed", 90, 50, True),
    ),
    by_test(
        "Imperfect-information simulations, definition 8 and equations (20) to (22)",
        "6.3, 6.4",
        "tests/differential/test_simulations.py::test_goals_and_lengths_are_distributed_as_those_of_slow_simulations",
    ),
    by_test(
        "The domain of reasoning is the least upper bound of the information partition, equations (23) and (24)",
        "6.4",
        "tests/differential/test_simulations.py::"
        "test_players_inside_reason_over_the_closure_of_what_any_role_may_believe",
    ),
    by_run(
        "HyperPlay-II is better than an equally resourced HyperPlayer in all experiments",
        "6.5",
        GAMES,
        _better_everywhere,
    ),
    by_run("HyperPlay-II always plays as well as HyperPlay", "7.5", GAMES, _never_worse),
    by_run("Where the topology is favourable HyperPlay is as good", "7.5", GAMES, _as_good),
    by_test(
        "Coordination without communication (cooperative spies) is beyond HyperPlay-II",
        "6.5",
        "tests/unit/search/hyperplay2/test_simulations.py::test_a_spy_sees_no_difference_between_signals",
    ),
    beyond_comparison(
        "Mean goals of appendices F and H, the topologies of appendix G",
        "6.5, 7.2, 7.5",
        "the appendices are not among our papers; the text gives no numbers",
    ),
    by_run("HyperPlay visits O(bf d²) states", "7.1, 7.5", SCALING, _growth("HyperPlay", SETTINGS[0])),
    by_run("HyperPlay-II visits O(bf² d⁴) states", "7.1, 7.5", SCALING, _growth("HyperPlay-II", PRINTED)),
    by_run("HyperPlay-II visits an order of magnitude more states in every game", "7.5", SCALING, _order_of_magnitude),
    by_run("Discounting has little impact", "7.5", PRUNING, _discounting),
    by_run("Pruning helps in one game of five", "7.5", PRUNING, _pruning_helps),
    by_run("Pruning may not be safe in Banker and Thief, and in Battleships in Fog", "7.5", PRUNING, _unsafe),
    by_run("Update() compared with other samplers", "8", "hyperplay-samplers", _samplers),
)
