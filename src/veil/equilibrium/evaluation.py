"""`evaluate`: the exact value of a policy, and what best responses win against it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from veil.engine import Game, as_game
from veil.equilibrium.policy import THE_POLICY, Policy, Table, check_rules, check_table, slots_of
from veil.equilibrium.prepared_game import PreparedGame, prepare
from veil.equilibrium.response import evaluate_profile
from veil.equilibrium.tree import MAX_NODES


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyEvaluation:
    """The values of the policies of all roles together, in utilities."""

    value: dict[str, float]  # per role, if all roles play the policy
    best_response: dict[str, float]  # per role, if it alone plays its best response
    exploitability: float  # NashConv per role
    nash_conv: float  # sum over roles of the gain by a best response
    missing: int  # infosets that are not in the policy; they are played uniformly


def evaluate(
    game: Game | str | os.PathLike[str], policy: Policy | Table | str | os.PathLike[str], *, max_nodes: int = MAX_NODES
) -> PolicyEvaluation:
    """Evaluate a policy for all roles of a game, exactly: `evaluate("kuhn_poker", "policy.json").exploitability`.

    The game is a `Game`, its name, path or rules text. The policy is a `Policy`, the path of a saved one, or a table
    role -> text of a record -> move -> probability; infosets that it leaves out are played uniformly. Raises
    `VeilError` for a game of more than `max_nodes` nodes and for a policy that does not fit the game.
    """
    game = as_game(game)
    read, name = _read_policy(game, policy)
    check_rules(game, read, name)  # before the game is expanded, which may take a while
    return evaluate_policy(prepare(game, max_nodes), read, name)


def evaluate_policy(prepared: PreparedGame, policy: Policy, name: str = THE_POLICY) -> PolicyEvaluation:
    """Evaluate a policy exactly on a prepared game; messages call the policy `name`."""
    slots, missing = slots_of(prepared.tree, policy, name)
    judged = evaluate_profile(prepared.form, slots)
    return PolicyEvaluation(
        value=dict(zip(prepared.roles, judged.value.tolist(), strict=True)),
        best_response=dict(zip(prepared.roles, judged.best_value.tolist(), strict=True)),
        exploitability=judged.exploitability,
        nash_conv=judged.nash_conv,
        missing=missing,
    )


def _read_policy(game: Game, policy: Policy | Table | str | os.PathLike[str]) -> tuple[Policy, str]:
    """Return the policy, and its name in messages."""
    if isinstance(policy, Policy):
        return policy, THE_POLICY
    if isinstance(policy, Mapping):
        return Policy(game=game.name, rules=game.fingerprint, table=check_table(policy)), THE_POLICY
    return Policy.load(policy), os.fspath(policy)
