"""Kernels of Online Outcome Sampling on an explicit tree: Algorithm 1 of Lisý, Lanctot & Bowling (2015), unrolled.

A walk goes down, stores the infosets of the table that it passes, and updates them on the way back. Names of the
paper: pi_-i = `other`, s1 = `targeted`, s2 = `untargeted`, l = the sample reach of the terminal, u * x / l = `value`.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, draw_index, draw_unit, draw_weighted, inlined, kernel, mix_regrets
from veil.search.walks.numbers import POLICY_SUM, REGRET, TOTAL, VISITS, WalkNumbers
from veil.search.walks.tree.records import (
    ABOVE,
    EVEN_CHANCE,
    FIRST_CHILD,
    FIRST_SLOT,
    INSIDE,
    MOVER,
    NUM_CHILDREN,
    OUTSIDE,
    WalkPath,
    WalkTables,
    WalkTree,
)


@kernel
def play_out(tree: WalkTree, start: Int, random: np.ndarray) -> tuple[Int, Int]:
    """Move uniformly to the end, `random` by its probabilities; return (terminal, nodes passed)."""
    nodes, chance_prob = tree.nodes, tree.chance_prob
    node: Int = start
    visited: Int = np.int64(0)
    while True:
        count = nodes[node, NUM_CHILDREN]
        if count == 0:
            return node, visited
        first = nodes[node, FIRST_CHILD]
        visited += 1
        if nodes[node, MOVER] >= EVEN_CHANCE:
            node = first + draw_index(random, 0, count)
        else:
            node = first + draw_weighted(chance_prob[first : first + count], count, 1.0, random, 0)


@kernel
def draw_explored(policy: np.ndarray, count: int, even: float, scale: float, random: np.ndarray) -> Int:
    """Draw an index with probability Phi = even + scale * policy; it is possible even after rounding errors."""
    left, last = draw_unit(random, 0), 0
    for k in range(count):
        probability = even + scale * policy[k]
        if probability > 0.0:
            last = k
            left -= probability
            if left < 0.0:
                return k
    return last


@kernel
def draw_inside(
    policy: np.ndarray, count: int, even: float, scale: float, inside: np.ndarray, random: np.ndarray
) -> tuple[Int, float]:
    """Draw a move that stays inside, by Phi normalised on such moves; return (index, its share of them).

    If Phi gives them no probability at all, they are equally likely.
    """
    total, members = sum_inside(policy, count, even, scale, inside)
    left = draw_unit(random, 0)
    last, share = 0, 0.0
    for k in range(count):
        if inside[k] != OUTSIDE:
            share = (even + scale * policy[k]) / total if total > 0.0 else 1.0 / members
            if share > 0.0:
                last = k
                left -= share
                if left < 0.0:
                    return k, share
    return last, (even + scale * policy[last]) / total if total > 0.0 else 1.0 / members


@kernel
def sum_inside(policy: np.ndarray, count: int, even: float, scale: float, inside: np.ndarray) -> tuple[float, int]:
    """Return (Phi of all moves that stay inside, their number)."""
    total, members = 0.0, 0
    for k in range(count):
        if inside[k] != OUTSIDE:
            total += even + scale * policy[k]
            members += 1
    return total, members


@inlined
def choose(
    policy: np.ndarray,
    count: int,
    even: float,
    scale: float,
    inside: np.ndarray,
    is_targeted: bool,
    random: np.ndarray,
) -> tuple[Int, float]:
    """Draw a move above the target (Sample on line 9); return (move, its targeted probability, 0 if it leaves)."""
    if is_targeted:
        return draw_inside(policy, count, even, scale, inside, random)
    index = draw_explored(policy, count, even, scale, random)
    if inside[index] == OUTSIDE:
        return index, 0.0
    total, members = sum_inside(policy, count, even, scale, inside)
    return index, (even + scale * policy[index]) / total if total > 0.0 else 1.0 / members


@inlined
def walk_down(
    tree: WalkTree,
    tables: WalkTables,
    path: WalkPath,
    inside: np.ndarray,
    numbers: WalkNumbers,
    role: int,
    random: np.ndarray,
) -> tuple[Int, Int, Int, float]:
    """Walk from the root to a terminal; return (terminal, steps stored, nodes passed, x / l below the last step)."""
    nodes, chance_prob, is_known, learnt = tree.nodes, tree.chance_prob, tables.is_known, tables.numbers
    at, chosen, others, samples, chances, policies = path
    delta = numbers.delta
    is_targeted = draw_unit(random, 0) < delta
    targeted = untargeted = 1.0 / numbers.weight
    other, where = 1.0, inside[0]
    node: Int = np.int64(0)
    steps: Int = np.int64(0)
    visited: Int = np.int64(0)
    while nodes[node, NUM_CHILDREN] > 0:
        count, first, first_slot = (
            nodes[node, NUM_CHILDREN],
            nodes[node, FIRST_CHILD],
            nodes[node, FIRST_SLOT],
        )
        visited += 1
        if first_slot < 0:
            if where == ABOVE:
                odds = chance_prob[first : first + count]
                index, share = choose(odds, count, 0.0, 1.0, inside[first : first + count], is_targeted, random)
                probability = odds[index]
                where = inside[first + index] if share > 0.0 else OUTSIDE
            elif nodes[node, MOVER] == EVEN_CHANCE:
                index = draw_index(random, 0, count)
                probability = share = 1.0 / count
            else:
                index = draw_weighted(chance_prob[first : first + count], count, 1.0, random, 0)
                probability = share = chance_prob[first + index]
            other *= probability
            if steps > 0:
                chances[steps - 1] *= probability
            targeted *= share
            untargeted *= probability
            node = first + index
            continue
        policy = policies[steps]
        at[steps], others[steps], chances[steps] = node, other, 1.0
        sample = delta * targeted + (1.0 - delta) * untargeted
        samples[steps] = sample
        if not is_known[first_slot]:  # lines 10-13; what a playout multiplies to x and to l is the same
            is_known[first_slot] = True
            policy[:count] = 1.0 / count
            index = draw_index(random, 0, count)
            chosen[steps] = index
            node, more = play_out(tree, first + index, random)
            return node, steps + 1, visited + more, count / sample
        mix_regrets(learnt, REGRET, first_slot, count, numbers.gamma * (1.0 / count), 1.0 - numbers.gamma, policy)
        is_own = nodes[node, MOVER] == role
        even, scale = (numbers.epsilon / count, 1.0 - numbers.epsilon) if is_own else (0.0, 1.0)
        if where == ABOVE:
            index, share = choose(policy, count, even, scale, inside[first : first + count], is_targeted, random)
            probability = even + scale * policy[index]
            where = inside[first + index] if share > 0.0 else OUTSIDE
        else:
            index = draw_explored(policy, count, even, scale, random)
            probability = share = even + scale * policy[index]
        if not is_own:
            other *= policy[index]
        chosen[steps] = index
        targeted *= share
        untargeted *= probability
        node = first + index
        steps += 1
    return node, steps, visited, 1.0 / (delta * targeted + (1.0 - delta) * untargeted)


@inlined
def update_path(
    tree: WalkTree, tables: WalkTables, path: WalkPath, role: int, leaf: Int, steps: Int, ratio: float
) -> None:
    """Do lines 19-29, from the last step up: regrets where the updated role moved, policy sums elsewhere."""
    nodes, utility, learnt = tree.nodes, tree.utility, tables.numbers
    at, chosen, others, samples, chances, policies = path
    value = utility[leaf, role] * ratio
    for back in range(steps):
        step = steps - 1 - back
        node, index, policy = at[step], chosen[step], policies[step]
        count, slot, mover = (
            nodes[node, NUM_CHILDREN],
            nodes[node, FIRST_SLOT],
            nodes[node, MOVER],
        )
        value *= chances[step]
        if mover == role:
            gain = others[step] * value
            mean = gain * policy[index]
            for k in range(count):
                learnt[slot + k, REGRET] -= mean
            learnt[slot + index, REGRET] += gain
        else:
            weight = others[step] / samples[step]
            for k in range(count):
                learnt[slot + k, POLICY_SUM] += weight * policy[k]
        learnt[slot + index, VISITS] += 1.0
        learnt[slot + index, TOTAL] += utility[leaf, mover]
        value *= policy[index]


@kernel
def run_oos(
    tree: WalkTree,
    tables: WalkTables,
    path: WalkPath,
    inside: np.ndarray,
    numbers: WalkNumbers,
    random: np.ndarray,
    iterations: int,
) -> Int:
    """Run `iterations` iterations, a walk per role each (tables, path, random changed); return the nodes passed."""
    visited: Int = np.int64(0)
    for _ in range(iterations):
        for role in range(tree.utility.shape[1]):
            leaf, steps, more, ratio = walk_down(tree, tables, path, inside, numbers, role, random)
            update_path(tree, tables, path, role, leaf, steps, ratio)
            visited += more
    return visited


@kernel
def mark_inside(parent: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Return uint8 [N]: INSIDE at the members and below them, ABOVE on the ways to them, OUTSIDE elsewhere."""
    inside = np.zeros(len(parent), np.uint8)
    for node in members:
        inside[node] = INSIDE
    for node in range(1, len(parent)):  # a parent's number is below its children's
        if inside[parent[node]] == INSIDE:
            inside[node] = INSIDE
    for back in range(1, len(parent)):
        node = len(parent) - back
        if inside[node] != OUTSIDE and inside[parent[node]] == OUTSIDE:
            inside[parent[node]] = ABOVE
    return inside


@kernel
def find_reaches(
    tree: WalkTree, tables: WalkTables, parent: np.ndarray, inside: np.ndarray, members: np.ndarray
) -> tuple[float, float]:
    """Return (us, bs) of an infoset: how likely its nodes are under the mean strategy, untargeted and targeted.

    Targeted play is renormalised move by move, as in walks; members [M] are the nodes of the infoset.
    """
    us = bs = 0.0
    for member in members:
        untargeted = targeted = 1.0
        node: Int = np.int64(member)
        while node > 0:
            above = np.int64(parent[node])
            probability, total, children = mean_probability(tree, tables, inside, above, node)
            untargeted *= probability
            targeted *= probability / total if total > 0.0 else 1.0 / children
            node = above
        us += untargeted
        bs += targeted
    return us, bs


@kernel
def mean_probability(
    tree: WalkTree, tables: WalkTables, inside: np.ndarray, above: Int, node: Int
) -> tuple[float, float, int]:
    """Return (mean strategy of the move to a node, of all moves that stay inside, number of those)."""
    count, first, slot = tree.nodes[above, NUM_CHILDREN], tree.nodes[above, FIRST_CHILD], tree.nodes[above, FIRST_SLOT]
    total, kept, members = 0.0, 0.0, 0
    own = 0.0
    for k in range(count):
        weight = tree.chance_prob[first + k] if slot < 0 else tables.numbers[slot + k, POLICY_SUM]
        total += weight
        if inside[first + k] != OUTSIDE:
            kept += weight
            members += 1
        if first + k == node:
            own = weight
    if total > 0.0:
        return own / total, kept / total, members
    return 1.0 / count, members / count, members
