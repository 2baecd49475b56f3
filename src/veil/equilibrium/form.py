"""The sequence form: a game without its tree (Koller, Megiddo & von Stengel 1996).

A *sequence* of a role is all its moves so far: it is named by its last slot, or it is empty. For a profile, a terminal
node is determined by its roles' sequences. So the whole game is a list of entries (sequence of every role, payoff times
probability of chance); terminals with the same sequences are added up. The next choices of a role depend on its own
sequences alone: `infoset_before`. An iteration of a full-width algorithm runs over entries, then over infosets, and
never walks the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from veil.equilibrium.tree_records import Tree


class Form(NamedTuple):
    """A game in sequence form. I infosets, S slots, R roles, E entries.

    Sequence s < S ends with slot s; sequence S + r is the empty one of role r.
    """

    slot_start: np.ndarray  # [I + 1] as in the tree
    role_start: np.ndarray  # [R + 1] as in the tree
    role_slots: np.ndarray  # [R + 1] role r owns slots [start[r], start[r + 1])
    infoset_before: np.ndarray  # [I] the sequence an infoset follows
    row_start: np.ndarray  # [S + R + 1] entries of a sequence, as seen by its owner
    weight: np.ndarray  # [E] payoff to the owner times probability of chance
    others: np.ndarray  # [R - 1, E] sequences of the other roles, in their order

    @property
    def num_slots(self) -> int:
        return int(self.slot_start[-1])

    @property
    def num_roles(self) -> int:
        return len(self.role_start) - 1

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self)

    def role_range(self, role: int) -> slice:
        """Return the slots of a role."""
        return slice(int(self.role_slots[role]), int(self.role_slots[role + 1]))


def fold_tree(tree: Tree) -> Form:
    """Return the sequence form of a tree; the tree is not changed."""
    from veil.equilibrium.sequence_kernels import sequences_of  # imports numba

    num_roles = tree.utility.shape[1]
    role_slots = tree.slot_start[tree.role_start]
    slot_role = np.repeat(np.arange(num_roles), np.diff(role_slots))
    sequence, reach = sequences_of(tree.parent, tree.slot, tree.chance_prob, slot_role, num_roles)
    role_of = np.repeat(np.arange(num_roles), np.diff(tree.role_start))
    before = sequence[tree.infoset_node, role_of]
    ends = np.flatnonzero(tree.num_children == 0)
    joint, payoff = _add_up(sequence[ends], tree.utility[ends] * reach[ends, None])
    rows = tree.num_slots + num_roles
    order = [np.lexsort((*np.delete(joint, role, axis=1).T, joint[:, role])) for role in range(num_roles)]
    count = np.bincount(joint.ravel(), minlength=rows)
    # Entries of role r follow those of its slots; the rows of empty sequences stand at the end of all slots.
    owner = np.concatenate([joint[order[role], role] for role in range(num_roles)])
    by_row = np.argsort(owner, kind="stable")
    weight = np.concatenate([payoff[order[role], role] for role in range(num_roles)])
    others = np.concatenate([np.delete(joint[order[role]], role, axis=1) for role in range(num_roles)])
    return Form(
        slot_start=tree.slot_start,
        role_start=tree.role_start,
        role_slots=role_slots.astype(np.int64),
        infoset_before=before.astype(np.int32),
        row_start=np.concatenate(([0], np.cumsum(count))).astype(np.int64),
        weight=np.ascontiguousarray(weight[by_row]),
        others=np.ascontiguousarray(others[by_row].T.astype(np.int32)),
    )


def _add_up(joint: np.ndarray, payoff: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Add up the payoffs [T, R] of rows with equal sequences, joint [T, R]; return (joint, payoff), each row once."""
    order = np.lexsort(joint.T)
    joint, payoff = joint[order], payoff[order]
    first = np.flatnonzero(np.concatenate(([True], (joint[1:] != joint[:-1]).any(axis=1))))
    return joint[first], np.add.reduceat(payoff, first, axis=0)
