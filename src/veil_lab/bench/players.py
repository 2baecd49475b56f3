"""Decisions per second of every searching player with fixed budgets, in games of different sizes."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from veil.clock import has_passed
from veil.engine import Game, load
from veil.players import Observation, Seat, make_player
from veil.report import Table
from veil_lab.bench.machine import about
from veil_lab.weak_play import weak_game

GAMES: dict[str, str] = {  # game -> the role that decides
    "exploding_bomb": "agent",
    "krieg_tictactoe(size=3)": "oplayer",
    "blind_breakthrough(width=5, height=5)": "black",
    "blind_breakthrough(width=8, height=8)": "black",
}
PLAYERS = (
    "random",
    "hyperplay:models=10,playouts=10",
    "hyperplay:models=100,playouts=100",
    "pimc:worlds=10,iterations=50",
    "hyperplay2:models=4,simulations=1,nested_models=4,nested_playouts=4",
)


def measure_all(seconds: float, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Measure every player in every game, for about `seconds` seconds each."""
    rows = []
    for name, role in GAMES.items():
        game = load(name)
        for spec in PLAYERS:
            say(f"measuring {spec} on {name}")
            rows.append({"game": name, "player": spec} | measure(game, role, spec, seconds))
    return {"decisions": rows} | about()


def measure(game: Game, role: str, spec: str, seconds: float) -> dict[str, Any]:
    """Let a player decide along recorded games; only rounds in which it has a choice count."""
    spent: list[float] = []
    number, start = 0, perf_counter()
    while not spent or (perf_counter() - start < seconds and number < 200):
        spent += _decide(game, role, spec, number, start + seconds)
        number += 1
    return {
        "decisions": len(spent),
        "per_second": len(spent) / sum(spent),
        "median_seconds": float(np.median(spent)),
        "slowest_seconds": max(spent),
    }


def _decide(game: Game, role: str, spec: str, seed: int, deadline: float) -> list[float]:
    """Return the seconds of each decision of one game, or of those before the deadline; the first one counts always."""
    role_id, names = game.roles.index(role), game.names
    player, spent = make_player(spec), []
    player.start(Seat(game=game, role=role, seed=seed))
    state, observation = game.machine.initial_states(), None
    for joint_move in weak_game(game, seed):
        choices = sum(int(word).bit_count() for word in game.machine.legal(state)[role_id][0])
        clock = perf_counter()
        player.play(observation)
        if choices > 1:
            spent.append(perf_counter() - clock)
            if has_passed(deadline):
                break
        stepped = game.machine.step(state, joint_move[None, :])
        state = stepped.states
        percepts = names.percept_words(role_id, stepped.percepts[role_id][0])
        observation = Observation(names.moves[role_id][int(joint_move[role_id])], percepts)
    return spent


def as_table(result: dict[str, Any]) -> str:
    """Return the measurements as a table for people."""
    rows = [
        (
            row["game"],
            row["player"],
            row["decisions"],
            round(row["per_second"], 1),
            round(1000 * row["median_seconds"], 1),
            round(1000 * row["slowest_seconds"], 1),
        )
        for row in result["decisions"]
    ]
    columns = ("game", "player", "decisions", "per second", "median ms", "slowest ms")
    return "\n".join(Table(columns, rows).as_lines())
