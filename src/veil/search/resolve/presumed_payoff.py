"""`presumed_payoff`: perfect-information search in worlds, in which opponents may fail.

Perfect-information Monte Carlo search takes the others to know the world: a bluff is worth nothing to it, and of two
moves that lose against perfect defence it does not see which one is harder to defend. Presumed Payoff PIMC (Wisser
2015, 2016) keeps two payoffs of every position in a world: the *minimax* payoff m, and the *presumed* payoff p, which a
defender concedes who does not know the world.

1. Draw worlds from the own belief, and build the tree of perfect information below them, whole levels of it, as far as
   `nodes` goes. Leaves are valued by playouts.
2. Go back through the tree. At an end, and at a leaf, m = p = the payoff of the own role. Where the own role moves, it
   takes the move of the highest m, and among equals the one of the highest p; m and p are those of this move. Where
   another role moves, m is the least m of its moves. If all its moves are worth the same m, and so are their p, the
   payoff is decided; otherwise it is presumed: p is the mean of the p of its moves. At chance, both are means.
3. The value of a move is the mean of its p over the worlds. Play the move of the highest value.

Departures. The presumption at nodes of others is the mean of their moves, as if each were equally likely; this needs
no parameter, and is m where the result is decided. Roles that move at once move in the order of the rules, and see what
those before them chose, as in `vector_minimax`. Payoffs are utilities. The others minimise that of the own role, also
where sums are not constant, and where there are more than two roles.
"""

from __future__ import annotations

import numpy as np

from veil.equilibrium import GrowingTree, Tree
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask
from veil.search.resolve.config import PresumedPayoffConfig
from veil.search.resolve.search import warm_up
from veil.search.resolve.world_tree import find_families, grow_worlds

EQUAL = 1e-9  # difference of payoffs, relative to the largest, below which they are equal


class PresumedPayoffSearch:
    """A search that keeps nothing between decisions."""

    def __init__(self, task: SearchTask, config: PresumedPayoffConfig) -> None:
        self.task, self.config = task, config
        warm_up()

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the moves of the highest presumed payoff after this record."""
        tree = grow_worlds(self.task, self.config, question, budget, rng)
        payoffs = PayoffPairs(tree.flat, tree.subgame.growing, self.task.role_id)
        return tree.answer(self.task, payoffs.presumed)


class PayoffPairs:
    """The minimax and the presumed payoff [N] of all nodes for one role."""

    def __init__(self, flat: Tree, growing: GrowingTree, role_id: int) -> None:
        self.flat = flat
        self.minimax = np.ascontiguousarray(flat.utility[:, growing.players.index(role_id)])
        self.presumed = self.minimax.copy()
        self.equal = EQUAL * max(1.0, float(np.abs(self.minimax).max(initial=0.0)))
        stop = len(flat.parent)
        for role, made in zip(growing.grown_by[:0:-1], growing.grown[:0:-1], strict=True):
            layer = np.arange(stop - len(made.parent), stop)
            stop -= len(made.parent)
            if role not in growing.players:
                self._average(layer)
            elif role == role_id:
                self._take_best(layer)
            else:
                self._presume(layer)

    def _average(self, layer: np.ndarray) -> None:
        """Give the parents of a layer the mean of their children, by the probabilities of chance."""
        parent, chance = self.flat.parent[layer], self.flat.chance_prob[layer]
        for payoff in (self.minimax, self.presumed):
            np.add.at(payoff, parent, chance * payoff[layer])

    def _take_best(self, layer: np.ndarray) -> None:
        """Give the parents of a layer the payoffs of the child with the highest m, and the highest p among equals."""
        parents, first, sizes = find_families(self.flat, layer)
        minimax = self.minimax[layer]
        best = np.maximum.reduceat(minimax, first)
        is_best = minimax >= np.repeat(best, sizes) - self.equal
        self.minimax[parents] = best
        self.presumed[parents] = np.maximum.reduceat(np.where(is_best, self.presumed[layer], -np.inf), first)

    def _presume(self, layer: np.ndarray) -> None:
        """Give the parents of a layer the least m of their children, and the mean of their p."""
        parents, first, sizes = find_families(self.flat, layer)
        self.minimax[parents] = np.minimum.reduceat(self.minimax[layer], first)
        self.presumed[parents] = np.add.reduceat(self.presumed[layer], first) / sizes
