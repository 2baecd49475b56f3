"""`veil solve`: an equilibrium of the whole game, with its value and its exact exploitability."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.call import Options, command
from veil.cli.game_call import GameCall
from veil.cli.options import MaxNodes, default_of, limited_number, list_names
from veil.cli.strategy import COLUMN, evaluation_lines, strategy_lines
from veil.equilibrium import DEFAULT_METHOD, DEFAULT_PRECISION, DEFAULT_SECONDS, SOLVERS, solve as solve_game
from veil.files import check_writable
from veil.report import Progress, check_plot_file, count_things, draw_solution, label_text

if TYPE_CHECKING:
    import numpy as np

    from veil.equilibrium import Point, Solution

    Snapshot = tuple[int, np.ndarray]  # iterations, policy [S]

MAX_NODES: int = default_of(solve_game, "max_nodes")

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
PolicyOut = Annotated[str | None, typer.Option(metavar="FILE", help="Write the policy as JSON.")]
Plot = Annotated[str | None, typer.Option(metavar="FILE.png", help="Draw how the solver came there.")]


@dataclass(kw_only=True)
class Limits(Options):
    """The options for when the solver stops."""

    iterations: Iterations = None
    target: Target = None
    seconds: Seconds = None


@command
def solve(
    call: GameCall,
    *,
    method: Method = DEFAULT_METHOD,
    limits: Limits,
    policy_out: PolicyOut = None,
    plot: Plot = None,
    max_nodes: MaxNodes = MAX_NODES,
) -> None:
    """Solve the whole game and print values, exploitability and the first decisions.

    Ctrl-C ends the solver and prints the best so far.
    """
    if plot is not None:
        check_plot_file(plot)
    if policy_out is not None:
        check_writable(policy_out)
    for name in (plot, policy_out):
        call.check_output(name or "")
    snapshots: list[Snapshot] | None = [] if plot is not None else None
    solution = _run_solver(call, method, limits, max_nodes, snapshots)
    call.warn(*solution.notes)
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
    call: GameCall, method: str, limits: Limits, max_nodes: int, snapshots: list[Snapshot] | None
) -> Solution:
    """Expand and solve the game with a display of progress. Add intermediate policies to `snapshots`, if given."""
    game = call.game
    with Progress(f"expanding {game.name}") as progress:
        is_expanded = False

        def listen(point: Point, policy: np.ndarray) -> None:
            nonlocal is_expanded
            if not is_expanded:
                is_expanded = True
                progress.begin("solving", limits.iterations)
            if snapshots is not None:
                snapshots.append((point.iterations, policy))
            if limits.iterations is not None:
                progress.count(point.iterations, limits.iterations)
                progress.say(f"exploitability {point.exploitability:.3g}")
            else:
                progress.say(f"{point.iterations:,} iterations, exploitability {point.exploitability:.3g}")

        return solve_game(
            game,
            method,
            **asdict(limits),
            seed=call.seed,
            max_nodes=max_nodes,
            progress=listen,
            limit_name="--max-nodes",
        )


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
    tree = solution.tree
    how = (
        "the linear program"
        if solution.method == "lp"
        else f"{solution.method}, {count_things(solution.iterations, 'iteration')}"
    )
    lines = [f"{tree.game.name}: {how} in {solution.seconds:.2f} s, {count_things(tree.num_nodes, 'node')}"]
    lines += evaluation_lines(tree, solution.evaluation)
    lines.append(label_text("stopped", _describe_stop(solution), COLUMN))
    lines += strategy_lines(tree, solution.policy_slots)
    for what, name in (("policy", policy_file), ("plot", plot)):
        if name is not None:
            lines.append(label_text(what, f"written to {name}", COLUMN))
    return "\n".join(lines)
