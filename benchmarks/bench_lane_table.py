"""How walks in lanes slow down as their table of infosets grows: Online Outcome Sampling in II-Goofspiel(13), as JSON.

python benchmarks/bench_lane_table.py [millions of infosets]
"""

from __future__ import annotations

import json
import sys
from time import process_time
from typing import Any

import numpy as np

from veil.engine import load
from veil.search import OosConfig, SearchTask, make_lane_walker
from veil_lab.bench.machine import about

GAME = "ii_goofspiel(cards=13)"
MAX_BYTES = 9 << 30
STEP = 1_000_000  # infosets between two figures
PIECE = 20_000  # iterations


def measure(millions: int) -> list[dict[str, Any]]:
    """Walks per second of processor time, and memory, for every million of infosets."""
    game, rng = load(GAME), np.random.default_rng(0)
    rule = OosConfig(delta=0.0, target="ist").rule
    walker = make_lane_walker(SearchTask(game, 0, 0), rule, max_bytes=MAX_BYTES)
    rows: list[dict[str, Any]] = []
    for number in range(1, millions + 1):
        begin, walks = process_time(), walker.walks
        while len(walker.table) < number * STEP:
            walker.run(PIECE, rng)
        rate = (walker.walks - walks) / (process_time() - begin)
        rows.append({"infosets": len(walker.table), "walks_per_second": round(rate), "bytes": walker.table.nbytes})
    return rows


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    print(json.dumps({"game": GAME, "growth": measure(wanted)} | about(), indent=2))
