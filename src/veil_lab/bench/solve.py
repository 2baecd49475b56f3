"""Speed of the solvers: iterations per second, seconds to a given exploitability, linear program, best response.

OpenSpiel's C++ solvers run in the same process on the same games, if it is installed; the ratio is the result, because
the machine is shared. The trees do not always have one size: a forced move makes no node here, and OpenSpiel has one
for it in liars_dice. So the nodes of both are counted, and the ratio is also given per node.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from veil.equilibrium import (
    SOLVERS,
    Budget,
    PreparedGame,
    evaluate_profile,
    expand,
    prepare,
    solve_prepared,
    uniform_policy,
)
from veil.report import Table
from veil_lab.bench.machine import about

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
MAX_PEER_NODES = 2_000_000  # of OpenSpiel's tree that are counted
SLOW_LP = 1_000_000  # entries beyond which the linear program is left out


def measure_all(seconds: float, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Measure every game, for about `seconds` seconds per solver and competitor."""
    rows = []
    for name, peer in GAMES.items():
        say(f"measuring {name}")
        rows.append(measure(name, peer, seconds))
    return {"games": rows} | about()


def measure(name: str, peer: tuple[str, dict[str, Any], bool], seconds: float) -> dict[str, Any]:
    """Measure one game; `peer` is an entry of GAMES."""
    start = perf_counter()
    prepared = prepare(name)
    seconds_from_text = perf_counter() - start
    other = load_peer(*peer)
    peer_nodes = count_nodes(other) if other else None
    size = prepared.tree.num_nodes / peer_nodes if peer_nodes else None  # ours, of one of theirs
    speeds = {}
    for method in (*SOLVER_PEERS, *OURS_ALONE):
        ours = measure_speed(SOLVERS.make(method, prepared, 0).run, seconds)
        theirs = measure_peer(other, SOLVER_PEERS[method], seconds) if method in SOLVER_PEERS else None
        ratio = ours / theirs if theirs else None
        per_node = ratio * size if ratio and size else None
        speeds[method] = {"veil": ours, "openspiel": theirs, "ratio": ratio, "ratio_per_node": per_node}
    return {
        "game": name,
        "nodes": prepared.tree.num_nodes,
        "openspiel_nodes": peer_nodes,
        "entries": len(prepared.form.weight),
        "seconds_from_text": seconds_from_text,
        "expand": measure_expansion(prepared, other),
        "iterations_per_second": speeds,
        "seconds_to": {method: time_targets(prepared, method, 10 * seconds) for method in ("cfr+", "dcfr", "pcfr+")},
        "lp_seconds": time_program(prepared),
        "best_response": time_best_response(prepared, other),
    }


def measure_speed(work: Callable[[int], None], seconds: float) -> float:
    """Return iterations per second; the first one is not counted."""
    work(1)
    count = 1
    while True:
        start = perf_counter()
        work(count)
        spent = perf_counter() - start
        if spent >= seconds / 2:
            return count / spent
        count *= 4 if spent < seconds / 8 else 2


def measure_expansion(prepared: PreparedGame, other: Any) -> dict[str, float | None]:
    """Return nodes per second of building the whole tree; OpenSpiel walks its own from Python."""
    best = min(expand(prepared.game).seconds for _ in range(3))
    return {"veil": prepared.tree.num_nodes / best, "openspiel_python": measure_walk(other) if other else None}


def measure_walk(game: Any, most: int = 200_000) -> float:
    """Return nodes per second of a depth-first walk over OpenSpiel's tree; the loop is in Python, the rest in C++."""
    start, count, stack = perf_counter(), 0, [game.new_initial_state()]
    while stack and count < most:
        state = stack.pop()
        count += 1
        if not state.is_terminal():
            stack += [state.child(action) for action in state.legal_actions()]
    return count / (perf_counter() - start)


def count_nodes(game: Any, most: int = MAX_PEER_NODES) -> int | None:
    """Return the number of nodes of OpenSpiel's tree, with chance and ends; None if there are more than `most`."""
    count, stack = 0, [game.new_initial_state()]
    while stack and count <= most:
        state = stack.pop()
        count += 1
        if not state.is_terminal():
            stack += [state.child(action) for action in state.legal_actions()]
    return None if stack else count


def time_targets(prepared: PreparedGame, method: str, limit: float) -> dict[str, float | None]:
    """Return the seconds until the exploitability is as low as each target; None where the limit came first."""
    solution = solve_prepared(prepared, method, Budget(seconds=limit, target=min(TARGETS)))
    reached = {}
    for target in TARGETS:
        times = [point.seconds for point in solution.course if point.exploitability <= target]
        reached[str(target)] = times[0] if times else None
    return reached


def time_program(prepared: PreparedGame) -> float | None:
    """Return the seconds of the linear program; None where it would take too long."""
    if len(prepared.form.weight) > SLOW_LP:
        return None
    return solve_prepared(prepared, "lp", Budget()).seconds


def time_best_response(prepared: PreparedGame, other: Any) -> dict[str, float | None]:
    """Return the seconds for the exact NashConv of the uniform policy."""
    policy = uniform_policy(prepared.form)
    evaluate_profile(prepared.form, policy)
    ours = float(np.median([_time(lambda: evaluate_profile(prepared.form, policy)) for _ in range(5)]))
    if other is None:
        return {"veil": ours, "openspiel": None, "ratio": None}
    import pyspiel  # an optional package

    theirs = _time(lambda: pyspiel.nash_conv(other, pyspiel.UniformRandomPolicy(other)))
    return {"veil": ours, "openspiel": theirs, "ratio": theirs / ours}


def load_peer(name: str, parameters: dict[str, Any], simultaneous: bool) -> Any:
    """Return OpenSpiel's game with its moves in turns; None where OpenSpiel is not installed."""
    try:
        import pyspiel  # an optional package
    except ImportError:
        return None
    if not simultaneous:
        return pyspiel.load_game(name, parameters)
    return pyspiel.convert_to_turn_based(pyspiel.load_game(name, GOOFSPIEL | parameters))


def measure_peer(game: Any, solver: str, seconds: float) -> float | None:
    """Return iterations per second of OpenSpiel's C++ solver; None without a game."""
    if game is None:
        return None
    import pyspiel  # an optional package

    made = getattr(pyspiel, solver)(game)
    step = getattr(made, "evaluate_and_update_policy", None) or made.run_iteration

    def work(count: int) -> None:
        for _ in range(count):
            step()

    return measure_speed(work, seconds)


def _time(work: Callable[[], Any]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def as_table(result: dict[str, Any]) -> str:
    """Return the measurements as tables for reading."""
    rows = []
    for game in result["games"]:
        for method, entry in game["iterations_per_second"].items():
            ratios = [_times(entry[name]) for name in ("ratio", "ratio_per_node")]
            rows.append((game["game"], method, round(entry["veil"]), _round(entry["openspiel"]), *ratios))
    columns: tuple[str, ...] = ("game", "method", "Veil", "OpenSpiel C++", "ratio", "ratio per node")
    lines = ["iterations per second", *Table(columns, rows).as_lines(), ""]
    rows = [(game["game"], game["nodes"], game["openspiel_nodes"]) for game in result["games"]]
    lines += [
        "nodes of the tree: a forced move makes none in ours",
        *Table(("game", "Veil", "OpenSpiel"), rows).as_lines(),
    ]
    lines += [""]
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
        rows.append((game["game"], game["nodes"], round(ours), _round(theirs), ratio))
    columns = ("game", "nodes", "Veil", "OpenSpiel from Python", "ratio")
    return "\n".join([*lines, "nodes per second of expanding the whole game", *Table(columns, rows).as_lines()])


def _times(ratio: float | None) -> str | None:
    return f"{ratio:.0f}x" if ratio else None


def _round(value: float | None) -> float | None:
    return None if value is None else round(value) if value >= 10 else round(value, 1)


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(1000 * seconds, 2)
