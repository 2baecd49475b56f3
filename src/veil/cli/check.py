"""`veil check`: is this a game, and how large is it?"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Annotated

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
from veil.errors import Problem, VeilError

if TYPE_CHECKING:
    from veil.engine import Game

WIDE = 18  # column of the text after a label
Strict = Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")]


def check(
    game: GameName,
    strict: Strict = False,
    json: Json = False,
    seed: Seed = 0,
    max_rules: MaxRules = MAX_RULES,
    max_seconds: MaxSeconds = MAX_SECONDS,
    max_memory: MaxMemory = MAX_MEMORY,
) -> None:
    """Parse a game, test that it is well-formed, ground it, and look for flaws in random games."""
    start = perf_counter()
    problems: list[Problem] = []
    loaded: Game | None = None
    try:
        loaded = load_game(game, max_rules, max_seconds, max_memory)
        problems += loaded.rules.problems
        problems += _inspect(loaded, seed)
    except VeilError as error:
        problems += error.problems
    if strict:
        problems = [entry.as_error() if entry.severity == "warning" else entry for entry in problems]
    ok = not any(entry.severity == "error" for entry in problems)
    seconds = perf_counter() - start
    if json:
        print_json(_as_json(game, loaded, problems, ok, seconds))
    else:
        print_problems(problems)
        if ok and loaded is not None:
            print(_summary(loaded, seconds))
    if not ok:
        raise typer.Exit(2)


def _inspect(loaded: Game, seed: int) -> list[Problem]:
    from veil.engine import find_flaws

    with busy(f"grounding {loaded.name}"):
        _ = loaded.program
    return find_flaws(loaded, seed)


def _as_json(name: str, loaded: Game | None, problems: list[Problem], ok: bool, seconds: float) -> dict[str, object]:
    program = loaded.__dict__.get("program") if loaded else None  # only if it was grounded
    roles = loaded.roles if loaded else []
    return {
        "ok": ok,
        "name": loaded.name if loaded else name,
        "roles": roles,
        "fluents": len(program.fluents) if program else None,
        "moves": {role: len(own) for role, own in zip(roles, program.moves, strict=True)} if program else {},
        "percepts": {role: len(own) for role, own in zip(roles, program.percepts, strict=True)} if program else {},
        "ground_rules": program.num_rules if program else None,
        "warnings": [entry.as_json() for entry in problems if entry.severity == "warning"],
        "errors": [entry.as_json() for entry in problems if entry.severity == "error"],
        "notes": [entry.as_json() for entry in problems if entry.severity == "note"],
        "seconds": round(seconds, 3),
    }


def _summary(loaded: Game, seconds: float) -> str:
    program = loaded.program
    lines = [f"{loaded.name}: a sound game"]
    for role, moves, percepts, goals in zip(loaded.roles, program.moves, program.percepts, program.goals, strict=True):
        worth = ", ".join(map(str, sorted(set(goals)))) if len(goals) <= 12 else f"{goals[0]} to {goals[-1]}"
        lines.append(labelled(role, f"{len(moves):,} moves, {len(percepts):,} percepts, goals {worth or 'none'}", WIDE))
    recursive = int(program.stratum_recursive.sum())
    strata = f"{len(program.stratum_recursive)} strata, {f'{recursive} recursive' if recursive else 'no recursion'}"
    lines.append(labelled("state", f"{len(program.fluents):,} fluents", WIDE))
    lines.append(
        labelled("ground program", f"{program.num_rules:,} rules, {program.num_atoms:,} atoms, {strata}", WIDE)
    )
    lines.append(labelled("checked in", f"{seconds:.2f} s", WIDE))
    return "\n".join(lines)
