"""`veil solve`: an equilibrium of the whole game, with its value and its exact exploitability."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.options import (
    MAX_MEMORY,
    MAX_RULES,
    MAX_SECONDS,
    GameName,
    Json,
    MaxMemory,
    MaxNodes,
    MaxRules,
    MaxSeconds,
    Seed,
    load_game,
)
from veil.cli.output import busy, labelled, print_json, print_problems
from veil.cli.tree import MAX_NODES

if TYPE_CHECKING:
    import numpy as np

    from veil.equilibrium import Evaluation, GameTree, Point, Solution

WIDE = 18
SHOWN = 6  # infosets per role
MAX_SHOWN_MOVES = 8  # of an infoset

METHODS = "its, xfp, cfr, cfr+, dcfr, pcfr+, es-mccfr, os-mccfr or lp"
Method = Annotated[str, typer.Option(help=f"{METHODS}.")]
Iterations = Annotated[int | None, typer.Option(min=1, help="Stop after so many iterations.")]
Target = Annotated[float | None, typer.Option(help="Stop at this exploitability.")]
Seconds = Annotated[float | None, typer.Option(help="Stop after so many seconds; 10 where no limit is given.")]
PolicyOut = Annotated[str | None, typer.Option(metavar="FILE", help="Write the policy as JSON.")]
Plot = Annotated[str | None, typer.Option(metavar="FILE.png", help="Draw how the solver came there.")]


def solve(
    game: GameName,
    method: Method = "cfr+",
    iterations: Iterations = None,
    target: Target = None,
    seconds: Seconds = None,
    policy_out: PolicyOut = None,
    plot: Plot = None,
    max_nodes: MaxNodes = MAX_NODES,
    json: Json = False,
    seed: Seed = 0,
    max_rules: MaxRules = MAX_RULES,
    max_seconds: MaxSeconds = MAX_SECONDS,
    max_memory: MaxMemory = MAX_MEMORY,
) -> None:
    """Solve the whole game and print values, exploitability and the first decisions.

    Ctrl-C ends the solver and prints the best so far.
    """
    if plot is not None:
        from veil.report import check_plot_file

        check_plot_file(plot)
    loaded = load_game(game, max_rules, max_seconds, max_memory)
    from veil.equilibrium import SOLVERS, Budget, prepare, solve_prepared

    SOLVERS.parse(method)
    budget = Budget(iterations=iterations, seconds=seconds, target=target)
    with busy(f"expanding {loaded.name}"):
        prepared = prepare(loaded, max_nodes)
    snapshots: list[tuple[int, np.ndarray]] = []

    def listen(point: Point, policy: np.ndarray) -> None:
        _show_progress(point)
        if plot is not None:
            snapshots.append((point.iterations, policy))

    found = solve_prepared(prepared, method, budget, seed, listen)
    _end_progress()
    print_problems([*loaded.warnings, *found.notes])
    if policy_out is not None:
        found.policy.save(policy_out)
    if plot is not None:
        from veil.report import draw_solution

        draw_solution(found, snapshots, plot)
    if json:
        print_json(_as_json(found, policy_out))
    else:
        print(_as_text(found))
        for what, name in (("policy", policy_out), ("plot", plot)):
            if name is not None:
                print(labelled(what, f"written to {name}", WIDE))
    if found.interrupted:
        raise KeyboardInterrupt


def _show_progress(point: Point) -> None:
    if sys.stderr.isatty():
        text = f"{point.iterations:,} iterations, {point.seconds:.1f} s, exploitability {point.exploitability:.3g}"
        print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)


def _end_progress() -> None:
    if sys.stderr.isatty():
        print(f"\r{'':78}\r", end="", file=sys.stderr, flush=True)


def _as_json(found: Solution, policy_file: str | None) -> dict[str, Any]:
    return {
        "method": found.method,
        "iterations": found.iterations,
        "seconds": found.seconds,
        "value": found.value,
        "exploitability": found.exploitability,
        "nash_conv": found.nash_conv,
        "policy_file": policy_file,
        "game": found.game.name,
        "seed": found.seed,
        "interrupted": found.interrupted,
    }


def _as_text(found: Solution) -> str:
    tree = found.tree
    how = "the linear program" if found.method == "lp" else f"{found.method}, {found.iterations:,} iterations"
    lines = [f"{tree.game.name}: {how} in {found.seconds:.2f} s, {tree.num_nodes:,} nodes"]
    lines += judged_lines(tree, found.evaluation)
    lines += strategy_lines(tree, found.policy_slots)
    return "\n".join(lines)


def judged_lines(tree: GameTree, judged: Evaluation) -> list[str]:
    """Value and exploitability of a policy, for people."""
    unit = tree.game.utility.unit
    values = ", ".join(f"{role} {value:.6g}" for role, value in zip(tree.roles, judged.value, strict=True))
    exact = f"{judged.exploitability:.3g} (NashConv {judged.nash_conv:.3g})"
    return [labelled("value", f"{values} {unit}", WIDE), labelled("exploitability", exact, WIDE)]


def strategy_lines(tree: GameTree, policy: np.ndarray) -> list[str]:
    """The decisions at the first infosets of every role, in words."""
    import numpy as np

    from veil.equilibrium import records_in_words, slot_moves

    moves = slot_moves(tree)
    lines = []
    for number, role in enumerate(tree.roles):
        infosets = tree.infosets_of(number)[:SHOWN]
        left = len(tree.infosets_of(number)) - len(infosets)
        lines.append(f"  {role}")
        for infoset, record in zip(infosets, records_in_words(tree, np.array(infosets, np.int64)), strict=True):
            likely = sorted(tree.slots_in(infoset), key=lambda slot: -policy[slot])[:MAX_SHOWN_MOVES]
            played = [f"{moves[slot]} {policy[slot]:.3f}" for slot in likely if policy[slot] >= 0.0005]
            lines += [labelled("", record, 4), labelled("", ", ".join(played), 8)]
        if left > 0:
            lines.append(labelled("", f"... and {left:,} more infosets; --policy-out writes all", 4))
    return lines
