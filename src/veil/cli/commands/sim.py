"""`veil sim`: random games in native code, with mean goals and intervals."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Annotated

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import default_of, limited_number
from veil.engine import simulate
from veil.errors import Problem, problem
from veil.intervals import show_half_width
from veil.report import Progress, count_things, find_column, label_text

if TYPE_CHECKING:
    from veil.engine import Game, Simulation

LEAST_COLUMN = 16  # at which texts begin
PLAYOUTS = 100_000
THREADS: int = default_of(simulate, "threads")
MAX_ROUNDS: int = default_of(simulate, "max_rounds")

Playouts = Annotated[int, limited_number("playouts", help="How many random games.")]
Threads = Annotated[int, limited_number("threads", help="Threads; the result does not depend on them.")]
MaxRounds = Annotated[int, limited_number("rounds", help="Cut a game after this number of rounds.")]


@command
def sim(
    call: GameCall,
    playouts: Playouts = PLAYOUTS,
    threads: Threads = THREADS,
    max_rounds: MaxRounds = MAX_ROUNDS,
) -> None:
    """Play random games and print mean goals, mean length and speed."""
    start = perf_counter()
    machine = call.prepare()
    call.warn(*call.game.notes)
    end = start + call.max_seconds
    with Progress("playing", playouts) as progress:
        result = simulate(
            machine,
            playouts,
            call.seed,
            threads=threads,
            max_rounds=max_rounds,
            deadline=end,
            progress=progress.advance,
        )
    call.warn(*list_remarks(result, playouts, call.max_seconds))
    call.answer(lambda: _as_json(call.game, result), lambda: _as_text(call.game, result))


def list_remarks(result: Simulation, wanted: int, seconds: float) -> list[Problem]:
    """Return warnings about games that did not reach their end, or that were not played."""
    remarks = []
    if result.playouts < wanted:
        remarks.append(problem("fewer-playouts", count=result.playouts, total=wanted, seconds=seconds))
    if result.stuck:
        remarks.append(problem("stuck-playouts", count=result.stuck, total=result.playouts))
    if result.cut:
        remarks.append(problem("cut-playouts", count=result.cut, total=result.playouts, rounds=result.max_rounds))
    return remarks


def _as_json(game: Game, result: Simulation) -> dict[str, object]:
    goals = zip(game.roles, result.goal_mean, result.goal_error, result.goal_half, strict=True)
    return {
        "game": game.name,
        "playouts": result.playouts,
        "seconds": result.seconds,
        "playouts_per_second": result.playouts / result.seconds,
        "steps_per_second": result.steps / result.seconds,
        "mean_length": result.mean_length,
        "goals": {role: {"mean": float(mean), "stderr": error, "ci95": half} for role, mean, error, half in goals},
        "stuck": result.stuck,
        "cut": result.cut,
    }


def _as_text(game: Game, result: Simulation) -> str:
    column = find_column(game.roles, LEAST_COLUMN)
    lines = [f"{game.name}: {count_things(result.playouts, 'random game')}"]
    for role, mean, half in zip(game.roles, result.goal_mean, result.goal_half, strict=True):
        lines.append(label_text(role, f"mean goal {mean:.3f}{show_half_width(half, 3)}", column))
    lines.append(label_text("length", f"{result.mean_length:.2f} rounds on average", column))
    speed = f"{result.playouts / result.seconds:,.0f} games and {result.steps / result.seconds:,.0f} steps per second"
    lines.append(label_text("speed", f"{speed}, {result.seconds:.3f} s in all", column))
    return "\n".join(lines)
