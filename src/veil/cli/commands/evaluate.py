"""`veil evaluate`: the value of a saved policy, and the values of best responses to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import TreeNodes
from veil.cli.strategy import COLUMN, evaluation_lines
from veil.cli.workers import ClusterChoice, describe_traffic
from veil.errors import problem
from veil.report import Progress, label_text

if TYPE_CHECKING:
    from veil.equilibrium import Evaluation, PreparedGame, Walk

PolicyFile = Annotated[
    str, typer.Option("--policy", metavar="FILE|uniform", help="A policy that `veil solve` wrote, or uniform play.")
]
PER_CENT = 100


@command
def evaluate(call: GameCall, *, policy: PolicyFile, max_nodes: TreeNodes = None, workers: ClusterChoice) -> None:
    """Print value and exploitability of a policy, exactly.

    A game whose tree is too large is walked: no tree is kept. --cluster walks on the workers of a cluster.
    """
    workers.check()
    from veil.equilibrium import (  # help needs none of it
        UNIFORM,
        TreeBounds,
        Walk,
        check_rules,
        judge_policy,
        prepare_or_walk,
        read_policy,
    )

    game = call.game
    read, name = read_policy(game, policy)
    check_rules(game, read, name)
    with workers.open(call) as executor, Progress(f"expanding {game.name}") as progress:
        prepared = prepare_or_walk(game, max_nodes, bounds=TreeBounds(option="--max-nodes"), executor=executor)
        if isinstance(prepared, Walk):
            progress.begin(f"walking {prepared.steps * len(prepared.roles):.3g} steps", PER_CENT)
        judged, missing = judge_policy(
            prepared, read, name, lambda share: progress.count(int(PER_CENT * share), PER_CENT)
        )
    if executor is not None:
        call.warn(describe_traffic(prepared))
    if missing and policy != UNIFORM:
        call.warn(problem("policy-incomplete", name=policy, count=missing))
    call.answer(
        lambda: {"game": game.name, "policy_file": policy} | _as_json(prepared, judged) | {"missing": missing},
        lambda: f"{game.name}: {policy}\n{_as_text(prepared, judged)}",
    )


def _as_json(prepared: PreparedGame | Walk, judged: Evaluation) -> dict[str, Any]:
    return {
        "value": dict(zip(prepared.roles, judged.value.tolist(), strict=True)),
        "best_response": dict(zip(prepared.roles, judged.best_value.tolist(), strict=True)),
        "exploitability": judged.exploitability,
        "nash_conv": judged.nash_conv,
    }


def _as_text(prepared: PreparedGame | Walk, judged: Evaluation) -> str:
    best = ", ".join(f"{role} {value:.6g}" for role, value in zip(prepared.roles, judged.best_value, strict=True))
    answers = label_text("best responses", f"{best} {prepared.game.utility.unit}", COLUMN)
    return "\n".join([*evaluation_lines(prepared, judged), answers])
