"""`Walk`: a game ready to be walked, and the passes over all of its histories.

A pass finds what the moves of one role are worth against policies of the others:

1. Walk the first rounds. The records that they lead to, with their histories, are shards.
2. Walk every shard, several at once in threads. Shards change different slots.
3. What a shard pays before the role's first move in it is added up in the order of the shards.

So the result does not depend on the number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from veil.engine import Game
from veil.equilibrium.form import Form
from veil.equilibrium.streaming.census import count_remaining, count_tree
from veil.equilibrium.streaming.images import find_first_slots
from veil.equilibrium.streaming.layout import Automata, flatten_classes, lay_out_infosets, make_tables
from veil.equilibrium.streaming.record_automaton import ClassLevel, build_automaton
from veil.equilibrium.streaming.state_graph import StateGraph, build_state_graph
from veil.equilibrium.streaming.symmetries import find_symmetries
from veil.equilibrium.streaming.symmetry_kernels import copy_to_images
from veil.equilibrium.streaming.walk_kernels import (
    BEFORE,
    FIRST,
    LAST,
    NOWHERE,
    OWN_CLASS,
    SLOT,
    Histories,
    PassTables,
    walk,
)
from veil.signals import check_signals

if TYPE_CHECKING:
    from veil.equilibrium.streaming.shard_crew import ShardCrew

SHARDS = 128  # records at least, if the game has as many
MAX_HELD = 4_000_000  # histories of all shards together
LEAST_STEPS = 100_000_000  # of a pass, for which symmetries are looked for
SAME = 1e-12  # difference of probabilities that are equal but for rounding
NO_STOP = np.int64(-1)
PATIENCE = 0.2  # seconds from one safe point to the next


class ShardPass(NamedTuple):
    """What the shards of a pass need. N shards."""

    role: int
    tables: PassTables
    policy: np.ndarray  # [S]
    shards: np.ndarray  # [N, 5]
    held: Histories
    walked: np.ndarray  # numbers of the shards to walk


Share = Callable[[float], None]  # called with the share of a pass that is done


def ignore_share(share: float) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A game, ready to be walked. Walks may be shared, because none changes it."""

    graph: StateGraph
    automata: Automata
    form: Form  # infosets without entries
    tables: tuple[PassTables, ...]  # per role
    remaining: np.ndarray  # [N] steps from every state on
    stops: tuple[int, ...]  # per role, the rounds after which its records are shards
    symmetries: int  # that are used, the identity included
    first_image: np.ndarray  # [S] of all slots that symmetries map onto each other, the first; [0] without symmetries
    seconds: float  # to build it
    threads: int
    crew: ShardCrew | None = None  # walks the shards in other processes, if there is one

    @property
    def game(self) -> Game:
        return self.graph.game

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles without `random`."""
        return self.graph.roles

    @property
    def role_ids(self) -> tuple[int, ...]:
        """The numbers of the roles in the ground program."""
        return self.graph.role_ids

    @property
    def steps(self) -> float:
        """The steps of one pass."""
        return float(self.remaining[0]) if len(self.remaining) else 0.0

    @property
    def total(self) -> float | None:
        """The sum of the payoffs of all roles; None if it varies."""
        sums = self.graph.payoffs.sum(axis=1)
        spread = float(sums.max() - sums.min())
        return float(sums[0]) if spread <= 1e-9 * max(1.0, float(np.abs(sums).max())) else None

    def counts(self) -> dict[str, object]:
        """Return the sizes that `veil tree` shows."""
        return count_tree(self.graph, self.automata) | {"seconds": self.seconds}

    def add_payoffs(
        self,
        role: int,
        policy: np.ndarray,
        q: np.ndarray,
        share: Share = ignore_share,
        tables: PassTables | None = None,
        *,
        is_symmetric: bool = False,
    ) -> None:
        """Set the role's slots of q [S + R], and its last row, to the payoffs counted at the role's last moves.

        They are weighted by the probability that chance and the others, who play `policy` [S], allow them. Other
        `tables` than those of this walk must have its records of the role. If the others play a policy that
        `is_symmetric`, only records that represent others are walked.
        """
        tables, form = tables or self.tables[role], self.form
        q[form.role_range(role)] = 0.0
        q[form.num_slots + role] = 0.0
        if not self.graph.levels:
            q[form.num_slots + role] = self.graph.payoffs[0, role]
            return
        root, histories = self._root(tables)
        stop = self.stops[role]
        above, shards, held = walk(tables, policy, q, root, histories, np.int64(stop))
        q[form.num_slots + role] = above
        uses_images = is_symmetric and self.symmetries > 1
        represents = self._find_images(role, shards) if uses_images else np.arange(len(shards))
        walked = np.unique(represents)
        shard_pass = ShardPass(role, tables, policy, shards, held, walked)
        if self.crew is not None and tables is self.tables[role]:
            paid = self._send_shards(shard_pass, q, self.crew, share)
        else:
            paid = self._walk_shards(shard_pass, q, share)
        if uses_images:
            self.make_symmetric(role, q)
        paid = paid[represents]
        for before, payoff in zip(shards[:, BEFORE].tolist(), paid.tolist(), strict=True):
            q[form.num_slots + role if before == NOWHERE else before] += payoff
        share(1.0)

    def make_symmetric(self, role: int, values: np.ndarray) -> float:
        """Give all slots of a role that are images of each other the value of the first (values [S] changed in place).

        Return by how much they differed, at most.
        """
        if self.symmetries == 1:
            return 0.0
        own = self.form.role_range(role)
        return float(copy_to_images(self.first_image, np.int64(own.start), np.int64(own.stop), values))

    def is_symmetric(self, policy: np.ndarray) -> bool:
        """Return whether a policy [S] is the same under all symmetries but for rounding; False if there are none."""
        copy = policy.copy()
        return self.symmetries > 1 and all(self.make_symmetric(role, copy) <= SAME for role in range(len(self.roles)))

    def estimate_pass(self, role: int, policy: np.ndarray, seconds: float) -> float:
        """Return about how many seconds `add_payoffs` takes for a symmetric policy.

        Some shards are walked here, for `seconds` and one more.
        """
        if not self.graph.levels:
            return 0.0
        tables, q = self.tables[role], np.zeros(self.form.num_slots + len(self.roles))
        shards, held = self.list_shards(role, policy)
        sizes = self._measure_shards(shards, held, self.remaining)
        start, walked = perf_counter(), 0.0
        for number in np.argsort(sizes, kind="stable").tolist():
            check_signals()
            walk(tables, policy, q, shards[number], held, NO_STOP)
            walked += float(sizes[number])
            if perf_counter() - start > seconds:
                break
        hands = self.threads if self.crew is None else self.crew.count_workers(self.threads)
        return (perf_counter() - start) * self.steps / max(walked, 1.0) / hands / self.symmetries

    def list_shards(self, role: int, policy: np.ndarray) -> tuple[np.ndarray, Histories]:
        """Return the shards [N, 5] of a pass and their histories."""
        tables, q = self.tables[role], np.zeros(self.form.num_slots + len(self.roles))
        root, histories = self._root(tables)
        _, shards, held = walk(tables, policy, q, root, histories, np.int64(self.stops[role]))
        return shards, held

    def walk_shard(self, role: int, policy: np.ndarray, q: np.ndarray, shard: np.ndarray, held: Histories) -> float:
        """Walk one shard [5] (q [S + R] changed); return what it pays before the role's first move in it."""
        return float(walk(self.tables[role], policy, q, shard, held, NO_STOP)[0])

    def shard_range(self, role: int, shard: np.ndarray) -> slice:
        """Return the slots of the role that a walk of a shard [5] changes."""
        level = self.automata[role][self.stops[role]]
        first = sum(len(before.slots) for before in self.automata[role][: self.stops[role]])
        return slice(int(shard[SLOT]), int(shard[SLOT] + level.slots[shard[OWN_CLASS] - first]))

    def _find_images(self, role: int, shards: np.ndarray) -> np.ndarray:
        """Return [N] which shard represents every shard [N, 5] of a role: the one with the first image of its slots."""
        represents, ranges = np.arange(len(shards)), [self.shard_range(role, shard) for shard in shards]
        starts, stops = np.array([(own.start, own.stop) for own in ranges], np.int64).reshape(-1, 2).T
        has_slots = np.flatnonzero(stops > starts)
        starts, stops = starts[has_slots], stops[has_slots]
        image = self.first_image[starts]
        place = np.maximum(np.searchsorted(starts, image, "right") - 1, 0)
        is_there = (starts[place] <= image) & (image < stops[place])  # a shard that is never reached is missing
        represents[has_slots] = np.where(is_there, has_slots[place], has_slots)
        return represents

    def _measure_shards(self, shards: np.ndarray, held: Histories, remaining: np.ndarray) -> np.ndarray:
        """Return the steps of every shard; `remaining` [N] are those from every state on."""
        return np.array([remaining[held.state[row[FIRST] : row[LAST]]].sum() for row in shards])

    def _root(self, tables: PassTables) -> tuple[np.ndarray, Histories]:
        """Return the shard of the whole game: the empty record with one history."""
        place = tables.other_start.astype(np.int32).reshape(1, -1)
        histories = Histories(np.zeros(1, np.int32), np.ones(1), np.ascontiguousarray(place))
        return np.array([0, tables.first_slot, NOWHERE, 0, 1]), histories

    def _walk_shards(self, given: ShardPass, q: np.ndarray, share: Share) -> np.ndarray:
        """Walk shards; return [shards] what each pays before the role's first move in it."""
        shards, held = given.shards, given.held
        paid = np.zeros(len(shards))
        is_own = len(given.tables.chooser) == len(self.remaining)
        remaining = self.remaining if is_own else np.ones(len(given.tables.chooser))
        sizes = self._measure_shards(shards, held, remaining)
        done, whole = 0.0, float(sizes[given.walked].sum()) or 1.0
        tables = given.tables._replace(halt=np.zeros(1, np.bool_))

        def run(number: int) -> int:
            paid[number] = walk(tables, given.policy, q, shards[number], held, NO_STOP)[0]
            return number

        order = given.walked[np.argsort(-sizes[given.walked], kind="stable")]
        for number in self._run_all(run, order, tables.halt):
            done += float(sizes[number])
            share(done / whole)
        return paid

    def _send_shards(self, given: ShardPass, q: np.ndarray, crew: ShardCrew, share: Share) -> np.ndarray:
        """Do what `_walk_shards` does, by the crew."""
        paid = np.zeros(len(given.shards))
        sizes = self._measure_shards(given.shards, given.held, self.remaining)
        done, whole = 0.0, float(sizes[given.walked].sum()) or 1.0
        for group, answer in crew.run(self, given, sizes):
            paid[group], first = answer.paid, 0
            for number in group.tolist():
                own = self.shard_range(given.role, given.shards[number])
                q[own] = answer.won[first : first + own.stop - own.start]
                first += own.stop - own.start
            done += float(sizes[group].sum())
            share(done / whole)
        return paid

    def _run_all(self, run: Callable[[int], int], order: np.ndarray, halt: np.ndarray) -> Iterator[int]:
        """Call `run` with every number, in threads; yield each number when it is done.

        This thread comes to a safe point all the time. If it leaves, `halt` [1] tells the others (changed in place).
        """
        with ThreadPoolExecutor(self.threads) as pool:
            waiting = {pool.submit(run, number) for number in order.tolist()}
            try:
                while waiting:
                    check_signals()
                    done, waiting = wait(waiting, PATIENCE, FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            finally:
                halt[0] = True
                for future in waiting:
                    future.cancel()


def prepare_walk(
    game: Game,
    progress: Callable[[int], None] = lambda _: None,
    threads: int | None = None,
    *,
    symmetries: bool | None = None,
) -> Walk:
    """Build the state graph of a game and the automata of its roles; `progress` is called with the number of states.

    `symmetries` says whether symmetries are looked for; if it is None, they are in games with long passes. Raises
    `VeilError` if the game is too large even for that, or cannot be analysed.
    """
    start = perf_counter()
    graph = build_state_graph(game, progress)
    automata = tuple(build_automaton(graph, role) for role in range(len(graph.roles)))
    flat = [flatten_classes(graph, role, levels) for role, levels in enumerate(automata)]
    form = lay_out_infosets(graph, automata, flat)
    tables = tuple(make_tables(graph, role, flat, form.role_slots) for role in range(len(graph.roles)))
    chosen, remaining = threads or len(os.sched_getaffinity(0)), count_remaining(graph)
    if symmetries is None:
        symmetries = bool(len(remaining)) and bool(remaining[0] >= LEAST_STEPS)
    found = find_symmetries(graph)[1:] if symmetries else ()
    first = find_first_slots(graph, automata, flat, found, form.role_slots) if found else np.zeros(0, np.int32)
    stops = tuple(find_stop(graph, levels) for levels in automata)
    return Walk(graph, automata, form, tables, remaining, stops, 1 + len(found), first, perf_counter() - start, chosen)


def find_stop(graph: StateGraph, automaton: tuple[ClassLevel, ...]) -> int:
    """Return the rounds after which a role has enough records for shards."""
    records: np.ndarray = np.ones(1)
    histories: np.ndarray = np.ones(1)
    for depth, (level, own) in enumerate(zip(graph.levels, automaton, strict=True)):
        if records.sum() >= SHARDS or histories.sum() > MAX_HELD:
            return depth
        size = len(automaton[depth + 1].moves) if depth + 1 < len(graph.levels) else 1
        records = np.bincount(own.child, np.repeat(records, np.diff(own.child_start)), minlength=size)
        reached = np.repeat(histories, np.diff(level.edge_start))[level.target >= 0]
        histories = np.bincount(level.target[level.target >= 0], reached)
    return len(graph.levels)
