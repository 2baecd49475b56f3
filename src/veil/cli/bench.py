"""`veil bench`: the speed of each layer, beside OpenSpiel where it is installed."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from veil.cli.options import Json
from veil.cli.output import print_json
from veil.errors import fail

NAMES = ("engine", "solve", "belief")
Layer = Annotated[str, typer.Argument(metavar="[engine|solve|belief]", help="Which layer.")]
Seconds = Annotated[float, typer.Option(min=0.05, help="Seconds per game and competitor.")]


def bench(layer: Layer = "engine", json: Json = False, seconds: Seconds = 1.0) -> None:
    """Measure playouts or iterations per second, beside OpenSpiel where it is installed."""
    if layer not in NAMES:
        raise fail("unknown-benchmark", name=layer, names=", ".join(NAMES))
    from veil.lab import bench_belief, bench_engine, bench_solve

    module = {"engine": bench_engine, "solve": bench_solve, "belief": bench_belief}[layer]
    result = module.measure_all(seconds, say=lambda text: print(text, file=sys.stderr))
    print_json(result) if json else print(module.as_table(result))
