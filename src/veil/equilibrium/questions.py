"""Questions about a whole game, asked with names: `tree`, `best_response`, `information_values`.

They take a game as `solve` does, a policy as `evaluate` does, and records; the functions below them take numbers.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from veil.engine import Game, Record, as_game
from veil.equilibrium.evaluation import read_policy
from veil.equilibrium.information import MoveInformation, find_information_values
from veil.equilibrium.infosets import find_infoset
from veil.equilibrium.policy import Policy, Table, check_rules, policy_of, slots_of
from veil.equilibrium.prepared_game import PreparedGame, prepare
from veil.equilibrium.response import evaluate_profile, find_best_response, uniform_policy
from veil.equilibrium.tree import MAX_NODES, GameTree, expand
from veil.errors import bad_argument, fail, phrase
from veil.limits import check_limit

AnyGame = Game | str | os.PathLike[str]
AnyPolicy = Policy | Table | str | os.PathLike[str]


def tree(game: AnyGame, *, max_nodes: int = MAX_NODES) -> GameTree:
    """Return the whole game as a tree: `tree("kuhn_poker").infosets()["first"]`.

    The game is a `Game`, its name, path or rules text. Raises `VeilError` for a game of more than `max_nodes` nodes.
    """
    return expand(as_game(game), max_nodes)


@dataclass(frozen=True, slots=True, kw_only=True)
class BestResponse:
    """A best response of one role to the policies of the others, in utilities."""

    role: str
    value: float  # of the best response
    gain: float  # over the value of the role's own part of the policy
    policy: Policy  # the best response for this role, the given policy for the others


def best_response(
    game: AnyGame, policy: AnyPolicy, role: str | None = None, *, max_nodes: int = MAX_NODES
) -> BestResponse:
    """Return a best response of a role to a policy: `best_response("kuhn_poker", policy, "first").policy`.

    It is a pure plan and exact. Game and policy are given as for `evaluate`; infosets that the policy leaves out are
    played uniformly. A game of one role needs no `role`.
    """
    if policy is None:  # whatever the annotation says; `_prepare` would take uniform play
        raise bad_argument("policy", phrase("a-policy"), policy)
    prepared, slots = _prepare(game, policy, max_nodes)
    number = _role_number(prepared, role)
    plan, value = find_best_response(prepared.form, slots, number)
    before = evaluate_profile(prepared.form, slots).value[number]
    bounds = prepared.tree.flat.slot_start[prepared.tree.flat.role_start]
    own = slice(int(bounds[number]), int(bounds[number + 1]))
    joined = slots.copy()
    joined[own] = plan[own]
    name = prepared.roles[number]
    made = {"best_response_of": name, "value": value}
    gain = max(0.0, value - float(before))
    return BestResponse(role=name, value=value, gain=gain, policy=policy_of(prepared.tree, joined, made))


def information_values(
    game: AnyGame, record: Record, policy: AnyPolicy | None = None, *, max_nodes: int = MAX_NODES
) -> dict[str, MoveInformation]:
    """Return what the percepts after each move are worth to the role of a record, by move.

    The others play the policy; without one, uniformly. A value is the payoff of the best plan that uses the percepts
    of the move, minus that of the best plan that does not. Raises `VeilError` if the record is of no decision, or if
    the others never let it happen.
    """
    prepared, slots = _prepare(game, policy, max_nodes)
    infoset = find_infoset(prepared.tree, record)
    found = find_information_values(prepared, slots, infoset.number)
    if found is None:
        raise fail("unreached-infoset", role=infoset.role, record=infoset.record)
    return {entry.move: entry for entry in found}


def _prepare(game: AnyGame, policy: AnyPolicy | None, max_nodes: int) -> tuple[PreparedGame, np.ndarray]:
    """Return the prepared game, and the policy, or the uniform one, as probabilities [S] of its slots."""
    check_limit("nodes", max_nodes, "max_nodes")
    opened = as_game(game)
    if policy is None:
        prepared = prepare(opened, max_nodes)
        return prepared, uniform_policy(prepared.form)
    read, name = read_policy(opened, policy)
    check_rules(opened, read, name)  # before the game is expanded, which may take a while
    prepared = prepare(opened, max_nodes)
    return prepared, slots_of(prepared.tree, read, name)[0]


def _role_number(prepared: PreparedGame, role: str | None) -> int:
    """Return the place of a role among those that play; without a role, that of the only one."""
    if role is None and len(prepared.roles) > 1:
        raise fail("which-role", roles=", ".join(prepared.roles))
    name = prepared.roles[0] if role is None else prepared.game.role_name(role)
    if name not in prepared.roles:
        raise fail("unknown-role", role=name, roles=", ".join(prepared.roles), near="")
    return prepared.roles.index(name)
