"""What HyperPlay-II makes of the extended cutting wire, by the definitions of two papers, which differ."""

from __future__ import annotations

import numpy as np

from veil.belief import believe
from veil.engine import Game, Record, load
from veil.report import Report
from veil.search import NestedPlayers, simulate_moves

PAPER = "Chitizadeh & Thielscher, Iterative Tree Search in General Game Playing with Incomplete Information (2018)"


def value_first_move(seed: int, simulations: int) -> Report:
    """Return what HyperPlay-II makes of telling at once and of waiting, by the definitions of both papers (10)."""
    game, names = load("extended_cutting_wire"), {"tell1": "tell", "wait1": "wait"}
    first = _simulate_teller(game, simulations, seed)
    later = {name: _simulate_teller(game, simulations, seed, move) for name, move in names.items()}
    rows = [
        (name, theirs, sum(later[name].values()) / len(later[name]), other, first[names[name]])
        for name, theirs, other in (("tell1", 75, 80), ("wait1", 70, 50))
    ]
    return Report(
        name="its-fig2-hyperplay2",
        title="HyperPlay-II in extended cutting wire: the values of the teller's first move",
        source=f"{PAPER}, section 4.1; HyperPlay article, equations (20) to (22)",
        settings={"game": game.name, "simulations": simulations, "seed": seed},
        columns=(
            "move",
            "ITS paper",
            "ours, by its account",
            "JAIR's definition, by hand",
            "ours, by JAIR's definition",
        ),
        rows=rows,
        remarks=[
            "The ITS paper takes the second move of the teller at random: the mean of the values that HyperPlay-II "
            "gives to the two moves a round later. By the definition of the HyperPlay article a HyperPlayer makes it, "
            "which waits in both cases: it values both by random cuts. Both tell at once, so the paper's point holds.",
        ],
    )


def _simulate_teller(game: Game, simulations: int, seed: int, *moves: str) -> dict[str, float]:
    """Return move -> HyperPlay-II's value to the teller, who has seen red and played these moves; as printed."""
    record = Record("teller").then("noop", ["red"])
    for move in moves:
        record = record.then(move, [])
    role = game.roles.index("teller")
    nested = NestedPlayers(game.machine, models=20, playouts=50, seed=seed, sampler="hyperplay", memo=False)
    bag, rng = believe(game, record, "exact"), np.random.default_rng(seed)
    answer = simulate_moves(nested, role, bag, game.program.chance, simulations, rng)
    return {game.names.moves[role][move]: float(value) for move, value in zip(answer.moves, answer.values, strict=True)}
