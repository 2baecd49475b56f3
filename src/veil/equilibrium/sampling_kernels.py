"""Kernels of Monte Carlo CFR: one sampled walk through the tree after another."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, kernel, match_regrets
from veil.equilibrium.records import Links, Tables


@kernel
def draw(weights: np.ndarray, count: int, rng: np.random.Generator) -> int:
    """Return an index below count, with the probability of its weight; the weights add up to 1.

    (`draw_weighted` of `engine.lanes` looks at every weight, which makes outcome sampling 10 to 20 % slower.)
    """
    left = rng.random()
    for i in range(count - 1):
        left -= weights[i]
        if left < 0.0:
            return i
    return count - 1


@kernel
def draw_chance(links: Links, node: Int, rng: np.random.Generator) -> Int:
    """Draw a child of a chance node."""
    first: Int = links.first_child[node]
    last = first + links.num_children[node]
    return first + draw(links.chance_prob[first:last], last - first, rng)


@kernel
def run_external(links: Links, tables: Tables, rng: np.random.Generator, roles: int, count: int) -> None:
    """Run `count` iterations of external sampling (Lanctot et al. 2009; tables changed in place).

    Per iteration every role walks once; it tries all its own moves, while chance and the others are sampled.
    """
    depth = len(tables.policies)
    nodes, moves = np.empty(depth, np.int64), np.empty(depth, np.int64)
    sums, reaches = np.empty(depth), np.empty(depth)
    for _ in range(count):
        for role in range(roles):
            external_walk(links, tables, rng, role, roles, nodes, moves, sums, reaches)


@kernel
def external_walk(
    links: Links,
    tables: Tables,
    rng: np.random.Generator,
    role: int,
    roles: int,
    nodes: np.ndarray,
    moves: np.ndarray,
    sums: np.ndarray,
    reaches: np.ndarray,
) -> None:
    """Walk once for `role`.

    The last four [depth] are the stack of its own decisions on the way: node, the move that is being tried, value so
    far, own reach. (Numba does not keep recursive functions on disk safely.)
    """
    node: Int = np.int64(0)
    open_nodes: Int = np.int64(0)
    while True:
        value, node, open_nodes = descend(
            links, tables, rng, role, roles, node, open_nodes, nodes, moves, sums, reaches
        )
        while open_nodes > 0:
            at = open_nodes - 1
            move, infoset = moves[at], links.infoset[nodes[at]]
            begin, end = links.slot_start[infoset], links.slot_start[infoset + 1]
            tables.values[at, move] = value
            sums[at] += tables.policies[at, move] * value
            if move + 1 < end - begin:
                moves[at] = move + 1
                node = links.first_child[nodes[at]] + move + 1
                break
            value = sums[at]
            for slot in range(begin, end):
                tables.regret[slot] += tables.values[at, slot - begin] - value
            open_nodes -= 1
        if open_nodes == 0:
            return


@kernel
def descend(
    links: Links,
    tables: Tables,
    rng: np.random.Generator,
    role: int,
    roles: int,
    node: Int,
    open_nodes: Int,
    nodes: np.ndarray,
    moves: np.ndarray,
    sums: np.ndarray,
    reaches: np.ndarray,
) -> tuple[float, Int, Int]:
    """Walk down to a terminal by the first move of every own decision: (its value, the node, open decisions)."""
    while links.num_children[node] > 0:
        infoset = links.infoset[node]
        if infoset < 0:
            node = draw_chance(links, node, rng)
            continue
        begin, end = links.slot_start[infoset], links.slot_start[infoset + 1]
        actor, policy = links.infoset_role[infoset], tables.policies[open_nodes]
        match_regrets(tables.regret, begin, end, policy, 0)
        if actor != role:
            if actor == (role + 1) % roles:  # one walker per iteration counts a role's policy
                for slot in range(begin, end):
                    tables.policy_sum[slot] += policy[slot - begin]
            node = links.first_child[node] + draw(policy, end - begin, rng)
            continue
        reach = 1.0
        if roles == 1:
            if open_nodes > 0:
                reach = reaches[open_nodes - 1] * tables.policies[open_nodes - 1, moves[open_nodes - 1]]
            for slot in range(begin, end):
                tables.policy_sum[slot] += reach * policy[slot - begin]
        nodes[open_nodes], moves[open_nodes] = node, 0
        sums[open_nodes], reaches[open_nodes] = 0.0, reach
        open_nodes += 1
        node = links.first_child[node]
    return links.utility[node, role], node, open_nodes


@kernel
def run_outcome(links: Links, tables: Tables, rng: np.random.Generator, roles: int, count: int, explore: float) -> None:
    """Run `count` iterations of outcome sampling (Lanctot et al. 2009; tables changed in place).

    Per iteration and role, walk one path to one terminal; the role's own moves are uniform with probability `explore`.
    Values are weighted by 1 / probability of the path.
    """
    depth = len(tables.policies)
    at, chosen = np.empty(depth, np.int64), np.empty(depth, np.int64)
    own, other, drawn = np.empty(depth), np.empty(depth), np.empty(depth)
    for _ in range(count):
        for role in range(roles):
            node: Int = np.int64(0)
            steps = 0
            own_reach = other_reach = sample_reach = 1.0  # other_reach leaves out chance, which cancels
            while links.num_children[node] > 0:
                infoset = links.infoset[node]
                if infoset < 0:
                    node = draw_chance(links, node, rng)
                    continue
                begin, end = links.slot_start[infoset], links.slot_start[infoset + 1]
                policy = tables.policies[steps]
                match_regrets(tables.regret, begin, end, policy, 0)
                mine = links.infoset_role[infoset] == role
                if mine and rng.random() < explore:
                    move = int(rng.random() * (end - begin))
                else:
                    move = draw(policy, end - begin, rng)
                at[steps], chosen[steps] = infoset, move
                own[steps], other[steps], drawn[steps] = own_reach, other_reach, sample_reach
                if mine:
                    own_reach *= policy[move]
                    sample_reach *= explore / (end - begin) + (1.0 - explore) * policy[move]
                else:
                    other_reach *= policy[move]
                    sample_reach *= policy[move]
                node = links.first_child[node] + move
                steps += 1
            value = links.utility[node, role] / sample_reach  # times the policy's probability of what follows
            for step in range(steps - 1, -1, -1):
                infoset = at[step]
                begin, end = links.slot_start[infoset], links.slot_start[infoset + 1]
                policy = tables.policies[step]
                if links.infoset_role[infoset] == role:
                    gain = other[step] * value
                    for move in range(end - begin):
                        hit = 1.0 if move == chosen[step] else 0.0
                        tables.regret[begin + move] += gain * (hit - policy[chosen[step]])
                        tables.policy_sum[begin + move] += own[step] * policy[move] / drawn[step]
                value *= policy[chosen[step]]
