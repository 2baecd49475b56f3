"""Sampled CFR: links of the tree, seeds, exploration. `tests/differential/test_equilibrium.py` tests the estimates."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.equilibrium_games import GUESS, THREE_VOTE, prepared
from tests.support.games import OVER_AT_THE_START
from tests.support.refusals import refused
from veil.equilibrium.configs import NoOptions, OutcomeConfig
from veil.equilibrium.mccfr import McCfrSolver, link, make_external, make_outcome
from veil.equilibrium.response import evaluate_profile


def solver_of(name: str, sampling: str, seed: int = 0, explore: float = 0.6) -> McCfrSolver:
    entry = prepared(name)
    return McCfrSolver(entry.tree.flat, entry.form, entry.total, sampling, seed, explore)


def test_links_lead_to_children_and_infosets() -> None:
    links = link(prepared(GUESS).tree.flat)
    assert links.first_child.tolist() == [1, 3, 5, 0, 0, 0, 0]
    assert links.num_children.tolist() == [2, 2, 2, 0, 0, 0, 0]
    assert links.infoset.tolist() == [-1, 0, 0, -1, -1, -1, -1]
    assert links.infoset_role.tolist() == [0]


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "monty_hall", THREE_VOTE])
def test_every_child_is_linked_to_its_parent_and_the_parent_to_the_infoset_of_the_move(name: str) -> None:
    tree = prepared(name).tree.flat
    links = link(tree)
    slot_infoset = np.repeat(np.arange(len(tree.slot_start) - 1), np.diff(tree.slot_start))
    for node in range(len(tree.parent)):
        children = np.arange(links.first_child[node], links.first_child[node] + links.num_children[node])
        assert (tree.parent[children] == node).all()
        if len(children) and tree.slot[children[0]] >= 0:
            assert (slot_infoset[tree.slot[children]] == links.infoset[node]).all()
        else:
            assert links.infoset[node] == -1


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_before_the_first_iteration_the_average_is_uniform(sampling: str) -> None:
    assert set(solver_of("kuhn_poker", sampling).average()) == {0.5}


@pytest.mark.parametrize("sampling", ["external", "outcome"])
@pytest.mark.parametrize("name", ["kuhn_poker", "monty_hall", THREE_VOTE])
def test_the_same_seed_gives_the_same_run_and_another_seed_another(sampling: str, name: str) -> None:
    one, same, other = (solver_of(name, sampling, seed) for seed in (1, 1, 2))
    one.run(50)
    for part in (1, 30, 19):
        same.run(part)
    other.run(50)
    assert one.iterations == same.iterations == 50
    assert np.array_equal(one.average(), same.average())
    assert not np.array_equal(one.average(), other.average())


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_an_average_is_a_policy(sampling: str) -> None:
    solver = solver_of("leduc_poker", sampling)
    solver.run(100)
    average = solver.average()
    assert (average >= 0).all()
    assert np.add.reduceat(average, prepared("leduc_poker").form.slot_start[:-1]) == pytest.approx(1)


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_one_guess_is_learned(sampling: str) -> None:
    """Three roles that vote alike win: from any start they soon agree."""
    solver = solver_of(THREE_VOTE, sampling, seed=4)
    solver.run(20_000)
    assert evaluate_profile(prepared(THREE_VOTE).form, solver.average()).exploitability < 2


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_a_game_that_is_over_at_the_start_can_be_sampled(sampling: str) -> None:
    solver = solver_of(OVER_AT_THE_START, sampling)
    solver.run(10)
    assert (solver.iterations, len(solver.average())) == (10, 0)


def test_the_tree_keeps_its_payoffs() -> None:
    """A constant sum is taken out of a copy."""
    entry = prepared(GUESS)
    before = entry.tree.flat.utility.copy()
    McCfrSolver(entry.tree.flat, entry.form, 50.0, "external").run(5)
    assert np.array_equal(entry.tree.flat.utility, before)


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_a_constant_part_of_the_payoffs_changes_nothing(sampling: str) -> None:
    """What the payoffs add up to is shared out first: goals around 50 are the same game as chips around 0."""
    entry = prepared("kuhn_poker")
    tree = entry.tree.flat
    shifted = tree._replace(utility=tree.utility + 50.0 * (tree.num_children == 0)[:, None])
    one = McCfrSolver(tree, entry.form, 0.0, sampling, seed=2)
    other = McCfrSolver(shifted, entry.form, 100.0, sampling, seed=2)
    for solver in (one, other):
        solver.run(200)
    assert one.average() == pytest.approx(other.average(), abs=1e-9)


@pytest.mark.parametrize("explore", [0.0, -0.1, float("nan")])
def test_exploration_must_be_above_zero(explore: float) -> None:
    said = refused("bad-limit", lambda: OutcomeConfig(explore=explore))
    assert "explore must be a number from 1e-06 to 1, not" in said


def test_exploration_must_be_a_probability() -> None:
    said = refused("bad-limit", lambda: OutcomeConfig(explore=1.1))
    assert "explore must be a number from 1e-06 to 1, not 1.1" in said


def test_rows_of_the_table_make_both_kinds_of_sampling() -> None:
    entry = prepared("kuhn_poker")
    one, other = make_external(NoOptions(), entry, 3), make_outcome(OutcomeConfig(explore=0.4), entry, 3)
    assert (one.sampling, other.sampling, other.explore) == ("external", "outcome", 0.4)
    for made, sampling in ((one, "external"), (other, "outcome")):
        same = solver_of("kuhn_poker", sampling, seed=3, explore=0.4)
        made.run(20)
        same.run(20)
        assert np.array_equal(made.average(), same.average())


def test_exploration_alone_still_learns() -> None:
    solver = solver_of("kuhn_poker", "outcome", seed=1, explore=1.0)
    solver.run(100_000)
    assert evaluate_profile(prepared("kuhn_poker").form, solver.average()).exploitability < 0.06
