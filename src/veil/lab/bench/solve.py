"""Speed of the solvers: iterations per second, seconds to a given exploitability, linear program, best response.

OpenSpiel's C++ solvers run in the same process on the same games, where it is installed; what counts is the ratio,
because the machine is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from veil.engine import load
from veil.equilibrium import SOLVERS, Budget, Whole, evaluate, prepare, run, uniform
from veil.lab.bench.machine import about
from veil.report import Table

# Veil's game -> OpenSpiel's name and parameters, and whether its moves are simultaneous.
GAMES: dict[str, tuple[str, dict[str, Any], bool]] = {
    "kuhn_poker": ("kuhn_poker", {}, False),
    "leduc_poker": ("leduc_poker", {}, False),
    "liars_dice": ("liars_dice", {}, False),
    "ii_goofspiel(cards=4)": ("goofspiel", {"num_cards": 4}, True),
    "ii_goofspiel(cards=5)": ("goofspiel", {"num_cards": 5}, True),
}
GOOFSPIEL = {"imp_info": True, "players": 2, "points_order": "ascending", "returns_type": "win_loss"}
SOLVER_PEERS = {  # method -> pyspiel's class
    "cfr": "CFRSolver",
    "cfr+": "CFRPlusSolver",
    "es-mccfr": "ExternalSamplingMCCFRSolver",
    "os-mccfr": "OutcomeSamplingMCCFRSolver",
}
OURS_ALONE = ("dcfr", "pcfr+", "its", "xfp")
TARGETS = (0.1, 0.01, 0.001)
SLOW_LP = 1_000_000  # entries beyond which the linear program is left out


def measure_all(seconds: float, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Every game, about so many seconds per solver and competitor."""
    rows = []
    for name, peer in GAMES.items():
        say(f"measuring {name}")
        rows.append(measure(name, peer, seconds))
    return {"games": rows} | about()


def measure(name: str, peer: tuple[str, dict[str, Any], bool], seconds: float) -> dict[str, Any]:
    """One game."""
    start = perf_counter()
    whole = prepare(load(name))
    prepared = perf_counter() - start
    other = load_peer(*peer)
    speeds = {}
    for method in (*SOLVER_PEERS, *OURS_ALONE):
        ours = speed(SOLVERS[method](whole, 0).run, seconds)
        theirs = peer_speed(other, SOLVER_PEERS[method], seconds) if method in SOLVER_PEERS else None
        speeds[method] = {"veil": ours, "openspiel": theirs, "ratio": ours / theirs if theirs else None}
    return {
        "game": name,
        "nodes": len(whole.found.tree.parent),
        "entries": len(whole.form.weight),
        "seconds_from_text": prepared,
        "expand": expansion(whole, other),
        "iterations_per_second": speeds,
        "seconds_to": {method: seconds_to(whole, method, 10 * seconds) for method in ("cfr+", "dcfr", "pcfr+")},
        "lp_seconds": lp_seconds(whole),
        "best_response": best_response_seconds(whole, other),
    }


def speed(work: Callable[[int], None], seconds: float) -> float:
    """Iterations per second, after a first one."""
    work(1)
    count = 1
    while True:
        start = perf_counter()
        work(count)
        spent = perf_counter() - start
        if spent >= seconds / 2:
            return count / spent
        count *= 4 if spent < seconds / 8 else 2


def expansion(whole: Whole, other: Any) -> dict[str, float | None]:
    """Nodes per second of building the whole tree; OpenSpiel walks its own from Python."""
    from veil.equilibrium import expand

    best = min(expand(whole.found.game).seconds for _ in range(3))
    return {"veil": len(whole.found.tree.parent) / best, "openspiel_python": walk_speed(other) if other else None}


def walk_speed(game: Any, most: int = 200_000) -> float:
    """Nodes per second of a depth-first walk over OpenSpiel's tree, clones and actions in C++, the loop in Python."""
    start, count, stack = perf_counter(), 0, [game.new_initial_state()]
    while stack and count < most:
        state = stack.pop()
        count += 1
        if not state.is_terminal():
            stack += [state.child(action) for action in state.legal_actions()]
    return count / (perf_counter() - start)


def seconds_to(whole: Whole, method: str, limit: float) -> dict[str, float | None]:
    """Seconds until the exploitability is as low as each target; None where the limit came first."""
    found = run(whole, method, Budget(seconds=limit, target=min(TARGETS)))
    reached = {}
    for target in TARGETS:
        times = [point.seconds for point in found.course if point.exploitability <= target]
        reached[str(target)] = times[0] if times else None
    return reached


def lp_seconds(whole: Whole) -> float | None:
    """Seconds of the linear program."""
    if len(whole.form.weight) > SLOW_LP:
        return None
    return run(whole, "lp", Budget()).seconds


def best_response_seconds(whole: Whole, other: Any) -> dict[str, float | None]:
    """Seconds for the exact NashConv of the uniform policy."""
    policy = uniform(whole.form)
    evaluate(whole.form, policy)
    ours = float(np.median([_timed(lambda: evaluate(whole.form, policy)) for _ in range(5)]))
    if other is None:
        return {"veil": ours, "openspiel": None, "ratio": None}
    import pyspiel

    theirs = _timed(lambda: pyspiel.nash_conv(other, pyspiel.UniformRandomPolicy(other)))
    return {"veil": ours, "openspiel": theirs, "ratio": theirs / ours}


def load_peer(name: str, parameters: dict[str, Any], simultaneous: bool) -> Any:
    """OpenSpiel's game, in turns; None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    if not simultaneous:
        return pyspiel.load_game(name, parameters)
    return pyspiel.convert_to_turn_based(pyspiel.load_game(name, GOOFSPIEL | parameters))


def peer_speed(game: Any, solver: str, seconds: float) -> float | None:
    """Iterations per second of OpenSpiel's C++ solver."""
    if game is None:
        return None
    import pyspiel

    made = getattr(pyspiel, solver)(game)
    step = getattr(made, "evaluate_and_update_policy", None) or made.run_iteration

    def work(count: int) -> None:
        for _ in range(count):
            step()

    return speed(work, seconds)


def _timed(work: Callable[[], Any]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def as_table(result: dict[str, Any]) -> str:
    """The same for reading."""
    rows = []
    for game in result["games"]:
        for method, entry in game["iterations_per_second"].items():
            ratio = f"{entry['ratio']:.0f}x" if entry["ratio"] else None
            rows.append((game["game"], method, round(entry["veil"]), _rounded(entry["openspiel"]), ratio))
    lines = ["iterations per second", *Table(("game", "method", "Veil", "OpenSpiel C++", "ratio"), rows).as_lines(), ""]
    rows = []
    for game in result["games"]:
        response = game["best_response"]
        ratio = f"{response['ratio']:.0f}x" if response["ratio"] else None
        rows.append((game["game"], _ms(game["lp_seconds"]), _ms(response["veil"]), _ms(response["openspiel"]), ratio))
    columns = ("game", "exact LP", "NashConv", "OpenSpiel C++", "ratio")
    lines += ["milliseconds for the linear program and for an exact NashConv", *Table(columns, rows).as_lines(), ""]
    rows = [
        (game["game"], method, *(_ms(reached[str(target)]) for target in TARGETS))
        for game in result["games"]
        for method, reached in game["seconds_to"].items()
    ]
    targets = (f"to {target}" for target in TARGETS)
    lines += ["milliseconds to an exploitability", *Table(("game", "method", *targets), rows).as_lines(), ""]
    rows = []
    for game in result["games"]:
        ours, theirs = game["expand"]["veil"], game["expand"]["openspiel_python"]
        ratio = f"{ours / theirs:.0f}x" if theirs else None
        rows.append((game["game"], game["nodes"], round(ours), _rounded(theirs), ratio))
    columns = ("game", "nodes", "Veil", "OpenSpiel from Python", "ratio")
    return "\n".join([*lines, "nodes per second of expanding the whole game", *Table(columns, rows).as_lines()])


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value) if value >= 10 else round(value, 1)


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(1000 * seconds, 2)
