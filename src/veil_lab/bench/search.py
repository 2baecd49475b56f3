"""Speed of online search, on explicit trees and in lanes: walks of ISMCTS, iterations of Online Outcome Sampling.

OpenSpiel's C++ runs in the same process if it is installed and can: its ISMCTS in games with its own resampler, and its
outcome sampling, which is Online Outcome Sampling without targeting. Its Online Outcome Sampling cannot be called from
Python; `STATED` has figures of a C++ program on another machine, and of its ISMCTS with hand-written resamplers.
Seconds are processor time, the best of several turns, ours and theirs in turns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from veil.engine import load
from veil.report import Table
from veil.search import (
    IsmctsConfig,
    OosConfig,
    SearchTask,
    SmoothUctConfig,
    WalkRule,
    make_lane_walker,
    make_tree_walker,
)
from veil_lab.bench.machine import about
from veil_lab.bench.solve import load_peer

GAMES: dict[str, tuple[str, dict[str, Any], bool]] = {  # Veil's game -> OpenSpiel's, as in `veil bench solve`
    "kuhn_poker": ("kuhn_poker", {}, False),
    "leduc_poker": ("leduc_poker", {}, False),
    "liars_dice": ("liars_dice", {}, False),
    "ii_goofspiel(cards=5)": ("goofspiel", {"num_cards": 5}, True),
    "ii_goofspiel(cards=6)": ("goofspiel", {"num_cards": 6}, True),
}
METHODS: dict[str, WalkRule] = {
    "ismcts": IsmctsConfig().rule,
    "ismcts:select=rm": IsmctsConfig(select="rm").rule,
    "smooth_uct": SmoothUctConfig().rule,
    "oos:delta=0": OosConfig(delta=0.0).rule,
    "oos": OosConfig().rule,
}
RESAMPLED = ("kuhn_poker", "leduc_poker")  # where OpenSpiel's ISMCTS runs without changes
STATED = {  # OpenSpiel's C++ if it cannot run beside ours: per second
    ("kuhn_poker", "oos"): 300_000,
    ("leduc_poker", "oos"): 60_000,
    ("ii_goofspiel(cards=5)", "oos"): 25_000,
    ("liars_dice", "ismcts"): 425_000,
    ("ii_goofspiel(cards=6)", "ismcts"): 59_000,
    ("phantom_tictactoe", "ismcts"): 120_000,
    ("phantom_tictactoe", "oos"): 35_000,
}
FLEETS = (  # games that are walked in lanes; the last ones are too large for a tree
    "ii_goofspiel(cards=5)",
    "ii_goofspiel(cards=6)",
    "liars_dice",
    "liars_dice(dice1=2, dice2=2)",
    "phantom_tictactoe",
    "ii_goofspiel(cards=13)",
    "blind_breakthrough",
)
IN_LANES = ("ismcts", "ismcts:select=rm", "oos:delta=0")
TURNS = 3
MAX_NODES = 20_000_000

Work = Callable[[int], None]


def measure_all(seconds: float, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Measure every method in every game, for about `seconds` seconds each."""
    rows = []
    for name, peer in GAMES.items():
        say(f"measuring {name}")
        rows += measure_game(name, load_peer(*peer), seconds)
    for name in FLEETS:
        say(f"measuring {name} in lanes")
        rows += measure_lanes(name, seconds)
    return {"searches": rows} | about()


def measure_game(name: str, peer: Any, seconds: float) -> list[dict[str, Any]]:
    """Measure walks, or iterations, per second of every method at the first decision of one game."""
    game = load(name)
    task, rows = SearchTask(game, game.program.serial_order[-1], 0), []
    for method, rule in METHODS.items():
        walker = make_tree_walker(task, rule, MAX_NODES)
        walker.walker.target_infoset(0)
        ours, theirs = partial(walker.run, rng=np.random.default_rng(0)), find_peer(peer, name, method)
        rates = measure_by_turns([ours, theirs] if theirs else [ours], seconds)
        other = rates[1] if theirs else STATED.get((name, method))
        rows.append(
            {
                "game": name,
                "method": method,
                "veil": rates[0],
                "openspiel": other,
                "openspiel_is_stated": other is not None and theirs is None,
                "ratio": rates[0] / other if other else None,
                "infosets": sum(1 for _ in walker.known()),
            }
        )
    return rows


def measure_lanes(name: str, seconds: float) -> list[dict[str, Any]]:
    """Measure walks, or iterations, per second in lanes, from the root of one game."""
    game = load(name)
    task, rows = SearchTask(game, game.program.serial_order[-1], 0), []
    for method in IN_LANES:
        walker = make_lane_walker(task, METHODS[method])
        walker.run(1, np.random.default_rng(1))  # kernels are compiled before the clock starts
        rate = measure_by_turns([partial(walker.run, rng=np.random.default_rng(0))], seconds)[0]
        stated = STATED.get((name, method.removesuffix(":delta=0")))
        rows.append(
            {
                "game": name,
                "method": f"{method}, in lanes",
                "veil": rate,
                "openspiel": stated,
                "openspiel_is_stated": stated is not None,
                "ratio": rate / stated if stated else None,
                "infosets": len(walker.table),
            }
        )
    return rows


def find_peer(game: Any, name: str, method: str) -> Work | None:
    """Return a function that does this work in OpenSpiel; None if it is not installed, or cannot do it."""
    if game is None:
        return None
    import pyspiel  # an optional package

    if method == "oos:delta=0":
        solver = pyspiel.OutcomeSamplingMCCFRSolver(game)
        return lambda count: repeat(solver.run_iteration, count)
    return find_peer_bot(pyspiel, game) if method == "ismcts" and name in RESAMPLED else None


def repeat(work: Callable[[], None], count: int) -> None:
    """Call `work` `count` times."""
    for _ in range(count):
        work()


def find_peer_bot(pyspiel: Any, game: Any) -> Work:
    """Return a function that makes walks of OpenSpiel's ISMCTS from the first decision."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    def work(count: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        pyspiel.ISMCTSBot(1, evaluator, 2.0 * game.max_utility(), count).step(state)

    return work


def measure_by_turns(works: list[Work], seconds: float) -> list[float]:
    """Return how much of each work is done per second of processor time: the best of a few turns."""
    counts = [fit(work, seconds / (TURNS + 1)) for work in works]
    best = [0.0] * len(works)
    for _ in range(TURNS):
        for place, (work, count) in enumerate(zip(works, counts, strict=True)):
            best[place] = max(best[place], count / time_work(work, count))
    return best


def fit(work: Work, seconds: float) -> int:
    """Return how much work takes about `seconds` seconds."""
    count = 100
    while (spent := time_work(work, count)) < seconds / 4:
        count *= 4
    return max(1, int(count * seconds / spent))


def time_work(work: Work, count: int) -> float:
    """Return the seconds of processor time of some work."""
    start = process_time()
    work(count)
    return max(process_time() - start, 1e-9)


def as_table(result: dict[str, Any]) -> str:
    """Return the measurements as a table for reading."""
    rows = []
    for row in result["searches"]:
        other = None if row["openspiel"] is None else round(row["openspiel"])
        how = None if other is None else "stated" if row["openspiel_is_stated"] else "measured"
        ratio = f"{row['ratio']:.1f}x" if row["ratio"] else None
        rows.append((row["game"], row["method"], round(row["veil"]), other, how, ratio, row["infosets"]))
    columns = ("game", "method", "Veil", "OpenSpiel C++", "", "ratio", "infosets")
    lines = ["walks of ISMCTS and Smooth UCT, iterations of OOS, per second", *Table(columns, rows).as_lines()]
    return "\n".join([*lines, "stated: a figure from another machine, where OpenSpiel cannot be run beside it"])
