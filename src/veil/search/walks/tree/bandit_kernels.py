"""Kernels of ISMCTS and Smooth UCT on an explicit tree: walks in which every infoset is a bandit of its mover.

1. Draw a start: a node of the infoset where the match stands.
2. At infosets of the table choose by the bandit; the first one that is not in the table is added, and from there on
   moves are uniform.
3. The payoff of the mover is added to every infoset of the table on the walk.

UCT: the largest mean + C * sqrt(ln N / n), moves not yet tried first; of several largest the first, or any. Regret
matching: the regret of the move taken grows by u / p - u, those of the others by -u; the mean strategy sums the
strategies without exploration. Smooth UCT (Heinrich & Silver 2015): UCT with probability max(gamma, eta / (1 + d *
sqrt(N))), else the mean strategy.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from veil.engine.lanes import Int, draw_index, draw_unit, draw_weighted, inlined, kernel
from veil.search.walks.numbers import POLICY_SUM, REGRET, RM, SMOOTH, TOTAL, VISITS, WalkNumbers
from veil.search.walks.tree.oos_kernels import draw_explored
from veil.search.walks.tree.records import (
    EVEN_CHANCE,
    FIRST_CHILD,
    FIRST_SLOT,
    MOVER,
    NUM_CHILDREN,
    WalkPath,
    WalkTables,
    WalkTree,
)


@inlined
def find_upper_bounds(
    learnt: np.ndarray,
    available: np.ndarray,
    slot: np.ndarray,
    first: Int,
    count: int,
    numbers: WalkNumbers,
    policy: np.ndarray,
) -> tuple[float, int]:
    """Find the policy of UCT: uniform over untried moves, or over those of the largest bound (policy [K] changed).

    The moves of a node stand in slot [N] from place `first` on. Returns how often they were taken, all together, and
    the place of the only possible one, or -1 if there are several.
    """
    visits, untried = 0.0, 0
    for k in range(count):
        tried = learnt[slot[first + k], VISITS]
        visits += tried
        if tried == 0.0:
            untried += 1
    if untried > 0:
        for k in range(count):
            policy[k] = 1.0 / untried if learnt[slot[first + k], VISITS] == 0.0 else 0.0
        return visits, -1
    largest, best, ties, logarithm = -np.inf, 0, 0, log(visits)
    for k in range(count):
        place = slot[first + k]
        share = 1.0 / learnt[place, VISITS]
        if numbers.observer >= 0:
            logarithm = log(available[place])
        bound = learnt[place, TOTAL] * share + numbers.constant * sqrt(logarithm * share)
        policy[k] = bound
        if bound > largest:
            largest, best, ties = bound, k, 1
        elif bound == largest:
            ties += 1
    is_one = ties == 1 or numbers.takes_first
    for k in range(count):
        if is_one:
            policy[k] = 1.0 if k == best else 0.0
        else:
            policy[k] = 1.0 / ties if policy[k] == largest else 0.0
    return visits, best if is_one else -1


@inlined
def smooth_bounds(
    learnt: np.ndarray,
    slot: np.ndarray,
    first: Int,
    count: int,
    numbers: WalkNumbers,
    visits: float,
    policy: np.ndarray,
) -> None:
    """Mix the policy of UCT with the mean strategy (policy [K] changed in place)."""
    if visits > 0.0:
        by_uct = max(numbers.gamma, numbers.eta / (1.0 + numbers.decay * sqrt(visits)))
        for k in range(count):
            mean = learnt[slot[first + k], VISITS] / visits
            policy[k] = by_uct * policy[k] + (1.0 - by_uct) * mean


@inlined
def match_slots(learnt: np.ndarray, slot: np.ndarray, first: Int, count: int, policy: np.ndarray) -> None:
    """Find the policy of regret matching without exploration (policy [K] changed in place)."""
    total = 0.0
    for k in range(count):
        policy[k] = max(learnt[slot[first + k], REGRET], 0.0)
        total += policy[k]
    for k in range(count):
        policy[k] = policy[k] / total if total > 0.0 else 1.0 / count


@inlined
def choose_move(
    learnt: np.ndarray,
    available: np.ndarray,
    slot: np.ndarray,
    first: Int,
    count: int,
    numbers: WalkNumbers,
    policy: np.ndarray,
    random: np.ndarray,
) -> Int:
    """Return the place of a move among those of a node, drawn by the bandit (its policy [K] changed in place)."""
    if numbers.kind == RM:
        match_slots(learnt, slot, first, count, policy)
        return draw_explored(policy, count, numbers.gamma / count, 1.0 - numbers.gamma, random)
    visits, best = find_upper_bounds(learnt, available, slot, first, count, numbers, policy)
    if numbers.kind == SMOOTH:
        smooth_bounds(learnt, slot, first, count, numbers, visits, policy)
    elif best >= 0:
        draw_unit(random, 0)  # one number for every choice
        return best
    return draw_weighted(policy, count, 1.0, random, 0)


@inlined
def update_step(
    learnt: np.ndarray,
    available: np.ndarray,
    slot: np.ndarray,
    first: Int,
    count: int,
    numbers: WalkNumbers,
    policy: np.ndarray,
    index: Int,
    payoff: float,
) -> None:
    """Add the mover's payoff after a move to an infoset (tables changed in place)."""
    taken = slot[first + index]
    if numbers.kind == RM:
        for k in range(count):
            learnt[slot[first + k], POLICY_SUM] += policy[k]
            learnt[slot[first + k], REGRET] -= payoff
        played = numbers.gamma / count + (1.0 - numbers.gamma) * policy[index]
        learnt[taken, REGRET] += payoff / played
    if numbers.observer >= 0:
        for k in range(count):
            available[slot[first + k]] += 1.0
    learnt[taken, VISITS] += 1.0
    learnt[taken, TOTAL] += payoff


@kernel
def find_place(cumulative: np.ndarray, chance: float) -> int:
    """Return the first place whose cumulative probability is above a number; the last, if none is."""
    low, high = 0, len(cumulative) - 1
    while low < high:  # (NumPy's search may raise, which keeps numba from inlining, and costs a microsecond)
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
    numbers: WalkNumbers,
    random: np.ndarray,
    iterations: int,
) -> Int:
    """Run `iterations` walks (tables, path and random changed in place); return the number of nodes passed.

    starts [M]: nodes where walks begin; cumulative [M]: probabilities of these nodes and all before them, or [0] if
    all are equally likely.
    """
    nodes, slot, chance_prob, utility = tree  # records are unpacked once: each use would count references
    learnt, is_known, available = tables
    at, chosen, policies = path.node, path.chosen, path.policy
    visited: Int = np.int64(0)
    for _ in range(iterations):
        chance = draw_unit(random, 0)
        place = find_place(cumulative, chance) if len(cumulative) > 0 else int(chance * len(starts))
        node: Int = starts[place]
        steps: Int = np.int64(0)
        is_in_table = True
        while nodes[node, NUM_CHILDREN] > 0:
            count, first, first_slot = nodes[node, NUM_CHILDREN], nodes[node, FIRST_CHILD], nodes[node, FIRST_SLOT]
            visited += 1
            if is_in_table and first_slot >= 0:
                is_in_table = is_known[first_slot]
                is_known[first_slot] = True
                index = choose_move(learnt, available, slot, first, count, numbers, policies[steps], random)
                at[steps], chosen[steps] = node, index
                steps += 1
                node = first + index
            elif nodes[node, MOVER] >= EVEN_CHANCE:  # uniform: chance, or a playout
                node = first + draw_index(random, 0, count)
            else:
                node = first + draw_weighted(chance_prob[first : first + count], count, 1.0, random, 0)
        for step in range(steps):
            above = at[step]
            first, count, mover = nodes[above, FIRST_CHILD], nodes[above, NUM_CHILDREN], nodes[above, MOVER]
            payoff, index = utility[node, mover], chosen[step]
            update_step(learnt, available, slot, first, count, numbers, policies[step], index, payoff)
    return visited
