"""`veil check`: whether a game is well-formed, and its size."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import command
from veil.cli.folder_check import check_games, count_verdicts, files_as_text, find_games
from veil.cli.game_call import GameCall
from veil.cli.options import limited_number
from veil.cli.output import print_json, print_problems, print_text
from veil.errors import Problem, VeilError, fail, phrase
from veil.report import Progress, count_things, find_column, label_text

if TYPE_CHECKING:
    from veil.engine import Game, GroundProgram
    from veil.review import Soundness

KINDS = ("warning", "error", "note")
RATE_SECONDS, RATE_GAMES, RATE_ROUNDS = 1.0, 8, 50  # how a rate is measured: about how long, with which random games
MAX_GOALS = 12  # most goals that are listed one by one
AllFiles = Annotated[
    bool,
    typer.Option("--all", help="Check every game below a folder, each in a process of its own, side by side."),
]
Jobs = Annotated[
    int | None,
    limited_number("processes", help="With --all, games side by side; if not given, one per processor."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Treat warnings as errors.")]


@command
def check(call: GameCall, strict: Strict = False, all_files: AllFiles = False, jobs: Jobs = None) -> None:
    """Parse a game, test that it is well-formed, ground it, and look for flaws in random games."""
    if all_files:
        _check_folders(call, ["--strict"] if strict else [], jobs)
        return
    if jobs is not None:
        raise fail("bad-option", what="--jobs needs --all: one game is checked by one process")
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


def _check_folders(call: GameCall, options: list[str], jobs: int | None) -> None:
    """Check all rules files below the folders that are given instead of a game; after Ctrl-C, print what is known."""
    limits = {"--max-seconds": call.max_seconds, "--max-rules": call.max_rules, "--max-memory": call.max_memory}
    options += [text for name, value in (limits | {"--seed": call.seed}).items() for text in (name, str(value))]
    games = [game for folder in call.game_names for game in find_games(folder)]
    with Progress("checking games", len(games)) as progress:
        verdicts = check_games(games, options, call.max_seconds, progress.advance, jobs)
    if call.json:
        print_json({"files": verdicts, "counts": count_verdicts(verdicts), "complete": len(verdicts) == len(games)})
    else:
        print_text(files_as_text(verdicts, len(games)))
    if len(verdicts) < len(games):
        raise KeyboardInterrupt


def _inspect(call: GameCall) -> tuple[Game | None, list[Problem], Soundness | None]:
    """Return the game (None if it cannot be read), all its problems, and its soundness (None if it is not known)."""
    from veil.review import judge_soundness  # help needs none of it

    game: Game | None = None
    soundness: Soundness | None = None
    start = perf_counter()
    problems: list[Problem] = []
    try:
        game = call.game
        problems += game.rules.problems
        with Progress(f"grounding {game.name}"):
            _ = game.program
        problems += [entry for entry in game.notes if entry not in problems]
        with Progress(f"playing {game.name}"):
            soundness = judge_soundness(game, call.seed, deadline=start + call.max_seconds)
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
            "ground_rules": program.num_rules if program and program.is_ground else None,
        }
        | kinds
        | {"states_per_second": measure_rate(game) if game and program and not program.is_ground else None}
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
    lines.append(label_text("state", count_things(len(program.fluents), "fluent"), column))
    if program.is_ground:
        lines.append(label_text("ground program", _ground_size(program), column))
    else:
        lines.append(label_text("from its rules", f"{measure_rate(game):,} states per second", column))
    if not any(entry.code == "infoset-moves" for entry in soundness.flaws):
        seen = "all-infosets" if soundness.complete else "some-infosets"
        lines.append(label_text("infosets", phrase(seen, count=soundness.infosets), column))
    lines.append(label_text("checked in", f"{seconds:.2f} s", column))
    return "\n".join(lines)


def _ground_size(program: GroundProgram) -> str:
    """Return the size of a ground program in words."""
    recursive = int(program.stratum_recursive.sum())
    strata = count_things(len(program.stratum_recursive), "stratum", "strata")
    inside = f"{recursive} recursive" if recursive else "no recursion"
    return f"{count_things(program.num_rules, 'rule')}, {count_things(program.num_atoms, 'atom')}, {strata}, {inside}"


def measure_rate(game: Game) -> int:
    """Return how many states of random games a machine visits per second of processor time."""
    machine = game.machine
    machine.playouts(machine.initial_states(), 1, 0, max_rounds=1)  # compiled before the clock starts
    start, steps = process_time(), 0
    while process_time() - start < RATE_SECONDS:
        steps += machine.playouts(machine.initial_states(), RATE_GAMES, steps, max_rounds=RATE_ROUNDS).steps
    return round(steps / (process_time() - start))
