"""Strategies of searches put together: against the slow way on random trees, and by hand in Kuhn poker."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.reference.gametree import Infoset, legal_moves, random_tree
from tests.reference.online_exploitability import Report, add_report, successors
from tests.reference.solvers import Policy, Profile, nash_conv, random_profile, uniform_profile
from tests.support.equilibrium_games import prepared
from tests.support.flat_trees import Flat, flatten
from veil.engine.replay import record_of
from veil.equilibrium.histories import list_infoset_histories, records_in_words, slot_move_ids
from veil.equilibrium.online_players import (
    SearchedInfosets,
    SlotWeights,
    StrategyTable,
    add_up,
    drop_seldom_visited,
    make_strategy_table,
    weigh_by_sums,
)
from veil.equilibrium.prepared_game import PreparedGame
from veil.equilibrium.tree import GameTree

KUHN = "kuhn_poker"


def prepare_flat(flat: Flat) -> PreparedGame:
    """A random tree in the shape of a prepared game; nobody asks for its rules."""
    nobody: Any = None
    roles = tuple(flat.reference.roles)
    return PreparedGame(GameTree(nobody, roles, tuple(range(len(roles))), flat.tree, 0.0), flat.form, None)


def table_of(flat: Flat, report: Report, role: str) -> StrategyTable:
    """The part of a report that is of one role, keyed as the flat tree is, and a record that the tree does not have."""
    names = sorted({move for moves in legal_moves(flat.reference).values() for move in moves})
    order = list(dict.fromkeys(infoset for infoset, _ in flat.slots))  # `flatten` keys infosets by their numbers
    rows = [
        (
            order.index(infoset),
            np.array([names.index(move) for move in policy]),
            np.array([visits * float(p) for p in policy.values()]),
        )
        for infoset, (policy, visits) in report.items()
        if infoset[0] == role
    ]
    return make_strategy_table([*rows, (10**9, np.array([0]), np.ones(1))])


def random_report(flat: Flat, rng: random.Random) -> Report:
    """Strategies of some infosets of all roles, each with some visits."""
    profile = random_profile(flat.reference, rng)
    return {infoset: (profile[infoset], rng.randint(1, 9)) for infoset in profile if rng.random() < 0.6}


@pytest.mark.parametrize("seed", range(12))
def test_what_searches_add_up_to_is_that_of_the_slow_way(seed: int) -> None:
    rng = random.Random(seed)
    tree = random_tree(rng, roles=2 + seed % 2, depth=5)
    flat = flatten(tree)
    searched = SearchedInfosets(prepare_flat(flat))
    order = list(dict.fromkeys(infoset for infoset, _ in flat.slots))
    fallback: Profile = uniform_profile(tree, exact=True)
    total: dict[Infoset, Policy] = {}
    parts: list[SlotWeights] = []
    for infoset in rng.sample(order, min(6, len(order))):
        report = random_report(flat, rng)
        add_report(total, report, successors(tree, infoset))
        role = tree.roles.index(infoset[0])
        parts.append(searched.place(role, table_of(flat, report, infoset[0]), order.index(infoset)))
    expected = fallback | {
        infoset: {move: Fraction(x) / sum(map(Fraction, row.values())) for move, x in row.items()}
        for infoset, row in total.items()
    }
    judged = searched.judge(parts, searched.fallback("uniform", 0))
    assert judged.policy == pytest.approx(flat.policy(expected))
    assert [order[place] for place in np.flatnonzero(judged.reached)] == [i for i in order if i in total]
    assert judged.evaluation.nash_conv == pytest.approx(float(nash_conv(tree, expected)))
    assert searched.judge([add_up(parts)], searched.fallback("uniform", 0)).policy == pytest.approx(judged.policy)


def test_fixed_moves_are_pure_the_same_for_one_seed_and_all_there_are_over_many() -> None:
    searched = SearchedInfosets(prepared("leduc_poker"))
    form = searched.prepared.form
    first = searched.fallback("fixed", 5)
    assert (first == searched.fallback("fixed", 5)).all()
    assert (first != searched.fallback("fixed", 6)).any()
    assert set(np.unique(first)) == {0.0, 1.0}
    assert (np.add.reduceat(first, form.slot_start[:-1]) == 1).all()
    # 60 seeds miss a move of one of 936 infosets with up to 3 moves with probability below 936 * 3 * (2/3)^60 < 1e-7
    assert (np.sum([searched.fallback("fixed", seed) for seed in range(60)], axis=0) > 0).all()


def test_uniform_is_the_other_rule() -> None:
    searched = SearchedInfosets(prepared(KUHN))
    assert (searched.fallback("uniform", 3) == 0.5).all()
    judged = searched.judge([], searched.fallback("uniform", 3))
    assert not judged.reached.any()
    assert (judged.policy == 0.5).all()


def test_a_search_says_nothing_about_infosets_that_are_not_below_it() -> None:
    """First holds the king: a search before the bet knows what follows a pass, one after the pass not what came before.

    And nothing about any other card.
    """
    searched = SearchedInfosets(prepared(KUHN))
    tree = prepared(KUHN).tree
    keys, words = tree.flat.infoset_key, records_in_words(tree)
    own = list(tree.infosets_of(0))
    table = make_strategy_table(
        (int(keys[i]), slot_move_ids(tree)[tree.slots_in(i)[0] :][:2], np.array([1.0, 3.0])) for i in own
    )
    before = words.index("noop: (card king); noop")
    placed = searched.place(0, table, int(keys[before]))
    reached = {words[i] for i in own if set(tree.slots_in(i)) & set(placed.slots.tolist())}
    (after,) = [words.index(text) for text in reached - {words[before]}]
    assert words[after].startswith(words[before] + "; ")
    assert searched.place(0, table, int(keys[after])).slots.tolist() == list(tree.slots_in(after))


def test_a_table_is_weighed_by_its_own_sums_and_without_what_was_seldom_visited() -> None:
    starts, moves, keys = np.array([0, 2, 4]), np.array([0, 1, 0, 1]), np.array([7, 8], np.uint64)
    table = StrategyTable(keys, starts, moves, np.array([15.0, 5.0, 9.5, 9.5]), np.array([1.0, 2.0, 3.0, 4.0]))
    kept = drop_seldom_visited(table, 20)
    assert (kept.keys.tolist(), kept.start.tolist(), kept.weights.tolist()) == ([7], [0, 2], [15.0, 5.0])
    assert weigh_by_sums(kept).weights.tolist() == [1.0, 2.0]
    assert weigh_by_sums(table._replace(sums=None)).weights.tolist() == table.weights.tolist()
    assert drop_seldom_visited(make_strategy_table([]), 20).weights.tolist() == []


def test_a_record_without_an_infoset_adds_nothing() -> None:
    searched = SearchedInfosets(prepared(KUHN))
    assert len(searched.place(0, make_strategy_table([(7, np.array([0]), np.ones(1))]), 7).slots) == 0


def test_a_move_that_an_infoset_does_not_have_is_an_error() -> None:
    searched = SearchedInfosets(prepared(KUHN))
    key = int(prepared(KUHN).tree.flat.infoset_key[0])
    table = make_strategy_table([(key, np.array([999]), np.ones(1))])
    with pytest.raises(ValueError, match="a move that its infoset does not have"):
        searched.place(0, table, key)


@pytest.mark.parametrize("name", [KUHN, "ii_goofspiel(cards=3)", "non_locality"])
def test_the_history_of_an_infoset_leads_to_its_record(name: str) -> None:
    tree = prepared(name).tree
    words, histories = records_in_words(tree), list_infoset_histories(tree)
    for role_place, role in enumerate(tree.roles):
        for infoset in tree.infosets_of(role_place):
            joints = [tree.game.names.joint_words(joint) for joint in histories[infoset]]
            assert str(record_of(tree.game, role, joints)) == words[infoset]
