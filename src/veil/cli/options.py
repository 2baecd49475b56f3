"""Options of several commands. Their defaults are read from the functions and classes that use them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

import typer

from veil.limits import check_limit

GameNames = Annotated[
    list[str],
    typer.Argument(
        metavar="GAME...",
        help="A name from `veil games`, like krieg_tictactoe(size=4), or a rules file; several files are one game.",
    ),
]
Transfer = Annotated[
    bool, typer.Option("--transfer", help="In a POGDDL game, one of two roles loses what the other gains.")
]
EndOnGain = Annotated[bool, typer.Option("--end-on-gain", help="A POGDDL game also ends as soon as a role has gained.")]

Turns = Annotated[
    Literal["written", "control"],
    typer.Option("--turns", help="Who moves: as written, or only the roles R for which control(R) is true."),
]
Sees = Annotated[
    Literal["written", "moves"],
    typer.Option("--sees", help="What a role sees: as written or, in rules that do not say it, all moves (GDL-I)."),
]


def limited_number(kind: str, *names: str, help: str) -> Any:
    """Return an option for a number. `kind` is a row of the table of limits; a number beyond them is refused."""

    def check(param: typer.CallbackParam, value: Any) -> Any:
        if value is not None:
            check_limit(kind, value, param.opts[0])
        return value

    return typer.Option(*names, callback=check, help=help)


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seed = Annotated[int, limited_number("seed", help="Seed of every random choice.")]
MaxRules = Annotated[int, limited_number("rules", help="Give up grounding beyond this number of ground rules.")]
MaxSeconds = Annotated[
    float,
    limited_number(
        "seconds", help="Give up grounding after this number of seconds of processor time, and end random games."
    ),
]
MaxMemory = Annotated[
    float,
    limited_number("gigabytes", help="Give up grounding, and expanding the whole game, beyond this number of GB."),
]
TreeNodes = Annotated[
    int | None, limited_number("nodes", help="Give up when the tree has more nodes, instead of walking a larger game.")
]
MaxNodes = Annotated[int, limited_number("nodes", help="Give up when the whole game has more nodes.")]


def default_of(function: Callable[..., Any], name: str) -> Any:
    """Return the default of a parameter of a function, or of a field of a class."""
    return inspect.signature(function).parameters[name].default


def list_names(table: Iterable[str]) -> str:
    """Return the names of a table as one text, for the help of an option."""
    return ", ".join(table)
