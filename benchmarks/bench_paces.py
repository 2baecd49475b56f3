"""How many states searchers visit per second of processor time, over whole matches in the OOS paper's games, as JSON.

python benchmarks/bench_paces.py [part of the name of a game]

A match is played before the clock runs, in which kernels are compiled and trees expanded. The budgets of `veil
reproduce oos-fig4-small`, `oos-fig4-large` and `oos-beyond` (`veil_lab/papers/oos_settings.py`) are from here.
"""

from __future__ import annotations

import json
import sys
from time import process_time
from typing import Any

from veil.engine import load
from veil_lab.bench.machine import about
from veil_lab.papers.oos_matches import LARGE_ARENAS, SMALL_ARENAS, Arena
from veil_lab.papers.oos_settings import BUDGETS, GAMES, name_player
from veil_lab.series import play_series

STATES = {0.1: 500_000, 1.0: 2_000_000, 5.0: 10_000_000}  # per move, by the seconds that it is to have
MATCHES = {0.1: 10, 1.0: 2, 5.0: 2}


def measure(arena: Arena) -> dict[str, Any]:
    """States per second of the three searchers, each against itself."""
    game, seconds, paces = load(GAMES[arena.game]), BUDGETS[arena.game].seconds, {}
    for name, spec in arena.searchers.items():
        play_series(game, dict.fromkeys(("first", "second"), name_player(spec, states=1000)), 1, seed=1)
        seats = dict.fromkeys(("first", "second"), name_player(spec, states=STATES[seconds]))
        clock = process_time()
        series = play_series(game, seats, MATCHES[seconds], seed=0)
        spent = process_time() - clock
        paces[name] = round(sum(effort[role].states_visited for effort in series.efforts for role in effort) / spent)
    return {"game": arena.game, "states_per_second": paces}


if __name__ == "__main__":
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    rows = [measure(arena) for arena in (*SMALL_ARENAS, *LARGE_ARENAS) if part in arena.game]
    print(json.dumps({"paces": rows} | about(), indent=2))
