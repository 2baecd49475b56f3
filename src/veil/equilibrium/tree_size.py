"""The size of a game's tree before it is expanded: Knuth's estimate by random walks (Knuth 1975).

1. Walk from the root to a leaf; at every node choose one of its d children uniformly.
2. A walk that has met d1, d2, ... children stands for 1 + d1 + d1 d2 + ... nodes. The mean over all walks estimates the
   size of the tree: it is unbiased for every tree, and often too small if there are few walks.

All walks step side by side in lanes. As in the tree itself, the roles move one after the other in a round, and a forced
move makes no node.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from veil.engine import Machine, draw_rows_uniformly
from veil.errors import phrase

if TYPE_CHECKING:
    from veil.engine import Game

WALKS = 512
MAX_CELLS, FEW_WALKS = 1 << 22, 16  # walks times moves that are looked at in a round, and the fewest walks
MAX_ROUNDS = 2000  # rounds of a walk; a longer walk is cut here
ENDLESS = 1e30  # nodes: a walk that stands for more ends
NODE_NANOSECONDS = 6.0  # of processor time for a node in the pass of a role, measured in abrupt phantom tic-tac-toe
MARGIN, ERRORS = 4.0, 3.0  # a tree is certainly too large this many times above a limit, and this many standard errors


@dataclass(frozen=True, slots=True)
class TreeEstimate:
    """The mean of the walks, and its standard error."""

    nodes: float
    error: float
    walks: int

    def exceeds(self, max_nodes: int) -> bool:
        """Return whether the tree certainly has more than `max_nodes` nodes."""
        return self.nodes > MARGIN * max_nodes and self.nodes - ERRORS * self.error > max_nodes

    def count_seconds(self, roles: int) -> float:
        """Return the seconds of processor time of one pass per role."""
        return roles * self.nodes * NODE_NANOSECONDS * 1e-9

    def in_words(self) -> str:
        """Return the approximate number of nodes for messages."""
        if self.nodes >= ENDLESS:
            return phrase("this-many-or-more", number=f"{ENDLESS:.0e}")
        return f"{self.nodes:,.0f}" if self.nodes < 1e6 else f"{self.nodes:.1e}"


def estimate_tree(game: Game, walks: int = WALKS, seed: int = 0) -> TreeEstimate:
    """Estimate the number of nodes of a game's tree by `walks` random walks. Equal seeds give equal estimates.

    There are fewer walks in games of many thousand moves, whose players would not get ready in time otherwise.
    """
    moves = max(1, *(len(own) for own in game.program.moves))
    walks = min(walks, max(FEW_WALKS, MAX_CELLS // moves))
    sizes = walk_down(game.machine, walks, np.random.default_rng(seed))
    return TreeEstimate(float(sizes.mean()), float(sizes.std() / sqrt(walks)), walks)


def walk_down(machine: Machine, walks: int, rng: np.random.Generator) -> np.ndarray:
    """Return [walks] the number of nodes that each walk stands for.

    A walk ends with the game, or if a role is stuck.
    """
    sizes, products = np.ones(walks), np.ones(walks)
    states, alive = machine.initial_states(walks), np.arange(walks)
    for _ in range(MAX_ROUNDS):
        judged = machine.judge(states)
        bits = machine.legal_bits(judged)
        counts = np.stack([legal.sum(axis=1) for legal in bits], axis=1)
        going = np.flatnonzero(~judged.terminal & (counts > 0).all(axis=1) & (sizes[alive] < ENDLESS))
        if not len(going):
            break
        states, alive = states[going], alive[going]
        for role in machine.program.serial_order:
            choices = counts[going, role]
            products[alive] *= choices
            sizes[alive] += np.where(choices > 1, products[alive], 0.0)
        joint = np.stack([draw_rows_uniformly(legal[going], rng) for legal in bits], axis=1)
        states = machine.step(states, joint).states
    return sizes
