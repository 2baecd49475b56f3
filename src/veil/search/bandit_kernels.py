"""Kernels of ISMCTS and Smooth UCT on an explicit tree: walks in which every infoset is a bandit of its mover.

1. Draw a start: a node of the infoset where the match stands.
2. At infosets of the table choose by the bandit; the first one that is not in the table is added, and from there on
   moves are uniform.
3. Every infoset of the table that was passed learns the payoff of its mover.

UCT: the largest mean + C * sqrt(ln N / n), moves not yet tried first, ties at random. Regret matching: the regret of
the move taken grows by u / p - u, those of the others by -u; the mean strategy sums the strategies without exploration.
Smooth UCT (Heinrich & Silver 2015): UCT with probability max(gamma, eta / (1 + d * sqrt(N))), else the mean strategy.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from veil.engine import Int, kernel
from veil.search.oos_kernels import draw_by, draw_explored, draw_unit, play_out
from veil.search.walk_records import (
    EVEN_CHANCE,
    FIRST_CHILD,
    FIRST_SLOT,
    MOVER,
    NUM_CHILDREN,
    POLICY_SUM,
    REGRET,
    RM,
    SMOOTH,
    TOTAL,
    VISITS,
    BanditNumbers,
    WalkPath,
    WalkTables,
    WalkTree,
)


@kernel
def find_upper_bounds(
    tables: WalkTables, slots: np.ndarray, constant: float, counts_available: bool, bounds: np.ndarray
) -> float:
    """Policy of UCT: uniform over moves not yet tried, or over those of the largest bound (bounds [K] changed).

    Returns how often the infoset was visited.
    """
    visits, untried = 0.0, 0
    for slot in slots:
        visits += tables.numbers[slot, VISITS]
        untried += tables.numbers[slot, VISITS] == 0.0
    if untried > 0:
        for k in range(len(slots)):
            bounds[k] = 1.0 / untried if tables.numbers[slots[k], VISITS] == 0.0 else 0.0
        return visits
    largest, ties, logarithm = -np.inf, 0, log(visits)
    for k in range(len(slots)):
        tried = tables.numbers[slots[k], VISITS]
        if counts_available:
            logarithm = log(tables.available[slots[k]])
        bounds[k] = tables.numbers[slots[k], TOTAL] / tried + constant * sqrt(logarithm / tried)
        if bounds[k] > largest:
            largest, ties = bounds[k], 1
        elif bounds[k] == largest:
            ties += 1
    for k in range(len(slots)):
        bounds[k] = 1.0 / ties if bounds[k] == largest else 0.0
    return visits


@kernel
def smooth_bounds(
    tables: WalkTables, slots: np.ndarray, numbers: BanditNumbers, visits: float, policy: np.ndarray
) -> None:
    """Mix the policy of UCT with the mean strategy (policy [K] changed in place)."""
    if visits > 0.0:
        by_uct = max(numbers.gamma, numbers.eta / (1.0 + numbers.decay * sqrt(visits)))
        for k in range(len(slots)):
            policy[k] = by_uct * policy[k] + (1.0 - by_uct) * tables.numbers[slots[k], VISITS] / visits


@kernel
def match_slots(tables: WalkTables, slots: np.ndarray, policy: np.ndarray) -> None:
    """Regret matching without exploration (policy [K] changed in place)."""
    total = 0.0
    for slot in slots:
        total += max(tables.numbers[slot, REGRET], 0.0)
    even = 1.0 / len(slots)
    for k in range(len(slots)):
        policy[k] = max(tables.numbers[slots[k], REGRET], 0.0) / total if total > 0.0 else even


@kernel
def choose_move(
    tables: WalkTables, slots: np.ndarray, numbers: BanditNumbers, policy: np.ndarray, random: np.ndarray
) -> int:
    """The place of a move among these slots, drawn by the bandit (its policy [K] changed in place)."""
    count = len(slots)
    if numbers.kind == RM:
        match_slots(tables, slots, policy)
        return draw_explored(policy, count, numbers.gamma / count, 1.0 - numbers.gamma, random)
    visits = find_upper_bounds(tables, slots, numbers.constant, numbers.counts_available, policy)
    if numbers.kind == SMOOTH:
        smooth_bounds(tables, slots, numbers, visits, policy)
    return draw_by(policy, count, 1.0, random)


@kernel
def walk_bandits(
    tree: WalkTree,
    tables: WalkTables,
    path: WalkPath,
    start: Int,
    numbers: BanditNumbers,
    random: np.ndarray,
) -> tuple[Int, Int, Int]:
    """From a node to a terminal: (terminal, steps stored, nodes passed)."""
    node: Int = start
    steps: Int = np.int64(0)
    visited: Int = np.int64(0)
    while tree.nodes[node, NUM_CHILDREN] > 0:
        count, first, first_slot = (
            tree.nodes[node, NUM_CHILDREN],
            tree.nodes[node, FIRST_CHILD],
            tree.nodes[node, FIRST_SLOT],
        )
        visited += 1
        if first_slot < 0:
            if tree.nodes[node, MOVER] == EVEN_CHANCE:
                node = first + int(draw_unit(random) * count)
            else:
                node = first + draw_by(tree.chance_prob[first : first + count], count, 1.0, random)
            continue
        policy, slots = path.policy[steps], tree.slot[first : first + count]
        is_known = tables.is_known[first_slot]
        index = choose_move(tables, slots, numbers, policy, random)
        path.node[steps], path.chosen[steps] = node, index
        steps += 1
        node = first + index
        if not is_known:
            tables.is_known[first_slot] = True
            node, more = play_out(tree, node, random)
            return node, steps, visited + more
    return node, steps, visited


@kernel
def update_bandits(
    tree: WalkTree, tables: WalkTables, path: WalkPath, leaf: Int, steps: Int, numbers: BanditNumbers
) -> None:
    """Every step learns the payoff of its mover (tables changed in place)."""
    for step in range(steps):
        node, index = path.node[step], path.chosen[step]
        first, count = tree.nodes[node, FIRST_CHILD], tree.nodes[node, NUM_CHILDREN]
        slots, payoff = tree.slot[first : first + count], tree.utility[leaf, tree.nodes[node, MOVER]]
        if numbers.kind == RM:
            policy = path.policy[step]
            for k in range(count):
                tables.numbers[slots[k], POLICY_SUM] += policy[k]
                tables.numbers[slots[k], REGRET] -= payoff
            played = numbers.gamma / count + (1.0 - numbers.gamma) * policy[index]
            tables.numbers[slots[index], REGRET] += payoff / played
        if numbers.counts_available:
            for slot in slots:
                tables.available[slot] += 1.0
        tables.numbers[slots[index], VISITS] += 1.0
        tables.numbers[slots[index], TOTAL] += payoff


@kernel
def run_bandits(
    tree: WalkTree,
    tables: WalkTables,
    path: WalkPath,
    starts: np.ndarray,
    cumulative: np.ndarray,
    numbers: BanditNumbers,
    random: np.ndarray,
    iterations: int,
) -> Int:
    """So many walks (tables, path and random changed in place): nodes passed.

    starts [M]: nodes where walks begin; cumulative [M]: probabilities of these nodes and all before them, or [0] where
    all are equally likely.
    """
    visited: Int = np.int64(0)
    for _ in range(iterations):
        chance = draw_unit(random)
        if len(cumulative) > 0:
            place = min(int(np.searchsorted(cumulative, chance, side="right")), len(starts) - 1)
        else:
            place = int(chance * len(starts))
        leaf, steps, more = walk_bandits(tree, tables, path, starts[place], numbers, random)
        update_bandits(tree, tables, path, leaf, steps, numbers)
        visited += more
    return visited
