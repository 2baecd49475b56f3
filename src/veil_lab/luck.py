"""The luck of a role in a match, so that means of few matches say more (after AIVAT; Burch et al. 2018).

1. A nearly optimal policy gives every node of the game a value for the role.
2. The *luck* of a round is the value after its moves minus the mean of the values after all moves that could have been
   drawn, by their probabilities: those of `random`, and of the strategies that players reported. All move at once, so
   the mean is over all pairs of their moves; a player that reports no strategy has only the move that it made.
3. The luck of a match is the sum over its rounds. Its mean over matches is 0 for every policy, because every part has
   the mean 0 when it is drawn. So goals minus luck have the same mean as goals, and vary much less.

The whole game has to fit into memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine import Game
from veil.equilibrium import CfrPlusConfig, CfrSolver, link, prepare
from veil.match import MatchLog, Round

ITERATIONS = 300  # of CFR+: a better policy removes more of the luck


class RoundDraws(NamedTuple):
    """The result of a round, and its possible results. N nodes."""

    node: int  # after the moves that were played
    nodes: np.ndarray  # [N] after all moves that could have been drawn
    odds: np.ndarray  # [N] their probabilities


class LuckGauge:
    """The values of one game for all roles."""

    def __init__(self, game: Game, iterations: int = ITERATIONS) -> None:
        self.game, prepared = game, prepare(game)
        self.flat, self.role_ids = prepared.tree.flat, prepared.tree.role_ids
        self.links = link(self.flat)
        solver = CfrSolver(prepared.form, CfrPlusConfig())
        solver.run(iterations)
        self.values = find_values(self, solver.average())
        self.owner = np.repeat(np.array(self.role_ids), np.diff(self.flat.role_start))  # [I] role ids

    def measure(self, log: MatchLog, role: str) -> float:
        """Return the luck of a role in a finished match, in goals."""
        value = self.values[:, self.role_ids.index(self.game.roles.index(role))]
        luck, node = 0.0, 0
        for number, entry in enumerate(log.rounds):
            draws = self._draw_round(node, number, entry)
            luck += float(value[draws.node] - draws.odds @ value[draws.nodes])
            node = draws.node
        return luck * self.game.utility.scale

    def _draw_round(self, node: int, number: int, entry: Round) -> RoundDraws:
        """Return what could have been drawn in a round that began at a node.

        No role sees the others' moves of the same round, so all nodes of a mover have the same moves in the same order.
        """
        draws = RoundDraws(node, np.array([node]), np.ones(1))
        for role_id in self.game.program.serial_order:
            if self._find_mover(draws.node) != role_id or not self._is_in_round(draws.node, number):
                continue
            count = int(self.links.num_children[draws.node])
            first = int(self.links.first_child[draws.node])
            children, mover = np.arange(first, first + count), self.game.roles[role_id]
            words = [self.game.names.moves[role_id][move] for move in self.flat.move[children].tolist()]
            if entry.moves[mover] not in words:
                continue  # the move of `random` was forced, and is no node
            chosen = words.index(entry.moves[mover])
            odds = self._find_odds(children, words, entry.reports.get(mover))
            if odds is None:
                odds = np.arange(count) == chosen
            nodes = self.links.first_child[draws.nodes][:, None] + np.arange(count)
            draws = RoundDraws(first + chosen, nodes.ravel(), np.outer(draws.odds, odds).ravel())
        return draws

    def _is_in_round(self, node: int, number: int) -> bool:
        """Return whether a node is in this round; for nodes of `random` this is unknown, and the answer is True."""
        infoset = int(self.links.infoset[node])
        return infoset < 0 or int(self.flat.infoset_round[infoset]) == number

    def _find_mover(self, node: int) -> int | None:
        """Return the role that moves at a node; None at the end."""
        if not self.links.num_children[node]:
            return None
        infoset = int(self.links.infoset[node])
        return int(self.owner[infoset]) if infoset >= 0 else self.game.program.chance

    def _find_odds(self, children: np.ndarray, words: list[str], report: object) -> np.ndarray | None:
        """Return [K] the probabilities of the moves to children; None if they are unknown."""
        if self.flat.slot[children[0]] < 0:
            odds: np.ndarray = self.flat.chance_prob[children]
            return odds
        strategy = report.get("strategy") if isinstance(report, dict) else None
        return None if strategy is None else np.array([strategy.get(word, 0.0) for word in words])


def find_values(gauge: LuckGauge, policy: np.ndarray) -> np.ndarray:
    """Return [N, R] the expected utility of every node, if all play a policy [S]."""
    flat, parent = gauge.flat, gauge.flat.parent
    values = np.where(gauge.links.num_children[:, None] == 0, flat.utility, 0.0)
    odds = np.where(flat.slot >= 0, policy[np.maximum(flat.slot, 0)], flat.chance_prob)
    depth = np.zeros(len(parent), np.int64)
    for node in range(1, len(parent)):  # a parent's number is below its children's
        depth[node] = depth[parent[node]] + 1
    for level in range(int(depth.max(initial=0)), 0, -1):
        nodes = np.flatnonzero(depth == level)
        np.add.at(values, parent[nodes], odds[nodes, None] * values[nodes])
    return values
