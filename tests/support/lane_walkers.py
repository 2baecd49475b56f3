"""Fleets beside the slow oracles: the same infosets, what one batch adds on average, how exploitable a table is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.reference.gametree import Infoset, Tree, build_tree, infosets, legal_moves
from tests.reference.online_search import Entry, Memory
from tests.support.games import game, remembering_naive
from veil.belief.bag import Bag
from veil.belief.exact import ExactBelief
from veil.engine import Game, Record, encode
from veil.equilibrium.prepared_game import PreparedGame
from veil.equilibrium.response import evaluate_profile
from veil.search.contract import SearchTask
from veil.search.walks.contract import SearchRoot, Walker, WalkRule, find_record_key
from veil.search.walks.lanes.walker import LaneWalker
from veil.search.walks.numbers import POLICY_SUM, REGRET

Slots = dict[tuple[Infoset, str], int]  # (infoset, move) -> slot of a fleet's table


def new_lane_walker(spec: str, rule: WalkRule, role: str | None = None, **settings: int) -> LaneWalker:
    """A walker of a game, for a role (without one: for the last)."""
    of = game(spec)
    role_id = of.program.serial_order[-1] if role is None else of.roles.index(role)
    return LaneWalker(SearchTask(of, role_id, 0), rule, **settings)


def reference_tree(spec: str) -> Tree:
    """The game as a tree of the oracles."""
    return build_tree(remembering_naive(spec))


def key_of(of: Game, infoset: Infoset) -> int:
    """The key of an infoset of a reference tree."""
    role, rounds = infoset
    return find_record_key(of, Record(role, rounds))


def find_slots(walker: LaneWalker, of: Game, tree: Tree) -> Slots:
    """The slots of all infosets that are in the table."""
    result: Slots = {}
    for infoset, moves in legal_moves(tree).items():
        role_id = of.roles.index(infoset[0])
        for first in walker.table.find(role_id, key_of(of, infoset)):
            words = [of.names.moves[role_id][move] for move in walker.table.moves_of(walker.table.slots_of(first))]
            assert sorted(words) == sorted(moves)
            result |= {(infoset, word): first + k for k, word in enumerate(words)}
    return result


def as_memory(walker: LaneWalker, slots: Slots) -> Memory:
    """A fleet's table as the memory of the oracle."""
    memory: Memory = {}
    for (infoset, move), slot in slots.items():
        entry = memory.setdefault(infoset, Entry({}, {}))
        entry.regret[move] = float(walker.table.arrays.slots[slot, REGRET])
        entry.policy_sum[move] = float(walker.table.arrays.slots[slot, POLICY_SUM])
    return memory


def repeat_batch(walker: LaneWalker, walks: int, times: int, rng: np.random.Generator) -> Callable[[int], np.ndarray]:
    """Make the same batch again and again from the same table: column -> [times, slots] what it adds per walk.

    The table is afterwards as it was.
    """
    walker.table.make_room(walks, walks * walker.shape.most_moves)  # so that it does not grow afterwards
    before = [array.copy() for array in walker.table.arrays]
    changes = []
    for _ in range(times):
        walker._walk(walks, rng)
        changes.append((walker.table.arrays.slots - before[1]) / walks)
        for array, old in zip(walker.table.arrays, before, strict=True):
            array[...] = old
    stacked = np.stack(changes)
    return lambda column: stacked[:, :, column]


def target_infoset(
    walker: Walker, of: Game, infoset: Infoset, rng: np.random.Generator, worlds: int | None = None
) -> Bag:
    """Aim at an infoset of the reference tree, with all worlds or a few that are drawn: the worlds."""
    role, rounds = infoset
    belief, record = ExactBelief(of.machine, of.roles.index(role)), Record(role, rounds)
    for own_move, percepts in encode(of, record):
        belief.observe(own_move, percepts)
    bag = belief.worlds(worlds, rng)
    walker.set_root(SearchRoot(of.roles.index(role), find_record_key(of, record), len(rounds), FixedWorlds(bag)), rng)
    return bag


class FixedWorlds:
    """A belief in these worlds."""

    def __init__(self, bag: Bag) -> None:
        self.bag = bag

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        return self.bag


def largest_infoset(tree: Tree) -> Infoset:
    """The infoset with the most histories, the last of them."""
    return max(infosets(tree), key=lambda infoset: (len(infosets(tree)[infoset]), len(infoset[1])))


def profile_of(prepared: PreparedGame, walker: Walker, which: str = "mean") -> np.ndarray:
    """[S] the strategies of all roles; uniform where the table knows nothing."""
    tree = prepared.tree
    policy = np.zeros(tree.num_slots)
    for role, role_id in enumerate(tree.role_ids):
        for infoset in tree.infosets_of(role):
            slots = tree.slots_in(infoset)
            view = walker.infoset(role_id, int(tree.flat.infoset_key[infoset]))
            policy[slots.start : slots.stop] = 1 / len(slots) if view is None else getattr(view, which)
    return policy


def nash_conv_of(prepared: PreparedGame, walker: Walker) -> float:
    """What could be won against the mean strategies."""
    return evaluate_profile(prepared.form, profile_of(prepared, walker)).nash_conv
