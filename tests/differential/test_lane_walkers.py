"""Walks in fleets against the slow oracles: what batches add on average, where walks go, what tables come to.

Statistical tests compare a mean over independent batches with its exact value. A deviation above 6 standard errors has
a probability below 1e-6 for each number (Student's t with 39 degrees or more), so below 1e-3 for all of them.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.reference import online_search as oracle
from tests.reference.gametree import Terminal, Tree, infosets
from tests.reference.ismcts import RegretMatching, StatisticsMemory, Uct, empty_statistics, ismcts_search, start_nodes
from tests.support.equilibrium_games import GUESS, THREE_VOTE, prepared
from tests.support.games import game
from tests.support.lane_walkers import (
    as_memory,
    find_slots,
    key_of,
    largest_infoset,
    nash_conv_of,
    new_lane_walker,
    reference_tree,
    repeat_batch,
    target_infoset,
)
from tests.support.public_games import HEADS_MAY_RAISE, LOW_OR_HIGH, class_of_edges
from veil.search.contract import SearchTask
from veil.search.walks.contract import BanditRule, OosRule
from veil.search.walks.lanes.walker import LaneWalker
from veil.search.walks.numbers import POLICY_SUM, REGRET, TOTAL, VISITS
from veil.search.walks.public_classes import find_classes
from veil.search.walks.tree.walkers import make_tree_walker

LIMIT = 6.0  # standard errors
GAMES = {"kuhn": "kuhn_poker", "non_locality": "non_locality(leaf=2)", "at_once": "biased_rock_paper_scissors",
         "three": THREE_VOTE, "wire": "extended_cutting_wire"}  # fmt: skip
PUBLIC = {"kuhn": "kuhn_poker", "low or high": LOW_OR_HIGH, "dead end": HEADS_MAY_RAISE}


def assert_means(samples: np.ndarray, expected: np.ndarray) -> None:
    """samples [times, numbers] have these means; numbers that never vary must be exact."""
    error = samples.std(axis=0, ddof=1) / np.sqrt(len(samples))
    off = np.abs(samples.mean(axis=0) - expected)
    assert (off <= LIMIT * error + 1e-9).all(), (off / (error + 1e-12)).max()


def expected_changes(walker: LaneWalker, tree: Tree, slots: dict) -> tuple[np.ndarray, np.ndarray]:
    """What a walk adds on average, per slot: (regret, policy sum); payoffs are scaled to half their span."""
    memory, gamma = as_memory(walker, slots), walker.rule.gamma
    regret, policy_sum = np.zeros(len(slots)), np.zeros(len(slots))
    of = walker.machine.program
    for role in tree.roles:
        values = oracle.true_values(tree, memory, role, gamma)
        role_id = [str(name) for name in of.roles].index(role)
        for place, (infoset, move) in enumerate(slots):
            regret[place] += float(values.regret.get(infoset, {}).get(move, 0)) / walker.shape.half[role_id]
            policy_sum[place] += float(values.policy_sum.get(infoset, {}).get(move, 0))
    scale = walker.rule.weight / len(tree.roles)
    return regret * scale, policy_sum * scale


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("spec", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("worlds", [None, 1], ids=["all worlds", "one world"])
def test_a_targeted_batch_is_unbiased_whatever_its_target_knows(spec: str, worlds: int | None) -> None:
    tree, rng = reference_tree(spec), np.random.default_rng(5)
    walker = new_lane_walker(spec, OosRule(delta=0.7, epsilon=0.5, gamma=0.1, target="ist"))
    walker.run(300, rng)
    target_infoset(walker, game(spec), largest_infoset(tree), rng, worlds)
    slots = find_slots(walker, game(spec), tree)
    assert {infoset for infoset, _ in slots} == set(oracle.infosets(tree))
    changes = repeat_batch(walker, 2400, 60, rng)
    regret, policy_sum = expected_changes(walker, tree, slots)
    places = list(slots.values())
    assert_means(changes(REGRET)[:, places], regret)
    assert_means(changes(POLICY_SUM)[:, places], policy_sum)


@pytest.mark.parametrize("spec", PUBLIC.values(), ids=PUBLIC)
def test_a_batch_that_is_targeted_at_public_classes_is_unbiased(spec: str) -> None:
    """Also where targeted walks come to dead ends: whoever hears `raise` knows the coin, a walk does not."""
    tree, rng = reference_tree(spec), np.random.default_rng(6)
    walker = new_lane_walker(spec, OosRule(delta=0.7, epsilon=0.5, gamma=0.1, target="pst"))
    walker.run(300, rng)
    told = max(infosets(tree), key=lambda infoset: len(infoset[1]))  # the longest record
    target_infoset(walker, game(spec), told, rng)
    assert len(walker.target.path) > 0
    slots = find_slots(walker, game(spec), tree)
    changes = repeat_batch(walker, 2400, 60, rng)
    regret, policy_sum = expected_changes(walker, tree, slots)
    places = list(slots.values())
    assert_means(changes(REGRET)[:, places], regret)
    assert_means(changes(POLICY_SUM)[:, places], policy_sum)


@pytest.mark.parametrize("spec", [PUBLIC["kuhn"], PUBLIC["low or high"]], ids=["kuhn", "low or high"])
def test_the_weight_of_a_public_target_is_that_of_the_oracle(spec: str) -> None:
    tree, rng, of = reference_tree(spec), np.random.default_rng(3), game(spec)
    classes = find_classes(of.program, of.fingerprint)
    assert classes is not None
    walker = new_lane_walker(spec, OosRule(delta=0.9, target="pst"))
    walker.run(200, rng)
    mean = oracle.mean_profile(tree, as_memory(walker, find_slots(walker, of, tree)))
    for infoset in list(infosets(tree)):
        if not infoset[1]:
            continue
        target_infoset(walker, of, infoset, rng)
        target = oracle.public_target(tree, infoset, class_of_edges(tree, of, classes))
        wanted = oracle.weighting_factor(tree, mean, target, 0.9)
        assert walker.rule.weight == pytest.approx(float(wanted), rel=1e-9)


def test_a_walk_from_a_small_table_is_unbiased_for_the_play_it_assumes() -> None:
    tree, rng = reference_tree("kuhn_poker"), np.random.default_rng(8)
    walker = new_lane_walker("kuhn_poker", OosRule(delta=0.0, epsilon=0.6, gamma=0.05), max_batch=2)
    walker.run(4, rng)
    slots = find_slots(walker, game("kuhn_poker"), tree)
    assert 4 < len({infoset for infoset, _ in slots}) < 12
    changes = repeat_batch(walker, 1, 3000, rng)
    places = list(slots.values())
    # The role that a batch of one walk updates is the first.
    memory, first = as_memory(walker, slots), tree.roles[0]
    values = oracle.true_values(tree, memory, first, walker.rule.gamma)
    half = walker.shape.half[walker.shape.players[0]]
    regret = np.array([float(values.regret.get(i, {}).get(move, 0)) / half for i, move in slots])
    policy_sum = np.array([float(values.policy_sum.get(i, {}).get(move, 0)) for i, move in slots])
    assert_means(changes(REGRET)[:, places], regret)
    assert_means(changes(POLICY_SUM)[:, places], policy_sum)


@pytest.mark.parametrize("spec", GAMES.values(), ids=GAMES)
def test_the_weight_of_a_target_is_that_of_the_oracle(spec: str) -> None:
    tree, rng = reference_tree(spec), np.random.default_rng(3)
    walker = new_lane_walker(spec, OosRule(delta=0.9, target="ist"))
    walker.run(200, rng)
    infoset = largest_infoset(tree)
    target_infoset(walker, game(spec), infoset, rng)
    mean = oracle.mean_profile(tree, as_memory(walker, find_slots(walker, game(spec), tree)))
    wanted = oracle.weighting_factor(tree, mean, oracle.infoset_target(tree, infoset), 0.9)
    assert walker.rule.weight == pytest.approx(float(wanted), rel=1e-9)


@pytest.mark.parametrize(
    ("rule", "selection"),
    [
        (BanditRule("uct", 1.4), Uct(1.4)),
        (BanditRule("uct", 1.4, ties="first"), Uct(1.4, is_first=True)),
        (BanditRule("rm", gamma=0.3), RegretMatching(0.3)),
    ],
    ids=["uct", "uct, first", "rm"],
)
def test_bandits_one_walk_at_a_time_visit_what_the_oracle_visits(
    rule: BanditRule, selection: Uct | RegretMatching
) -> None:
    spec, walks, times = "kuhn_poker", 40, 100
    tree = reference_tree(spec)
    of = game(spec)
    shape = new_lane_walker(spec, rule).shape
    for node in oracle.nodes(tree):
        if isinstance(node, Terminal):
            for role in tree.roles:
                role_id = of.roles.index(role)
                node.utility[role] = (node.utility[role] - shape.centre[role_id]) / shape.half[role_id]
    moves = [(infoset, move) for infoset, own in oracle.legal_moves(tree).items() for move in own]
    ours, theirs = np.zeros((times, len(moves))), np.zeros((times, len(moves)))
    for seed in range(times):
        walker = new_lane_walker(spec, rule, max_batch=1)
        walker.run(walks, np.random.default_rng(seed))
        slots = find_slots(walker, of, tree)
        ours[seed] = [walker.table.arrays.slots[slots[entry], 2] if entry in slots else 0 for entry in moves]
        memory: StatisticsMemory = {}
        ismcts_search(start_nodes(tree, None), memory, selection, walks, oracle.choose_by(Random(seed)))
        theirs[seed] = [memory[infoset].visits[move] if infoset in memory else 0 for infoset, move in moves]
    error = np.sqrt((ours.var(axis=0) + theirs.var(axis=0)) / times)
    assert (np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) <= LIMIT * error + 1e-9).all()


@pytest.mark.parametrize(
    ("rule", "selection"),
    [
        (BanditRule("uct", 1.4, ties="first"), Uct(1.4, is_first=True)),
        (BanditRule("rm", gamma=0.3), RegretMatching(0.3)),
    ],
    ids=["uct", "rm"],
)
def test_what_the_next_walk_chooses_from_is_that_of_the_oracle(
    rule: BanditRule, selection: Uct | RegretMatching
) -> None:
    of, tree = game("kuhn_poker"), reference_tree("kuhn_poker")
    walker = new_lane_walker("kuhn_poker", rule)
    walker.run(60, np.random.default_rng(4))
    slots = find_slots(walker, of, tree)
    for infoset in {infoset for infoset, _ in slots}:
        numbers = {move: walker.table.arrays.slots[slot] for (other, move), slot in slots.items() if other == infoset}
        statistics = empty_statistics(numbers)
        for column, kept in ((REGRET, statistics.regret), (VISITS, statistics.visits), (TOTAL, statistics.total)):
            kept |= {move: float(row[column]) for move, row in numbers.items()}
        view = walker.infoset(of.roles.index(infoset[0]), key_of(of, infoset))
        assert view is not None
        assert view.current == pytest.approx(list(selection.current(statistics).values()))


@pytest.mark.parametrize("leaf", [1, 2])
def test_the_weight_of_a_leaf_out_of_reach_is_felt_at_the_infoset(leaf: int) -> None:
    """Section 2.2 of the paper: (1/3, 2/3) for leaf 1, (1/6, 5/6) for leaf 2; ISMCTS cannot know."""
    spec = f"non_locality(leaf={leaf})"
    of, tree, rng = game(spec), reference_tree(spec), np.random.default_rng(1)
    infoset = next(i for i in oracle.infosets(tree) if i[0] == "min")
    walker = new_lane_walker(spec, OosRule(delta=0.9, epsilon=0.4), "min")
    target_infoset(walker, of, infoset, rng)
    walker.run(50_000, rng)
    view = walker.infoset(of.roles.index("min"), key_of(of, infoset))
    assert view is not None
    wanted = [1 / 3, 2 / 3] if leaf == 1 else [1 / 6, 5 / 6]
    assert sorted(view.mean) == pytest.approx(wanted, abs=0.03)


def test_batches_of_any_size_converge_in_leduc_as_walks_on_the_tree() -> None:
    leduc, rule, iterations = prepared("leduc_poker"), OosRule(0.0, 0.6, 0.01), 50_000
    tree_walker = make_tree_walker(SearchTask(leduc.game, 1, 0), rule, 1_000_000)
    tree_walker.run(iterations, np.random.default_rng(2))
    wanted = nash_conv_of(leduc, tree_walker)
    for size in (64, 4096):
        walker = new_lane_walker("leduc_poker", rule, max_batch=size)
        walker.run(iterations // 10, np.random.default_rng(2))
        early = nash_conv_of(leduc, walker)
        walker.run(iterations * 9 // 10, np.random.default_rng(3))
        late = nash_conv_of(leduc, walker)
        assert late < early / 2
        assert late == pytest.approx(wanted, rel=0.35)


def test_one_role_alone_learns_a_mean_strategy() -> None:
    walker = new_lane_walker(GUESS, OosRule(0.0, 0.6, 0.0))
    walker.run(2000, np.random.default_rng(4))
    assert nash_conv_of(prepared(GUESS), walker) < 3.0
