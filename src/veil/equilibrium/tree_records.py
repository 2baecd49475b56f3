"""Records of trees in flat arrays: the tree itself, one expanded round of it, and the limits of an expansion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from veil.limits import check_limit

CHANCE = -1  # in place of a slot


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeBounds:
    """Limits of an expansion besides nodes, the user's name for the limit of nodes, and what is an infoset."""

    max_bytes: int | None = None  # None: the limits of the game; the system's limit counts in any case
    seconds: float | None = None
    option: str = "max_nodes"
    by_legal: bool = False  # whether records that do not determine the legal moves are split by them; else refused

    def __post_init__(self) -> None:
        if self.max_bytes is not None:
            check_limit("bytes", self.max_bytes, "max_bytes")
        if self.seconds is not None:
            check_limit("seconds", self.seconds, "seconds")


DEFAULT_BOUNDS = TreeBounds()


class Tree(NamedTuple):
    """A game as flat arrays. N nodes, I infosets, S slots (infoset, move), R roles without `random`.

    A parent's number is below its children's, siblings stand side by side in the order of their moves; `parent` as a
    whole need not be sorted. Infosets are sorted by role; within a role, those of earlier rounds come first.
    """

    parent: np.ndarray  # [N] node above; 0 for the root
    slot: np.ndarray  # [N] slot played to get here; CHANCE on chance edges and for the root
    move: np.ndarray  # [N] number of the move played to get here, among all of its role
    chance_prob: np.ndarray  # [N] probability of a chance edge, 1.0 elsewhere
    utility: np.ndarray  # [N, R] payoff per role; 0.0 at inner nodes
    slot_start: np.ndarray  # [I + 1] infoset i owns slots [start[i], start[i + 1])
    role_start: np.ndarray  # [R + 1] role r owns infosets [start[r], start[r + 1])
    infoset_node: np.ndarray  # [I] one of its nodes
    infoset_round: np.ndarray  # [I] rounds played before
    infoset_key: np.ndarray  # [I] 64-bit name of the record

    @property
    def num_slots(self) -> int:
        return int(self.slot_start[-1])

    @property
    def num_children(self) -> np.ndarray:
        """[N] 0 at terminals"""
        return np.bincount(self.parent[1:], minlength=len(self.parent))


class ExpandedRound(NamedTuple):
    """One round of the A histories that have it, with the roles of the ground program, `random` included."""

    source: np.ndarray  # [A] place of the history in the round before; 0 in the first
    node: np.ndarray  # [A] the node after the round
    joint: np.ndarray  # [A, roles] moves, forced ones included
    keys: tuple[np.ndarray, ...]  # [roles][A] of the records after the round; nothing for `random`
