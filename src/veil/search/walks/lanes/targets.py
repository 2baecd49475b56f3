"""The targets of walks in lanes, and the weights of their updates.

*Information Set Targeting* (section 3.1 of Lisý, Lanctot & Bowling 2015). A targeted walk stays on prefixes of the
histories of the infoset where the match stands. These are the worlds of the belief: all of them if they fit, else a
sample. With a sample the target is smaller than the infoset. The walks stay consistent for the same reason as with all
histories: untargeted walks (delta < 1) reach what is outside, and every walk is weighted by the probability with which
it was sampled, whatever the target.

*Public Subgame Targeting* (section 3.2). A targeted walk makes moves of the public classes that were seen in the
match, role by role and round by round. All worlds of the belief have the same classes. A walk may come to a state
without a legal move of the class; it goes on unrestricted from there, which is one more way to sample.

The weight (section 3.3; equation 3 is misprinted there) is w_T = (1 - delta) + delta * sum of bs / sum of us over the
histories of the infoset, us and bs their probabilities under the mean strategy, untargeted and targeted. In a trie all
targeted walks end in one of its histories: the bs add up to 1. An infoset that the mean strategy never reaches has
weight 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.belief import Bag
from veil.engine import Machine, replay_histories
from veil.search.walks.lanes.records import LaneTable, LaneTarget
from veil.search.walks.lanes.table_kernels import mean_of_moves
from veil.search.walks.lanes.target_kernels import build_trie
from veil.search.walks.public_classes import PublicClasses

MAX_WORLDS = 4_000  # all are replayed when a search begins, and a move may have a tenth of a second
MAX_WEIGHT = 1e15  # with larger weights earlier walks count for nothing in any case; the limit keeps sums finite
MAX_CELLS = 200_000  # moves in all histories


def no_target() -> LaneTarget:
    """Return the trie that restricts nothing."""
    nothing = np.full(1, -1, np.int32)
    return LaneTarget(nothing, nothing, nothing, np.zeros(0, np.int32), np.zeros((0, 0), np.int32))


def count_worlds(rounds: int, roles: int, cells: int = MAX_CELLS) -> int:
    """Return how many worlds to ask of a belief after `rounds` rounds, with at most `cells` moves in all of them."""
    return min(MAX_WORLDS, max(1, cells // max(1, rounds * roles)))


def make_trie(machine: Machine, histories: np.ndarray) -> LaneTarget:
    """Return the trie of histories [N, T, R]."""
    if not histories.shape[1]:
        return no_target()
    order = np.array(machine.program.serial_order, np.int64)
    return build_trie(np.require(histories, np.int32, ("C", "W")), order)


def make_path(machine: Machine, history: np.ndarray, classes: PublicClasses) -> LaneTarget:
    """Return the path of public classes of the moves of a history [T, R]; one without rounds restricts nothing."""
    order = machine.program.serial_order
    steps = [classes[role][moves[role]] for moves in history for role in order]
    table = np.zeros((len(classes), max(len(entry) for entry in classes)), np.int32)
    for role, entry in enumerate(classes):
        table[role, : len(entry)] = entry
    return no_target()._replace(path=np.array(steps, np.int32), classes=table)


def weigh_trie(machine: Machine, table: LaneTable, bag: Bag, delta: float) -> float:
    """Return w_T of the infoset that a bag's histories explain.

    If the bag is a sample and the size of the infoset is known, its histories also count for those that are not in it.
    """
    reach = find_reaches(machine, table, bag.histories)[0].sum()
    if bag.size is not None and len(bag) < bag.size:
        reach = min(1.0, reach * bag.size / len(bag))
    return float(min(MAX_WEIGHT, (1.0 - delta) + delta / reach)) if reach > 0.0 else 1.0


def weigh_path(reaches: Reaches, delta: float) -> float:
    """Return w_T if public classes are targeted, given the reaches of histories of the infoset."""
    us, bs = (float(part.sum()) for part in reaches)
    return float(min(MAX_WEIGHT, (1.0 - delta) + delta * bs / us)) if us > 0.0 else 1.0


class Reaches(NamedTuple):
    """The probabilities of N histories under the mean strategy."""

    untargeted: np.ndarray  # [N]
    targeted: np.ndarray  # [N] if every move is drawn among those of its public class


def find_reaches(
    machine: Machine, table: LaneTable, histories: np.ndarray, classes: PublicClasses | None = None
) -> Reaches:
    """Return the reaches of histories [N, T, R]; the strategy is uniform at infosets that are not in the table.

    Without classes both reaches are equal.
    """
    program = machine.program
    one_each = classes or tuple(np.zeros(len(moves), np.int64) for moves in program.moves)
    nothing = table._replace(entries=np.zeros((1, 2), np.uint64))  # chance is uniform
    untargeted, targeted = np.ones(len(histories)), np.ones(len(histories))
    for played in replay_histories(machine, histories):
        for role, legal in enumerate(machine.legal(played.states)):
            known = nothing if role == program.chance else table
            keys, own_moves = np.ascontiguousarray(played.keys[:, role]), np.ascontiguousarray(played.joint[:, role])
            mean, kept = mean_of_moves(known, keys, legal, legal.shape[1], role, own_moves, one_each[role])
            untargeted *= mean
            targeted *= np.where(kept > 0.0, mean / np.where(kept > 0.0, kept, 1.0), 0.0)
    return Reaches(untargeted, targeted)
