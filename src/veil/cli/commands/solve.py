"""`veil solve`: an equilibrium of the whole game, with its value and its exact exploitability."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from veil.cli.call import Options, command
from veil.cli.game_call import GameCall
from veil.cli.options import TreeNodes, limited_number, list_names
from veil.cli.output import print_problems
from veil.cli.strategy import COLUMN, evaluation_lines, policy_lines, strategy_lines
from veil.cli.workers import ClusterChoice, describe_traffic
from veil.clock import show_seconds
from veil.equilibrium import (
    DEFAULT_METHOD,
    DEFAULT_PRECISION,
    DEFAULT_SECONDS,
    SOLVERS,
    WalkListener,
    is_walked,
    solve as solve_game,
)
from veil.errors import Problem, problem
from veil.files import check_writable
from veil.report import Progress, check_plot_file, count_things, draw_solution, label_text

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np

    from veil.equilibrium import Point, Solution, WalkEstimate

    Snapshot = tuple[int, np.ndarray]  # iterations, policy [S]

STEPS = 100  # of an iteration, on a bar

Method = Annotated[str, typer.Option(help=f"{list_names(SOLVERS)}; `veil solvers` has their options.")]
Iterations = Annotated[int | None, limited_number("iterations", help="Stop after this number of iterations.")]
Target = Annotated[
    float | None,
    limited_number(
        "payoff",
        help=f"Stop at this exploitability; {DEFAULT_PRECISION:g} of the range of payoffs where no limit is given.",
    ),
]
Seconds = Annotated[
    float | None,
    limited_number(
        "seconds",
        help=f"Expand and solve for this number of seconds; solve for {DEFAULT_SECONDS:g} where no limit is given.",
    ),
]
PolicyOut = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write the policy: as JSON, or as arrays if the game was walked.")
]
StoreFile = Annotated[
    str | None, typer.Option("--store", metavar="FILE", help="Keep the state of the solver here, and go on from it.")
]
Plot = Annotated[str | None, typer.Option(metavar="FILE.png", help="Draw how the solver came there.")]


@dataclass(kw_only=True)
class Limits(Options):
    """The options for when the solver stops."""

    iterations: Iterations = None
    target: Target = None
    seconds: Seconds = None


class Room(NamedTuple):
    """Where a run has its memory."""

    max_nodes: int | None
    store: str | None


@command
def solve(
    call: GameCall,
    *,
    method: Method = DEFAULT_METHOD,
    limits: Limits,
    policy_out: PolicyOut = None,
    plot: Plot = None,
    store: StoreFile = None,
    max_nodes: TreeNodes = None,
    workers: ClusterChoice,
) -> None:
    """Solve the whole game and print values, exploitability and the first decisions.

    A game whose tree is too large is walked: no tree is kept. Ctrl-C ends the solver and prints the best so far; with
    --store, the same command goes on from there, also after it was killed. --cluster walks on the workers of a cluster.
    """
    workers.check()
    if plot is not None:
        check_plot_file(plot)
    if policy_out is not None:
        check_writable(policy_out)
    for name in (plot, policy_out):
        call.check_output(name or "", store)
    call.check_output(store or "")
    snapshots: list[Snapshot] | None = [] if plot is not None else None
    room = Room(max_nodes=max_nodes, store=store)
    with workers.open(call) as executor:
        solution = _run_solver(call, method, limits, room, snapshots, executor)
    call.warn(*solution.notes)
    if executor is not None:
        call.warn(describe_traffic(solution.prepared))
    if policy_out is not None and not call.attempt(partial(_save_policy, solution, policy_out)):
        policy_out = None
    if plot is not None and not call.attempt(partial(draw_solution, solution, snapshots or [], plot)):
        plot = None
    call.answer(lambda: _as_json(solution, policy_out), lambda: _as_text(solution, policy_out, plot))
    if solution.interrupted:
        raise KeyboardInterrupt


def _save_policy(solution: Solution, name: str) -> None:
    solution.policy.save(name)


def _run_solver(
    call: GameCall,
    method: str,
    limits: Limits,
    room: Room,
    snapshots: list[Snapshot] | None,
    executor: Executor | None,
) -> Solution:
    """Expand and solve the game with a display of progress. Add intermediate policies to `snapshots`, if given."""
    game = call.game
    with Progress(f"expanding {game.name}") as progress:
        is_expanded = is_walk = False

        def listen(point: Point, policy: np.ndarray) -> None:
            nonlocal is_expanded
            if not is_expanded:
                is_expanded = True
                progress.begin("solving", limits.iterations)
            if snapshots is not None and not is_walk:
                snapshots.append((point.iterations, policy))
            if limits.iterations is not None:
                progress.count(point.iterations, limits.iterations)
                progress.say(f"exploitability {point.exploitability:.3g}")
            else:
                progress.say(f"{point.iterations:,} iterations, exploitability {point.exploitability:.3g}")

        def begin_walk(estimate: WalkEstimate) -> None:
            nonlocal is_expanded, is_walk
            is_expanded = is_walk = True
            print_problems([describe_estimate(game.name, estimate)])
            progress.begin("walking", STEPS * (limits.iterations or 1))

        def count_walk(iterations: float, judged: float) -> None:
            whole = math.ceil(iterations + 0.5 * (not judged))
            total, done = (limits.iterations, iterations) if limits.iterations else (1, judged or iterations % 1.0)
            progress.count(int(STEPS * done), STEPS * total)
            what = f"judging iteration {whole}: {judged:.0%}" if judged else f"iteration {whole}"
            progress.say(what)

        return solve_game(
            game,
            method,
            **asdict(limits),
            seed=call.seed,
            max_nodes=room.max_nodes,
            progress=listen,
            limit_name="--max-nodes",
            store=room.store,
            walking=WalkListener(begin_walk, count_walk),
            executor=executor,
        )


def describe_estimate(game: str, estimate: WalkEstimate) -> Problem:
    """Return a note about how long a game is walked."""
    return problem("walk-estimate", game=game, steps=f"{estimate.steps:.2g}", time=show_seconds(estimate.seconds))


def _as_json(solution: Solution, policy_file: str | None) -> dict[str, Any]:
    return {
        "method": solution.method,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "value": solution.value,
        "exploitability": solution.exploitability,
        "nash_conv": solution.nash_conv,
        "policy_file": policy_file,
        "game": solution.game.name,
        "seed": solution.seed,
        "interrupted": solution.interrupted,
        "stopped_by": solution.stopped_by,
        "target": solution.budget.target,
        "walked": is_walked(solution),
        "course": [point._asdict() for point in solution.course],
    }


def _describe_stop(solution: Solution) -> str:
    """Return a text about what ended the solver."""
    target, seconds = solution.budget.target, solution.budget.seconds
    return {
        "target": f"at the target, an exploitability of {target or 0:.3g}",
        "iterations": f"after {solution.iterations:,} iterations, as many as were asked for",
        "seconds": f"by the limit of {seconds or 0:g} s" + (f", before the target of {target:.3g}" if target else ""),
        "exact": "at the end: the result is exact",
        "interrupted": "by Ctrl-C",
    }[solution.stopped_by]


def _as_text(solution: Solution, policy_file: str | None, plot: str | None) -> str:
    walked, game = is_walked(solution), solution.game
    how = (
        "the linear program"
        if solution.method == "lp"
        else f"{solution.method}, {count_things(solution.iterations, 'iteration')}"
    )
    size = "walked, without a tree" if walked else count_things(solution.tree.num_nodes, "node")
    lines = [f"{game.name}: {how} in {solution.seconds:.2f} s, {size}"]
    lines += evaluation_lines(solution.prepared, solution.evaluation)
    lines.append(label_text("stopped", _describe_stop(solution), COLUMN))
    lines += policy_lines(solution.policy) if walked else strategy_lines(solution.tree, solution.policy_slots)
    for what, name in (("policy", policy_file), ("plot", plot)):
        if name is not None:
            lines.append(label_text(what, f"written to {name}", COLUMN))
    return "\n".join(lines)
