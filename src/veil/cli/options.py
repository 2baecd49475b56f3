"""Options that several commands share; defaults are read from the functions and classes that use them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

GameNames = Annotated[
    list[str],
    typer.Argument(
        metavar="GAME...",
        help="A name from `veil games`, like krieg_tictactoe(size=4), or a rules file; several files are one game.",
    ),
]
Transfer = Annotated[
    bool, typer.Option("--transfer", help="Of a POGDDL game: what one of two roles gains, the other loses.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of every random choice.")]
MaxRules = Annotated[int, typer.Option(help="Give up grounding beyond so many ground rules.")]
MaxSeconds = Annotated[float, typer.Option(help="Give up grounding after so many seconds.")]
MaxMemory = Annotated[float, typer.Option(help="Give up grounding beyond so many GB of memory.")]
MaxNodes = Annotated[int, typer.Option(min=1, help="Give up when the whole game has more nodes.")]


def default_of(function: Callable[..., Any], name: str) -> Any:
    """The default of a parameter of a function, or of a field of a class."""
    return inspect.signature(function).parameters[name].default


def list_names(table: Iterable[str]) -> str:
    """The names of a table, for the help of an option."""
    return ", ".join(table)
