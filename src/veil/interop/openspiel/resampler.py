"""States that a player cannot tell apart, drawn by its belief, for `resample_from_infostate`.

1. Find the belief of the player at the start of the round: all histories that explain its record, with their
   probabilities, if they fit; else a sample of them by the cascade of samplers. It is cached for the next questions.
2. Draw one history, and draw the moves of this round before the player's own choice uniformly.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from veil.belief import Bag, believe
from veil.caches import BoundedCache
from veil.interop.openspiel.serial import SerialGame, SerialNode, ToldRound

WORLDS = 2000  # of a belief that does not fit as a whole
KEPT = 64  # number of cached beliefs
TRIES = 100


class Resampler:
    """Sampler of nodes of one game by beliefs."""

    def __init__(self, serial: SerialGame) -> None:
        self.serial = serial
        self._bags: BoundedCache[tuple[int, bool, tuple[ToldRound, ...]], Bag] = BoundedCache(KEPT)

    def draw(self, node: SerialNode, player: int, sampler: Callable[[], float]) -> tuple[int, ...]:
        """Return the actions to a node with the same information for the player; `sampler` returns numbers in [0, 1).

        If another player moves at the node, worlds without such a node are skipped, and after `TRIES` of them the node
        itself is the answer.
        """
        role = self.serial.players[player]
        bag = self._believe(node, role)
        edges = np.cumsum(bag.weights)
        for _ in range(TRIES):
            world = self.serial.follow(bag.histories[_find_place(edges, sampler())])
            drawn = self._reach(world, node, role, sampler)
            if drawn is not None:
                return drawn.path()
        return node.path()

    def _reach(self, drawn: SerialNode, node: SerialNode, role: int, sampler: Callable[[], float]) -> SerialNode | None:
        """Play on within the round until the role knows what it knows at `node`; return None if that never happens."""
        text, chosen, is_asked = node.record_text(role), node.own_move(role), node.mover == role
        while drawn.open_round.number == node.open_round.number and drawn.is_terminal == node.is_terminal:
            if drawn.record_text(role) == text and (drawn.mover == role or not is_asked):
                return drawn
            if drawn.is_terminal or (drawn.mover == role and chosen is None):
                return None
            action = drawn.actions[int(sampler() * len(drawn.actions))]
            drawn = drawn.child(chosen if drawn.mover == role and chosen is not None else action)
        return None

    def _believe(self, node: SerialNode, role: int) -> Bag:
        """Return the belief of a role before the round of a node."""
        key = (role, node.is_terminal, node.open_round.told[role])
        bag = self._bags.find(key)
        return self._bags.keep(key, believe(self.serial.game, node.record(role), count=WORLDS)) if bag is None else bag


def _find_place(edges: np.ndarray, number: float) -> int:
    """Return the place of a number in [0, 1) among cumulated weights."""
    return min(int(np.searchsorted(edges, number * edges[-1], side="right")), len(edges) - 1)
