"""`veil trace`: replay joint moves, or play random ones, and print the state of every round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.moves import read_moves
from veil.cli.options import limited_number
from veil.errors import fail
from veil.report import Progress, label_text

if TYPE_CHECKING:
    from veil.engine import Game, State

Moves = Annotated[
    str | None, typer.Option(help="A JSON list of {role: move}, one object per round; - reads standard input.")
]
Rounds = Annotated[int, limited_number("rounds", help="Stop a random game after this number of rounds.")]


@command
def trace(call: GameCall, moves: Moves = None, rounds: Rounds = 1000) -> None:
    """Print state, legal moves and percepts round by round; then the end and the goals."""
    script = read_moves(moves) if moves is not None else None
    game = call.game
    with Progress(f"preparing {game.name}"):
        _ = game.reasoner
    call.warn(*game.notes)
    played = play_script(game, script) if script is not None else play_random(game, call.seed, rounds)
    call.answer(lambda: played, lambda: trace_as_text(played))


def play_script(game: Game, script: list[dict[str, str]]) -> dict[str, Any]:
    """Return the trace of these joint moves. A role with only one legal move may be left out."""
    state = game.initial_state()
    rounds: list[dict[str, Any]] = []
    for number, joint in enumerate(script, 1):
        state, entry = _play_round(game, state, joint, where=f"round {number}: ")
        rounds.append(entry)
    return _finish(game, rounds, state)


def play_random(game: Game, seed: int, most: int) -> dict[str, Any]:
    """Return the trace of random moves, of at most `most` rounds."""
    import numpy as np  # help needs none of it

    rng = np.random.default_rng(seed)
    state = game.initial_state()
    rounds: list[dict[str, Any]] = []
    while not state.is_terminal and len(rounds) < most:
        stuck = next((role for role in game.roles if not state.legal(role)), None)
        if stuck is not None:
            raise fail("stuck", where=f"round {len(rounds) + 1}: ", role=stuck)
        state, entry = _play_round(game, state, state.random_joint_move(rng))
        rounds.append(entry)
    return _finish(game, rounds, state)


def _play_round(game: Game, state: State, joint: dict[str, str], where: str = "") -> tuple[State, dict[str, Any]]:
    """Return the state after a joint move, and the round that led to it."""
    terms = state.joint_terms(joint, where)
    following, percepts = state.play_terms(terms)
    legal = {role: state.legal(role) for role in game.roles}
    spelled = {game.rules.show(role): game.rules.show(move) for role, move in terms.items()}
    return following, {"state": state.fluents, "legal": legal, "sees": percepts, "joint": spelled}


def _finish(game: Game, rounds: list[dict[str, Any]], last: State) -> dict[str, Any]:
    """Return the whole trace. Its last round has only a state. It has goals if the last state is terminal."""
    rounds.append({"state": last.fluents, "legal": {}, "sees": {}})
    played: dict[str, Any] = {"rounds": rounds, "roles": game.roles, "terminal": last.is_terminal}
    if last.is_terminal:
        played["goals"] = {role: max(values) if values else None for role, values in last.goal_values.items()}
    return played


def trace_as_text(played: dict[str, Any]) -> str:
    """Return a trace as a text."""
    lines = []
    for number, entry in enumerate(played["rounds"], 1):
        lines.append(f"round {number}" if "joint" in entry else "end")
        lines.append(label_text("state", " ".join(entry["state"])))
        for role, moves in entry["legal"].items():
            lines.append(label_text("legal", f"{role}: {' '.join(moves)}"))
        if "joint" in entry:
            lines.append(label_text("moves", ", ".join(f"{role} {move}" for role, move in entry["joint"].items())))
        for role, percepts in entry["sees"].items():
            if percepts:
                lines.append(label_text("sees", f"{role}: {' '.join(percepts)}"))
    if played["terminal"]:
        goals = (f"{role} {'0 (none given)' if goal is None else goal}" for role, goal in played["goals"].items())
        lines.append(label_text("goals", ", ".join(goals)))
    else:
        lines.append("  not terminal")
    return "\n".join(lines)
