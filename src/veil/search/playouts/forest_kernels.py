"""Kernels of a forest: one search tree per world, with counts per role and move, grown side by side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine.lanes import (
    SPLIT,
    Code,
    Int,
    PlayoutTally,
    RowLayout,
    begin_hash,
    extend_hash,
    judge_rows,
    kernel,
    lowest_bit,
    play_blocks,
    split_mix,
    step_rows,
)

FREE = 0  # an entry of the table without a child: node 0 is a root
MISSING = -1  # a leaf that is not made yet
HIGH, ONE = float(1 << SPLIT), np.uint64(1)


class Nodes(NamedTuple):
    """The nodes of all trees: room for C nodes, and for P moves (node, role, move). R roles."""

    state: np.ndarray  # [C, words]
    over: np.ndarray  # [C] whether the game has ended here
    goals: np.ndarray  # [C, R]
    visits: np.ndarray  # [C]
    first: np.ndarray  # [C, R] where the moves of a role begin
    size: np.ndarray  # [C, R] how many there are
    parent: np.ndarray  # [C]
    joint: np.ndarray  # [C, R] the moves that led here, by their place among the legal ones
    child: np.ndarray  # [H] hash table of nodes by parent and joint; a power of two, more than 2 C
    move: np.ndarray  # [P] its number
    tries: np.ndarray  # [P]
    total: np.ndarray  # [P] of the role's goals
    used: np.ndarray  # [2] nodes and moves in use


class Search(NamedTuple):
    """The parameters and random numbers with which a forest grows."""

    chance: int  # the number of `random`; -1 if there is none
    explore: float  # of UCB1
    span: float  # the highest goal
    rng: np.ndarray  # [N] states of SplitMix64, one per tree
    tally: PlayoutTally  # room for N playouts
    foresight: int  # of all roles in playouts, as in `Machine.playouts`
    max_rounds: int  # of a playout


@kernel
def grow_trees(code: Code, layout: RowLayout, nodes: Nodes, search: Search, iterations: Int, costs: np.ndarray) -> Int:
    """Grow the trees of nodes [0, N) by `iterations` nodes each; return how many iterations there was room for.

    Changed in place: nodes, search and costs [1], the states visited.
    """
    trees = len(search.rng)
    most = np.int64(0)
    for role in range(len(code.role_moves) - 1):
        most += code.role_moves[role + 1] - code.role_moves[role]
    for done in range(iterations):
        if nodes.used[0] + trees > len(nodes.visits) or nodes.used[1] + trees * most > len(nodes.move):
            return done
        leaf, before, joints = descend_all(nodes, search)
        costs[0] += add_leaves(code, layout, nodes, leaf, before, joints)
        costs[0] += play_out(code, layout, nodes, search, leaf)
        for tree in range(trees):
            learn(nodes, search, tree, leaf[tree])
    return iterations


@kernel
def descend_all(nodes: Nodes, search: Search) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Walk down each tree; return (the last node, MISSING if it is to be made; the one before; the joint move)."""
    trees, roles = len(search.rng), nodes.first.shape[1]
    leaf, before = np.empty(trees, np.int64), np.empty(trees, np.int64)
    joints = np.zeros((trees, roles), np.int64)
    for tree in range(trees):
        node = np.int64(tree)
        before[tree] = node
        while node != MISSING and not nodes.over[node]:
            for role in range(roles):
                joints[tree, role] = pick(nodes, search, tree, node, role)
            before[tree] = node
            node = nodes.child[find_child(nodes, node, joints[tree])]
            if node == FREE:
                node = np.int64(MISSING)
        leaf[tree] = node
    return leaf, before, joints


@kernel
def pick(nodes: Nodes, search: Search, tree: Int, node: Int, role: Int) -> np.int64:
    """Return the index of a role's move by UCB1 on its own counts: untried moves first; `random` moves at random."""
    first, size = nodes.first[node, role], nodes.size[node, role]
    if size == 1:
        return np.int64(0)
    if role == search.chance:
        return np.int64(split_mix(search.rng, tree) % np.uint64(size))
    untried = 0
    for index in range(size):
        untried += nodes.tries[first + index] == 0
    if untried:
        skip = np.int64(split_mix(search.rng, tree) % np.uint64(untried))
        for index in range(size):
            if nodes.tries[first + index] == 0:
                if skip == 0:
                    return np.int64(index)
                skip -= 1
    best, top, log_visits = np.int64(0), -np.inf, np.log(nodes.visits[node] + 1.0)
    for index in range(size):
        count = nodes.tries[first + index]
        bound = nodes.total[first + index] / (count * search.span) + search.explore * np.sqrt(log_visits / count)
        if bound > top:
            best, top = np.int64(index), bound
    return best


@kernel
def find_child(nodes: Nodes, parent: Int, joint: np.ndarray) -> np.int64:
    """Return the entry of the table where the child stands, or where it belongs."""
    mask = len(nodes.child) - 1
    hashed = begin_hash(parent)
    for role in range(len(joint)):
        hashed = extend_hash(hashed, np.uint64(joint[role]))
    entry = np.int64(hashed & np.uint64(mask))
    while nodes.child[entry] != FREE:
        node = nodes.child[entry]
        same = nodes.parent[node] == parent
        for role in range(len(joint)):
            same &= nodes.joint[node, role] == joint[role]
        if same:
            break
        entry = (entry + 1) & mask
    return entry


@kernel
def add_leaves(
    code: Code, layout: RowLayout, nodes: Nodes, leaf: np.ndarray, before: np.ndarray, joints: np.ndarray
) -> np.int64:
    """Make the nodes that are missing (leaf [N] and nodes changed in place); return how many."""
    roles, words = joints.shape[1], nodes.state.shape[1]
    begin, made = nodes.used[0], 0
    parents, moves = np.empty(len(leaf), np.int64), np.empty((len(leaf), roles), np.int64)
    for tree in range(len(leaf)):
        if leaf[tree] == MISSING:
            node, parent = begin + made, before[tree]
            nodes.child[find_child(nodes, parent, joints[tree])] = node
            nodes.parent[node], leaf[tree], parents[made] = parent, node, parent
            for role in range(roles):
                nodes.joint[node, role] = joints[tree, role]
                moves[made, role] = nodes.move[nodes.first[parent, role] + joints[tree, role]]
            made += 1
    seen = np.zeros((made, layout.percepts[roles]), np.uint64)
    following = np.zeros((made, words), np.uint64)
    step_rows(code, layout.width, nodes.state, parents[:made], moves[:made], following, seen, layout.percepts[:-1])
    nodes.state[begin : begin + made] = following
    judge_nodes(code, layout, nodes, begin, begin + made)
    nodes.used[0] = begin + made
    return np.int64(made)


@kernel
def judge_nodes(code: Code, layout: RowLayout, nodes: Nodes, begin: Int, end: Int) -> None:
    """Judge new nodes whose states are known: end, goals, legal moves (nodes changed in place)."""
    roles, count = nodes.first.shape[1], end - begin
    legal = np.zeros((count, layout.legal[roles]), np.uint64)
    judge_rows(
        code,
        layout.width,
        nodes.state,
        np.arange(begin, end),
        legal,
        layout.legal[:-1],
        nodes.over[begin:end],
        nodes.goals[begin:end],
    )
    for row in range(count):
        node = begin + row
        nodes.visits[node] = 0
        for role in range(roles):
            nodes.first[node, role] = nodes.used[1]
            add_moves(nodes, legal[row, layout.legal[role] : layout.legal[role + 1]])
            nodes.size[node, role] = nodes.used[1] - nodes.first[node, role]
            nodes.over[node] |= nodes.size[node, role] == 0  # no joint move is possible here, whatever the rules say


@kernel
def add_moves(nodes: Nodes, legal: np.ndarray) -> None:
    """Add the moves of a role to a new node: legal [words] packed (nodes changed in place)."""
    for column in range(len(legal)):
        word = legal[column]
        while word:
            place = nodes.used[1]
            nodes.move[place] = 64 * column + lowest_bit(word)
            nodes.tries[place], nodes.total[place] = 0.0, 0.0
            nodes.used[1] += 1
            word &= word - ONE


@kernel
def play_out(code: Code, layout: RowLayout, nodes: Nodes, search: Search, leaf: np.ndarray) -> np.int64:
    """Play one random game from every leaf; the goals are left in the tally. Returns the states visited."""
    tally, trees = search.tally, len(leaf)
    seed = np.empty(2, np.uint64)
    seed[0], seed[1] = split_mix(search.rng, np.int64(0)), split_mix(search.rng, np.int64(0))
    quota = np.empty(trees, np.int64)
    for tree in range(trees):
        quota[tree] = 0 if nodes.over[leaf[tree]] else 1
    tally.goal_high_sum[:] = 0
    tally.goal_low_sum[:] = 0
    tally.totals[0] = 0
    states = np.empty((trees, nodes.state.shape[1]), np.uint64)
    for tree in range(trees):
        states[tree] = nodes.state[leaf[tree]]
    if quota.any():
        only, one = np.int64(0), np.int64(1)
        play_blocks(
            code,
            layout.width,
            states,
            np.arange(trees),
            quota,
            seed,
            only,
            one,
            np.int64(search.max_rounds),
            tally,
            np.int64(search.foresight),
            np.int64(search.chance),
        )
    return np.int64(tally.totals[0])


@kernel
def learn(nodes: Nodes, search: Search, tree: Int, leaf: Int) -> None:
    """Add the result to all moves on the path to the leaf (nodes changed in place)."""
    roles = nodes.first.shape[1]
    tally, node = search.tally, np.int64(leaf)
    while node >= len(search.rng):
        parent = nodes.parent[node]
        nodes.visits[parent] += 1
        for role in range(roles):
            move = nodes.first[parent, role] + nodes.joint[node, role]
            goal = np.float64(nodes.goals[leaf, role])
            if not nodes.over[leaf]:
                goal = tally.goal_high_sum[tree, role] * HIGH + tally.goal_low_sum[tree, role]
            nodes.tries[move] += 1.0
            nodes.total[move] += goal
        node = parent


@kernel
def fill_table(nodes: Nodes, trees: Int) -> None:
    """Put all nodes but the roots into an empty table (changed in place)."""
    for node in range(trees, nodes.used[0]):
        nodes.child[find_child(nodes, nodes.parent[node], nodes.joint[node])] = node
