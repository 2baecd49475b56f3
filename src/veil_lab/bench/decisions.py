"""How long players think by default: every player of the table that decides by itself, in every bundled game.

A player without a clock thinks as long as its default options say. That should be about a second for a move in every
game; this table shows it. A player is led along one recorded game for a while; its slowest move counts. Seconds are
processor time: the time of a move on a machine that does nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

import numpy as np

from veil.belief import warm_up
from veil.engine import Game, load
from veil.errors import VeilError
from veil.games import FAMILIES
from veil.players import PLAYERS, Observation, Player, Seat, make_player
from veil.report import Table
from veil.vocabulary import RANDOM
from veil_lab.bench.machine import about
from veil_lab.weak_play import weak_game

SLOW = 2.0  # seconds of a move; slower ones are listed
MOST_ROUNDS = 60  # of the recorded game


def players_that_decide() -> list[str]:
    """Return the players that need nothing but their record."""
    return [name for name in PLAYERS if not PLAYERS[name].needs]


def measure_all(
    seconds: float, say: Callable[[str], None] = lambda _: None, games: Sequence[str] = ()
) -> dict[str, Any]:
    """Measure every player in every game, or in these games, for about `seconds` seconds each (at least one move)."""
    warm_up()
    rows = []
    for name in games or sorted(FAMILIES):
        game = load(name)
        for spec in players_that_decide():
            say(f"measuring {spec} in {name}")
            rows.append({"game": name, "player": spec} | measure(game, spec, seconds))
    return {"moves": rows} | about()


def measure(game: Game, spec: str, seconds: float, seed: int = 0) -> dict[str, Any]:
    """Measure the seconds of the slowest move, and of the start, in the first role that has a choice."""
    joint_moves = weak_game(game, seed, max_rounds=MOST_ROUNDS)
    role_id = _find_role(game, joint_moves)
    player, clock = make_player(spec), process_time()
    row: dict[str, Any] = {"role": game.roles[role_id], "moves": 0, "slowest_seconds": 0.0, "refused": None}
    try:
        player.start(Seat(game=game, role=game.roles[role_id], seed=seed))
    except VeilError as error:
        return row | {"start_seconds": process_time() - clock, "refused": error.problems[0].message}
    row["start_seconds"] = process_time() - clock
    spent = _lead(game, role_id, player, joint_moves, seconds)
    return row | {"moves": len(spent), "slowest_seconds": max(spent, default=0.0)}


def _find_role(game: Game, joint_moves: np.ndarray) -> int:
    """Return the first role that has a choice in some round of a recorded game; else the first that plays."""
    machine, state = game.machine, game.machine.initial_states()
    playing = [number for number, name in enumerate(game.roles) if name != RANDOM]
    for joint_move in joint_moves:
        bits = machine.legal_bits(machine.judge(state))
        for role_id in playing:
            if bits[role_id].sum() > 1:
                return role_id
        state = machine.step(state, joint_move[None, :]).states
    return playing[0]


def _lead(game: Game, role_id: int, player: Player, joint_moves: np.ndarray, seconds: float) -> list[float]:
    """Return the seconds of each move of a player that is led along a recorded game, for about `seconds` in total."""
    machine, state, names = game.machine, game.machine.initial_states(), game.names
    observation, spent = None, list[float]()
    for joint_move in joint_moves:
        has_choice = machine.legal_bits(machine.judge(state))[role_id].sum() > 1
        clock = process_time()
        player.play(observation)
        if has_choice:
            spent.append(process_time() - clock)
        if sum(spent) > seconds:
            break
        stepped = machine.step(state, joint_move[None, :])
        state = stepped.states
        percepts = names.percept_words(role_id, stepped.percepts[role_id][0])
        observation = Observation(names.moves[role_id][int(joint_move[role_id])], percepts)
    return spent


def as_table(result: dict[str, Any]) -> str:
    """Return per game the slowest move of every player, in seconds, and the moves that are too slow."""
    players = list(dict.fromkeys(row["player"] for row in result["moves"]))
    by_game: dict[str, dict[str, Any]] = {}
    for row in result["moves"]:
        shown = "refused" if row["refused"] else f"{row['slowest_seconds']:.2f}"
        by_game.setdefault(row["game"], {})[row["player"]] = shown
    table = Table(("game", *players), [(game, *(row[spec] for spec in players)) for game, row in by_game.items()])
    slow = [
        f"{row['player']} in {row['game']}: {row['slowest_seconds']:.1f} s for a move"
        for row in result["moves"]
        if row["slowest_seconds"] > SLOW
    ]
    return "\n".join([*table.as_lines(), *slow])
