"""Trees that grow from worlds, and CFR that goes on while they grow."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.equilibrium_games import prepared
from tests.support.games import OVER_AT_THE_START, game
from veil.engine.game import Game
from veil.engine.lanes.keys import start_keys
from veil.equilibrium.cfr import CfrSolver
from veil.equilibrium.configs import PcfrPlusConfig
from veil.equilibrium.form import fold_tree
from veil.equilibrium.growing_tree import GrowingTree, Worlds
from veil.equilibrium.growth_kernels import reach_nodes, value_nodes
from veil.equilibrium.response import evaluate_profile, uniform_policy


def from_start(of: Game, copies: int = 1) -> GrowingTree:
    """A tree that begins with the start of a game, several times with equal weights."""
    roles = range(len(of.roles))
    keys = tuple(start_keys(copies if role != of.program.chance else 0) for role in roles)
    return GrowingTree(of, Worlds(of.machine.initial_states(copies), keys, np.full(copies, 1 / copies)))


def grow_at_random(tree: GrowingTree, seed: int) -> None:
    """Grow until all leaves are ends, some leaves at a time, in random order."""
    rng = np.random.default_rng(seed)
    while len(tree.frontier):
        count = len(tree.frontier)
        tree.grow(rng.permutation(count)[: rng.integers(1, count + 1)])


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "monty_hall", "ii_goofspiel(cards=3)", "frank_basin", "matching_pennies"]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_order_of_growth_does_not_change_the_game(name: str, seed: int) -> None:
    """A tree that was grown in any order has the size, the infosets and the value of the whole game."""
    expected, tree = prepared(name), from_start(game(name))
    grow_at_random(tree, seed)
    flat, whole = tree.tree(), expected.tree.flat
    assert len(flat.parent) == len(whole.parent) + 1  # chance draws one world
    assert (flat.parent[1:] < np.arange(1, len(flat.parent))).all()
    assert flat.role_start.tolist() == whole.role_start.tolist()
    assert sorted(flat.infoset_key.tolist()) == sorted(whole.infoset_key.tolist())
    form = fold_tree(flat)
    found = evaluate_profile(form, uniform_policy(form))
    wanted = evaluate_profile(expected.form, uniform_policy(expected.form))
    assert found.value == pytest.approx(wanted.value)
    assert found.best_value == pytest.approx(wanted.best_value)


def test_the_same_world_twice_is_the_same_game() -> None:
    tree = from_start(game("kuhn_poker"), copies=2)
    grow_at_random(tree, 2)
    form, once = fold_tree(tree.tree()), prepared("kuhn_poker").form
    assert form.num_slots == once.num_slots
    assert evaluate_profile(form, uniform_policy(form)).value == pytest.approx(
        evaluate_profile(once, uniform_policy(once)).value
    )


def test_a_leaf_costs_as_many_nodes_as_it_was_said_to() -> None:
    tree = from_start(game("leduc_poker"))
    for _ in range(5):
        before, cost = tree.num_nodes, int(tree.frontier.cost.sum())
        tree.grow(np.arange(len(tree.frontier)))
        assert tree.num_nodes == before + cost


def test_leaves_count_with_the_values_that_are_given() -> None:
    tree = from_start(game("matching_pennies"))
    form = fold_tree(tree.tree(np.array([[3.0, -3.0]])))
    assert evaluate_profile(form, uniform_policy(form)).value.tolist() == [3.0, -3.0]


def test_a_game_that_is_over_has_no_leaves() -> None:
    tree = from_start(game(OVER_AT_THE_START))
    assert not len(tree.frontier)
    assert tree.tree().utility[1].tolist() == [30.0, 70.0]


def test_cfr_goes_on_in_a_larger_tree() -> None:
    """What was learned stays with its slots, and the value of the whole game is found in the end."""
    tree = from_start(game("kuhn_poker"))
    tree.grow(np.arange(len(tree.frontier)))
    solver = CfrSolver(fold_tree(tree.tree(np.zeros((len(tree.frontier), 2)))), PcfrPlusConfig())
    while len(tree.frontier):
        tree.grow(np.arange(0, len(tree.frontier), 2))
        solver.grow(fold_tree(tree.tree(np.zeros((len(tree.frontier), 2)))), 0.001)
        solver.run(20)
    solver.run(2000)
    assert evaluate_profile(solver.form, solver.average()).value[0] == pytest.approx(-1 / 18, abs=1e-4)  # Kuhn 1950


def test_a_grown_solver_remembers_regrets_of_every_role() -> None:
    tree = from_start(game("kuhn_poker"))
    for _ in range(3):
        tree.grow(np.arange(len(tree.frontier)))
    solver = CfrSolver(fold_tree(tree.tree(np.ones((len(tree.frontier), 2)))), PcfrPlusConfig())
    solver.run(5)
    before, old, policy = solver.form, solver.average(), solver.current().copy()
    tree.grow(np.arange(len(tree.frontier)))
    solver.grow(fold_tree(tree.tree()), 1.0)
    for role in range(2):
        start, count = solver.form.role_slots[role], int(before.role_slots[role + 1] - before.role_slots[role])
        assert solver.current()[start : start + count].tolist() == policy[before.role_range(role)].tolist()
        assert solver.average()[start : start + count] == pytest.approx(old[before.role_range(role)])


def test_values_of_nodes_are_those_of_the_profile() -> None:
    whole = prepared("kuhn_poker")
    flat, form = whole.tree.flat, whole.form
    policy = CfrSolver(form, PcfrPlusConfig()).average()
    edges = flat.parent, flat.slot, flat.chance_prob
    value = value_nodes(*edges, policy, np.ascontiguousarray(flat.utility[:, 0]))
    assert value[0] == pytest.approx(evaluate_profile(form, policy).value[0])
    assert reach_nodes(*edges, policy)[flat.num_children == 0].sum() == pytest.approx(1.0)
