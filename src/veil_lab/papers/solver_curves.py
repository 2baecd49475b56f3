"""How fast the members of the CFR family come near an equilibrium: NashConv over iterations, and processor time.

1. Every method runs on every game, from the uniform policies.
2. After 1, 2, 3, ... iterations, a tenth more each time, the average policies are evaluated by exact best responses.
3. A run ends at the lowest target, or when it has read `WORK` entries of the sequence form.

The time of evaluations is not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from veil.equilibrium import SOLVERS, PreparedGame, evaluate_profile, prepare
from veil.report import Report, pyplot, save

METHODS = ("cfr+", "dcfr", "pcfr+", "pdcfr+", "hs-pcfr+")
GAMES = (
    "leduc_poker",
    "generic_poker(3, 3, 2, 2)",
    "liars_dice(1, 1, 6)",
    "ii_goofspiel(5)",
    "ii_goofspiel(6)",
)
LARGE_GAMES = ("ii_goofspiel(7)",)  # 47 million nodes
QUICK_GAMES = ("kuhn_poker", "ii_goofspiel(4)")
TARGETS = (1e-2, 1e-3, 1e-4)
GROWTH = 1.1  # of iterations from one evaluation to the next
WORK, QUICK_WORK, LARGE_WORK = 4_000_000_000, 20_000_000, 12_000_000_000  # entries that a run reads at most


class CurvePoint(NamedTuple):
    """The progress of a run at one evaluation."""

    iterations: int
    seconds: float  # of processor time, in iterations
    nash_conv: float


def compare_solvers(seed: int = 0, quick: bool = False) -> Report:
    """Return the iterations and seconds that every method needs."""
    return fill_table("solver-curves", QUICK_GAMES if quick else GAMES, seed, QUICK_WORK if quick else WORK)


def compare_in_large_game(seed: int = 0, quick: bool = False) -> Report:
    """Return what every method needs in a game of 47 million nodes."""
    return fill_table(
        "solver-curves-large", QUICK_GAMES[:1] if quick else LARGE_GAMES, seed, QUICK_WORK if quick else LARGE_WORK
    )


def fill_table(name: str, games: Sequence[str], seed: int, work: int) -> Report:
    """Return a report with a row per game and method; `work` are the entries that a run reads at most."""
    curves: dict[tuple[str, str], list[CurvePoint]] = {}
    ranges = {}
    for game in games:
        prepared = prepare(game)
        utility = prepared.tree.flat.utility
        ranges[game] = f"{utility.min():g} to {utility.max():g}"
        for method in METHODS:
            curves[game, method] = follow(prepared, method, seed, work)
    targets = [f"{kind} to {target:g}" for target in TARGETS for kind in ("iterations", "seconds")]
    rows = [(game, method, *_find_targets(points)) for (game, method), points in curves.items()]
    return Report(
        name=name,
        title="iterations and processor seconds of solvers to a NashConv",
        source="papers of the methods: docs/understand/solving.md",
        settings={"entries read at most": work},
        columns=("game", "method", *targets),
        rows=rows,
        remarks=[
            f"NashConv is in utilities: {'; '.join(f'{game} {span}' for game, span in ranges.items())}.",
            "Evaluations come after a tenth more iterations each, so iterations are right to a tenth.",
        ],
        figures={f"{name}.png": lambda path: _draw(path, curves)},
        series=_list_points(curves),
    )


def follow(prepared: PreparedGame, method: str, seed: int, work: int) -> list[CurvePoint]:
    """Return the course of one run."""
    solver = SOLVERS.make(method, prepared, seed)
    points: list[CurvePoint] = []
    spent = 0.0
    goal = 1
    while goal * len(prepared.form.weight) <= work:
        start = process_time()
        solver.run(goal - solver.iterations)
        spent += process_time() - start
        nash_conv = evaluate_profile(prepared.form, solver.average()).nash_conv
        points.append(CurvePoint(solver.iterations, spent, nash_conv))
        if nash_conv <= TARGETS[-1]:
            break
        goal = int(goal * GROWTH) + 1
    return points


def _find_targets(points: Sequence[CurvePoint]) -> list[str]:
    """Return the iterations and seconds to every target."""
    cells = []
    for target in TARGETS:
        first = next((point for point in points if point.nash_conv <= target), None)
        cells += ["-", "-"] if first is None else [f"{first.iterations:,}", f"{first.seconds:.2g}"]
    return cells


def _list_points(curves: dict[tuple[str, str], list[CurvePoint]]) -> dict[str, list[Any]]:
    """Return the columns of the data."""
    rows = [
        (game, method, point.iterations, round(point.seconds, 4), point.nash_conv)
        for (game, method), points in curves.items()
        for point in points
    ]
    names = ("game", "method", "iterations", "seconds", "nash_conv")
    return {name: [row[column] for row in rows] for column, name in enumerate(names)}


def _draw(path: Path, curves: dict[tuple[str, str], list[CurvePoint]]) -> None:
    """Draw NashConv over iterations, a panel per game."""
    games = list(dict.fromkeys(game for game, _ in curves))
    figure, panels = pyplot().subplots(1, len(games), figsize=(4 * len(games), 3.5), squeeze=False)
    for game, panel in zip(games, panels[0], strict=True):
        for method in METHODS:
            points = curves[game, method]
            panel.loglog([point.iterations for point in points], [point.nash_conv for point in points], label=method)
        panel.set_title(game, fontsize=8)
        panel.set_xlabel("iterations")
    panels[0][0].set_ylabel("NashConv")
    panels[0][0].legend(fontsize=7)
    save(figure, path)
