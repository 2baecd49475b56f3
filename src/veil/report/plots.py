"""Figures. Matplotlib is an extra; everything else works without it."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.errors import VeilError, fail
from veil.files import check_writable, write_bytes

if TYPE_CHECKING:
    import numpy as np

    from veil.equilibrium import Solution
    from veil.match import Mean, OnlineEvaluation, Standings

COLOURS = ("#20639b", "#ed553b", "#3caea3", "#b8860b", "#6d3f9c", "#555555", "#c2185b", "#7cb342")
MAX_LINES = 8  # in one figure of move probabilities
PLOT_FORMATS = (".png", ".pdf", ".svg")


def pyplot() -> Any:
    """Return Matplotlib's `pyplot`, set up to draw to files only, in the style of all our figures."""
    try:
        import matplotlib as mpl  # an optional package
        from matplotlib import rcsetup
    except ImportError:
        raise fail("no-matplotlib") from None
    mpl.use("Agg")
    import matplotlib.pyplot as plt  # an optional package

    plt.rcParams.update(
        {
            "figure.dpi": 120,
            "savefig.dpi": 150,
            "font.size": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.alpha": 0.25,
            "axes.prop_cycle": rcsetup.cycler("color", COLOURS),
            "legend.frameon": False,
        }
    )
    return plt


def has_matplotlib() -> bool:
    """Return whether figures can be drawn."""
    try:
        pyplot()
    except VeilError:
        return False
    return True


def check_plot_file(name: str) -> None:
    """Refuse, before the work, a plot that could not be drawn or written afterwards."""
    pyplot()
    if Path(name).suffix.lower() not in PLOT_FORMATS:
        raise fail("bad-plot", name=name, formats=", ".join(PLOT_FORMATS))
    check_writable(name)


def save(figure: Any, name: str | os.PathLike[str]) -> None:
    """Write a figure in the format that its name ends with, and release its memory."""
    data = io.BytesIO()
    try:
        figure.savefig(data, format=Path(name).suffix.lstrip(".").lower(), bbox_inches="tight")
    finally:
        pyplot().close(figure)
    write_bytes(name, data.getvalue())


def draw_lines(
    path: str | os.PathLike[str], steps: Sequence[int], lines: Mapping[str, Sequence[float]], x: str, y: str
) -> None:
    """Draw a line per name over ascending steps, on a logarithmic axis if each step at least doubles."""
    plt = pyplot()
    figure, axis = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    for name, line in lines.items():
        axis.plot(steps, line, marker="o", markersize=4, label=name)
    if all(2 * before <= step for before, step in pairwise(steps)):
        axis.set_xscale("log", base=2)
    axis.set_xticks(list(steps), [str(step) for step in steps])
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    axis.legend(fontsize=8)
    save(figure, path)


def draw_panels(
    path: str | os.PathLike[str],
    steps: Sequence[int],
    panels: Mapping[str, Mapping[str, Sequence[Mean]]],
    x: str,
    y: str,
) -> None:
    """Draw a panel per title side by side.

    In each, a line of means with intervals per name, with the same names in all.
    """
    plt = pyplot()
    shape = {"figsize": (4.2 * len(panels), 3.8), "layout": "constrained"}
    figure, (axes,) = plt.subplots(1, len(panels), sharey=True, squeeze=False, **shape)
    for axis, (title, lines) in zip(axes, panels.items(), strict=True):
        for number, (name, means) in enumerate(lines.items()):
            beside = [step * 1.05 ** (number - len(lines) // 2) for step in steps]  # so that intervals do not overlap
            halves = [mean.half or 0.0 for mean in means]
            values = [mean.known for mean in means]
            axis.errorbar(beside, values, halves, marker="o", markersize=4, capsize=2, label=name)
        axis.set_xscale("log", base=2)
        axis.set_xticks(list(steps), [str(step) for step in steps])
        axis.set_xlabel(x)
        axis.set_title(title, fontsize=10)
    axes[0].set_ylabel(y)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(lines), fontsize=8)
    save(figure, path)


def draw_solution(solution: Solution, snapshots: Sequence[tuple[int, np.ndarray]], name: str) -> None:
    """Draw exploitability over iterations and over seconds; for ITS also the moves of the first infosets."""
    plt = pyplot()
    its = solution.method == "its"
    figure, axes = plt.subplots(1, 3 if its else 2, figsize=(14 if its else 9.5, 3.8), layout="constrained")
    points = [point for point in solution.course if point.exploitability > 0]
    unit = solution.game.utility.unit
    for axis, field, label in ((axes[0], "iterations", "iterations"), (axes[1], "seconds", "seconds")):
        axis.loglog([getattr(p, field) for p in points], [p.exploitability for p in points], marker=".", markersize=4)
        axis.set_xlabel(label)
        axis.set_ylabel(f"exploitability ({unit})")
    if its:
        _draw_moves(axes[2], solution, snapshots)
    figure.suptitle(f"{solution.game.name}: {solution.method}")
    save(figure, name)


def draw_online(evaluation: OnlineEvaluation, name: str) -> None:
    """Draw the exploitability of a player over the number of searches or matches behind its policy."""
    plt = pyplot()
    figure, axis = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    roles = len(evaluation.prepared.roles)
    numbers = [point.number for point in evaluation.course]
    axis.plot(numbers, [roles * point.exploitability for point in evaluation.course], marker="o", label="NashConv")
    axis.plot(numbers, [point.exploitability for point in evaluation.course], marker="o", label="exploitability")
    axis.set_xscale("log", base=2)
    axis.set_xticks(numbers, [str(number) for number in numbers])
    axis.set_ylim(bottom=0)
    brute = evaluation.config.method == "brute"
    axis.set_xlabel("searches per infoset" if brute else "matches per role against random moves")
    axis.set_ylabel(evaluation.game.utility.unit)
    axis.set_title(f"{evaluation.game.name}: {evaluation.config.player}", fontsize=10)
    axis.legend(fontsize=8)
    save(figure, name)


def _draw_moves(axis: Any, solution: Solution, snapshots: Sequence[tuple[int, np.ndarray]]) -> None:
    """Draw the probabilities of the moves at the first infosets, as in the figures of the ITS paper."""
    from veil.equilibrium import slot_moves  # takes long to import

    tree = solution.tree
    moves = slot_moves(tree)
    steps = [iterations for iterations, _ in snapshots]
    slots: list[tuple[str, int]] = []
    for number, role in enumerate(tree.roles):
        for infoset in tree.infosets_of(number)[:1]:
            slots += [(f"{role} {moves[slot]}", slot) for slot in tree.slots_in(infoset)]
    for label, slot in slots[:MAX_LINES]:
        axis.plot(steps, [policy[slot] for _, policy in snapshots], label=label)
    axis.set_xscale("log")
    axis.set_ylim(-0.02, 1.02)
    axis.set_xlabel("iterations")
    axis.set_ylabel("probability")
    axis.set_title("moves at the first infosets", fontsize=10)
    axis.legend(fontsize=8)


def draw_cross_table(tables: Sequence[Standings], path: str | os.PathLike[str]) -> None:
    """Write a heat map per game: the row's mean goal against the column."""
    save(draw_standings(tables), path)


def draw_standings(tables: Sequence[Standings]) -> Any:
    """Return a figure with a heat map per game: the row's mean goal against the column."""
    plt = pyplot()
    figure, axes = plt.subplots(
        1, len(tables), figsize=(1.6 + 3.6 * len(tables), 3.8), squeeze=False, layout="constrained"
    )
    for axis, table in zip(axes[0], tables, strict=True):
        count = len(table.players)
        columns = table.players if table.cross else ("alone",)
        values = [[_cell(table, row, column) for column in columns] for row in table.players]
        axis.imshow(values, cmap="RdYlGn", vmin=0, vmax=100)
        for y in range(count):
            for x in range(len(columns)):
                if values[y][x] == values[y][x]:
                    axis.text(x, y, f"{values[y][x]:.0f}", ha="center", va="center", fontsize=10)
        axis.set_xticks(range(len(columns)), columns, rotation=30, ha="right", fontsize=8)
        axis.set_yticks(range(count), table.players, fontsize=8)
        axis.grid(visible=False)
        axis.set_title(table.game, fontsize=10)
    figure.suptitle("mean goal of the row against the column", fontsize=10)
    return figure


def _cell(table: Standings, row: str, column: str) -> float:
    """Return the mean goal; NaN if they did not meet, or if no match has ended."""
    mean = table.cross.get((row, column)) if table.cross else table.overall[row]
    return float("nan") if mean is None or mean.value is None else mean.value
