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

from veil.engine import Int, inlined, kernel
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


@inlined
def find_upper_bounds(
    tables: WalkTables, slot: np.ndarray, first: Int, count: int, numbers: BanditNumbers, policy: np.ndarray
) -> float:
    """Policy of UCT: uniform over moves not yet tried, or over those of the largest bound (policy [K] changed).

    The moves of a node stand in slot [N] from place `first` on. Returns how often they were taken, all together.
    """
    visits, untried = 0.0, 0
    for k in range(count):
        tried = tables.numbers[slot[first + k], VISITS]
        visits += tried
        if tried == 0.0:
            untried += 1
    if untried > 0:
        for k in range(count):
            policy[k] = 1.0 / untried if tables.numbers[slot[first + k], VISITS] == 0.0 else 0.0
        return visits
    largest, ties, logarithm = -np.inf, 0, log(visits)
    for k in range(count):
        place = slot[first + k]
        share = 1.0 / tables.numbers[place, VISITS]
        if numbers.counts_available:
            logarithm = log(tables.available[place])
        bound = tables.numbers[place, TOTAL] * share + numbers.constant * sqrt(logarithm * share)
        policy[k] = bound
        if bound > largest:
            largest, ties = bound, 1
        elif bound == largest:
            ties += 1
    for k in range(count):
        policy[k] = 1.0 / ties if policy[k] == largest else 0.0
    return visits


@inlined
def smooth_bounds(
    tables: WalkTables,
    slot: np.ndarray,
    first: Int,
    count: int,
    numbers: BanditNumbers,
    visits: float,
    policy: np.ndarray,
) -> None:
    """Mix the policy of UCT with the mean strategy (policy [K] changed in place)."""
    if visits > 0.0:
        by_uct = max(numbers.gamma, numbers.eta / (1.0 + numbers.decay * sqrt(visits)))
        for k in range(count):
            mean = tables.numbers[slot[first + k], VISITS] / visits
            policy[k] = by_uct * policy[k] + (1.0 - by_uct) * mean


@inlined
def match_slots(tables: WalkTables, slot: np.ndarray, first: Int, count: int, policy: np.ndarray) -> None:
    """Regret matching without exploration (policy [K] changed in place)."""
    total = 0.0
    for k in range(count):
        policy[k] = max(tables.numbers[slot[first + k], REGRET], 0.0)
        total += policy[k]
    for k in range(count):
        policy[k] = policy[k] / total if total > 0.0 else 1.0 / count


@inlined
def choose_move(
    tables: WalkTables,
    slot: np.ndarray,
    first: Int,
    count: int,
    numbers: BanditNumbers,
    policy: np.ndarray,
    random: np.ndarray,
) -> int:
    """The place of a move among those of a node, drawn by the bandit (its policy [K] changed in place)."""
    if numbers.kind == RM:
        match_slots(tables, slot, first, count, policy)
        return draw_explored(policy, count, numbers.gamma / count, 1.0 - numbers.gamma, random)
    visits = find_upper_bounds(tables, slot, first, count, numbers, policy)
    if numbers.kind == SMOOTH:
        smooth_bounds(tables, slot, first, count, numbers, visits, policy)
    return draw_by(policy, count, 1.0, random)


@inlined
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
        is_known = tables.is_known[first_slot]
        index = choose_move(tables, tree.slot, first, count, numbers, path.policy[steps], random)
        path.node[steps], path.chosen[steps] = node, index
        steps += 1
        node = first + index
        if not is_known:
            tables.is_known[first_slot] = True
            node, more = play_out(tree, node, random)
            return node, steps, visited + more
    return node, steps, visited


@inlined
def update_bandits(
    tree: WalkTree, tables: WalkTables, path: WalkPath, leaf: Int, steps: Int, numbers: BanditNumbers
) -> None:
    """Every step learns the payoff of its mover (tables changed in place)."""
    for step in range(steps):
        node, index = path.node[step], path.chosen[step]
        first, count = tree.nodes[node, FIRST_CHILD], tree.nodes[node, NUM_CHILDREN]
        payoff, taken = tree.utility[leaf, tree.nodes[node, MOVER]], tree.slot[first + index]
        if numbers.kind == RM:
            for k in range(count):
                tables.numbers[tree.slot[first + k], POLICY_SUM] += path.policy[step, k]
                tables.numbers[tree.slot[first + k], REGRET] -= payoff
            played = numbers.gamma / count + (1.0 - numbers.gamma) * path.policy[step, index]
            tables.numbers[taken, REGRET] += payoff / played
        if numbers.counts_available:
            for k in range(count):
                tables.available[tree.slot[first + k]] += 1.0
        tables.numbers[taken, VISITS] += 1.0
        tables.numbers[taken, TOTAL] += payoff


@kernel
def find_place(cumulative: np.ndarray, chance: float) -> int:
    """The first place whose cumulative probability is above a number; the last, if none is."""
    low, high = 0, len(cumulative) - 1
    while low < high:  # (NumPy's search costs a microsecond here: it may raise, which keeps the loop from inlining)
        middle = (low + high) // 2
        if cumulative[middle] > chance:
            high = middle
        else:
            low = middle + 1
    return low


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
        place = find_place(cumulative, chance) if len(cumulative) > 0 else int(chance * len(starts))
        leaf, steps, more = walk_bandits(tree, tables, path, starts[place], numbers, random)
        update_bandits(tree, tables, path, leaf, steps, numbers)
        visited += more
    return visited
