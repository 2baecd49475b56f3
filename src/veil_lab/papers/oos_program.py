"""Figure 3(b) of the OOS paper with what the authors' program does: does regret matching become more exploitable?

The paper says that both variants of ISMCTS become more exploitable in II-Goofspiel with more time per move. Ours do not
all do so (`oos-fig3-aggregate`). Their public program differs from their text in how it walks and in how strategies are
added up, so II-GS(6) is measured with either, and with both:

- walks as in the text, or as in the program (`oos_settings.PROGRAM_WALKS`), with as many walks before the match as for
  a move, and exploration 0.1 in regret matching;
- added up our way, or as the program does: without infosets of less than 20 samples, uniform elsewhere.

A curve *rises* if its last point is above its lowest by more than 3 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veil.report import Report, pyplot, save
from veil_lab.papers.oos_aggregate import (
    OURS,
    PROGRAM_WAY,
    AggregatePoint,
    count_matches,
    draw_line,
    finish_panel,
    measure_all,
    report_points,
)
from veil_lab.papers.oos_settings import GOOFSPIEL, PROGRAM_GAMMA, PROGRAM_WALKS, RM, SMALLER, UCT, name_player

STEPS, QUICK_STEPS = (1000, 3000, 10_000, 30_000, 100_000), (50, 200)
RISE = 1.03
WAYS = {"our way": OURS, "the program's way": PROGRAM_WAY}


def name_kinds(walks: int) -> dict[str, str]:
    """Return the players: UCT and RM, with walks of the text and of the program."""
    program = f"{PROGRAM_WALKS},prior_walks={walks}"
    return {
        "UCT, text": UCT,
        "RM, text": RM,
        "UCT, program": f"{UCT},{program}",
        "RM, program": name_player(f"{RM},{program}", gamma=PROGRAM_GAMMA),
    }


def follow_program(seed: int = 0, quick: bool = False, matches: int | None = None) -> Report:
    """Return NashConv of UCT and RM in II-GS(6) over iterations per move, by both walks and both ways to add up."""
    count, points = count_matches(quick, matches), list[AggregatePoint]()
    for way_name, way in WAYS.items():
        wanted = [
            (GOOFSPIEL, f"{kind}, {way_name}", spec, step)
            for step in (QUICK_STEPS if quick else STEPS)
            for kind, spec in name_kinds(step).items()
        ]
        points += measure_all(wanted, seed, quick, count, way)
    return report_points(
        name="oos-fig3-program",
        title="NashConv of ISMCTS in II-GS(6) with what the authors' program does, over iterations per move",
        source="section 4.4.2, figure 3(b)",
        points=points,
        draw=_draw,
        theirs={(point.game, point.player): "rises" for point in points},
        settings={"matches per role": count, "seed": seed, "program": PROGRAM_WALKS},
        remarks=[tell_rises(points), *([SMALLER] if quick else [])],
    )


def tell_rises(points: Sequence[AggregatePoint]) -> str:
    """Return which curves rise, and which do not."""
    curves: dict[str, list[float]] = {}
    for point in sorted(points, key=lambda point: point.iterations):
        curves.setdefault(point.player, []).append(point.nash_conv)
    rising = {name: values[-1] > RISE * min(values) for name, values in curves.items()}
    shown = {wanted: "; ".join(name for name, rises in rising.items() if rises == wanted) for wanted in (True, False)}
    return f"Rises with more iterations: {shown[True] or 'none'}. Does not: {shown[False] or 'none'}."


def _draw(path: Path, points: Sequence[AggregatePoint]) -> None:
    """Draw one panel, a line per player and way."""
    figure, axis = pyplot().subplots(figsize=(6.4, 4.4), layout="constrained")
    for player in dict.fromkeys(point.player for point in points):
        draw_line(axis, points, GOOFSPIEL, player, marker=".")
    finish_panel(axis, GOOFSPIEL)
    axis.set_ylabel("NashConv")
    axis.legend(fontsize=7)
    save(figure, path)
