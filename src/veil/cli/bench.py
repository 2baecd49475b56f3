"""`veil bench`: the speed of each layer, beside OpenSpiel where it is installed."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from veil.cli.options import Json
from veil.cli.output import print_json
from veil.errors import fail

NAMES = ("engine", "solve", "belief", "players", "clock")
Layer = Annotated[str, typer.Argument(metavar="[engine|solve|belief|players|clock]", help="Which layer.")]
Seconds = Annotated[float, typer.Option(min=0.05, help="Seconds per game and competitor.")]


def bench(layer: Layer = "engine", json: Json = False, seconds: Seconds = 1.0) -> None:
    """Measure the speed of a layer, beside OpenSpiel where it is installed and has such a thing."""
    if layer not in NAMES:
        raise fail("unknown-benchmark", name=layer, names=", ".join(NAMES))
    from importlib import import_module

    module = import_module(f"veil.lab.bench.{layer}")
    result = module.measure_all(seconds, say=lambda text: print(text, file=sys.stderr))
    print_json(result) if json else print(module.as_table(result))
