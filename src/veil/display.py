"""How objects show themselves in notebooks, and where that is drawn.

Objects live in low rooms, and their pictures need boards and plots, which are higher. So an object inherits from
`Displayed`, and the room `notebook`, above boards and plots, has a function for it: the tables below name it, and it is
imported when something is shown. IPython calls `_repr_html_`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from typing import Any

HOME = "veil.notebook"  # the room of all functions below
HTML = {  # class -> the function that returns HTML for an object of it
    "Game": "show_game",
    "State": "show_state",
    "Match": "show_match",
    "Record": "show_record",
    "GameBag": "show_bag",
    "Policy": "show_policy",
    "Solution": "show_solution",
    "GameTree": "show_tree",
    "MatchLog": "show_log",
    "TournamentResult": "show_tournament",
}
PLOT = {"Solution": "plot_solution", "GameBag": "plot_bag", "TournamentResult": "plot_tournament"}


class Displayed:
    """An object that a notebook shows as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return show_html(self)


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture that a notebook shows, and that can be written to a file. `figure` is Matplotlib's, to be changed."""

    figure: Any

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture as PNG, PDF or SVG; the name of the file says which."""
        import_module(HOME).save_plot(self, path)

    def _repr_svg_(self) -> str:
        svg: str = import_module(HOME).plot_as_svg(self)
        return svg


def show_html(thing: object) -> str | None:
    """Return HTML for a thing; None if nothing draws it."""
    html: str | None = _call(HTML, thing)
    return html


def plot(thing: object) -> Plot:
    """Return a picture of a thing, which needs Matplotlib."""
    picture: Plot = _call(PLOT, thing)
    return picture


def _call(table: dict[str, str], thing: object) -> Any:
    """Call the function of the first class of a thing that the table has."""
    name = next(table[kind.__name__] for kind in type(thing).__mro__ if kind.__name__ in table)
    return getattr(import_module(HOME), name)(thing)
