"""How near the walk comes to an equilibrium of games that fit into no memory as trees: NashConv over iterations.

1. A game is prepared to be walked: its distinct states, the classes of records, its symmetries.
2. PCFR+ runs from the uniform policies. Its average is evaluated exactly after 16, 32, 64, ... iterations.
3. A run ends at the target, or after `MOST` iterations.

Seconds are of processor time, of iterations and evaluations together, without the preparation.
"""

from __future__ import annotations

from functools import partial
from time import process_time

from veil.engine import load
from veil.equilibrium import SOLVERS, Walk, judge_slots, prepare_walk, uniform_policy
from veil.report import Report
from veil_lab.papers.experiments import split_games
from veil_lab.papers.solver_curves import CurvePoint
from veil_lab.result_cache import get_or_compute

GAMES = {  # what an option calls it -> the game
    "phantom_tictactoe": "phantom_tictactoe(turns=abrupt)",
    "dark_hex": "dark_hex(size=3, turns=abrupt)",
    "ii_goofspiel": "ii_goofspiel(cards=8)",
}
QUICK_GAMES = ("ii_goofspiel(cards=4)",)
METHOD = "pcfr+"
TARGET = 0.1  # NashConv
FIRST, MOST, QUICK_MOST = 16, 64, 16  # iterations


def compare_without_tree(seed: int = 0, quick: bool = False, game: str | None = None) -> Report:
    """Return the course of PCFR+ in every game, or in some of them: names with commas."""
    games = QUICK_GAMES if quick else [GAMES[one] for one in split_games(game)] if game else list(GAMES.values())
    rows, series = list[tuple[object, ...]](), list[tuple[object, ...]]()
    for name in games:
        rules = load(name)
        points = get_or_compute(
            {"what": "walked curve", "rules": rules.fingerprint, "method": METHOD, "quick": quick},
            list[CurvePoint],
            partial(_follow_game, name, QUICK_MOST if quick else MOST),
        )
        rows += [(name, f"{point.iterations:,}", f"{point.nash_conv:.4f}", f"{point.seconds:,.0f}") for point in points]
        series += [(name, METHOD, point.iterations, round(point.seconds, 1), point.nash_conv) for point in points[1:]]
    names = ("game", "method", "iterations", "seconds", "nash_conv")
    return Report(
        name="solver-curves-walked",
        title="exact NashConv of PCFR+ in games without a tree",
        source="ours; the games: github.com/gabrfarina/exp-a-spiel",
        settings={"target": TARGET, "method": METHOD},
        columns=("game", "iterations", "NashConv", "processor seconds"),
        rows=rows,
        remarks=["NashConv is in utilities, 1 for a win and -1 for a loss; the first row of a game is uniform play."],
        series={name: [row[column] for row in series] for column, name in enumerate(names)},
    )


def _follow_game(name: str, most: int) -> list[CurvePoint]:
    """Return the course of a run in a game."""
    return follow_walk(prepare_walk(load(name)), most)


def follow_walk(walk: Walk, most: int) -> list[CurvePoint]:
    """Return the course of one run; its first point is uniform play."""
    begin, first = process_time(), judge_slots(walk, uniform_policy(walk.form), is_uniform=True)
    points = [CurvePoint(0, process_time() - begin, first.nash_conv)]
    solver, begin = SOLVERS.make(METHOD, walk, 0), process_time()
    while points[-1].nash_conv > TARGET and solver.iterations < most:
        solver.run(max(FIRST, solver.iterations))
        judged = judge_slots(walk, solver.average())
        points.append(CurvePoint(solver.iterations, process_time() - begin, judged.nash_conv))
    return points
