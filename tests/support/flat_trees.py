"""Trees of plain objects (`tests.reference.gametree`) as the flat arrays that solvers work on, and back."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from tests.reference.gametree import Chance, Decision, Infoset, Node, Terminal, Tree, nodes
from tests.reference.solvers import Profile
from veil.equilibrium.form import Form, fold_tree
from veil.equilibrium.tree_records import CHANCE, Tree as FlatTree


@dataclass(frozen=True, slots=True)
class Flat:
    """Both shapes of one game. Nodes are numbered breadth-first, infosets by role and then by their first node."""

    reference: Tree
    tree: FlatTree
    form: Form
    slots: dict[tuple[Infoset, str], int]  # (infoset, move) -> slot

    def policy(self, profile: Profile) -> np.ndarray:
        """A profile, or any other table of numbers per infoset and move, as [S]; 0 where it says nothing."""
        numbers = np.zeros(len(self.slots))
        for infoset, row in profile.items():
            for move, number in row.items():
                numbers[self.slots[infoset, move]] = number
        return numbers

    def profile(self, policy: np.ndarray) -> Profile:
        """[S] as a profile."""
        result: Profile = {}
        for (infoset, move), slot in self.slots.items():
            result.setdefault(infoset, {})[move] = float(policy[slot])
        return result

    def random_policy(self, seed: int) -> np.ndarray:
        """Numbers nobody would choose; some of them 0."""
        rng = np.random.default_rng(seed)
        weight = rng.random(len(self.slots)) * (rng.random(len(self.slots)) < 0.8)
        policy = np.zeros(len(self.slots))
        for begin, end in zip(self.tree.slot_start[:-1], self.tree.slot_start[1:], strict=True):
            own = weight[begin:end] if weight[begin:end].sum() > 0 else np.ones(end - begin)
            policy[begin:end] = own / own.sum()
        return policy


def flatten(reference: Tree) -> Flat:
    """Number everything."""
    order, parent, edge, level = _breadth_first(reference)
    members: dict[Infoset, list[int]] = {}
    for number, node in enumerate(order):
        if isinstance(node, Decision):
            members.setdefault(node.infoset, []).append(number)
    ranked = sorted(members, key=lambda infoset: (reference.roles.index(infoset[0]), members[infoset][0]))
    slots: dict[tuple[Infoset, str], int] = {}
    for infoset in ranked:
        for move in order[members[infoset][0]].children:
            slots[infoset, move] = len(slots)
    names = sorted({move for node in order for move in node.children})
    slot, move_id, chance_prob = [CHANCE], [-1], [1.0]
    for above, move in zip(parent[1:], edge[1:], strict=True):
        node = order[above]
        slot.append(slots[node.infoset, move] if isinstance(node, Decision) else CHANCE)
        chance_prob.append(float(node.probability[move]) if isinstance(node, Chance) else 1.0)
        move_id.append(names.index(move))
    utility = np.zeros((len(order), len(reference.roles)))
    for number, node in enumerate(order):
        if isinstance(node, Terminal):
            utility[number] = [node.utility[role] for role in reference.roles]
    sizes = [len(order[members[infoset][0]].children) for infoset in ranked]
    owned = [sum(infoset[0] == role for infoset in ranked) for role in reference.roles]
    first = np.array([members[infoset][0] for infoset in ranked], np.int32)
    tree = FlatTree(
        parent=np.array(parent, np.int32),
        slot=np.array(slot, np.int32),
        move=np.array(move_id, np.int32),
        chance_prob=np.array(chance_prob),
        utility=utility,
        slot_start=np.cumsum([0, *sizes]).astype(np.int64),
        role_start=np.cumsum([0, *owned]).astype(np.int64),
        infoset_node=first,
        infoset_round=np.array(level, np.int32)[first],
        infoset_key=np.arange(len(ranked)).astype(np.uint64),
    )
    return Flat(reference, tree, fold_tree(tree), slots)


def _breadth_first(reference: Tree) -> tuple[list[Node], list[int], list[str], list[int]]:
    """(nodes, number of the node above, move that leads here, edges from the root); siblings side by side."""
    order, parent, edge, level = [reference.root], [0], [""], [0]
    for number, node in enumerate(order):  # grows as we go
        for move, child in node.children.items():
            order.append(child)
            parent.append(number)
            edge.append(move)
            level.append(level[number] + 1)
    return order, parent, edge, level


def break_ties(reference: Tree, rng: Random, zero_sum: bool = False) -> Tree:
    """Add a different fraction to every payoff (changed in place); with zero_sum the last role pays for it."""
    for node in nodes(reference):
        if isinstance(node, Terminal):
            utility = {role: node.utility[role] + rng.random() for role in reference.roles}
            if zero_sum:
                utility[reference.roles[-1]] = -sum(utility[role] for role in reference.roles[:-1])
            node.utility = utility
    return reference
