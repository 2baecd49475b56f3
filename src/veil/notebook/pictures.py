"""`solution.plot()`, `bag.plot()`, `result.plot()`: figures by Matplotlib, which is an extra."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

from veil.display import Plot
from veil.report import COLOURS, check_plot_file, draw_standings, pyplot, save

if TYPE_CHECKING:
    from veil.belief import GameBag
    from veil.equilibrium import Solution
    from veil.match import TournamentResult

MAX_BARS = 24  # of a belief


def plot_solution(solution: Solution) -> Plot:
    """Return the exploitability of a solution over its iterations, both axes logarithmic."""
    figure, axis = pyplot().subplots(figsize=(6.0, 3.4), layout="constrained")
    points = [point for point in solution.course if point.exploitability > 0 and point.iterations > 0]
    axis.loglog([point.iterations for point in points], [point.exploitability for point in points], marker=".")
    axis.set_xlabel("iterations")
    axis.set_ylabel(f"exploitability ({solution.game.utility.unit})")
    axis.set_title(f"{solution.game.name}: {solution.method}", fontsize=10)
    return _finish(figure)


def plot_bag(bag: GameBag) -> Plot:
    """Return bars with the probabilities of the fluents that are not certain, most likely first."""
    chances = [(fluent, chance) for fluent, chance in bag.marginals().items() if chance < 1.0][:MAX_BARS]
    figure, axis = pyplot().subplots(figsize=(6.0, 1.0 + 0.28 * max(1, len(chances))), layout="constrained")
    axis.barh([fluent for fluent, _ in chances], [chance for _, chance in chances], color=COLOURS[0])
    axis.invert_yaxis()
    axis.set_xlim(0, 1)
    axis.set_xlabel("probability")
    exact = "exact" if bag.exact else f"{len(bag)} worlds by {bag.sampler}"
    axis.set_title(f"{bag.game.name}: what may hold ({exact})", fontsize=10)
    axis.grid(visible=False, axis="y")
    return _finish(figure)


def plot_tournament(result: TournamentResult) -> Plot:
    """Return a heat map per game: the mean goal of the row against the column."""
    return _finish(draw_standings(result.standings))


def save_plot(plot: Plot, path: str | os.PathLike[str]) -> None:
    """Write a plot to a file whose name says the format. Raises `VeilError` for other formats."""
    check_plot_file(os.fspath(path))
    save(plot.figure, path)


def plot_as_svg(plot: Plot) -> str:
    """Return a plot as the text of an SVG picture."""
    data = io.BytesIO()
    plot.figure.savefig(data, format="svg", bbox_inches="tight")
    text = data.getvalue().decode()
    return text[text.index("<svg") :]


def _finish(figure: object) -> Plot:
    """Return the figure as a plot; pyplot keeps no reference to it, so that its memory is freed with the plot."""
    pyplot().close(figure)
    return Plot(figure)
