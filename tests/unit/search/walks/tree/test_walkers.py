"""Walkers on explicit trees: convergence, non-locality, aims, and what is told of an infoset."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.reference.gametree import literal_tree
from tests.support.equilibrium_games import prepared
from tests.support.games import NOTHING, game
from tests.support.seats import JACK
from tests.support.walks import both_trees
from veil.engine.record import Record
from veil.equilibrium.mccfr import McCfrSolver
from veil.equilibrium.response import evaluate_profile
from veil.search.contract import SearchTask
from veil.search.walks.contract import BanditRule, OosRule, SearchRoot, find_record_key
from veil.search.walks.tree.bandit_walker import BanditTreeWalker, find_prior
from veil.search.walks.tree.search_tree import SearchTree, expand_for_search
from veil.search.walks.tree.walkers import OosTreeWalker, TreeWalker, make_tree_walker

MANY = 1_000_000


def tree_of(spec: str) -> SearchTree:
    return expand_for_search(game(spec), MANY, None)


def mean_policy(walker: TreeWalker) -> np.ndarray:
    start = walker.tree.flat.slot_start.tolist()
    return np.concatenate([walker.mean(slice(*pair)) for pair in pairwise(start)])


def nash_conv(spec: str, policy: np.ndarray) -> float:
    return float(evaluate_profile(prepared(spec).form, policy).nash_conv)


def infoset_of(tree: SearchTree, spec: str, role: str, rounds: tuple) -> int:
    of = game(spec)
    number = tree.find_infoset(tree.role_ids.index(of.roles.index(role)), find_record_key(of, Record(role, rounds)))
    assert number is not None
    return number


MIN = (("noop", NOTHING),)  # the record of Min in non_locality, when it moves


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(("leaf", "left"), [(1, 1 / 3), (2, 1 / 6)])
def test_online_outcome_sampling_solves_what_is_not_local(leaf: int, left: float) -> None:
    """Section 2.2 and Figure 1 of the paper: the best strategy depends on a leaf that cannot be reached any more."""
    spec = f"non_locality(leaf={leaf})"
    tree = tree_of(spec)
    infoset = infoset_of(tree, spec, "min", MIN)
    walker, rng = OosTreeWalker(tree, OosRule(target="ist")), np.random.default_rng(1)
    walker.target_infoset(infoset)
    walker.run(300_000, rng)
    slots = slice(*tree.flat.slot_start[infoset : infoset + 2].tolist())
    assert walker.mean(slots) == pytest.approx([left, 1 - left], abs=0.02)


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("select", ["uct", "rm", "smooth"])
@pytest.mark.parametrize(("leaf", "left"), [(1, 1 / 3), (2, 1 / 6)])
def test_bandits_that_start_at_the_infoset_cannot_see_the_leaf(select: str, leaf: int, left: float) -> None:
    """They find what an even belief suggests: (1/2, 1/2)."""
    spec = f"non_locality(leaf={leaf})"
    tree = tree_of(spec)
    infoset = infoset_of(tree, spec, "min", MIN)
    walker = BanditTreeWalker(tree, BanditRule(select), 1)  # type: ignore[arg-type]
    walker.target_infoset(infoset)
    walker.run(300_000, np.random.default_rng(1))
    slots = slice(*tree.flat.slot_start[infoset : infoset + 2].tolist())
    assert walker.mean(slots)[0] - left > 0.1
    assert walker.mean(slots) == pytest.approx([0.5, 0.5], abs=0.1)  # UCT wanders


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(
    ("spec", "iterations", "bound"), [("kuhn_poker", 300_000, 0.03), ("leduc_poker", 1_000_000, 0.35)]
)
def test_online_outcome_sampling_converges_to_an_equilibrium(spec: str, iterations: int, bound: float) -> None:
    walker, rng = OosTreeWalker(tree_of(spec), OosRule(epsilon=0.6)), np.random.default_rng(1)
    walker.run(iterations // 100, rng)
    early = nash_conv(spec, mean_policy(walker))
    walker.run(iterations, rng)
    late = nash_conv(spec, mean_policy(walker))
    assert late < bound < early


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("spec", ["kuhn_poker", "ii_goofspiel(cards=4)"])
def test_without_targeting_it_converges_as_outcome_sampling_does(spec: str) -> None:
    """delta = 0 is outcome sampling with a tree that grows; both are noisy, so within a factor of two."""
    rule = OosRule(delta=0.0, epsilon=0.6, gamma=0.0)
    form, total = prepared(spec).form, prepared(spec).total
    ours, theirs = [], []
    for seed in range(5):
        walker = OosTreeWalker(tree_of(spec), rule)
        walker.run(50_000, np.random.default_rng(seed))
        ours.append(nash_conv(spec, mean_policy(walker)))
        solver = McCfrSolver(prepared(spec).tree.flat, form, total, "outcome", seed, 0.6)
        solver.run(50_000)
        theirs.append(nash_conv(spec, solver.average()))
    assert np.mean(ours) == pytest.approx(np.mean(theirs), rel=1.0)
    assert np.mean(ours) < 2 * np.mean(theirs)


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("target", ["ist", "pst"])
@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker"])
def test_targeted_search_converges_at_the_target_and_elsewhere(spec: str, target: str) -> None:
    """Theorem 1: delta < 1 keeps the whole strategy converging, wherever the match stands."""
    tree = tree_of(spec)
    walker, rng = OosTreeWalker(tree, OosRule(0.5, 0.6, 0.01, target)), np.random.default_rng(2)  # type: ignore[arg-type]
    walker.run(2_000, rng)
    walker.target_infoset(len(tree.flat.infoset_node) - 1)
    walker.run(2_000, rng)
    early = nash_conv(spec, mean_policy(walker))
    walker.run(250_000, rng)
    assert nash_conv(spec, mean_policy(walker)) < 0.4 * early


def test_the_weight_of_an_aim_is_what_the_text_says() -> None:
    """Section 3.3: an infoset that one walk of 1000 reaches, and half of them when it is aimed at: s_m / s_0 = 500."""
    rarely = ("a", "I", {"x": (1,), "y": (0,)})
    reference = literal_tree(["a"], ("random", {"often": (0,), "rarely": rarely}, {"often": 0.999, "rarely": 0.001}))
    walker = OosTreeWalker(both_trees(reference)[1], OosRule(delta=499 / 999, target="ist"))
    walker.target_infoset(0)
    assert walker.weight == pytest.approx(500)
    visits = walker.tables.numbers[:, 2]
    walker.run(20_000, np.random.default_rng(1))
    assert visits.sum() == pytest.approx(10_000, abs=5 * np.sqrt(5_000))  # false-alarm rate 6e-7
    walker.target_infoset(None)
    assert walker.weight == 1.0


def test_an_infoset_that_is_hardly_ever_reached_keeps_sums_finite() -> None:
    rarely = ("a", "I", {"x": (1,), "y": (0,)})
    reference = literal_tree(["a"], ("random", {"o": (0,), "r": rarely}, {"o": 1.0, "r": 1e-300}))
    walker = OosTreeWalker(both_trees(reference)[1], OosRule(target="ist"))
    walker.target_infoset(0)
    assert walker.weight == 1e15
    walker.run(1000, np.random.default_rng(1))
    assert np.isfinite(walker.tables.numbers).all()
    assert walker.tables.is_known.any()


def test_with_delta_1_walks_never_leave_the_target() -> None:
    spec = "kuhn_poker"
    tree = tree_of(spec)
    infoset = infoset_of(tree, spec, "first", JACK)
    walker = OosTreeWalker(tree, OosRule(delta=1.0, target="ist"))
    walker.target_infoset(infoset)
    walker.run(1000, np.random.default_rng(0))
    own = [
        number for number in range(int(tree.flat.role_start[1])) if walker.tables.is_known[tree.flat.slot_start[number]]
    ]
    assert infoset in own
    assert len(own) == 2  # with the jack, at first and after pass and bet


def test_starts_follow_the_posterior_where_that_is_wanted() -> None:
    """Monty Hall: the host has to open the other door if the car is not behind the chosen one: 1/3 and 2/3."""
    spec, record = "monty_hall", (("(choose 1)", NOTHING), ("noop", frozenset({"3"})))
    tree = tree_of(spec)
    infoset = infoset_of(tree, spec, "contestant", record)
    prior = find_prior(tree, tree.members(infoset), 0)
    assert sorted(prior / prior.sum()) == pytest.approx([1 / 3, 2 / 3])
    values = {}
    for starts in ("uniform", "posterior"):
        task = SearchTask(game(spec), game(spec).roles.index("contestant"), 0)
        walker = make_tree_walker(task, BanditRule(starts=starts), MANY)
        rng = np.random.default_rng(1)
        key = find_record_key(game(spec), Record("contestant", record))
        walker.set_root(SearchRoot(task.role_id, key, len(record), None), rng)  # type: ignore[arg-type]
        walker.run(20_000, rng)
        view = walker.infoset(task.role_id, key)
        assert view is not None
        words = [game(spec).names.moves[task.role_id][move] for move in view.moves.tolist()]
        values[starts] = dict(zip(words, view.values.tolist(), strict=True))
    assert values["uniform"] == pytest.approx({"noop": 50, "switch": 50}, abs=2)
    assert values["posterior"] == pytest.approx({"noop": 100 / 3, "switch": 200 / 3}, abs=3)


def test_a_walk_adds_at_most_one_infoset() -> None:
    for rule in (OosRule(), BanditRule(), BanditRule("rm"), BanditRule("smooth")):
        tree = tree_of("leduc_poker")
        walker = OosTreeWalker(tree, rule) if isinstance(rule, OosRule) else BanditTreeWalker(tree, rule, 0)
        known = 0
        for seed in range(50):
            walker.run(1, np.random.default_rng(seed))
            now, walks = int(walker.tables.is_known.sum()), 2 if isinstance(rule, OosRule) else 1
            assert known <= now <= known + walks
            known = now
        assert known > 10


def test_the_same_seed_gives_the_same_tables_and_another_seed_others() -> None:
    def numbers(seed: int) -> np.ndarray:
        walker = OosTreeWalker(tree_of("kuhn_poker"), OosRule())
        walker.run(100, np.random.default_rng(seed))
        return walker.tables.numbers

    assert (numbers(1) == numbers(1)).all()
    assert (numbers(1) != numbers(2)).any()


def test_games_of_three_roles_and_general_sums_are_searched() -> None:
    """Without a guarantee; here regret matching finds that it pays to vote together."""
    from tests.support.equilibrium_games import THREE_VOTE
    from veil.engine.loader import load

    tree = expand_for_search(load(THREE_VOTE), MANY, None)
    walker = OosTreeWalker(tree, OosRule())
    walker.run(5_000, np.random.default_rng(1))
    assert walker.walks == 15_000
    assert walker.tables.is_known.sum() == 3
    assert mean_policy(walker).sum() == pytest.approx(3)
