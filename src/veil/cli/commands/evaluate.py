"""`veil evaluate`: the value of a saved policy, and the values of best responses to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import MaxNodes, default_of
from veil.cli.strategy import COLUMN, evaluation_lines
from veil.equilibrium import TreeBounds, prepare
from veil.errors import problem
from veil.report import Progress, label_text

if TYPE_CHECKING:
    from veil.equilibrium import Evaluation, GameTree

MAX_NODES: int = default_of(prepare, "max_nodes")
PolicyFile = Annotated[str, typer.Option("--policy", metavar="FILE", help="A policy that `veil solve` wrote.")]


@command
def evaluate(call: GameCall, policy: PolicyFile, max_nodes: MaxNodes = MAX_NODES) -> None:
    """Print value and exploitability of a saved policy, exactly."""
    from veil.equilibrium import Policy, check_rules, evaluate_profile, slots_of  # help needs none of it

    game = call.game
    read = Policy.load(policy)
    check_rules(game, read, policy)
    with Progress(f"expanding {game.name}"):
        prepared = prepare(game, max_nodes, bounds=TreeBounds(option="--max-nodes"))
    slots, missing = slots_of(prepared.tree, read, policy)
    judged = evaluate_profile(prepared.form, slots)
    if missing:
        call.warn(problem("policy-incomplete", name=policy, count=missing))
    call.answer(
        lambda: {"game": game.name, "policy_file": policy} | _as_json(prepared.tree, judged) | {"missing": missing},
        lambda: f"{game.name}: {policy}\n{_as_text(prepared.tree, judged)}",
    )


def _as_json(tree: GameTree, judged: Evaluation) -> dict[str, Any]:
    return {
        "value": dict(zip(tree.roles, judged.value.tolist(), strict=True)),
        "best_response": dict(zip(tree.roles, judged.best_value.tolist(), strict=True)),
        "exploitability": judged.exploitability,
        "nash_conv": judged.nash_conv,
    }


def _as_text(tree: GameTree, judged: Evaluation) -> str:
    best = ", ".join(f"{role} {value:.6g}" for role, value in zip(tree.roles, judged.best_value, strict=True))
    answers = label_text("best responses", f"{best} {tree.game.utility.unit}", COLUMN)
    return "\n".join([*evaluation_lines(tree, judged), answers])
