"""The exploitability of an online player: one policy is put together from the strategies of many searches.

After section 4.2 of Lisý, Lanctot & Bowling, Online Monte Carlo Counterfactual Regret Minimization (2015). An online
player has no policy that could be evaluated; it has a strategy at each infoset where it searched. The caller passes
these strategies (`StrategyTable`); this module makes one policy of them, which is evaluated exactly, on the tree or, if
that does not fit into memory, on a walk.

1. `SearchedInfosets.place` finds the slots of the game for strategies that are given by role, record and move. From a
   search at one infoset, only that infoset and the infosets of the same role below it count.
2. Strategies are added up slot by slot, each with its weight: 1 in the *brute* method, which searches at every
   infoset; the number of visits in the *aggregate* method, which plays matches against a random opponent. The paper
   adds what the search has summed up itself: visits of ISMCTS, but s_I of Online Outcome Sampling, with the importance
   weights of its walks (`weigh_by_sums`).
3. `assemble` normalises the sums. Infosets without a strategy play a fallback: one random move that is fixed by a seed
   and is the same for all algorithms (the paper's rule), or all moves uniformly.

The paper's exploitability (section 2.1) is NashConv here; exploitability is NashConv per role.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from veil.equilibrium.evaluation import judge_slots
from veil.equilibrium.form import Form
from veil.equilibrium.histories import slot_move_ids
from veil.equilibrium.prepared_game import PreparedGame
from veil.equilibrium.response import Evaluation, uniform_policy
from veil.streams import fixed_moves_of

if TYPE_CHECKING:
    from veil.equilibrium.streaming.walk import Share, Walk

Unreached = Literal["fixed", "uniform"]
UNREACHED: tuple[Unreached, ...] = get_args(Unreached)


class StrategyTable(NamedTuple):
    """The known strategy of one role at N infosets, with M moves in total."""

    keys: np.ndarray  # [N] of the records, as `engine.extend_keys` makes them
    start: np.ndarray  # [N + 1] infoset n owns rows [start[n], start[n + 1])
    moves: np.ndarray  # [M] move numbers
    weights: np.ndarray  # [M] probability times the weight of the search: of a table of a search, its visits
    sums: np.ndarray | None = None  # [M] what the search itself has summed up; None if that is the same


class SlotWeights(NamedTuple):
    """Weights of some slots of a game, each slot at most once, ascending."""

    slots: np.ndarray  # [K] int32
    weights: np.ndarray  # [K]


class OnlineJudgement(NamedTuple):
    """A policy that was put together from searches, and its exact evaluation."""

    policy: np.ndarray  # [S]
    reached: np.ndarray  # [I] whether a search had a strategy there
    evaluation: Evaluation


def make_strategy_table(rows: Iterable[tuple[int, np.ndarray, np.ndarray]]) -> StrategyTable:
    """Put rows (key of a record, move numbers, weights) into one table."""
    listed = list(rows)
    sizes = [len(moves) for _, moves, _ in listed]
    return StrategyTable(
        keys=np.array([key for key, _, _ in listed], np.uint64),
        start=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        moves=np.concatenate([np.zeros(0, np.int64), *(moves for _, moves, _ in listed)]).astype(np.int64),
        weights=np.concatenate([np.zeros(0), *(weights for _, _, weights in listed)]).astype(float),
    )


def weigh_by_sums(table: StrategyTable) -> StrategyTable:
    """Return a table whose weights are the sums of the search itself."""
    return table if table.sums is None else table._replace(weights=table.sums)


def drop_seldom_visited(table: StrategyTable, least: int) -> StrategyTable:
    """Return a table without the infosets whose weights, which are visits, add up to less than `least`."""
    sizes = np.diff(table.start)
    if not len(sizes):
        return table
    kept = np.add.reduceat(table.weights, table.start[:-1]) >= least
    rows = np.repeat(kept, sizes)
    sums = None if table.sums is None else table.sums[rows]
    start = np.concatenate(([0], np.cumsum(sizes[kept])))
    return StrategyTable(table.keys[kept], start, table.moves[rows], table.weights[rows], sums)


class InfosetIndex(NamedTuple):
    """Where the infosets of a game are."""

    by_key: list[tuple[np.ndarray, np.ndarray]]  # per role: keys of its records, ascending, and their infosets
    first: np.ndarray  # [I] infosets of the same role at or below i have first in [first[i], last[i])
    last: np.ndarray  # [I]
    find_slots: Callable[[np.ndarray, np.ndarray], np.ndarray]  # infosets and moves -> slots; -1 if there is none


class SearchedInfosets:
    """Index of the infosets of a game by role, record and move."""

    def __init__(self, prepared: PreparedGame | Walk) -> None:
        self.prepared = prepared
        self._index = _index_game(prepared)

    def find(self, role: int, keys: np.ndarray) -> np.ndarray:
        """Return the infosets [N] of a role, given by its place in the game's `roles`; -1 for records without infoset.

        A record has no infoset if the role has at most one legal move after it.
        """
        known, infosets = self._index.by_key[role]
        if not len(known):
            return np.full(len(keys), -1)
        place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        found: np.ndarray = np.where(known[place] == keys, infosets[place], -1)
        return found

    def place(self, role: int, table: StrategyTable, searched_at: int) -> SlotWeights:
        """Return the weights of the slots at the infoset with the key `searched_at`, and at those of the role below it.

        If there is no such infoset, there are no weights. A move that an infoset does not have raises ValueError.
        """
        (top,) = self.find(role, np.array([searched_at], np.uint64))
        if top < 0:
            return add_up(())
        infosets = self.find(role, table.keys)
        first, last = self._index.first, self._index.last
        number = first[infosets]
        is_below = (infosets >= 0) & (number >= first[top]) & (number < last[top])
        return self._place_rows(table, np.where(is_below, infosets, -1))

    def place_all(self, role: int, table: StrategyTable) -> SlotWeights:
        """Return the weights of the slots at all infosets of a role, for a search from the start of the game."""
        return self._place_rows(table, self.find(role, table.keys))

    def _place_rows(self, table: StrategyTable, infosets: np.ndarray) -> SlotWeights:
        """Return the weights of a table whose rows belong to these infosets [N]; rows with -1 are left out."""
        row = np.repeat(infosets, np.diff(table.start))
        slots = self._index.find_slots(row[row >= 0], table.moves[row >= 0])
        if (slots < 0).any():
            raise ValueError("a strategy has a move that its infoset does not have")
        return add_up([SlotWeights(slots.astype(np.int32), table.weights[row >= 0])])

    def fallback(self, unreached: Unreached, seed: int) -> np.ndarray:
        """Return the policy [S] for infosets that no search has reached."""
        form = self.prepared.form
        if unreached == "uniform":
            return uniform_policy(form)
        sizes = np.diff(form.slot_start)
        chosen = fixed_moves_of(seed).integers(sizes)
        policy = np.zeros(form.num_slots)
        policy[form.slot_start[:-1] + chosen] = 1.0
        return policy

    def judge(self, weights: Iterable[SlotWeights], fallback: np.ndarray) -> OnlineJudgement:
        """Put the strategies of searches together and judge the policy exactly."""
        total = np.zeros(self.prepared.form.num_slots)
        for part in weights:
            total[part.slots] += part.weights
        return self.judge_sum(total, fallback)

    def judge_sum(self, total: np.ndarray, fallback: np.ndarray, share: Share | None = None) -> OnlineJudgement:
        """Evaluate the policy of weights [S] that are added up already.

        `share` is called with the share of a walk that is done.
        """
        policy, reached = assemble(self.prepared.form, total, fallback)
        return OnlineJudgement(policy, reached, judge_slots(self.prepared, policy, share))


def _index_game(prepared: PreparedGame | Walk) -> InfosetIndex:
    """Return the index of a game's infosets."""
    if isinstance(prepared, PreparedGame):
        return _index_tree(prepared)
    from veil.equilibrium.streaming.record_keys import index_walk  # imports numba

    return index_walk(prepared)


def _index_tree(prepared: PreparedGame) -> InfosetIndex:
    """Return the index of a tree's infosets."""
    flat, moves = prepared.tree.flat, slot_move_ids(prepared.tree)
    owner = np.repeat(np.arange(len(flat.infoset_key)), np.diff(flat.slot_start))
    span = int(moves.max(initial=0)) + 1
    names = owner * span + moves  # [S] ascending: slots stand in the order of infosets and moves

    def find_slots(infosets: np.ndarray, moves: np.ndarray) -> np.ndarray:
        wanted = infosets * span + moves
        slots = np.minimum(np.searchsorted(names, wanted), len(names) - 1)
        return np.where(names[slots] == wanted, slots, -1) if len(names) else np.full(len(wanted), -1)

    by_key = [
        sort_keys(flat.infoset_key[start:stop], int(start))
        for start, stop in zip(flat.role_start[:-1], flat.role_start[1:], strict=True)
    ]
    return InfosetIndex(by_key, *number_descendants(prepared.form), find_slots)


def assemble(form: Form, total: np.ndarray, fallback: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the policy [S] of summed weights [S], and the infosets [I] that have weights.

    The other infosets use the fallback.
    """
    if not form.num_slots:
        return total.copy(), np.zeros(0, np.bool_)
    sums = np.add.reduceat(total, form.slot_start[:-1])
    reached = sums > 0
    sizes = np.diff(form.slot_start)
    share = total / np.repeat(np.where(reached, sums, 1.0), sizes)
    return np.where(np.repeat(reached, sizes), share, fallback), reached


def add_up(parts: Iterable[SlotWeights]) -> SlotWeights:
    """Return the sum of several weights."""
    listed = list(parts)
    slots = np.concatenate([np.zeros(0, np.int32), *(part.slots for part in listed)])
    weights = np.concatenate([np.zeros(0), *(part.weights for part in listed)])
    each, place = np.unique(slots, return_inverse=True)
    return SlotWeights(each.astype(np.int32), np.bincount(place, weights, minlength=len(each)))


def number_descendants(form: Form) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers first, last [I]: the infosets of the same role at or below i have first in [first[i], last[i]).

    Roles remember what they did, so all histories of an infoset pass through the same earlier infosets of the role: the
    infosets of a role form a forest. This is its order from the top, without gaps inside a tree.
    """
    count = len(form.infoset_before)
    owner = np.repeat(np.arange(count), np.diff(form.slot_start))
    before = form.infoset_before
    parent = np.where(before < form.num_slots, owner[np.minimum(before, form.num_slots - 1)], -1).tolist()
    size = [1] * count
    for infoset in range(count - 1, -1, -1):  # later rounds first
        if parent[infoset] >= 0:
            size[parent[infoset]] += size[infoset]
    first, free, top = [0] * count, [0] * count, 0
    for infoset in range(count):
        above = parent[infoset]
        first[infoset] = top if above < 0 else free[above]
        free[infoset] = first[infoset] + 1
        if above < 0:
            top += size[infoset]
        else:
            free[above] += size[infoset]
    return np.array(first, np.int64), np.array(first, np.int64) + np.array(size, np.int64)


def sort_keys(keys: np.ndarray, start: int) -> tuple[np.ndarray, np.ndarray]:
    """Return keys in ascending order and their infosets, which are numbered from `start`."""
    order = np.argsort(keys)
    return keys[order], start + order
