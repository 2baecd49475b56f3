"""Tables that begin with a policy: what is in them, that walks go on from there, and that a clock ends the solver."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.support.equilibrium_games import THREE_VOTE, prepared
from tests.support.games import game
from veil.equilibrium import evaluate_profile
from veil.search.contract import SearchTask
from veil.search.walks.contract import OosRule
from veil.search.walks.tree.prior_kernels import find_infoset_reaches
from veil.search.walks.tree.prior_policy import fill_tables, find_start
from veil.search.walks.tree.records import MOVER
from veil.search.walks.tree.search_tree import MAX_STARTS, SearchTree, expand_for_search
from veil.search.walks.tree.walkers import MatchWalker, make_tree_walker


def tree_of(spec: str) -> SearchTree:
    return expand_for_search(game(spec), 1_000_000, None)


def random_policy(tree: SearchTree, seed: int) -> np.ndarray:
    weights = np.random.default_rng(seed).random(tree.flat.num_slots)
    sizes = np.diff(tree.flat.slot_start)
    return weights / np.repeat(np.add.reduceat(weights, tree.flat.slot_start[:-1]), sizes)


def whole_policy(walker: MatchWalker) -> np.ndarray:
    start = walker.tree.flat.slot_start
    return np.concatenate([walker.walker.mean(slice(*pair)) for pair in itertools.pairwise(start)])


@pytest.mark.parametrize("spec", ["kuhn_poker", THREE_VOTE], ids=["kuhn", "three roles"])
def test_reaches_of_infosets_are_those_of_their_nodes(spec: str) -> None:
    tree = tree_of(spec)
    flat, policy = tree.flat, random_policy(tree, 1)
    own, other, chance = find_infoset_reaches(tree.walk_tree, flat.parent, tree.infoset, policy, len(flat.infoset_key))
    for infoset in range(len(flat.infoset_key)):
        others = by_chance = 0.0
        for node in tree.members(infoset).tolist():
            mover, reach = int(tree.walk_tree.nodes[node, MOVER]), {"own": 1.0, "other": 1.0, "chance": 1.0}
            while node:
                slot, above = int(flat.slot[node]), int(flat.parent[node])
                step = policy[slot] if slot >= 0 else flat.chance_prob[node]
                is_own = slot >= 0 and tree.walk_tree.nodes[above, MOVER] == mover
                reach["own" if is_own else "other"] *= step
                reach["chance"] *= step if slot < 0 else 1.0
                node = above
            others += reach["other"]
            by_chance += reach["chance"]
            assert own[infoset] == pytest.approx(reach["own"])
        assert (other[infoset], chance[infoset]) == (pytest.approx(others), pytest.approx(by_chance))


def test_a_table_that_is_filled_plays_the_policy_and_knows_every_infoset() -> None:
    tree = tree_of("leduc_poker")
    walker = make_tree_walker(SearchTask(game("leduc_poker"), 1, 0), OosRule(gamma=0.0), 1_000_000)
    policy = random_policy(tree, 2)
    fill_tables(tree, walker.walker.tables, policy, 1000.0)
    np.testing.assert_allclose(whole_policy(walker), policy)
    assert len(list(walker.known())) == len(tree.flat.infoset_key)
    for view in walker.known():
        np.testing.assert_allclose(view.current, view.mean)


def test_a_warm_start_is_near_an_equilibrium_and_walks_do_not_spoil_it() -> None:
    walker = make_tree_walker(SearchTask(game("kuhn_poker"), 1, 0), OosRule(prior_iterations=200), 1_000_000)
    cold = make_tree_walker(SearchTask(game("kuhn_poker"), 1, 0), OosRule(), 1_000_000)
    form, found = prepared("kuhn_poker").form, []
    for entry in (walker, cold):
        found.append([evaluate_profile(form, whole_policy(entry)).nash_conv])
        entry.run(3000, np.random.default_rng(1))
        found[-1].append(evaluate_profile(form, whole_policy(entry)).nash_conv)
    (begun, warm), (_, plain) = found
    assert begun < 0.01
    assert warm < 0.05 < plain


@pytest.mark.compiled("slow as Python")
def test_walks_find_what_a_wrong_start_did_not_know() -> None:
    """Non-locality with leaf 2: (1/6, 5/6) is right; the table begins with the opposite, and gets over it."""
    spec = "non_locality(leaf=2)"
    of, tree = game(spec), tree_of(spec)
    walker = make_tree_walker(SearchTask(of, 1, 0), OosRule(delta=0.0, epsilon=0.6), 1_000_000)
    wrong = 1.0 - find_start(tree, 100, None)[0]
    sizes = np.diff(tree.flat.slot_start)
    wrong /= np.repeat(np.add.reduceat(wrong, tree.flat.slot_start[:-1]), sizes)
    fill_tables(tree, walker.walker.tables, wrong, 1000.0)
    form = prepared(spec).form
    before = evaluate_profile(form, whole_policy(walker)).nash_conv
    walker.run(300_000, np.random.default_rng(4))
    assert evaluate_profile(form, whole_policy(walker)).nash_conv < before / 10


def new_tree() -> SearchTree:
    """One that no other test has."""
    kuhn = tree_of("kuhn_poker")
    return SearchTree(kuhn.flat, kuhn.role_ids, [], game("kuhn_poker"))


def test_a_start_that_a_clock_cut_short_is_not_kept_and_a_whole_one_is() -> None:
    tree = new_tree()
    expected = find_start(new_tree(), 50, None)[0]
    assert find_start(tree, 50, 0.0)[1] == 0
    policy, done = find_start(tree, 50, 1000.0)
    assert done == 50
    np.testing.assert_array_equal(policy, expected)
    for seconds in (None, 0.0):
        assert find_start(tree, 50, seconds)[0] is policy


def test_only_the_starts_that_were_asked_for_last_are_kept() -> None:
    tree = new_tree()
    starts = [find_start(tree, iterations, None)[0] for iterations in range(1, MAX_STARTS + 2)]
    assert find_start(tree, MAX_STARTS + 1, None)[0] is starts[-1]
    assert find_start(tree, 1, None)[0] is not starts[0]


def test_a_start_clock_ends_the_solver() -> None:
    tree = new_tree()
    policy, done = find_start(tree, 10_000, 0.0)
    assert done == 0
    np.testing.assert_allclose(policy, 0.5)
    fill_tables(tree, tree.make_tables(), policy, float(done))
    assert find_start(tree, 7, None)[1] == 7
