"""Random playouts per second, one thread: Veil from rules text beside OpenSpiel's hand-written games.

OpenSpiel is used as its users do: a Python loop over `pyspiel` states, and its C++ `RandomRolloutEvaluator` if the game
allows it. All three are measured in the same run, because the machine is shared; the ratio is the result.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable
from math import exp, log
from time import perf_counter
from typing import Any

from veil.engine import load, simulate, warm_up
from veil.report import Table, show_short
from veil_lab.bench.machine import about

# Veil's game -> OpenSpiel's.
GAMES: dict[str, str | None] = {
    "tic_tac_toe": "tic_tac_toe",
    "krieg_tictactoe": "phantom_ttt",
    "breakthrough(width=6, height=6)": "breakthrough(rows=6,columns=6)",
    "breakthrough(width=8, height=8)": "breakthrough(rows=8,columns=8)",
    "kuhn_poker": "kuhn_poker",
    "leduc_poker": "leduc_poker",
    "liars_dice": "liars_dice",
    "ii_goofspiel(cards=13)": "goofspiel(imp_info=True,num_cards=13,points_order=ascending,returns_type=win_loss)",
    "connect_four": "connect_four",
    "dark_hex(size=3)": "dark_hex(board_size=3)",
    "blind_breakthrough(width=8, height=8)": None,  # OpenSpiel has no such game
}
SCALING = (5, 6, 7, 8)


def measure_all(seconds: float, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Measure every game for about `seconds` seconds per competitor."""
    rows = []
    for name, peer in GAMES.items():
        say(f"measuring {name}")
        rows.append(measure(name, peer, seconds))
    return {
        "games": rows,
        "geomean_cpp": geometric_mean([row["ratio_cpp"] for row in rows]),
        "geomean_python": geometric_mean([row["ratio_python"] for row in rows]),
        "scaling": [scaling(size, seconds) for size in SCALING],
    } | about()


def measure(name: str, peer: str | None, seconds: float) -> dict[str, Any]:
    """Measure one game: playouts per second of each, and how many times as fast Veil is."""
    cold, cached = preparation(name)
    machine = load(name).machine
    ours, steps = veil_speed(machine, seconds)
    cpp, python = peer_speeds(peer, seconds)
    return {
        "game": name,
        "veil": ours,
        "openspiel_cpp": cpp,
        "openspiel_python": python,
        "ratio_cpp": ours / cpp if cpp else None,
        "ratio_python": ours / python if python else None,
        "steps_per_second": steps,
        "seconds_cold": cold,
        "seconds_cached": cached,
        "literals": machine.circuit.num_literals,
        "bytes_per_lane": machine.circuit.layout.num_slots / 8,
    }


def preparation(name: str) -> tuple[float, float]:
    """Return the seconds from rules text to the first playout: with nothing compiled, and with the code on disk."""
    warm_up()
    before = os.environ.get("VEIL_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VEIL_CACHE"] = folder
        try:
            seconds = []
            for _ in range(2):
                start = perf_counter()
                simulate(load(name).machine, 1, seed=0)
                seconds.append(perf_counter() - start)
        finally:
            if before is None:
                del os.environ["VEIL_CACHE"]
            else:
                os.environ["VEIL_CACHE"] = before
    return seconds[0], seconds[1]


def veil_speed(machine: Any, seconds: float) -> tuple[float, float]:
    """Return playouts and steps per second."""
    count = 65_536
    while True:
        found = simulate(machine, count, seed=1)
        if found.seconds >= seconds / 2:
            return found.playouts / found.seconds, found.steps / found.seconds
        count *= 4


def peer_speeds(name: str | None, seconds: float) -> tuple[float | None, float | None]:
    """Return the speed of OpenSpiel in C++ and from Python; None if it is not installed or has no such evaluator."""
    try:
        import pyspiel  # an optional package
    except ImportError:
        return None, None
    if name is None:
        return None, None
    game = pyspiel.load_game(name)
    return _cpp_speed(pyspiel, game, seconds), _python_speed(game, seconds)


def _cpp_speed(pyspiel: Any, game: Any, seconds: float) -> float | None:
    """Return rollouts per second in C++: a search of one simulation evaluates the root with `count` rollouts."""
    if game.new_initial_state().is_chance_node():  # its search crashes there, without an exception
        return None
    count = 64
    try:
        while True:
            evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=count, seed=1)
            bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
            state = game.new_initial_state()
            start = perf_counter()
            bot.mcts_search(state)
            spent = perf_counter() - start
            if spent >= seconds / 2:
                return count / spent
            count *= 4
    except pyspiel.SpielError:  # a game its search cannot play
        return None


def _python_speed(game: Any, seconds: float) -> float:
    rng = random.Random(1)
    start, count = perf_counter(), 0
    while perf_counter() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        count += 1
    return count / (perf_counter() - start)


def scaling(size: int, seconds: float) -> dict[str, Any]:
    """Measure how the cost of a step grows with the circuit: steps per second times gates should be about constant."""
    machine = load(f"blind_breakthrough(width={size}, height={size})").machine
    _, steps = veil_speed(machine, seconds)
    gates = machine.circuit.num_literals
    return {"size": size, "literals": gates, "steps_per_second": steps, "product": steps * gates}


def geometric_mean(values: list[float | None]) -> float | None:
    """Return the mean over the games that could be compared; None if there is none."""
    known = [value for value in values if value]
    return exp(sum(map(log, known)) / len(known)) if known else None


def as_table(result: dict[str, Any]) -> str:
    """Return the measurements as tables for people."""
    lines = ["playouts per second, one thread", *_speed_table(result["games"]).as_lines()]
    if result["geomean_cpp"]:
        means = f"{result['geomean_cpp']:.1f}x C++, {result['geomean_python']:.1f}x Python"
        lines.append(f"geometric mean: {means}")
    else:
        lines.append("OpenSpiel is not installed: pip install open_spiel to see it beside Veil")
    rows = [(row["game"], round(row["seconds_cold"], 2), round(row["seconds_cached"], 2)) for row in result["games"]]
    lines += [
        "",
        "seconds from rules text to the first playout",
        *Table(("game", "cold", "from disk"), rows).as_lines(),
    ]
    sizes = [
        (f"{row['size']}x{row['size']}", row["literals"], show_short(row["steps_per_second"]))
        for row in result["scaling"]
    ]
    lines += ["", "blind_breakthrough by board size", *Table(("board", "literals", "steps/s"), sizes).as_lines()]
    return "\n".join(lines)


def _speed_table(rows: list[dict[str, Any]]) -> Table:
    """Return playouts per second of each competitor, and how many times as fast Veil is."""
    columns = ("game", "Veil", "OpenSpiel C++", "ratio", "from Python", "ratio")
    cells = []
    for row in rows:
        peers = [(row[f"openspiel_{kind}"], row[f"ratio_{kind}"]) for kind in ("cpp", "python")]
        shown = [text for speed, ratio in peers for text in (show_short(speed), f"{ratio:.1f}x" if ratio else None)]
        cells.append((row["game"], show_short(row["veil"]), *shown))
    return Table(columns, cells)
