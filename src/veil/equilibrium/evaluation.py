"""`evaluate`: the exact value of a policy, and what best responses win against it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from veil.engine import Game, as_game
from veil.equilibrium.policy import THE_POLICY, Policy, Table, check_rules, check_table, slots_of
from veil.equilibrium.prepared_game import PreparedGame
from veil.equilibrium.response import Evaluation, evaluate_profile, uniform_policy
from veil.errors import bad_argument, phrase

if TYPE_CHECKING:
    from veil.equilibrium.streaming.functions import PolicyFunction
    from veil.equilibrium.streaming.walk import Share, Walk

UNIFORM = "uniform"  # the name of the policy that plays every legal move equally often


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyEvaluation:
    """The values of the policies of all roles together, in utilities."""

    value: dict[str, float]  # per role, if all roles play the policy
    best_response: dict[str, float]  # per role, if it alone plays its best response
    exploitability: float  # NashConv per role
    nash_conv: float  # sum over roles of the gain by a best response
    missing: int  # infosets that are not in the policy; they are played uniformly

    def __repr__(self) -> str:
        value = ", ".join(f"{role}: {utility:.6g}" for role, utility in self.value.items())
        return f"PolicyEvaluation({{{value}}}, exploitability={self.exploitability:.3g})"


def evaluate(
    game: Game | str | os.PathLike[str],
    policy: Policy | Table | str | os.PathLike[str] | PolicyFunction,
    *,
    rounds: int | None = None,
    max_nodes: int | None = None,
    executor: Executor | None = None,
) -> PolicyEvaluation:
    """Evaluate a policy for all roles of a game, exactly: `evaluate("kuhn_poker", "policy.json").exploitability`.

    The game is a `Game`, its name, path or rules text. The policy is a `Policy`, the path of a saved one, `uniform`, or
    a table role -> text of a record -> move -> probability; infosets that it leaves out are played uniformly.

    It may also be a function, `function(role, observations, legal)`: for the name of a role, observations [N, bits] and
    legal moves [N, moves], both bool, it returns probabilities [N, moves]. It is asked once per infoset. Observations
    are those of `VectorEnv(game, observation="record", rounds=rounds)`; without `rounds` they hold the whole game.

    A game whose tree is too large is walked, which may take hours; on an `executor` if there is one
    (`veil.open_cluster`). Raises `VeilError` for a game that is too large even
    for that, for one of more than `max_nodes` nodes if that is given, and for a policy that does not fit the game.
    """
    from veil.equilibrium.streaming.choice import prepare_or_walk  # imports numba
    from veil.equilibrium.streaming.functions import ask_function
    from veil.equilibrium.streaming.shard_crew import prepare_on
    from veil.equilibrium.streaming.walk_evaluation import evaluate_on_walk

    game = as_game(game)
    if callable(policy):
        walk = prepare_on(executor, game)
        return _describe(walk, evaluate_on_walk(walk, ask_function(walk, policy, rounds)), 0)
    read, name = read_policy(game, policy)
    check_rules(game, read, name)  # before the game is expanded, which may take a while
    return evaluate_policy(prepare_or_walk(game, max_nodes, executor=executor), read, name)


def evaluate_policy(prepared: PreparedGame | Walk, policy: Policy, name: str = THE_POLICY) -> PolicyEvaluation:
    """Evaluate a policy exactly on a prepared game; messages call the policy `name`."""
    return _describe(prepared, *judge_policy(prepared, policy, name))


def judge_policy(
    prepared: PreparedGame | Walk, policy: Policy, name: str = THE_POLICY, share: Share | None = None
) -> tuple[Evaluation, int]:
    """Return the evaluation of a policy, and the number of infosets that it does not have.

    `share` is called with the share of a walk that is done.
    """
    if isinstance(prepared, PreparedGame):
        slots, missing = slots_of(prepared.tree, policy, name)
        return judge_slots(prepared, slots), missing
    if not policy.table:
        uniform = uniform_policy(prepared.form)
        return judge_slots(prepared, uniform, share, is_uniform=True), len(prepared.form.infoset_before)
    from veil.equilibrium.streaming.walk_policy import walk_slots_of  # imports numba

    slots, missing = walk_slots_of(prepared, policy, name)
    return judge_slots(prepared, slots, share), missing


def judge_slots(
    prepared: PreparedGame | Walk, slots: np.ndarray, share: Share | None = None, *, is_uniform: bool = False
) -> Evaluation:
    """Return the evaluation of a policy [S]; a walk of one that `is_uniform` is short."""
    if isinstance(prepared, PreparedGame):
        return evaluate_profile(prepared.form, slots)
    from veil.equilibrium.streaming.walk import ignore_share  # imports numba
    from veil.equilibrium.streaming.walk_evaluation import evaluate_on_walk, evaluate_uniform_play

    share = share or ignore_share
    return evaluate_uniform_play(prepared, share) if is_uniform else evaluate_on_walk(prepared, slots, share)


def _describe(prepared: PreparedGame | Walk, judged: Evaluation, missing: int) -> PolicyEvaluation:
    """Return the values of an evaluation with the names of the roles."""
    return PolicyEvaluation(
        value=dict(zip(prepared.roles, judged.value.tolist(), strict=True)),
        best_response=dict(zip(prepared.roles, judged.best_value.tolist(), strict=True)),
        exploitability=judged.exploitability,
        nash_conv=judged.nash_conv,
        missing=missing,
    )


def read_policy(game: Game, policy: Policy | Table | str | os.PathLike[str]) -> tuple[Policy, str]:
    """Return the policy, and its name in messages."""
    if isinstance(policy, str) and policy == UNIFORM:
        policy = {}
    if isinstance(policy, Policy):
        return policy, THE_POLICY
    if isinstance(policy, Mapping):
        return Policy(game=game.name, rules=game.fingerprint, table=check_table(policy)), THE_POLICY
    if not isinstance(policy, str | os.PathLike):
        raise bad_argument("policy", phrase("a-policy"), policy)
    return Policy.load(policy), os.fspath(policy)
