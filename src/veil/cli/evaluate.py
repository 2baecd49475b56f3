"""`veil evaluate`: what a saved policy is worth, and what could be won against it."""

from __future__ import annotations

from typing import Annotated

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
from veil.cli.solve import WIDE, judged_lines
from veil.cli.tree import MAX_NODES
from veil.errors import problem

PolicyFile = Annotated[str, typer.Option("--policy", metavar="FILE", help="A policy that `veil solve` wrote.")]


def evaluate(
    game: GameName,
    policy: PolicyFile,
    max_nodes: MaxNodes = MAX_NODES,
    json: Json = False,
    seed: Seed = 0,  # nothing is random here; every command takes it
    max_rules: MaxRules = MAX_RULES,
    max_seconds: MaxSeconds = MAX_SECONDS,
    max_memory: MaxMemory = MAX_MEMORY,
) -> None:
    """Print value and exploitability of a saved policy, exactly."""
    loaded = load_game(game, max_rules, max_seconds, max_memory)
    from veil.equilibrium import Policy, check_rules, evaluate_profile, prepare, slots_of

    read = Policy.load(policy)
    check_rules(loaded, read, policy)
    with busy(f"expanding {loaded.name}"):
        prepared = prepare(loaded, max_nodes)
    slots, missing = slots_of(prepared.tree, read, policy)
    judged = evaluate_profile(prepared.form, slots)
    notes = [problem("policy-incomplete", name=policy, count=missing)] if missing else []
    print_problems([*loaded.warnings, *notes])
    best = dict(zip(prepared.roles, judged.best_value.tolist(), strict=True))
    if json:
        value = dict(zip(prepared.roles, judged.value.tolist(), strict=True))
        result: dict[str, object] = {"game": loaded.name, "policy_file": policy, "value": value, "best_response": best}
        result |= {"exploitability": judged.exploitability, "nash_conv": judged.nash_conv, "missing": missing}
        print_json(result)
        return
    print(f"{loaded.name}: {policy}")
    print("\n".join(judged_lines(prepared.tree, judged)))
    answers = ", ".join(f"{role} {value:.6g}" for role, value in best.items())
    print(labelled("best responses", f"{answers} {loaded.utility.unit}", WIDE))
