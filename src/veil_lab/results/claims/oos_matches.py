"""Claims of the OOS paper (Lisý, Lanctot & Bowling 2015), section 4.4.3: matches against each other, figure 4."""

from __future__ import annotations

from collections.abc import Callable

from veil_lab.results.claims.verdicts import (
    NOT,
    PARTLY,
    REPRODUCED,
    Claim,
    Verdict,
    by_run,
    join,
    judge_all,
    judge_each,
    meet,
    show,
    untried,
)
from veil_lab.results.run import ExperimentRun, MissingCellError, RunTable, read_half, read_number

SMALL, LARGE, BUDGETS = "oos-fig4-small", "oos-fig4-large", "oos-fig4-budgets"
NARROW = 5.0  # points: half of an interval that decides about a cell of figure 4
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
        good = [pair for pair in ours if meet(ours[pair], theirs[pair])]
        off = [
            f"{one}-{two} ({show(*ours[one, two])}, theirs {show(*theirs[one, two])})"
            for one, two in ours
            if (one, two) not in good and {one, two} <= set(SEARCHERS)
        ]
        searchers = sum(set(pair) <= set(SEARCHERS) for pair in good)
        why = f"intervals meet in {len(good)} of {len(ours)} cells, {searchers} of 9 between searchers"
        verdict = REPRODUCED if len(good) == len(ours) else PARTLY if len(good) >= len(ours) / 2 else NOT
        return Verdict(verdict, why + (f"; not in {', '.join(off)}" if off else ""))

    return by_run(f"{game}: the 16 cells of the table", f"4.4.3, figure 4({figure})", experiment, decide)


def _against(run: ExperimentRun, game: str, even: float) -> list[tuple[str, float, float]]:
    """Return (seat and opponent, mean of OOS above even, half) of the four meetings of OOS with ISMCTS."""
    cells, found = _cells(run, game), []
    for other in ("UCT", "RM"):
        value, half = cells["OOS", other]
        found.append((f"first against {other}", value - even, half or 0.0))
        value, half = cells[other, "OOS"]
        found.append((f"second against {other}", even - value, half or 0.0))
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
        if not table.name.startswith(f"{BUDGETS}-ii-gs-"):
            continue
        rows = {(row["first"], row["second"]): row for row in table.records()}
        for walks in (column for column in table.columns if column.endswith(" walks")):
            name = f"`{table.name.removeprefix(f'{BUDGETS}-ii-gs-')}` with {walks}"
            cells = {pair: (rows[pair].number(walks), rows[pair].half(walks)) for pair in ISMCTS}
            theirs = {pair: (rows[pair].number("theirs"), rows[pair].half("theirs")) for pair in ISMCTS}
            met[name] = {f"{one}-{two}" for one, two in ISMCTS if meet(cells[one, two], theirs[one, two])}
            widest[name] = max(half or 0.0 for _, half in cells.values())
    if not met:
        raise MissingCellError(BUDGETS)
    whole = [name for name, cells in met.items() if len(cells) == len(ISMCTS)]
    most = max(len(cells) for cells in met.values())
    best = [f"{name} ({join(sorted(cells))})" for name, cells in met.items() if cells and len(cells) == most]
    if whole:
        told = join(f"{name} (intervals of up to ± {widest[name]:.0f})" for name in whole)
        is_narrow = min(widest[name] for name in whole) <= NARROW
        return Verdict(REPRODUCED if is_narrow else PARTLY, f"all four cells meet with {told}")
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
        cases = list[tuple[str, bool]]()
        for other in ("UCT", "RM"):
            seats = [row for row in rows if row[0].endswith(other)]
            told = ", ".join(f"{50 + value:.1f} ± {half:.1f} {name.split()[0]}" for name, value, half in seats)
            shown = f"{other} ({told})"
            cases.append((shown, any(value - half > 0 for _, value, half in seats)))
        return judge_each(cases, "clearly more than 50 % from a seat")

    return by_run(text, f"4.4.3, figure 4({figure})", experiment, decide)


def _loses(game: str, even: float, seats: tuple[str, ...]) -> Callable[[ExperimentRun], Verdict]:
    def decide(run: ExperimentRun) -> Verdict:
        rows = [row for row in _against(run, game, even) if row[0].startswith(seats)]
        shown = {name: f"{name} ({value:+.2f} ± {half:.2f})" for name, value, half in rows}
        good = [shown[name] for name, value, half in rows if value + half < 0]
        return judge_all(good, [text for text in shown.values() if text not in good], "OOS clearly loses")

    return decide


def _ties(run: ExperimentRun) -> Verdict:
    rows = [row for row in _against(run, "GP(4,6,4,4)", 0.0) if row[0].startswith("second")]
    shown = {name: f"{name} ({value:+.2f} ± {half:.2f})" for name, value, half in rows}
    good = [shown[name] for name, value, half in rows if abs(value) <= half]
    return judge_all(good, [text for text in shown.values() if text not in good], "0 is in the interval")


CLAIMS = (
    by_run("II-GS(6): ISMCTS against itself favours the first player", "4.4.3, figure 4(a)", SMALL, _first_seat),
    by_run("II-GS(6): OOS wins about 50 % from both seats", "4.4.3, figure 4(a)", SMALL, _value_in_both_seats),
    by_run("II-GS(6): OOS does not exploit the weaker play of ISMCTS", "4.4.3, figure 4(a)", SMALL, _exploits_not),
    _agree("II-GS(6)", SMALL, "a"),
    by_run(
        "II-GS(6): the four cells of ISMCTS against itself, with some work per move and reading of the text",
        "4.4.3, figure 4(a)",
        BUDGETS,
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
    untried("II-GS(13), 5 s per move: OOS wins 35 % against UCT", "4.4.3", "no run with five seconds is kept"),
    untried(
        "LD(2,2), 1 s: OOS wins 45 and 40 % first, loses 69 and 66 % second", "4.4.3", "no run with one second is kept"
    ),
    untried("GP(3,3,2,2), 5 s: OOS against UCT improves to -0.22", "4.4.3", "no run with five seconds is kept"),
    untried(
        "The first player loses 0.11 chips in GP(3,3,2,2), about 1 % in LD(1,1); II-Goofspiel is balanced",
        "4.4.3",
        "`veil solve` says so, and the headers of the games; no run of it is kept",
    ),
    untried("II-GS(13) has about 3.8e19 terminal histories", "4.4.3", "nothing here counts them"),
)
