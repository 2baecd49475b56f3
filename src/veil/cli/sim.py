"""`veil sim`: random games in native code, with means and errors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from veil.errors import Problem, problem
from veil.terminal import error_console

if TYPE_CHECKING:
    from veil.engine import Game, Simulation

Playouts = Annotated[int, typer.Option(min=1, help="How many random games.")]
Threads = Annotated[int, typer.Option(min=1, help="Threads; the result does not depend on them.")]
MaxRounds = Annotated[int, typer.Option(min=1, help="Cut a game after so many rounds.")]


def sim(
    game: GameName,
    playouts: Playouts = 100_000,
    threads: Threads = 1,
    max_rounds: MaxRounds = 100_000,
    json: Json = False,
    seed: Seed = 0,
    max_rules: MaxRules = MAX_RULES,
    max_seconds: MaxSeconds = MAX_SECONDS,
    max_memory: MaxMemory = MAX_MEMORY,
) -> None:
    """Play random games and print mean goals, mean length and speed."""
    loaded = load_game(game, max_rules, max_seconds, max_memory)
    with busy(f"preparing {loaded.name}"):
        machine = loaded.machine
    from veil.engine import simulate

    with _bar(playouts) as progress:
        found = simulate(machine, playouts, seed, threads=threads, max_rounds=max_rounds, progress=progress)
    print_problems([*loaded.warnings, *_remarks(found, max_rounds)])
    if json:
        print_json(_as_json(loaded, found))
    else:
        print(_as_text(loaded, found))


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error; only on a terminal, and only for what takes its time."""
    if not sys.stderr.isatty() or total < 1_000_000:
        yield lambda _: None
        return
    from rich.progress import Progress

    with Progress(console=error_console(), transient=True) as progress:
        task = progress.add_task("playouts", total=total)
        yield lambda count: progress.update(task, advance=count)


def _remarks(found: Simulation, max_rounds: int) -> list[Problem]:
    remarks = []
    if found.stuck:
        remarks.append(problem("stuck-playouts", count=found.stuck, total=found.playouts))
    if found.cut:
        remarks.append(problem("cut-playouts", count=found.cut, total=found.playouts, rounds=max_rounds))
    return remarks


def _as_json(loaded: Game, found: Simulation) -> dict[str, object]:
    goals = zip(loaded.roles, found.goal_mean, found.goal_error, strict=True)
    return {
        "game": loaded.name,
        "playouts": found.playouts,
        "seconds": found.seconds,
        "playouts_per_second": found.playouts / found.seconds,
        "steps_per_second": found.steps / found.seconds,
        "mean_length": found.mean_length,
        "goals": {role: {"mean": float(mean), "stderr": float(error)} for role, mean, error in goals},
        "stuck": found.stuck,
        "cut": found.cut,
    }


def _as_text(loaded: Game, found: Simulation) -> str:
    lines = [f"{loaded.name}: {found.playouts:,} random games"]
    for role, mean, error in zip(loaded.roles, found.goal_mean, found.goal_error, strict=True):
        lines.append(labelled(role, f"mean goal {mean:.3f} ± {error:.3f}", 16))
    lines.append(labelled("length", f"{found.mean_length:.2f} rounds on average", 16))
    speed = f"{found.playouts / found.seconds:,.0f} games and {found.steps / found.seconds:,.0f} steps per second"
    lines.append(labelled("speed", f"{speed}, {found.seconds:.3f} s in all", 16))
    return "\n".join(lines)
