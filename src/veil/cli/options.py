"""Options that several commands share, and the game they all take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from veil.errors import fail

if TYPE_CHECKING:
    from veil.engine import Game

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A name from `veil games`, like krieg_tictactoe(size=4), or a rules file.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of every random choice.")]
MaxRules = Annotated[int, typer.Option(help="Give up grounding beyond so many ground rules.")]
MaxSeconds = Annotated[float, typer.Option(help="Give up grounding after so many seconds.")]
MaxMemory = Annotated[float, typer.Option(help="Give up grounding beyond so many GB of memory.")]
MaxNodes = Annotated[int, typer.Option(min=1, help="Give up when the whole game has more nodes.")]

MAX_RULES, MAX_SECONDS, MAX_MEMORY = 2_000_000, 60.0, 6.0


def load_game(name: str, max_rules: int, max_seconds: float, max_memory: float) -> Game:
    """The game a command is about, with the limits it was given."""
    from veil.engine import GroundLimits, load

    for option, value in (("--max-rules", max_rules), ("--max-seconds", max_seconds), ("--max-memory", max_memory)):
        if not 0 < value <= 1e9:  # neither infinite nor a number at all
            raise fail("bad-limit", name=option, value=value)
    limits = GroundLimits(max_rules=max_rules, max_seconds=max_seconds, max_bytes=max(1, int(max_memory * 2**30)))
    return load(name, limits)
