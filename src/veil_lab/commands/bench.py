"""`veil bench`: measure the speed of a part of Veil."""

from __future__ import annotations

from typing import Annotated

import typer

from veil.cli.call import Call, command
from veil.cli.options import limited_number
from veil.report import Progress
from veil_lab import BENCHMARKS, ON_ANY_GAME, find_benchmark

FIRST = next(iter(BENCHMARKS))
MEANINGS = "; ".join(f"{name}: {meaning}" for name, meaning in BENCHMARKS.items())
Layer = Annotated[str, typer.Argument(metavar=f"[{'|'.join(BENCHMARKS)}]", help=f"Which layer. {MEANINGS}.")]
Seconds = Annotated[float, limited_number("seconds", help="Seconds per game and competitor.")]
Games = Annotated[
    list[str] | None,
    typer.Option("--game", metavar="GAME", help=f"Only this game; may be repeated. For {' and '.join(ON_ANY_GAME)}."),
]


@command
def bench(call: Call, layer: Layer = FIRST, seconds: Seconds = 1.0, game: Games = None) -> None:
    """Measure the speed of a part of Veil, beside OpenSpiel if it is installed and can do the same."""
    benchmark = find_benchmark(layer, game or ())
    with Progress(f"measuring {layer}") as progress:
        result = benchmark.measure(seconds, progress.say)
    call.answer(lambda: result, lambda: benchmark.as_text(result))
