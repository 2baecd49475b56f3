"""`vector_minimax`: backward induction over the worlds of a belief, with a choice of who is taken to see everything.

1. Build whole levels of the tree below the worlds of the own belief, as far as `nodes` goes; leaves are valued by
   playouts.
2. Go back through the tree, layer by layer. Chance: the mean. A role that sees everything takes its best move at every
   node. Any other role has one move for all nodes of an infoset: the one with the best sum of chance times value.
3. Play the move of the highest value.

| `seeing` | who sees everything | source |
|---|---|---|
| `others` | the other roles: vector minimaxing against the best defence | Frank & Basin 1998 |
| `me` | the own role; others do not know more than they were told | the concern of Wisser 2015, 2016 |
| `all` | all roles: perfect-information search in every world, then the mean | - |
| `none` | nobody | - |

Strategies are pure: who has to bluff plays badly. `others` is right where the assumption holds that the others know the
world. `me` answers what Wisser describes, that perfect-information search overestimates what opponents know; his
program is `presumed_payoff`. The other roles minimise the own utility.
"""

from __future__ import annotations

import numpy as np

from veil.equilibrium import GrowingTree, Tree
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask
from veil.search.resolve.config import Seeing, VectorMinimaxConfig
from veil.search.resolve.search import warm_up
from veil.search.resolve.world_tree import find_families, grow_worlds, reach_by_chance

UNDECIDED = -1


class VectorMinimaxSearch:
    """A search that keeps nothing between decisions."""

    def __init__(self, task: SearchTask, config: VectorMinimaxConfig) -> None:
        self.task, self.config = task, config
        warm_up()

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the moves of the highest value after this record."""
        tree = grow_worlds(self.task, self.config, question, budget, rng)
        induction = BackwardInduction(tree.flat, tree.subgame.growing, self.task.role_id, self.config.seeing)
        return tree.answer(self.task, induction.value)


class BackwardInduction:
    """Values [N] of all nodes for one role."""

    def __init__(self, flat: Tree, growing: GrowingTree, role_id: int, seeing: Seeing) -> None:
        self.flat, self.role_id = flat, role_id
        self.reach = reach_by_chance(flat)
        self.value = np.ascontiguousarray(flat.utility[:, growing.players.index(role_id)])
        self.chosen = np.full(flat.num_slots, UNDECIDED)  # whether the owner plays a slot
        sees = {role: seeing == "all" or seeing == ("me" if role == role_id else "others") for role in growing.players}
        stop = len(flat.parent)
        for role, made in zip(growing.grown_by[:0:-1], growing.grown[:0:-1], strict=True):
            layer = np.arange(stop - len(made.parent), stop)
            stop -= len(made.parent)
            if role not in sees:
                np.add.at(self.value, flat.parent[layer], flat.chance_prob[layer] * self.value[layer])
            elif sees[role]:
                self._take_best(layer, role)
            else:
                self._take_one_move(layer, role)

    def _take_best(self, layer: np.ndarray, role: int) -> None:
        """Value the parents of a layer by the best child of each."""
        parents, first, _ = find_families(self.flat, layer)
        best = np.maximum if role == self.role_id else np.minimum
        self.value[parents] = best.reduceat(self.value[layer], first)

    def _take_one_move(self, layer: np.ndarray, role: int) -> None:
        """Value the parents of a layer by one move per infoset, chosen where the infoset is met first."""
        flat, slot = self.flat, self.flat.slot[layer]
        sign = 1.0 if role == self.role_id else -1.0
        weighed = sign * np.bincount(slot, self.reach[flat.parent[layer]] * self.value[layer], flat.num_slots)
        touched = np.unique(np.searchsorted(flat.slot_start, slot, side="right") - 1)
        for infoset in touched[self.chosen[flat.slot_start[touched]] == UNDECIDED]:
            slots = slice(int(flat.slot_start[infoset]), int(flat.slot_start[infoset + 1]))
            self.chosen[slots] = 0
            self.chosen[slots.start + int(np.argmax(weighed[slots]))] = 1
        played = layer[self.chosen[slot] == 1]
        self.value[flat.parent[played]] = self.value[played]
