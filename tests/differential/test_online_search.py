"""Walks of the kernels against the slow oracles: the same random numbers must give the same tables, walk by walk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.reference import online_search as oracle
from tests.reference.gametree import Infoset, Tree, infosets, kuhn_poker, literal_tree, non_locality, random_tree
from tests.reference.ismcts import (
    RegretMatching,
    Statistics,
    StatisticsMemory,
    Uct,
    histories_in_memory,
    history_search,
    ismcts_search,
    remember_root,
    start_nodes,
    uct_constant,
)
from tests.reference.solvers import Policy
from tests.support.flat_trees import Flat
from tests.support.walks import (
    both_trees,
    choose_like_kernels,
    fixed_seed,
    infoset_number,
    known_infosets,
    oracle_columns,
)
from veil.search.walks.contract import BanditRule, OosRule
from veil.search.walks.numbers import POLICY_SUM, REGRET, TOTAL, VISITS
from veil.search.walks.tree.bandit_walker import BanditTreeWalker
from veil.search.walks.tree.history_walker import HistoryTreeWalker
from veil.search.walks.tree.walkers import MatchWalker, OosTreeWalker


def uneven() -> Tree:
    """Chance with three different probabilities, and a role that does not see it."""
    decision = {move: ("b", "I", {"x": (3, -3), "y": (move == "u", -(move == "u"))}) for move in ("u", "v")}
    below = dict.fromkeys(("p", "q", "r"), ("a", "J", decision))
    return literal_tree(["a", "b"], ("random", below, {"p": 0.5, "q": 0.125, "r": 0.375}))


def three_roles(seed: int) -> Tree:
    return random_tree(Random(seed), roles=3, depth=5)


def two_roles(seed: int) -> Tree:
    return random_tree(Random(seed), roles=2, depth=6)


TREES: dict[str, Callable[[], Tree]] = {
    "kuhn": kuhn_poker,
    "non_locality": non_locality,
    "uneven": uneven,
    **{f"two_{seed}": partial(two_roles, seed) for seed in range(4)},
    **{f"three_{seed}": partial(three_roles, seed) for seed in range(4)},
}
RULES = [OosRule(0.9, 0.4, 0.01, "ist"), OosRule(0.5, 0.8, 0.2, "ist"), OosRule(0.0, 0.6, 0.0, "ist")]


def new_memory() -> oracle.Memory:
    return {}


def compare_oos(flat: Flat, walker: OosTreeWalker, memory: oracle.Memory) -> None:
    columns = oracle_columns(flat, memory, "regret", "policy_sum")
    scale = max(1.0, np.abs(columns).max())
    assert walker.tables.numbers[:, [REGRET, POLICY_SUM]] == pytest.approx(columns, rel=1e-9, abs=1e-9 * scale)
    assert known_infosets(flat, walker.tables) >= set(memory)
    visits = {infoset: sum(walker.tables.numbers[s, VISITS] for s in slots_of(flat, infoset)) for infoset in memory}
    assert visits == {infoset: entry.visits for infoset, entry in memory.items()}
    for place in range(len(walker.tree.role_ids)):
        compare_sums(flat, walker, memory, place)
    gamma = walker.rule.gamma
    current = {infoset: oracle.match_regrets(entry.regret, gamma) for infoset, entry in memory.items()}
    compare_current(flat, walker, current)


def compare_sums(flat: Flat, walker: OosTreeWalker, memory: oracle.Memory, place: int) -> None:
    """What the aggregate of the paper adds up are the policy sums of the oracle, at infosets that were visited."""
    table = MatchWalker(walker, None).strategies(place)  # type: ignore[arg-type]
    sums = flat.policy({infoset: entry.policy_sum for infoset, entry in memory.items() if entry.visits})
    role_start, slot_start = walker.tree.flat.role_start, walker.tree.flat.slot_start
    own = range(slot_start[role_start[place]], slot_start[role_start[place + 1]])
    visited = [slot for slot in own if any(slot in slots_of(flat, infoset) for infoset in memory)]
    assert table.sums is not None
    assert table.sums == pytest.approx(sums[visited], rel=1e-9)


def slots_of(flat: Flat, infoset: Infoset) -> list[int]:
    return [slot for (other, _), slot in flat.slots.items() if other == infoset]


@pytest.mark.gate_cases(10)
@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("name", TREES)
def test_online_outcome_sampling_takes_the_walks_of_algorithm_1(name: str, rule: OosRule) -> None:
    """Three searches one after the other: from the root, then targeted at infosets, on what the first has found."""
    reference = TREES[name]()
    flat, tree = both_trees(reference)
    walker, memory = OosTreeWalker(tree, rule), new_memory()
    config = oracle.OosConfig(delta=rule.delta, epsilon=rule.epsilon, gamma=rule.gamma)
    first, *_, last = list(infosets(reference))[1:] * 2
    where = [None, last, first, None] if rule.gamma > 0 else [None]  # without gamma some may be out of reach
    for number, infoset in enumerate(where):
        target = oracle.everything(reference) if infoset is None else oracle.infoset_target(reference, infoset)
        search = oracle.start_search(reference, memory, target, config)
        walker.target_infoset(None if infoset is None else infoset_number(flat, infoset))
        assert walker.weight == pytest.approx(float(search.weight), rel=1e-9)
        oracle.run_search(search, memory, 60, choose_like_kernels(number + 7))
        walker.run(60, fixed_seed(number + 7))
        compare_oos(flat, walker, memory)


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_public_subgames_are_targeted_as_in_the_oracle(rule: OosRule) -> None:
    """Kuhn poker: bets are public, cards are not."""
    reference = kuhn_poker()
    flat, tree = both_trees(reference)
    walker, memory = OosTreeWalker(tree, rule), new_memory()
    config = oracle.OosConfig(delta=rule.delta, epsilon=rule.epsilon, gamma=rule.gamma)
    infoset, public = ("first", (1, "pb")), oracle.class_by_name(reference, "bp")
    walker.run(30, fixed_seed(1))
    first = oracle.start_search(reference, memory, oracle.everything(reference), config)
    oracle.run_search(first, memory, 30, choose_like_kernels(1))
    target = oracle.public_target(reference, infoset, public)
    search = oracle.start_search(reference, memory, target, config)
    members = tree.members(infoset_number(flat, infoset))
    same_bets = [tree.members(infoset_number(flat, ("first", (card, "pb")))) for card in (1, 2, 3)]
    walker.target_nodes(members, np.concatenate(same_bets))
    assert walker.weight == pytest.approx(float(search.weight), rel=1e-9)
    walker.run(100, fixed_seed(2))
    oracle.run_search(search, memory, 100, choose_like_kernels(2))
    compare_oos(flat, walker, memory)


@dataclass(frozen=True)
class SmoothUct:
    """Selection of Smooth UCT (Heinrich & Silver 2015), for the slow ISMCTS."""

    uct: Uct
    gamma: float
    eta: float
    decay: float

    def policy(self, statistics: Statistics) -> Policy:
        visits = sum(statistics.visits.values())
        bounds = self.uct.policy(statistics)
        if not visits:
            return bounds
        by_uct = max(self.gamma, self.eta / (1 + self.decay * sqrt(visits)))
        return {move: by_uct * p + (1 - by_uct) * statistics.visits[move] / visits for move, p in bounds.items()}

    def update(self, statistics: Statistics, policy: Policy, move: str, utility: float) -> None:
        self.uct.update(statistics, policy, move, utility)

    def current(self, statistics: Statistics) -> Policy:
        return self.policy(statistics)


BANDITS = [
    BanditRule("uct"),
    BanditRule("uct", constant=0.3),
    BanditRule("uct", ties="first"),
    BanditRule("rm"),
    BanditRule("rm", gamma=0.01),
    BanditRule("rm", gamma=1.0),
    BanditRule("smooth", gamma=0.1, decay=0.5),
]


@pytest.mark.gate_cases(20)
@pytest.mark.parametrize("rule", BANDITS, ids=str)
@pytest.mark.parametrize("name", TREES)
def test_bandits_take_the_walks_of_the_oracle(name: str, rule: BanditRule) -> None:
    """From the root, then from an infoset, on what the first search has found."""
    reference = TREES[name]()
    flat, tree = both_trees(reference)
    walker = BanditTreeWalker(tree, rule, 0)
    memory: StatisticsMemory = {}
    uct = Uct(rule.constant / 2 * float(uct_constant(reference)), rule.ties == "first")
    smooth = SmoothUct(uct, rule.gamma, rule.eta, rule.decay)
    selection: Any = {"uct": uct, "rm": RegretMatching(rule.gamma), "smooth": smooth}[rule.select]
    for number, infoset in enumerate([None, list(infosets(reference))[-1]]):
        walker.target_infoset(None if infoset is None else infoset_number(flat, infoset))
        walker.run(150, fixed_seed(number + 3))
        ismcts_search(start_nodes(reference, infoset), memory, selection, 150, choose_like_kernels(number + 3))
        compare_bandits(flat, walker, memory)
        compare_current(flat, walker, {infoset: selection.current(entry) for infoset, entry in memory.items()})


def compare_current(flat: Flat, walker: BanditTreeWalker | OosTreeWalker, expected: dict[Infoset, Policy]) -> None:
    """What the next walk chooses from is that of the oracle at every infoset in its memory."""
    columns = flat.policy(expected)
    for infoset in expected:
        first, last = min(slots_of(flat, infoset)), max(slots_of(flat, infoset))
        slots = slice(first, last + 1)
        assert walker.current(slots) == pytest.approx(columns[slots], rel=1e-9, abs=1e-9)


def compare_bandits(flat: Flat, walker: BanditTreeWalker, memory: StatisticsMemory) -> None:
    fields = {"visits": VISITS, "total": TOTAL, "regret": REGRET, "policy_sum": POLICY_SUM}
    if walker.rule.select != "rm":
        fields = {"visits": VISITS, "total": TOTAL}
    columns = oracle_columns(flat, memory, *fields)
    assert walker.tables.numbers[:, list(fields.values())] == pytest.approx(columns, rel=1e-9, abs=1e-9)
    assert known_infosets(flat, walker.tables) >= set(memory)


PROGRAMS = [
    BanditRule("uct", ties="first", starts="memory", grow="history", renew=True),
    BanditRule("uct", starts="memory", grow="history"),
    BanditRule("rm", gamma=0.1, starts="memory", grow="history", renew=True),
    BanditRule("rm", grow="history", renew=True),
]


@pytest.mark.gate_cases(12)
@pytest.mark.parametrize("rule", PROGRAMS, ids=str)
@pytest.mark.parametrize("name", TREES)
def test_walks_over_histories_are_those_of_the_oracle(name: str, rule: BanditRule) -> None:
    """From the root, then from an infoset: from its histories in memory, or from all of them, which are then added."""
    reference = TREES[name]()
    flat, tree = both_trees(reference)
    walker, memory = HistoryTreeWalker(tree, rule, 0), remember_root(reference)
    uct = Uct(rule.constant / 2 * float(uct_constant(reference)), rule.ties == "first")
    selection = uct if rule.select == "uct" else RegretMatching(rule.gamma)
    for number, infoset in enumerate([None, list(infosets(reference))[-1]]):
        start = start_nodes(reference, infoset)
        if infoset is not None:
            if rule.starts == "memory":
                start = histories_in_memory(reference, infoset, memory) or start
            for node in start:
                memory.add(node, is_renewed=False)
        walker.target_infoset(None if infoset is None else infoset_number(flat, infoset))
        walker.run(150, fixed_seed(number + 3))
        history_search(start, memory, selection, rule.renew, 150, choose_like_kernels(number + 3))
        compare_bandits(flat, walker, memory.statistics)
        assert known_infosets(flat, walker.tables) == set(memory.statistics)
