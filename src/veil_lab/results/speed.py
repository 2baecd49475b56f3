"""The page about speed, and the benchmarks that are kept: what `veil bench LAYER --json` printed, beside its layer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from veil.files import read_text
from veil_lab.bench import BENCHMARKS, find_benchmark
from veil_lab.results.run_text import simplify

PREFIX = "bench-"  # of the files of kept benchmarks
Kept = Mapping[str, dict[str, Any]]  # layer -> what its benchmark measured


def read_benchmarks(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the kept benchmarks in the order of the layers."""
    paths = {layer: folder / f"{PREFIX}{layer}.json" for layer in BENCHMARKS}
    return {layer: simplify(json.loads(read_text(path))) for layer, path in paths.items() if path.is_file()}


def spell_benchmark(result: dict[str, Any]) -> str:
    """Return a kept benchmark as the text of its file: a line per figure, five digits each."""
    return json.dumps(simplify(result), indent=1) + "\n"


def make_speed_page(kept: Kept, generated: str) -> str:
    """Return the page in Markdown."""
    return "\n".join(_list_lines(kept, generated)).rstrip() + "\n"


def _list_lines(kept: Kept, generated: str) -> Iterator[str]:
    yield from ("# Speed", "", generated, "")
    yield "Each table is one run, and all programs in it were measured in this run. The machine was shared and busy, so"
    yield "the ratios of two runs may differ by a third."
    for layer, meaning in BENCHMARKS.items():
        yield from ("", f"## {layer}: {meaning}", "")
        if layer not in kept:
            yield f"No measurement is kept: `veil bench {layer}`."
            continue
        result = kept[layer]
        machine = ", ".join(f"{name} {value}" for name, value in result.get("machine", {}).items())
        yield f"`veil bench {layer}` at commit {result.get('commit') or '?'}; {machine}."
        yield from ("", "```", find_benchmark(layer).as_text(result), "```")
