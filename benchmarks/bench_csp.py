"""How fast constraint satisfaction finds histories, on the games and sizes of the table of Richards & Amir (2012).

    python benchmarks/bench_csp.py                    the corners of the table, ten positions each
    python benchmarks/bench_csp.py --all              all of it
    python benchmarks/bench_csp.py "racko(10,60)"     one game
    python benchmarks/bench_csp.py --sampler csp:draw=uniform

A position is a random game, cut at a random round, as one of its players was told it. Thirty distinct histories are
wanted, or all there are. Seconds are processor time from the first round heard to the last history played again; the
game is prepared before. Prints one JSON object with machine and commit.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from time import perf_counter, process_time
from typing import Any

import numpy as np

from veil.belief import NoConsistentHistory, make_sampler, warm_up
from veil.engine import Game, load, observe_history
from veil.vocabulary import RANDOM
from veil_lab.bench.machine import about

WANTED, POSITIONS = 30, 10
MOST = 100_000  # histories with repetitions
ALL = [
    *(f"racko({slots},{cards})" for slots in range(6, 11) for cards in (30, 40, 50, 60)),
    *(f"battleship({size},{ships})" for ships in range(1, 6) for size in (4, 6, 8, 10) if (ships, size) != (5, 4)),
    *(f"gops({bids},{extra},early)" for bids in range(2, 11, 2) for extra in (10, 20, 30, 40)),
]
CORNERS = [
    *(f"racko({slots},{cards})" for slots in (6, 10) for cards in (30, 60)),
    *(f"battleship({size},{ships})" for ships, size in ((1, 4), (1, 10), (4, 4), (5, 6), (5, 10))),
    *(f"gops({bids},{extra},early)" for bids in (2, 10) for extra in (10, 40)),
]


def play(game: Game, rng: np.random.Generator) -> np.ndarray:
    """A random game: [rounds, roles] moves."""
    machine, state, joints = game.machine, game.machine.initial_states(), []
    while not machine.terminal(state)[0]:
        bits = machine.legal_bits(machine.judge(state))
        joints.append([int(rng.choice(np.flatnonzero(legal[0]))) for legal in bits])
        state = machine.step(state, np.array(joints[-1:])).states
    return np.array(joints)


def measure_position(game: Game, sampler: str, seed: int, seconds: float) -> dict[str, Any]:
    """One position: seconds, distinct histories, and whether these are all there are."""
    rng = np.random.default_rng((7, seed))
    joints = play(game, rng)
    rounds = int(rng.integers(1, len(joints)))
    role = str(rng.choice([name for name in game.roles if name != RANDOM]))
    record = observe_history(game.machine, joints[:rounds], game.names.role_id(role))
    belief = make_sampler(sampler, game, role, MOST, seed)
    result: dict[str, Any] = {"rounds": rounds, "of": len(joints), "role": role, "histories": 0, "all": False}
    clock, deadline, count = process_time(), perf_counter() + seconds, WANTED
    try:
        for entry in record:
            belief.observe(*entry, deadline=deadline)
        while not (result["histories"] >= WANTED or result["all"]) and perf_counter() < deadline:
            bag = belief.worlds(count, rng)
            result |= {"histories": len(bag), "all": bag.exact}
            count *= 2
    except NoConsistentHistory:
        pass
    return result | {"seconds": process_time() - clock, "states_visited": belief.cost.states_visited}


def measure(name: str, sampler: str, seconds: float) -> dict[str, Any]:
    """Ten positions of a game."""
    game, start = load(name), perf_counter()
    game.machine.initial_states()
    prepared = perf_counter() - start
    rows = [measure_position(game, sampler, seed, seconds) for seed in range(POSITIONS)]
    full = [row["histories"] >= WANTED or row["all"] for row in rows]
    median = statistics.median(row["seconds"] for row in rows)
    print(f"{name}: {sum(full)} of {POSITIONS} full, median {median:.2f} s", file=sys.stderr)
    return {"game": name, "prepared_seconds": prepared, "full": sum(full), "median": median, "positions": rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--all", action="store_true", help="every size of the table")
    parser.add_argument("--sampler", default="csp")
    parser.add_argument("--seconds", type=float, default=30.0, help="per position, at most")
    options = parser.parse_args()
    warm_up()
    names = options.games or (ALL if options.all else CORNERS)
    rows = [measure(name, options.sampler, options.seconds) for name in names]
    print(json.dumps({**about(), "sampler": options.sampler, "games": rows}, indent=1))


if __name__ == "__main__":
    main()
