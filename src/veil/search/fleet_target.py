"""Where the walks of a fleet are led: a trie of the histories of an infoset, and how much their updates weigh.

*Information Set Targeting* (section 3.1 of Lisý, Lanctot & Bowling 2015). A targeted walk stays on prefixes of the
histories of the infoset where the match stands. These are the worlds of the belief: all of them where they fit, else a
sample. With a sample the target is smaller than the infoset. The walks stay consistent for the same reason as with all
histories: what is outside is reached by untargeted walks (delta < 1), and every walk is weighted by the probability
with which it was sampled, whatever the target.

The weight (section 3.3; equation 3 is misprinted there) is w_T = (1 - delta) + delta * sum of bs / sum of us over the
histories of the infoset, us and bs their probabilities under the mean strategy, untargeted and targeted. In a trie all
targeted walks end in one of its histories: the bs add up to 1. An infoset that the mean strategy never reaches has
weight 1.
"""

from __future__ import annotations

import numpy as np

from veil.belief import Bag
from veil.engine import Machine, replay_histories
from veil.search.fleet_records import FleetTable, Trie

MAX_WORLDS = 4_000  # all are replayed when a search begins, and a move may have a tenth of a second
MAX_WEIGHT = 1e15  # beyond it earlier walks count for nothing in any case, and sums stay finite
MAX_CELLS = 200_000  # moves in all histories


def no_target() -> Trie:
    """The trie that restricts nothing."""
    return Trie(np.full(1, -1, np.int32), np.full(1, -1, np.int32), np.full(1, -1, np.int32))


def count_worlds(rounds: int, roles: int, cells: int = MAX_CELLS) -> int:
    """Worlds that are asked of a belief after so many rounds, with so many moves in all of them."""
    return min(MAX_WORLDS, max(1, cells // max(1, rounds * roles)))


def make_trie(machine: Machine, histories: np.ndarray) -> Trie:
    """The trie of histories [N, T, R]."""
    from veil.search.fleet_trie_kernels import build_trie

    if not histories.shape[1]:
        return no_target()
    order = np.array(machine.program.serial_order, np.int64)
    return build_trie(np.require(histories, np.int32, ("C", "W")), order)


def weigh_target(machine: Machine, table: FleetTable, bag: Bag, delta: float) -> float:
    """w_T of the infoset that a bag's histories explain; of a sample, where the size of the infoset is known, its
    histories count for those that are not in it."""
    reach = find_reaches(machine, table, bag.histories).sum()
    if bag.size is not None and len(bag) < bag.size:
        reach = min(1.0, reach * bag.size / len(bag))
    return float(min(MAX_WEIGHT, (1.0 - delta) + delta / reach)) if reach > 0.0 else 1.0


def find_reaches(machine: Machine, table: FleetTable, histories: np.ndarray) -> np.ndarray:
    """[N] how likely histories [N, T, R] are under the mean strategy; uniform at infosets that are not in the table."""
    from veil.search.fleet_table_kernels import count_legal, mean_of_moves

    reach = np.ones(len(histories))
    for played in replay_histories(machine, histories):
        legal = machine.legal(played.states)
        for role in range(len(legal)):
            counts = count_legal(legal[role])
            even = 1.0 / np.maximum(1, counts)
            if role == machine.program.chance:
                reach *= even
                continue
            keys, own_moves = np.ascontiguousarray(played.keys[:, role]), np.ascontiguousarray(played.joint[:, role])
            mean = mean_of_moves(table, keys, legal[role], legal[role].shape[1], role, own_moves)
            reach *= np.where(mean >= 0.0, mean, even)
    return reach
