"""Figure 3 of the OOS paper: what Online Outcome Sampling targets, how much, and how it explores.

1. By the aggregate method (`oos_aggregate`), in all three games with every setting.
2. Full targeting in Liar's Dice again, by brute force: the player is asked at every infoset of a smaller variant, so
   that its exploitability is exact and no infoset uses the fallback. If all walks are targeted, none visits dice that
   the player itself does not have, and the opponent's best play depends on those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from veil.equilibrium import prepare
from veil.match import ExploitConfig
from veil.report import COLOURS, Report, pyplot, save
from veil_lab.exploitability import judge_player
from veil_lab.papers.oos_aggregate import (
    QUICK_ITERATIONS,
    AggregatePoint,
    count_matches,
    draw_line,
    finish_panel,
    measure_all,
    report_points,
)
from veil_lab.papers.oos_settings import DICE, PAPER, POKER, SMALL, SMALLER, name_player
from veil_lab.series import open_workers

ITERATIONS = (300, 3000, 30_000)
DELTAS, EPSILONS = (0.5, 0.9, 1.0), (0.4, 0.6, 0.8)
SMALL_DICE = "liars_dice(dice1=1, dice2=1, faces=3)"
EXACT_ITERATIONS, QUICK_EXACT_ITERATIONS = (1000, 10_000, 100_000), (100,)


class Targeting(NamedTuple):
    """What Online Outcome Sampling targets, how much, and how it explores."""

    scheme: str
    delta: float
    epsilon: float

    def __str__(self) -> str:
        return f"{self.scheme} delta {self.delta:g}, epsilon {self.epsilon:g}"

    @property
    def spec(self) -> str:
        """The player, without its budget."""
        return f"oos:target={self.scheme},delta={self.delta:g},epsilon={self.epsilon:g}"


def target(seed: int = 0, quick: bool = False, matches: int | None = None) -> Report:
    """Return figures 3(c, f, j) and 3(g, k): how OOS depends on its targeting and exploration."""
    steps = QUICK_ITERATIONS[:1] if quick else ITERATIONS
    deltas, epsilons = (DELTAS[1:], EPSILONS[:1]) if quick else (DELTAS, EPSILONS)
    settings = [
        (name, Targeting(scheme, delta, epsilon))
        for scheme, names in (("ist", SMALL), ("pst", (DICE, POKER)))
        for name in names
        for delta in deltas
        for epsilon in epsilons
    ]
    wanted = [(name, str(setting), setting.spec, step) for name, setting in settings for step in steps]
    report = report_points(
        name="oos-fig3-targeting",
        title="NashConv of OOS by the aggregate method: schemes of targeting",
        source="section 4.4.2, figures 3(c), 3(f), 3(g), 3(j), 3(k)",
        points=measure_all(wanted, seed, quick, count_matches(quick, matches)),
        draw=partial(_draw_targeting, settings=settings),
        theirs={
            (name, str(Targeting("ist", 1.0, epsilon))): "does not fall" if name == DICE else "best early"
            for name in SMALL
            for epsilon in EPSILONS
        },
        settings={"matches per role": count_matches(quick, matches), "seed": seed},
        remarks=[
            "The values of delta and epsilon are only in the paper's picture; ours are 0.5, 0.9, 1 and 0.4, 0.6, 0.8.",
            "II-Goofspiel has no public moves to target.",
            *([SMALLER] if quick else []),
        ],
    )
    return replace(report, parts=[judge_full_targeting(seed, quick)])


def judge_full_targeting(seed: int, quick: bool) -> Report:
    """Return the exact NashConv in a small Liar's Dice, as more walks are targeted and finally all of them."""
    steps = QUICK_EXACT_ITERATIONS if quick else EXACT_ITERATIONS
    game, rows = prepare(SMALL_DICE), []
    with open_workers(alone=quick) as executor:
        for delta in DELTAS:
            spec = Targeting("ist", delta, EPSILONS[0]).spec
            players = [name_player(spec, iterations=step) for step in steps]
            judged = [judge_player(game, ExploitConfig(player=player, seed=seed), executor) for player in players]
            rows.append((delta, *(entry.nash_conv for entry in judged)))
    return Report(
        name="oos-fig3-targeting-exact",
        title=f"NashConv of OOS in {SMALL_DICE} by brute force: full targeting",
        source=f"{PAPER}, section 4.4.2, figure 3(f)",
        settings={"targeted": "the infoset (IST)", "epsilon": EPSILONS[0], "searches per infoset": 1, "seed": seed},
        columns=("delta", *(f"{step:,}" for step in steps)),
        rows=rows,
        remarks=["Theirs, in LD(1,1): with delta 1 it does not fall. Columns are iterations per move."],
    )


def _draw_targeting(path: Path, points: Sequence[AggregatePoint], settings: Sequence[tuple[str, Targeting]]) -> None:
    """Draw a panel per scheme and game, as in the paper: colours are shares of targeting, marks are exploration."""
    from matplotlib.lines import Line2D  # an optional package

    plt = pyplot()
    panels = list(dict.fromkeys((setting.scheme, name) for name, setting in settings))
    deltas, epsilons = (sorted({getattr(setting, of) for _, setting in settings}) for of in ("delta", "epsilon"))
    colours, marks = dict(zip(deltas, COLOURS, strict=False)), dict(zip(epsilons, "os^", strict=False))
    figure, axes = plt.subplots(1, len(panels), figsize=(3.4 * len(panels), 3.8), layout="constrained")
    for axis, (scheme, game) in zip(axes, panels, strict=True):
        for name, setting in settings:
            if (setting.scheme, name) == (scheme, game):
                look = {"color": colours[setting.delta], "marker": marks[setting.epsilon], "markersize": 5}
                draw_line(axis, points, name, str(setting), linewidth=1, **look)
        finish_panel(axis, f"{game}, {scheme.upper()}")
    axes[0].set_ylabel("NashConv")
    lines = [Line2D([], [], color=colours[delta], label=f"delta {delta:g}") for delta in deltas]
    lines += [
        Line2D([], [], color="#555", linestyle="", marker=marks[epsilon], label=f"epsilon {epsilon:g}")
        for epsilon in epsilons
    ]
    figure.legend(handles=lines, loc="outside lower center", ncols=len(lines), fontsize=8)
    save(figure, path)
