"""The tree below the worlds of the own belief, whole levels of it, for searches that go back through it once."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from veil.belief import Bag
from veil.engine import replay_keys
from veil.equilibrium import Tree, Worlds, reach_nodes
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask, answer_by_values
from veil.search.playouts.style import FORESIGHT, Playout
from veil.search.resolve.subgame import PlayoutRule, Subgame
from veil.search.resolve.world_orders import split_keys
from veil.search.walks.contract import find_record_key


class WorldTreeConfig(Protocol):
    """The options that say how large the tree is."""

    @property
    def worlds(self) -> int:
        """The number of worlds that the belief is asked for."""

    @property
    def nodes(self) -> int:
        """The size of the tree."""

    @property
    def playouts(self) -> int:
        """Playouts from every leaf that is not an end of the game."""

    @property
    def playout(self) -> Playout:
        """Their style."""


class WorldTree(NamedTuple):
    """The tree of a decision."""

    bag: Bag
    subgame: Subgame
    flat: Tree
    slots: np.ndarray  # [K] of the decision

    def answer(self, task: SearchTask, node_value: np.ndarray) -> Answer:
        """Return the moves of the highest value, for values [N] of all nodes for the role that decides."""
        subgame, utility = self.subgame, task.game.utility
        values = self._value_slots(node_value) * utility.scale + utility.zero
        visits = np.zeros(len(self.slots), np.int64)
        moves = subgame.slot_moves()[self.slots]
        answer = answer_by_values(moves, values, visits, subgame.playouts, subgame.states_visited)
        return replace(answer, bag=self.bag, details={"nodes": len(self.flat.parent), "complete": subgame.is_complete})

    def _value_slots(self, node_value: np.ndarray) -> np.ndarray:
        """Return the mean value after each slot [K], weighted by chance."""
        place = np.flatnonzero(np.isin(self.flat.slot, self.slots))
        weight = reach_by_chance(self.flat)[self.flat.parent[place]]
        at = self.flat.slot[place] - self.slots[0]
        summed = np.bincount(at, weight * node_value[place], len(self.slots))
        means: np.ndarray = summed / np.maximum(np.bincount(at, weight, len(self.slots)), 1e-300)
        return means


def grow_worlds(
    task: SearchTask, config: WorldTreeConfig, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator
) -> WorldTree:
    """Build whole levels of the tree below the worlds of the belief, as far as the config and the clock allow."""
    game, role_id = task.game, task.role_id
    key = find_record_key(game, question.record)
    bag = question.belief.worlds(config.worlds, rng)
    keys = replay_keys(game.machine, bag.histories)
    keys[:, role_id] = key  # also where a world is only a guess
    rule = PlayoutRule(config.playouts, FORESIGHT[config.playout], question.seed)
    subgame = Subgame(game, Worlds(bag.states, split_keys(game.machine, keys), bag.weights), rule)
    own = np.flatnonzero(subgame.growing.frontier.level.keys[role_id] == np.uint64(key))
    subgame.grow_levels(own, config.nodes, config.nodes, budget.deadline)
    flat = subgame.flat = subgame.growing.tree(subgame.leaf_utility)
    place = subgame.growing.players.index(role_id)
    infoset = int(flat.role_start[place] + np.flatnonzero(flat.infoset_key[flat.role_start[place] :] == key)[0])
    return WorldTree(bag, subgame, flat, np.arange(flat.slot_start[infoset], flat.slot_start[infoset + 1]))


def reach_by_chance(flat: Tree) -> np.ndarray:
    """Return the probability of chance alone to come to every node [N]."""
    reach: np.ndarray = reach_nodes(flat.parent, flat.slot, flat.chance_prob, np.ones(flat.num_slots))
    return reach


def find_families(flat: Tree, layer: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the parents [F] of a layer of nodes [L], the place of each one's first child, and the number of children.

    Nodes of a layer stand by parent.
    """
    parent = flat.parent[layer]
    first = np.flatnonzero(np.concatenate(([True], parent[1:] != parent[:-1])))
    return parent[first], first, np.diff(np.append(first, len(layer)))
