"""Claims of the OOS paper (Lisý, Lanctot & Bowling 2015), section 4.4.3: matches against each other, figure 4."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import NamedTuple

from veil_lab.papers.oos_settings import BUDGETS, IN_FULL, LARGE_POKER, POKER
from veil_lab.results.claims.verdicts import (
    INCOMPARABLE,
    NOT,
    PARTLY,
    REPRODUCED,
    Claim,
    Verdict,
    by_run,
    by_test,
    join,
    judge_all,
    judge_clear,
    meet,
    show,
    soften,
)
from veil_lab.results.run import ExperimentRun, MissingCellError, RunTable, read_half, read_number

SMALL, LARGE, OVER_BUDGETS, TIMES = "oos-fig4-small", "oos-fig4-large", "oos-fig4-budgets", "oos-fig4-times"
NARROW, NARROW_CHIPS = 5.0, 0.5  # points or chips: half of an interval that decides about a cell of figure 4
THEIR_MATCHES = 500  # per cell
ISMCTS = [(one, two) for one in ("RM", "UCT") for two in ("RM", "UCT")]
SEARCHERS = ("OOS", "UCT", "RM")
Cells = dict[tuple[str, str], tuple[float, float | None]]


def _table(run: ExperimentRun, game: str) -> RunTable:
    """Return the table of a game, whose title begins with its name."""
    for table in run.tables:
        if table.title.startswith(f"{game}:") and table.columns[1:2] == [""]:
            return table
    raise MissingCellError(game)


def _cells(run: ExperimentRun, game: str, whose: str = "ours") -> Cells:
    """Return the cells of a game: (first mover, second mover) -> mean and half of its interval."""
    found = {}
    for row in _table(run, game).find_all(_=whose):
        for second in (*SEARCHERS, "RND"):
            found[str(row["first"]), second] = read_number(row[second]), read_half(row[second])
    return found


def _agree(game: str, experiment: str, figure: str) -> Claim:
    """Return the claim that all cells of a table are as printed."""

    def decide(run: ExperimentRun) -> Verdict:
        ours, theirs = _cells(run, game), _cells(run, game, "theirs")
        unknown = [pair for pair in ours if ours[pair][1] is None and _has_fewer_matches(run)]  # equal results
        good = [pair for pair in ours if pair in unknown or meet(ours[pair], theirs[pair])]
        narrow = NARROW_CHIPS if game in (POKER, LARGE_POKER) else NARROW
        wide = [pair for pair in good if _is_open(run, ours[pair][1], narrow)]
        off = [
            f"{one}-{two} ({show(*ours[one, two])}, theirs {show(*theirs[one, two])})"
            for one, two in ours
            if (one, two) not in good and {one, two} <= set(SEARCHERS)
        ]
        searchers = sum(set(pair) <= set(SEARCHERS) for pair in good)
        why = f"intervals meet in {len(good)} of {len(ours)} cells, {searchers} of 9 between searchers"
        why += f"; not in {', '.join(off)}" if off else ""
        verdict = REPRODUCED if len(good) == len(ours) else PARTLY if len(good) >= len(ours) / 2 else NOT
        if wide:
            widest = max(ours[pair][1] or 0.0 for pair in wide)
            without = f", {len(unknown)} without an interval" if unknown else ""
            why += f"; {len(wide)} of those that meet are too wide to decide, up to ± {widest:.2g}{without}"
            verdict = NOT if verdict == NOT else PARTLY if len(good) > len(wide) else INCOMPARABLE
        return _weigh_work(Verdict(verdict, why), run, game)

    return by_run(f"{game}: the 16 cells of the table", f"4.4.3, figure 4({figure})", experiment, decide)


def _is_open(run: ExperimentRun, half: float | None, narrow: float) -> bool:
    """Return whether an interval is too wide to decide: one of fewer matches than theirs may be."""
    return _has_fewer_matches(run) and (half is None or half > narrow)


def _has_fewer_matches(run: ExperimentRun) -> bool:
    return int(run.table().settings["matches per cell"]) < THEIR_MATCHES


def _weigh_work(verdict: Verdict, run: ExperimentRun, game: str) -> Verdict:
    """Return a verdict, or a weaker one if moves had less work than in the paper: results depend on it."""
    given, theirs = run.given.get("seconds"), BUDGETS[game].seconds
    if given is None or given >= theirs:
        return verdict
    costs = [remark for remark in _table(run, game).remarks if remark.startswith(IN_FULL)]
    told = "".join(f"; {remark[0].lower()}{remark[1:].rstrip('.')}" for remark in costs)
    return soften(verdict, f"a move has the work of {given:g} s, theirs of {theirs:g} s{told}")


def _against(run: ExperimentRun, game: str, even: float) -> list[tuple[str, float, float]]:
    """Return (seat and opponent, mean of OOS above even, half) of the four meetings of OOS with ISMCTS.

    Half of an interval that is not known is infinite.
    """
    cells, found = _cells(run, game), []
    for other in ("UCT", "RM"):
        value, half = cells["OOS", other]
        found.append((f"first against {other}", value - even, inf if half is None else half))
        value, half = cells[other, "OOS"]
        found.append((f"second against {other}", even - value, inf if half is None else half))
    return found


def _value_in_both_seats(run: ExperimentRun) -> Verdict:
    rows = _against(run, "II-GS(6)", 50.0)
    good = [f"{name} ({50 + value:.1f})" for name, value, half in rows if value + half >= 0 or value > -1.5]
    bad = [
        f"{name} ({50 + value:.1f} ± {half:.1f})"
        for name, value, half in rows
        if not (value + half >= 0 or value > -1.5)
    ]
    return judge_all(good, bad, "OOS has about 50 %")


def _first_seat(run: ExperimentRun) -> Verdict:
    cells = _cells(run, "II-GS(6)")
    pairs = [(one, two) for one in ("UCT", "RM") for two in ("UCT", "RM")]
    good = [
        f"{one}-{two} ({show(*cells[one, two])})"
        for one, two in pairs
        if cells[one, two][0] - (cells[one, two][1] or 0) > 55
    ]
    bad = [
        f"{one}-{two} ({show(*cells[one, two])})"
        for one, two in pairs
        if cells[one, two][0] - (cells[one, two][1] or 0) <= 55
    ]
    return judge_all(good, bad, "the first seat wins clearly more than 55 %")


def _with_some_reading(run: ExperimentRun) -> Verdict:
    """Decide whether one reading at one number of walks has all four cells of ISMCTS against itself in II-GS(6)."""
    met, widest = dict[str, set[str]](), dict[str, float]()
    for table in run.tables:
        if not table.name.startswith(f"{OVER_BUDGETS}-ii-gs-"):
            continue
        rows = {(row["first"], row["second"]): row for row in table.records()}
        for walks in (column for column in table.columns if column.endswith(" walks")):
            name = f"`{table.name.removeprefix(f'{OVER_BUDGETS}-ii-gs-')}` with {walks}"
            cells = {pair: (rows[pair].number(walks), rows[pair].half(walks)) for pair in ISMCTS}
            theirs = {pair: (rows[pair].number("theirs"), rows[pair].half("theirs")) for pair in ISMCTS}
            met[name] = {f"{one}-{two}" for one, two in ISMCTS if meet(cells[one, two], theirs[one, two])}
            widest[name] = max(half or 0.0 for _, half in cells.values())
    if not met:
        raise MissingCellError(OVER_BUDGETS)
    whole = [name for name, cells in met.items() if len(cells) == len(ISMCTS)]
    most = max(len(cells) for cells in met.values())
    best = [f"{name} ({join(sorted(cells))})" for name, cells in met.items() if cells and len(cells) == most]
    if whole:
        told = f"all four cells meet with {join(f'{name} (intervals of up to ± {widest[name]:.0f})' for name in whole)}"
        if min(widest[name] for name in whole) <= NARROW:
            return Verdict(REPRODUCED, told)
        return Verdict(INCOMPARABLE, f"{told}, which are too wide to decide")
    alone = join(name for name, cells in met.items() if "RM-RM" in cells) or "none"
    why = f"no reading at one number of walks has all four; {most} of them meet with {join(best) or 'none'}"
    return Verdict(PARTLY if most else NOT, f"{why}; RM-RM meets with {alone}")


def _exploits_not(run: ExperimentRun) -> Verdict:
    rows = [row for row in _against(run, "II-GS(6)", 50.0) if row[0].startswith("first")]
    good = [f"{name} ({50 + value:.1f})" for name, value, half in rows if value - half <= 2]
    return judge_all(good, [name for name, value, half in rows if value - half > 2], "OOS wins no more than the value")


def _wins(game: str, experiment: str, text: str, figure: str) -> Claim:
    def decide(run: ExperimentRun) -> Verdict:
        rows = _against(run, game, 50.0)
        sorts = Sorts([], [], [])
        for other in ("UCT", "RM"):
            seats = [row for row in rows if row[0].endswith(other)]
            told = ", ".join(f"{_tell(50 + value, half, 1)} {name.split()[0]}" for name, value, half in seats)
            wins = any(value - half > 0 for _, value, half in seats)
            loses = all(value + half < 0 for _, value, half in seats)
            sorts.add(f"{other} ({told})", wins, loses or not _has_fewer_matches(run))
        return _weigh_work(judge_clear(*sorts, "clearly more than 50 % from a seat"), run, game)

    return by_run(text, f"4.4.3, figure 4({figure})", experiment, decide)


def _tell(value: float, half: float, digits: int = 2) -> str:
    """Return a mean with its interval, if there is one."""
    if half == inf:
        return f"{value:.{digits}f}, no interval"
    return f"{value:.{digits}f} ± {half:.{digits}f}"


class Sorts(NamedTuple):
    """Cases in which a claim holds, does not hold, or is not decided."""

    good: list[str]
    bad: list[str]
    unclear: list[str]

    def add(self, name: str, holds: bool, fails: bool) -> None:
        """Add a case."""
        (self.good if holds else self.bad if fails else self.unclear).append(name)


def _loses(game: str, even: float, seats: tuple[str, ...]) -> Callable[[ExperimentRun], Verdict]:
    def decide(run: ExperimentRun) -> Verdict:
        sorts = Sorts([], [], [])
        for name, value, half in _against(run, game, even):
            if name.startswith(seats):
                fails = value - half > 0 or not _has_fewer_matches(run)
                sorts.add(f"{name} ({_tell(value, half)})", value + half < 0, fails)
        return _weigh_work(judge_clear(*sorts, "OOS clearly loses"), run, game)

    return decide


def _ties(run: ExperimentRun) -> Verdict:
    sorts = Sorts([], [], [])
    for name, value, half in _against(run, LARGE_POKER, 0.0):
        if name.startswith("second"):
            holds = abs(value) <= half and not _is_open(run, half, NARROW_CHIPS)
            sorts.add(f"{name} ({_tell(value, half)})", holds, abs(value) > half)
    return _weigh_work(judge_clear(*sorts, "0 is in the interval"), run, LARGE_POKER)


def _other_time(game: str) -> Callable[[ExperimentRun], Verdict]:
    """Return the decision on the figures that the text gives for a game with another time per move."""

    def decide(run: ExperimentRun) -> Verdict:
        rows = run.table(TIMES).find_all(game=game)
        if not rows:
            raise MissingCellError(game)
        narrow = NARROW_CHIPS if game == POKER else NARROW
        sorts = Sorts([], [], [])
        for row in rows:
            value, half, theirs = row.number("ours"), row.half("ours"), row.number("theirs")
            name = f"{row['first']} before {row['second']} ({show(value, half)}, theirs {theirs:g})"
            off = half is not None and abs(value - theirs) > half
            sorts.add(name, not off and not _is_open(run, half, narrow), off)
        verdict = judge_clear(*sorts, "theirs is in our interval")
        given, theirs_seconds = run.given.get("seconds"), rows[0].number("seconds")
        if given is not None and given < theirs_seconds:
            verdict = soften(verdict, f"a move has the work of {given:g} s")
        hours = sum(row.number("hours in full") for row in rows)
        full = f"; in full these cells take {hours:,.0f} hours of one core" if _has_fewer_matches(run) else ""
        return Verdict(verdict.verdict, verdict.why + full)

    return decide


CLAIMS = (
    by_run("II-GS(6): ISMCTS against itself favours the first player", "4.4.3, figure 4(a)", SMALL, _first_seat),
    by_run("II-GS(6): OOS wins about 50 % from both seats", "4.4.3, figure 4(a)", SMALL, _value_in_both_seats),
    by_run("II-GS(6): OOS does not exploit the weaker play of ISMCTS", "4.4.3, figure 4(a)", SMALL, _exploits_not),
    _agree("II-GS(6)", SMALL, "a"),
    by_run(
        "II-GS(6): the four cells of ISMCTS against itself, with some work per move and reading of the text",
        "4.4.3, figure 4(a)",
        OVER_BUDGETS,
        _with_some_reading,
    ),
    _wins("LD(1,1)", SMALL, "LD(1,1): OOS wins over UCT and RM from at least one seat", "b"),
    _agree("LD(1,1)", SMALL, "b"),
    by_run(
        "GP(3,3,2,2): OOS loses from both seats",
        "4.4.3, figure 4(c)",
        SMALL,
        _loses("GP(3,3,2,2)", 0.0, ("first", "second")),
    ),
    _agree("GP(3,3,2,2)", SMALL, "c"),
    by_run(
        "II-GS(13): ISMCTS wins over OOS from both seats",
        "4.4.3, figure 4(d)",
        LARGE,
        _loses("II-GS(13)", 50.0, ("first", "second")),
    ),
    _agree("II-GS(13)", LARGE, "d"),
    _wins("LD(2,2)", LARGE, "LD(2,2), 5 s: OOS wins over UCT and ties with RM", "e"),
    _agree("LD(2,2)", LARGE, "e"),
    by_run(
        "GP(4,6,4,4): OOS loses from the first seat",
        "4.4.3, figure 4(f)",
        LARGE,
        _loses("GP(4,6,4,4)", 0.0, ("first",)),
    ),
    by_run("GP(4,6,4,4): OOS ties from the second seat", "4.4.3, figure 4(f)", LARGE, _ties),
    _agree("GP(4,6,4,4)", LARGE, "f"),
    by_run("II-GS(13), 5 s per move: OOS wins 35 % against UCT", "4.4.3", TIMES, _other_time("II-GS(13)")),
    by_run(
        "LD(2,2), 1 s: OOS wins 45 and 40 % first, loses 69 and 66 % second", "4.4.3", TIMES, _other_time("LD(2,2)")
    ),
    by_run("GP(3,3,2,2), 5 s: OOS against UCT improves to -0.22", "4.4.3", TIMES, _other_time("GP(3,3,2,2)")),
    by_test(
        "The first player loses 0.11 chips in GP(3,3,2,2), about 1 % in LD(1,1); II-Goofspiel is balanced",
        "4.4.3",
        "tests/unit/veil_lab/papers/test_oos_settings.py::"
        "test_the_values_of_the_small_games_are_those_that_the_paper_names",
    ),
    by_test(
        "II-GS(13) has about 3.8e19 terminal histories",
        "4.4.3",
        "tests/unit/veil_lab/papers/test_oos_settings.py::"
        "test_goofspiel_has_as_many_ends_as_pairs_of_orders_of_the_cards",
    ),
)
