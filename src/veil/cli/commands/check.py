"""`veil check`: whether a game is well-formed, and its size."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.output import print_json, print_problems, print_text
from veil.errors import Problem, VeilError, phrase
from veil.report import Progress, count_things, find_column, label_text

if TYPE_CHECKING:
    from veil.engine import Game
    from veil.review import Soundness

KINDS = ("warning", "error", "note")
MAX_GOALS = 12  # most goals that are listed one by one
Strict = Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")]


@command
def check(call: GameCall, strict: Strict = False) -> None:
    """Parse a game, test that it is well-formed, ground it, and look for flaws in random games."""
    start = perf_counter()
    game, problems, soundness = _inspect(call)
    if strict:
        problems = [entry.as_error() if entry.severity == "warning" else entry for entry in problems]
    is_accepted = not any(entry.severity == "error" for entry in problems)
    seconds = perf_counter() - start
    if call.json:  # the problems are part of the answer
        from veil.review import find_verdict  # imports numba

        is_sound = game is not None and soundness is not None and find_verdict(game, soundness).is_sound
        verdict = {"ok": is_accepted, "name": " ".join(call.game_names)}
        searched = soundness and {"compared": soundness.infosets, "complete": soundness.complete}
        more = {"seconds": round(seconds, 3), "sound": is_sound, "infosets": searched}
        print_json(verdict | _as_json(game, problems) | more)
    else:
        print_problems(problems)
        if is_accepted and game is not None and soundness is not None:
            print_text(_as_text(game, soundness, seconds))
    if not is_accepted:
        raise typer.Exit(2)


def _inspect(call: GameCall) -> tuple[Game | None, list[Problem], Soundness | None]:
    """Return the game (None if it cannot be read), all its problems, and its soundness (None if it is not known)."""
    from veil.review import judge_soundness  # help needs none of it

    game: Game | None = None
    soundness: Soundness | None = None
    problems: list[Problem] = []
    try:
        game = call.game
        problems += game.rules.problems
        with Progress(f"grounding {game.name}"):
            _ = game.program
        with Progress(f"playing {game.name}"):
            soundness = judge_soundness(game, call.seed)
        problems += soundness.flaws
    except VeilError as error:
        problems += error.problems
    return game, problems, soundness


def _as_json(game: Game | None, problems: list[Problem]) -> dict[str, object]:
    program = game.__dict__.get("program") if game else None  # only if it was grounded
    roles = game.roles if game else []
    kinds = {f"{kind}s": [entry.as_json() for entry in problems if entry.severity == kind] for kind in KINDS}
    return (
        ({"name": game.name} if game else {})
        | {
            "roles": roles,
            "fluents": len(program.fluents) if program else None,
            "moves": {role: len(moves) for role, moves in zip(roles, program.moves, strict=True)} if program else {},
            "percepts": {role: len(terms) for role, terms in zip(roles, program.percepts, strict=True)}
            if program
            else {},
            "ground_rules": program.num_rules if program else None,
        }
        | kinds
    )


def _as_text(game: Game, soundness: Soundness, seconds: float) -> str:
    from veil.review import find_verdict  # imports numba

    program = game.program
    column = find_column([*game.roles, "ground program"])
    lines = [f"{game.name}: {find_verdict(game, soundness).sentence}"]
    for role, moves, percepts, goals in zip(game.roles, program.moves, program.percepts, program.goals, strict=True):
        listed = ", ".join(map(str, sorted(set(goals)))) if len(goals) <= MAX_GOALS else f"{goals[0]} to {goals[-1]}"
        sizes = (
            f"{count_things(len(moves), 'move')}, {count_things(len(percepts), 'percept')}, goals {listed or 'none'}"
        )
        lines.append(label_text(role, sizes, column))
    recursive = int(program.stratum_recursive.sum())
    strata = count_things(len(program.stratum_recursive), "stratum", "strata")
    inside = f"{recursive} recursive" if recursive else "no recursion"
    size = f"{count_things(program.num_rules, 'rule')}, {count_things(program.num_atoms, 'atom')}, {strata}, {inside}"
    lines.append(label_text("state", count_things(len(program.fluents), "fluent"), column))
    lines.append(label_text("ground program", size, column))
    if not any(entry.code == "infoset-moves" for entry in soundness.flaws):
        seen = "all-infosets" if soundness.complete else "some-infosets"
        lines.append(label_text("infosets", phrase(seen, count=soundness.infosets), column))
    lines.append(label_text("checked in", f"{seconds:.2f} s", column))
    return "\n".join(lines)
