"""`LaneWalker`: Online Outcome Sampling, ISMCTS and Smooth UCT in lanes, for games of any size.

1. Walks are made in batches. A batch reads the table as it was before it, but for infosets that its own walks have
   added. The table learns from a batch when all its walks have ended.
2. Batches are small at first, and grow with the number of walks: a batch of B walks is one iteration with B samples,
   and a table that knows little would waste them. A batch is at most an eighth of all walks before it.
3. Between batches the table grows (`infoset_table`).
4. Under a clock, a walk that is too long for it is cut (`playout_clock`), and a batch is as small as there is time for.

For Online Outcome Sampling a batch is a sample of one iteration of counterfactual regret minimisation: its regrets are
unbiased for the profile that all its walks follow, so that the theorem of the paper holds for any size. For UCT, walks
that are underway count as visits, not in the mean (Liu et al. 2020), so that the walks of a batch do not all take the
same way.

Games with more than two players or without a constant sum are walked in the same way, without any guarantee.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from veil.belief import Bag, draw_systematic
from veil.clock import CAREFUL
from veil.engine import Machine, replay_keys, root_keys
from veil.equilibrium import StrategyTable
from veil.search.contract import SearchTask
from veil.search.playouts.playout_clock import PlayoutClock
from veil.search.walks.contract import InfosetView, OosRule, SearchRoot, WalkRule, make_strategy, weigh_strategies
from veil.search.walks.lanes.infoset_table import MAX_BYTES, InfosetTable
from veil.search.walks.lanes.records import LaneShape, LaneStarts
from veil.search.walks.lanes.targets import (
    MAX_CELLS,
    count_worlds,
    find_reaches,
    make_path,
    make_trie,
    no_target,
    weigh_path,
    weigh_trie,
)
from veil.search.walks.lanes.walk_kernels import run_batch
from veil.search.walks.numbers import OOS, POLICY_SUM, SMOOTH, TOTAL, UCT, VISITS, find_current, number_rule
from veil.search.walks.public_classes import PublicClasses, find_classes

MAX_BATCH = 512
FIRST_BATCH = 16
GROWTH = 8  # all walks so far over those of the next batch
ROOT_SHARE = 0.2  # share of the time for a move that `set_root` may take
PRIOR_SHARE = 0.5  # share of the time before the match that walks may take


def make_lane_walker(
    task: SearchTask, rule: WalkRule, max_bytes: int = MAX_BYTES, max_batch: int = MAX_BATCH
) -> LaneWalker:
    """Return a walker in lanes for one role of one match."""
    return LaneWalker(task, rule, max_bytes=max_bytes, max_batch=max_batch)


class LaneWalker:
    """A table of infosets that grows by walks in lanes (the contract `contract.Walker`)."""

    def __init__(
        self, task: SearchTask, rule: WalkRule, *, max_bytes: int = MAX_BYTES, max_batch: int = MAX_BATCH
    ) -> None:
        self.machine, self.max_batch = task.game.machine, max_batch
        self.walks = self.states_visited = 0
        self.clock, self.deadline = PlayoutClock(), _prior_deadline(task.start_seconds)
        self.seconds_per_walk, self.is_at_new_root = 0.0, True
        self.table = InfosetTable(max_bytes)
        self.shape = describe_shape(self.machine)
        self.most_slots = max((len(self.machine.program.moves[role]) for role in self.shape.players), default=1)
        self.source, self.rule = rule, number_rule(rule, task.role_id)
        self._mean_column = VISITS if self.rule.kind in (UCT, SMOOTH) else POLICY_SUM
        self.target = no_target()
        self.classes: PublicClasses | None = None
        if isinstance(rule, OosRule) and rule.target == "pst" and task.game.program.is_ground:
            self.classes = find_classes(task.game.program, task.game.fingerprint, task.start_seconds)
        self.starts = LaneStarts(self.machine.initial_states(), root_keys(self.machine, 1), np.zeros(1, np.int64))
        self.weights = np.ones(1)
        self.seconds_per_cell = 0.0  # of `set_root`; a cell is a move of a history
        self._prepare()

    def _prepare(self) -> None:
        """Call all kernels with nothing to do, so that they are ready when a clock runs."""
        rng, nothing = np.random.default_rng(0), np.zeros((0, 1, len(self.shape.order)), np.int32)
        self._walk(0, rng)
        self.table.warm_up()
        if isinstance(self.source, OosRule):
            make_trie(self.machine, nothing)
            find_reaches(self.machine, self.table.arrays, nothing)

    def set_root(self, root: SearchRoot, rng: np.random.Generator) -> None:
        """Move the root of the search to this record; walks go on from what is known."""
        begin, rounds = perf_counter(), root.rounds
        self.table.deadline = self.deadline = root.deadline
        self.is_at_new_root = True
        bag = root.belief.worlds(self._count_worlds(rounds, root.deadline), rng)
        self._target_bag(bag, rounds)
        spent = (perf_counter() - begin) / max(1, bag.histories.size)
        self.seconds_per_cell = max(spent, self.seconds_per_cell / 2)

    def _count_worlds(self, rounds: int, deadline: float | None) -> int:
        """Return how many worlds to target; under a clock as many as there is time for at the last pace."""
        cells = MAX_CELLS
        if deadline is not None and self.seconds_per_cell > 0.0:
            seconds = ROOT_SHARE * max(0.0, deadline - perf_counter())
            cells = min(cells, int(seconds / self.seconds_per_cell))
        return count_worlds(rounds, len(self.shape.order), cells)

    def _target_bag(self, bag: Bag, rounds: int) -> None:
        """Lead walks to these worlds, or begin them there."""
        if isinstance(self.source, OosRule):
            self._lead(bag, self.source.delta if rounds else 0.0)
            return
        keys = replay_keys(self.machine, bag.histories)
        states, keys = (np.require(rows, np.uint64, ("C", "W")) for rows in (bag.states, keys))  # for kernels
        self.starts = LaneStarts(states, keys, np.zeros(1, np.int64))
        self.weights = bag.weights if self.source.starts == "posterior" else np.full(len(bag), 1.0 / len(bag))

    def _lead(self, bag: Bag, delta: float) -> None:
        """Target the public subgame of these worlds or, if nothing is public, the worlds."""
        table, classes = self.table.arrays, self.classes
        if classes is not None:
            reaches = find_reaches(self.machine, table, bag.histories, classes)
            self.target = make_path(self.machine, bag.histories[0], classes)
            self.rule = self.rule._replace(weight=weigh_path(reaches, delta))
            return
        self.target = make_trie(self.machine, bag.histories)
        self.rule = self.rule._replace(weight=weigh_trie(self.machine, table, bag, delta) if delta else 1.0)

    def run(self, iterations: int, rng: np.random.Generator) -> None:
        """Run `iterations` more iterations: a walk per role of Online Outcome Sampling, one walk of a bandit."""
        per_iteration = len(self.shape.players) if self.rule.kind == OOS else 1
        left = iterations * per_iteration
        while left > 0:
            batch = min(self.max_batch, max(FIRST_BATCH, self.walks // GROWTH))
            batch = self._fit(min(left, -(-batch // per_iteration) * per_iteration))
            if not batch:
                return
            begin, states = perf_counter(), self.states_visited
            self._limit_walks()
            self._walk(batch, rng)
            seconds = perf_counter() - begin
            self.clock.learn(self.states_visited - states, seconds)
            self.seconds_per_walk = max(seconds / batch, self.seconds_per_walk / 2)
            left -= batch

    def _fit(self, batch: int) -> int:
        """Return how many of these walks there is time for at the pace of the last ones; at a new root at least one."""
        if self.deadline is None or not self.seconds_per_walk:
            return batch
        least, self.is_at_new_root = int(self.is_at_new_root), False
        return max(least, min(batch, int(CAREFUL * (self.deadline - perf_counter()) / self.seconds_per_walk)))

    def _limit_walks(self) -> None:
        """Set after how many rounds walks are cut: those of a first batch must be done before the deadline."""
        self.rule = self.rule._replace(max_rounds=self.clock.rounds(self.deadline, FIRST_BATCH))

    def _walk(self, walks: int, rng: np.random.Generator) -> None:
        """Walk one batch of `walks` walks."""
        is_one = len(self.weights) == 1
        chosen = np.zeros(walks, np.int64) if is_one else draw_systematic(self.weights, walks, rng)
        starts = self.starts._replace(chosen=chosen)
        self.table.make_room(walks, walks * self.most_slots)
        seed = rng.integers(0, 2**64, 3, dtype=np.uint64)
        lanes = 64 * self.shape.width
        self.states_visited += int(
            run_batch(self.machine.code, self.shape, self.rule, self.table.arrays, self.target, starts, lanes, seed)
        )
        self.walks += walks

    def infoset(self, role_id: int, key: int) -> InfosetView | None:
        """Return what is known of a record; None if no walk has put it into the table.

        If the record does not determine the legal moves, the infoset with the most visits stands for it.
        """
        views = [self._view(role_id, key, first) for first in self.table.find(role_id, key)]
        return max(views, key=lambda view: float(view.visits.sum()), default=None)

    def known(self) -> Iterator[InfosetView]:
        """Return all infosets in the table."""
        return (self._view(*entry) for entry in self.table.infosets())

    def strategies(self, role_id: int) -> StrategyTable:
        """Return a role's mean strategies at all infosets that walks have passed, times their visits."""
        roles, keys, start = self.table.list_all()
        sizes, own = np.diff(start), roles == role_id
        rows = np.flatnonzero(np.repeat(own, sizes))
        numbers = self.table.arrays.slots[rows]
        return weigh_strategies(
            keys[own],
            np.concatenate(([0], np.cumsum(sizes[own]))),
            self.table.moves_of(rows),
            numbers[:, self._mean_column],
            numbers[:, VISITS],
        )

    def _view(self, role_id: int, key: int, first: int) -> InfosetView:
        slots = self.table.slots_of(first)
        numbers = self.table.arrays.slots[slots].copy()
        visits, total = numbers[:, VISITS], numbers[:, TOTAL]
        with np.errstate(divide="ignore", invalid="ignore"):
            values = self.shape.centre[role_id] + self.shape.half[role_id] * total / visits
        mean = make_strategy(numbers[:, self._mean_column])
        return InfosetView(
            role_id, key, self.table.moves_of(slots), mean, find_current(self.rule, numbers), values, visits
        )


def _prior_deadline(start_seconds: float | None) -> float | None:
    """Return when walks before the match have to end; None without a clock."""
    return None if start_seconds is None else perf_counter() + PRIOR_SHARE * start_seconds


def describe_shape(machine: Machine) -> LaneShape:
    """Return the constants of a game for kernels."""
    program = machine.program
    chance = -1 if program.chance is None else program.chance
    order = np.array(program.serial_order, np.int64)
    low, high = (np.array([pick(goals, default=0) for goals in program.goals], float) for pick in (min, max))
    return LaneShape(
        width=machine.width,
        order=order,
        chance=chance,
        players=order[order != chance],
        move_words=np.diff(machine.move_columns),
        percept_words=np.diff(machine.percept_columns),
        most_moves=max(1, *(len(moves) for moves in program.moves)),
        centre=(low + high) / 2,
        half=np.where(high > low, (high - low) / 2, 1.0),
    )
