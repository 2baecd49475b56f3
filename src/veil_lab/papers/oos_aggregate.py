"""Figure 3 of the OOS paper: exploitability of online players by the aggregate method, over computation per move.

1. Every player plays matches against random moves, in both seats, with a given number of iterations per move.
2. The knowledge of its searches becomes one policy (`veil exploit --method aggregate`), evaluated by best responses.

The paper's horizontal axis is time per move. Here it is iterations, so that a seed gives one result on any machine; the
seconds of a search stand beside them. The paper's exploitability is NashConv.

Strategies are added up in a *way* (`AggregateWay`). Ours is mean strategy times visits. The paper adds the visits of
ISMCTS, which is the same, but the sums s_I of Online Outcome Sampling with the importance weights of its walks. The
authors' program leaves out infosets with less than 20 samples, and plays uniformly where it has nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from veil.equilibrium import PreparedGame, Unreached, prepare
from veil.match import ExploitConfig, Weighting
from veil.report import Report, pyplot, save
from veil_lab.exploitability import judge_player
from veil_lab.papers.oos_settings import (
    DICE,
    GOOFSPIEL,
    PAPER,
    POKER,
    RM,
    SMALL,
    SMALLER,
    UCT,
    choose_games,
    name_player,
)
from veil_lab.series import open_workers

ITERATIONS, QUICK_ITERATIONS = (100, 300, 1000, 3000, 10_000, 30_000), (50, 200)
LATER = {GOOFSPIEL: (100_000, 300_000)}  # where the paper says how more time changes ISMCTS
MATCHES, QUICK_MATCHES = 500, 10  # per role


class AggregateWay(NamedTuple):
    """A way to add up the strategies of searches."""

    weights: Weighting = "visits"
    least_visits: int = 0
    unreached: Unreached = "fixed"


OURS = AggregateWay()
PAPER_WAY, PROGRAM_WAY = AggregateWay("sums"), AggregateWay("sums", 20, "uniform")
OOS_WAYS = {"OOS, ours": OURS, "OOS, sums": PAPER_WAY, "OOS, sums, 20 samples": PROGRAM_WAY}


class AggregatePoint(NamedTuple):
    """One player with one number of iterations per move."""

    game: str
    player: str
    iterations: int
    seconds: float  # per match
    nash_conv: float


def aggregate(seed: int = 0, quick: bool = False, matches: int | None = None) -> Report:
    """Return figures 3(b, e, i): OOS and ISMCTS."""
    kinds = {"OOS": "oos:target=ist,delta=0.5,epsilon=0.4", "UCT": UCT, "RM": RM}
    wanted = [
        (name, kind, spec, step)
        for name in SMALL
        for kind, spec in kinds.items()
        for step in (QUICK_ITERATIONS if quick else (*ITERATIONS, *LATER.get(name, ())))
    ]
    theirs = {
        (GOOFSPIEL, "UCT"): "rises",
        (GOOFSPIEL, "RM"): "rises",
        (GOOFSPIEL, "OOS"): "lowest",
        (DICE, "OOS"): "falls steadily",
        (DICE, "UCT"): "hardly falls",
        (DICE, "RM"): "hardly falls",
        (POKER, "UCT"): "below OOS",
        (POKER, "RM"): "below OOS",
        (POKER, "OOS"): "above ISMCTS",
    }
    count = count_matches(quick, matches)
    points = measure_all(wanted, seed, quick, count)
    report = report_points(
        name="oos-fig3-aggregate",
        title="NashConv of online players by the aggregate method, over iterations per move",
        source="section 4.4.2, figures 3(b), 3(e), 3(i)",
        points=points,
        draw=_draw,
        theirs=theirs,
        settings={"matches per role": count_matches(quick, matches), "seed": seed},
        remarks=[
            "OOS with information set targeting, delta 0.5 and epsilon 0.4; unreached: one fixed random move.",
            "Mean strategies count by visits, which for OOS is not the paper's way: see the next table.",
            *([SMALLER] if quick else []),
        ],
    )
    of_oos = [entry for entry in wanted if entry[1] == "OOS"]
    ours = [point._replace(player="OOS, ours") for point in points if point.player == "OOS"]
    return replace(report, parts=[compare_ways(of_oos, ours, seed, quick, count)])


def compare_ways(
    wanted: Sequence[Wanted], ours: Sequence[AggregatePoint], seed: int, quick: bool, matches: int
) -> Report:
    """Return the points of Online Outcome Sampling in all ways to add up its strategies."""
    points = list(ours)
    for name, way in OOS_WAYS.items():
        if way != OURS:
            points += measure_all(
                [(game, name, spec, step) for game, _, spec, step in wanted], seed, quick, matches, way
            )
    points.sort(key=lambda point: SMALL.index(point.game))
    return report_points(
        name="oos-fig3-aggregate-sums",
        title="NashConv of OOS by ways to add up its strategies, over iterations per move",
        source="sections 4.2 and 4.4.2",
        points=points,
        draw=None,
        theirs={},
        settings={"matches per role": matches, "seed": seed},
        remarks=[
            "Ours: mean strategy times visits. Sums: s_I with the importance weights of walks, as section 4.2 says.",
            "20 samples: s_I without infosets of less than 20 visits, uniform elsewhere, as the authors' program does.",
        ],
    )


Wanted = tuple[str, str, str, int]  # the paper's game, the player in words, its spec, iterations per move


def count_matches(quick: bool, matches: int | None) -> int:
    """Return the matches per role: the given number, or those of the paper, or a few."""
    return matches or (QUICK_MATCHES if quick else MATCHES)


def measure_all(
    wanted: Sequence[Wanted], seed: int, quick: bool, matches: int, way: AggregateWay = OURS
) -> list[AggregatePoint]:
    """Return the points of a figure. The work is spread over all processors unless it is `quick`."""
    games = {name: prepare(choose_games(quick)[name]) for name in dict.fromkeys(entry[0] for entry in wanted)}
    with open_workers(alone=quick) as executor:
        return [measure(games[entry[0]], entry, seed, matches, executor, way) for entry in wanted]


def measure(
    game: PreparedGame,
    wanted: Wanted,
    seed: int,
    matches: int,
    executor: Executor | None = None,
    way: AggregateWay = OURS,
) -> AggregatePoint:
    """Return one point of a figure."""
    name, kind, spec, iterations = wanted
    player = name_player(spec, iterations=iterations)
    config = ExploitConfig(player=player, method="aggregate", matches=matches, seed=seed, **way._asdict())
    judged = judge_player(game, config, executor)
    return AggregatePoint(name, kind, iterations, judged.seconds / (matches * len(game.roles)), judged.nash_conv)


def report_points(
    *,
    name: str,
    title: str,
    source: str,
    points: Sequence[AggregatePoint],
    draw: Callable[[Path, Sequence[AggregatePoint]], None] | None,
    theirs: Mapping[tuple[str, str], str],
    settings: Mapping[str, Any],
    remarks: Sequence[str],
) -> Report:
    """Return a report with a row per game and player, and a column per number of iterations."""
    steps = sorted({point.iterations for point in points})
    found = {(point.game, point.player, point.iterations): point for point in points}
    pairs = list(dict.fromkeys((point.game, point.player) for point in points))
    rows = []
    for pair in pairs:
        line = [found.get((*pair, step)) for step in steps]
        seconds = [point.seconds for point in line if point is not None][-1]
        values = (None if point is None else point.nash_conv for point in line)
        rows.append((*pair, theirs.get(pair, ""), *values, f"{seconds:.2g}"))
    return Report(
        name=name,
        title=title,
        source=f"{PAPER}, {source}",
        settings=dict(settings),
        columns=("game", "player", "theirs", *(f"{step:,}" for step in steps), "s per match at the end"),
        rows=rows,
        remarks=[*remarks, "Theirs are curves without numbers; what the text says about them stands beside ours."],
        figures={} if draw is None else {f"{name}.png": lambda path: draw(path, points)},
        series={
            field: [getattr(point, field) for point in points]
            for field in ("game", "player", "iterations", "seconds", "nash_conv")
        },
    )


def _draw(path: Path, points: Sequence[AggregatePoint]) -> None:
    """Draw a panel per game, a line per player."""
    plt = pyplot()
    names = list(dict.fromkeys(point.game for point in points))
    figure, axes = plt.subplots(1, len(names), figsize=(4.2 * len(names), 3.8), layout="constrained")
    for axis, name in zip(axes, names, strict=True):
        for player in dict.fromkeys(point.player for point in points if point.game == name):
            draw_line(axis, points, name, player, marker=".")
        finish_panel(axis, name)
    axes[0].set_ylabel("NashConv")
    axes[0].legend(fontsize=8)
    save(figure, path)


def draw_line(axis: Any, points: Sequence[AggregatePoint], game: str, player: str, **look: Any) -> None:
    """Draw the points of one player in one game, as a line."""
    line = [point for point in points if (point.game, point.player) == (game, player)]
    axis.plot([point.iterations for point in line], [point.nash_conv for point in line], label=player, **look)


def finish_panel(axis: Any, title: str) -> None:
    """Set the properties of all panels over iterations."""
    axis.set_xscale("log")
    axis.set_ylim(bottom=0)
    axis.set_title(title, fontsize=10)
    axis.set_xlabel("iterations per move")
