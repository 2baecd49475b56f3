"""A game as an explicit tree, in the form that walks need; built once per process and shared by all matches.

Payoffs are shifted so that 0 lies halfway between the best and the worst of a role: strategies are the same, and walks
that are weighted by 1 / their probability multiply smaller numbers. The *maximal outcome* is then half of the largest
difference between two payoffs of a role: 1 if they are -1 and 1.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from veil.caches import BoundedCache
from veil.engine import Game, GroundLimits
from veil.equilibrium import ExpandedRound, Tree, TreeBounds, expand, link, measure_depth
from veil.games import Utility
from veil.search.walks.public_moves import PublicStates, find_public_states
from veil.search.walks.tree.records import EVEN_CHANCE, UNEVEN_CHANCE, WalkPath, WalkTables, WalkTree

MAX_KEPT = 4  # trees of games that a process caches for later matches
MAX_STARTS = 4  # policies of `prior_policy` that are cached with a tree
OPTION = "max_nodes in the spec of the player (oos:max_nodes=...)"
START_SHARE = 0.8  # share of the start clock that the expansion may take
SHARE_FROM_RULES = 0.3  # the same where the game is not ground: a walker in lanes needs the rest to get ready


class RoleScale(NamedTuple):
    """The conversion of payoffs of walks to goals: goal = (payoff + centre) * scale + zero."""

    centre: np.ndarray  # [R]
    scale: float
    zero: float


class SearchTree:
    """The tree of a game. Roles are numbered as in the tree: without `random`, in the order of the rules."""

    def __init__(self, flat: Tree, role_ids: tuple[int, ...], rounds: list[ExpandedRound], game: Game | None) -> None:
        """`role_ids` are the roles' numbers in the ground program. A tree without its game has no words."""
        self.flat, self.role_ids, self.rounds = flat, role_ids, rounds
        links = link(flat)
        ends = flat.utility[links.num_children == 0]
        best, worst = ends.max(axis=0), ends.min(axis=0)
        utility = game.utility if game is not None else None
        self.scale = RoleScale((best + worst) / 2, utility.scale if utility else 1, utility.zero if utility else 0)
        self.maximal_outcome = float((best - worst).max() / 2)
        self.infoset = links.infoset
        self.starts: BoundedCache[int, np.ndarray] = BoundedCache(MAX_STARTS)  # iterations -> policy of `prior_policy`
        self.walk_tree = self._pack(links.first_child, links.num_children)
        self.slot_move = np.zeros(flat.num_slots, np.int64)
        played = flat.slot >= 0
        self.slot_move[flat.slot[played]] = flat.move[played]
        self._order = [np.argsort(flat.infoset_key[self._own(role)]) for role in range(len(role_ids))]

    def _own(self, role: int) -> slice:
        """Return the infosets of a role."""
        return slice(int(self.flat.role_start[role]), int(self.flat.role_start[role + 1]))

    def _pack(self, first_child: np.ndarray, num_children: np.ndarray) -> WalkTree:
        """Return the tree with one row per node."""
        flat = self.flat
        owner = np.repeat(np.arange(len(self.role_ids)), np.diff(flat.role_start))
        nodes = np.full((len(flat.parent), 4), -1, np.int32)
        nodes[:, 0], nodes[:, 1] = first_child, num_children
        decides = self.infoset >= 0
        nodes[decides, 2] = flat.slot_start[self.infoset[decides]]
        nodes[decides, 3] = owner[self.infoset[decides]]
        chance = np.flatnonzero(~decides & (num_children > 0))
        even = np.abs(flat.chance_prob * num_children[flat.parent] - 1.0) < 1e-12
        nodes[chance, 3] = EVEN_CHANCE
        nodes[np.intersect1d(chance, flat.parent[1:][~even[1:]]), 3] = UNEVEN_CHANCE
        return WalkTree(nodes, flat.slot.astype(np.int32), flat.chance_prob, flat.utility - self.scale.centre)

    @cached_property
    def public(self) -> PublicStates | None:
        """The public states of the game; None if no move is public."""
        return find_public_states(self.rounds, self.role_ids)

    def find_infoset(self, role: int, key: int) -> int | None:
        """Return the infoset of a role's record; None if the role has no choice, or the record is impossible."""
        own, order = self.flat.infoset_key[self._own(role)], self._order[role]
        place = int(np.searchsorted(own, np.uint64(key), sorter=order))
        if place == len(own) or own[order[place]] != np.uint64(key):
            return None
        return int(self.flat.role_start[role] + order[place])

    def role_of(self, infoset: int) -> int:
        """Return the role that decides at an infoset."""
        return int(np.searchsorted(self.flat.role_start, infoset, side="right")) - 1

    def members(self, infoset: int) -> np.ndarray:
        """Return the nodes of an infoset."""
        return np.flatnonzero(self.infoset == infoset)

    def make_tables(self) -> WalkTables:
        """Return tables in which nothing is known."""
        slots = self.flat.num_slots
        return WalkTables(np.zeros((slots, 4)), np.zeros(slots, np.bool_), np.zeros(slots))

    def make_path(self) -> WalkPath:
        """Return room for the longest walk."""
        depth, widest = measure_depth(self.flat) + 1, int(np.diff(self.flat.slot_start).max(initial=1))
        whole = np.zeros((2, depth), np.int64)
        part = np.zeros((3, depth))
        return WalkPath(whole[0], whole[1], part[0], part[1], part[2], np.zeros((depth, widest)))


_trees: BoundedCache[tuple[str, Utility, GroundLimits, int], SearchTree] = BoundedCache(MAX_KEPT)


def expand_for_search(game: Game, max_nodes: int, start_seconds: float | None) -> SearchTree:
    """Return the tree of a game, expanded once per process. Raises if it is too large, or takes too long."""
    key = (game.fingerprint, game.utility, game.limits, max_nodes)
    kept = _trees.find(key)
    if kept is not None:
        return kept
    rounds: list[ExpandedRound] = []
    share = START_SHARE if game.program.is_ground else SHARE_FROM_RULES
    bounds = TreeBounds(seconds=start_seconds and share * start_seconds, option=OPTION)
    tree = expand(game, max_nodes, bounds=bounds, watch=rounds.append)
    return _trees.keep(key, SearchTree(tree.flat, tree.role_ids, rounds, game))
