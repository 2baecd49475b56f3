"""`veil trace`: replay joint moves, or play random ones, and print what holds in every round."""

from __future__ import annotations

import json as json_module
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.options import (
    MAX_MEMORY,
    MAX_RULES,
    MAX_SECONDS,
    GameName,
    Json,
    MaxMemory,
    MaxRules,
    MaxSeconds,
    Seed,
    load_game,
)
from veil.cli.output import busy, labelled, print_json, print_problems
from veil.errors import fail

if TYPE_CHECKING:
    from veil.engine import Game, State

Moves = Annotated[
    str | None, typer.Option(help="A JSON list of {role: move}, one object per round; - reads standard input.")
]
Rounds = Annotated[int, typer.Option(min=1, help="Stop a random game after so many rounds.")]


def trace(
    game: GameName,
    moves: Moves = None,
    json: Json = False,
    seed: Seed = 0,
    rounds: Rounds = 1000,
    max_rules: MaxRules = MAX_RULES,
    max_seconds: MaxSeconds = MAX_SECONDS,
    max_memory: MaxMemory = MAX_MEMORY,
) -> None:
    """Print state, legal moves and percepts round by round; then the end and the goals."""
    script = read_moves(moves) if moves is not None else None
    loaded = load_game(game, max_rules, max_seconds, max_memory)
    with busy(f"preparing {loaded.name}"):
        _ = loaded.reasoner
    print_problems([*loaded.warnings, *loaded.notes])
    record = _replay(loaded, script) if script is not None else _play_random(loaded, seed, rounds)
    if json:
        print_json(record)
    else:
        print(_as_text(record))


def read_text(name: str, code: str) -> str:
    """A file, or standard input where the name is -; what cannot be read is refused with this code."""
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError, AttributeError) as error:  # standard input may be closed
        raise fail(code, name=name, what=getattr(error, "strerror", None) or "not a text file") from None


def read_moves(name: str) -> list[dict[str, str]]:
    """The joint moves of a file; a trace or playthrough with its `rounds` will do as well."""
    text = read_text(name, "bad-moves-file")
    try:
        value = json_module.loads(text)
    except ValueError as error:
        raise fail("bad-moves-file", name=name, what=f"not JSON: {error}") from None
    except RecursionError:
        raise fail("bad-moves-file", name=name, what="not JSON that anyone could want: nested too deep") from None
    if isinstance(value, dict) and isinstance(value.get("rounds"), list):
        value = [entry["joint"] for entry in value["rounds"] if isinstance(entry, dict) and "joint" in entry]
    if not isinstance(value, list):
        raise fail("bad-moves-file", name=name, what="not a list of rounds")
    for number, joint in enumerate(value, 1):
        if not isinstance(joint, dict) or not all(isinstance(move, str) for move in joint.values()):
            raise fail("bad-moves-file", name=name, what=f"round {number} is not an object of role: move")
    return value


def _replay(loaded: Game, script: list[dict[str, str]]) -> dict[str, Any]:
    state = loaded.initial_state()
    rounds: list[dict[str, Any]] = []
    for number, joint in enumerate(script, 1):
        terms = state.joint_terms(joint, where=f"round {number}: ")
        spelled = {loaded.rules.show(role): loaded.rules.show(move) for role, move in terms.items()}
        following, entry = _round(loaded, state, spelled)
        rounds.append(entry)
        state = following
    return _record(loaded, rounds, state)


def _play_random(loaded: Game, seed: int, most: int) -> dict[str, Any]:
    import numpy as np

    rng = np.random.default_rng(seed)
    state = loaded.initial_state()
    rounds: list[dict[str, Any]] = []
    while not state.is_terminal and len(rounds) < most:
        stuck = next((role for role in loaded.roles if not state.legal(role)), None)
        if stuck is not None:
            raise fail("stuck", where=f"round {len(rounds) + 1}: ", role=stuck)
        following, entry = _round(loaded, state, state.random_joint_move(rng))
        rounds.append(entry)
        state = following
    return _record(loaded, rounds, state)


def _round(loaded: Game, state: State, joint: dict[str, str]) -> tuple[State, dict[str, Any]]:
    following, percepts = state.play(joint)
    legal = {role: state.legal(role) for role in loaded.roles}
    return following, {"state": state.fluents, "legal": legal, "sees": percepts, "joint": joint}


def _record(loaded: Game, rounds: list[dict[str, Any]], last: State) -> dict[str, Any]:
    """The shape of a playthrough: the last round has only its state, goals come with the end."""
    rounds.append({"state": last.fluents, "legal": {}, "sees": {}})
    record: dict[str, Any] = {"rounds": rounds, "roles": loaded.roles, "terminal": last.is_terminal}
    if last.is_terminal:
        record["goals"] = {role: max(values) if values else None for role, values in last.goal_values.items()}
    return record


def _as_text(record: dict[str, Any]) -> str:
    lines = []
    for number, entry in enumerate(record["rounds"], 1):
        lines.append(f"round {number}" if "joint" in entry else "end")
        lines.append(labelled("state", " ".join(entry["state"])))
        for role, moves in entry["legal"].items():
            lines.append(labelled("legal", f"{role}: {' '.join(moves)}"))
        if "joint" in entry:
            lines.append(labelled("moves", ", ".join(f"{role} {move}" for role, move in entry["joint"].items())))
        for role, percepts in entry["sees"].items():
            if percepts:
                lines.append(labelled("sees", f"{role}: {' '.join(percepts)}"))
    if record["terminal"]:
        goals = (f"{role} {'0 (none given)' if goal is None else goal}" for role, goal in record["goals"].items())
        lines.append(labelled("goals", ", ".join(goals)))
    else:
        lines.append("  not terminal")
    return "\n".join(lines)
