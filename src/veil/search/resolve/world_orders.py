"""The worlds that a decision depends on: those that we hold possible, those that others hold possible there, and so on.

1. Order one: the worlds of our own belief, weighted by chance and by how all roles would have played (`PastPlay`).
2. Order two: the heaviest records of others among them. Each gives worlds that its role holds possible. Those that we
   know to be false are added: there we hold other records, and our strategy there is part of the solution.
3. Order three: the same for our records in those worlds, and so on.

All weights are relative to one prior. Let a record have the mass m in worlds that are collected already, because
another role's record in them was expanded; and let these be the share s of its own belief. Then its belief as a whole
has the mass m / s. If no record is left to be expanded, the worlds are closed: whoever is in one of them knows that all
others are, and what comes later is a game of its own.

If there is room for fewer worlds, there are two orders: records of others are drawn by their weight in our belief, and
a part of their beliefs stays (`thin_beliefs`). So all others in the tree hold several records of ours possible.
"""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np

from veil.belief import SAMPLERS, Bag, NoConsistentHistory, SamplerContext, TooManyWorlds
from veil.clock import has_passed
from veil.engine import Machine, observe_history
from veil.engine.lanes import percept_keys
from veil.equilibrium import Worlds
from veil.search.resolve.all_worlds import RecordWorlds, find_all_worlds, join_equal, name_worlds
from veil.search.resolve.config import ResolveConfig
from veil.search.resolve.past_play import PastPlay
from veil.search.resolve.thinning import draw_part, draw_per_group

LEAST_WEIGHT = 1e-12  # of a world, relative to the heaviest


class WorldRoom(NamedTuple):
    """How many worlds a search has room for, about, and how many records of others are in them at most."""

    worlds: int
    records: int


class CollectedWorlds(NamedTuple):
    """W worlds of all orders. R roles, `random` included."""

    histories: np.ndarray  # [W, T, R]
    states: np.ndarray  # [W, words]
    keys: np.ndarray  # [W, R] of all records
    weights: np.ndarray  # [W] relative to one prior; their sum is 1
    is_closed: bool  # no record is left whose beliefs could be added
    is_exact: bool  # every belief was exact
    states_visited: int

    def as_worlds(self, machine: Machine) -> Worlds:
        """Return the worlds as a growing tree takes them."""
        return Worlds(self.states, split_keys(machine, self.keys), self.weights)


class Collection:
    """Worlds under collection."""

    def __init__(self, machine: Machine, config: ResolveConfig, past: PastPlay, seed: int) -> None:
        self.machine, self.config, self.past, self.seed = machine, config, past, seed
        self.expanded: dict[int, set[int]] = {}  # records by role
        self.parts: list[CollectedWorlds] = []
        self.is_exact, self.is_thinned, self.states_visited = True, False, 0

    def begin(self, role_id: int, key: int, bag: Bag) -> None:
        """Collect the own belief of a role after its record with this key."""
        own = self._weigh([bag])
        own.keys[:, role_id] = key  # also where a world is only a guess
        self.expanded.setdefault(role_id, set()).add(key)
        self._add(join_equal(own, self.machine.program.chance), 1.0 / own.weights.sum())

    def draw_records(self, others: list[int], room: WorldRoom, rng: np.random.Generator) -> None:
        """Draw records of others by their weights; keep worlds with them, or a part if these do not fit."""
        worlds = self.join()
        names, which = np.unique(name_records(worlds.keys, others), return_inverse=True)
        mass = np.bincount(which, worlds.weights)
        drawn, weights = draw_part(mass, room.records, rng)
        factor = np.zeros(len(names))
        factor[drawn] = weights / mass[drawn]
        kept = np.flatnonzero(factor[which] > 0.0)
        stay, weights = draw_part((worlds.weights * factor[which])[kept], room.worlds, rng)
        self.is_thinned |= len(stay) < len(which)
        self.parts = [_take(worlds, kept[stay])._replace(weights=weights)]

    def thin_beliefs(self, role_id: int, key: int, others: list[int], limit: int) -> bool:
        """Keep about `limit` worlds, and return whether some are missing now or were before.

        The own belief stays; beside it, the beliefs after all records of others keep equally many worlds. The same
        records of the role stay everywhere, where others hold the same ones possible: else our strategy in these worlds
        would tell others who they are.
        """
        worlds = self.join()
        if not self.is_thinned and len(worlds.weights) <= limit:
            return False
        self.is_thinned, is_own = True, worlds.keys[:, role_id] == np.uint64(key)
        groups, which = np.unique(name_records(worlds.keys, others), return_inverse=True)
        names = name_records(worlds.keys ^ np.uint64(key), [role_id])
        kept, weights = draw_per_group(worlds.weights, which, names, is_own, max(1, limit // len(groups)))
        self.parts = [_take(worlds, kept)._replace(weights=weights)]
        return True

    def expand(self, role_id: int, chosen: list[tuple[int, int]], deadline: float | None = None) -> None:
        """Add what a role believes after each of these records: (key, place of a world with it)."""
        worlds = self.join()
        others = [role for role in self.expanded if role != role_id]
        keys = np.array([key for key, _ in chosen], np.uint64)
        beliefs, done = self._believe(role_id, worlds.histories[[place for _, place in chosen]], deadline)
        self.expanded.setdefault(role_id, set()).update(keys[:done].tolist())
        if beliefs is None:
            return
        is_known, is_held = (self._is_expanded(told, others) for told in (beliefs.keys, worlds.keys))
        held = np.array([worlds.weights[is_held & (worlds.keys[:, role_id] == key)].sum() for key in keys])
        size, mass, known = (
            np.bincount(beliefs.record, part, len(keys))
            for part in (np.ones(len(is_known)), beliefs.weights, beliefs.weights * is_known)
        )
        factor = held / np.maximum(np.maximum(known, mass / (1.0 + size)), 1e-300)
        self._add(beliefs.take(np.flatnonzero(~is_known)), factor[beliefs.record[~is_known]])

    def list_records(self, role_id: int) -> list[tuple[int, int]]:
        """Return the records of a role that are not expanded, heaviest first: (key, place of a world with it)."""
        worlds = self.join()
        keys, place, which = np.unique(worlds.keys[:, role_id], return_index=True, return_inverse=True)
        mass = np.bincount(which, worlds.weights)
        done = self.expanded.get(role_id, set())
        order = np.argsort(-mass, kind="stable").tolist()
        return [(int(keys[at]), int(place[at])) for at in order if int(keys[at]) not in done]

    def join(self) -> CollectedWorlds:
        """Return all worlds so far; those with almost no weight are left out."""
        if len(self.parts) > 1:
            columns = list(zip(*self.parts, strict=True))[:4]
            histories, states, keys, weights = (np.concatenate(column) for column in columns)
            _, first = np.unique(name_worlds(states, keys, self.machine.program.chance), return_index=True)
            joined = CollectedWorlds(histories, states, keys, weights, False, self.is_exact, self.states_visited)
            self.parts = [_take(joined, np.sort(first))]
        worlds = self.parts[0]
        return worlds._replace(is_exact=self.is_exact, states_visited=self.states_visited)

    def _add(self, worlds: RecordWorlds, factor: float | np.ndarray) -> None:
        if len(worlds.weights):
            _, histories, states, keys, weights = worlds
            self.parts.append(CollectedWorlds(histories, states, keys, weights * factor, False, self.is_exact, 0))

    def _weigh(self, bags: list[Bag | None]) -> RecordWorlds:
        """Return the worlds of several bags, weighted by how all roles would have played."""
        known = [bag for bag in bags if bag is not None]
        self.is_exact &= len(known) == len(bags) and all(bag.exact for bag in known)
        record = np.repeat(np.arange(len(bags)), [0 if bag is None else len(bag) for bag in bags])
        histories, states, weights = (
            np.concatenate([getattr(bag, name) for bag in known]) for name in ("histories", "states", "weights")
        )
        keys, ratio = self.past.compare_with_uniform(histories)
        return RecordWorlds(record, histories, states, keys, weights * ratio)

    def _believe(self, role_id: int, histories: np.ndarray, deadline: float | None) -> tuple[RecordWorlds | None, int]:
        """Return what a role believes after the records that histories [K, T, R] lead to, and how many are done.

        All worlds if they fit, else samples. A deadline may leave out the last records.
        """
        if self.is_exact:
            until = None if deadline is None else (perf_counter() + deadline) / 2
            room = self.config.worlds * len(histories)
            found = find_all_worlds(self.machine, self.past, role_id, histories, room, until)
            if found is not None:
                self.states_visited += len(found.record) * histories.shape[1]
                return found, len(histories)
        bags = []
        for history in histories:
            if has_passed(deadline):
                break
            bags.append(self._sample(role_id, history, deadline))
        if any(bag is not None for bag in bags):
            return join_equal(self._weigh(bags), self.machine.program.chance), len(bags)
        self.is_exact &= not bags
        return None, len(bags)

    def _sample(self, role_id: int, history: np.ndarray, deadline: float | None) -> Bag | None:
        """Return the belief of a role after a history; None if none was found."""
        count = max(1, self.config.worlds // (1 if self.is_exact else 4))
        sampler = SAMPLERS.make(self.config.sampler, SamplerContext(self.machine, role_id, count, self.seed))
        try:
            for own_move, percepts, over in observe_history(self.machine, history, role_id):
                sampler.observe(own_move, percepts, over, deadline)
            bag = sampler.worlds(count, np.random.default_rng(self.seed))
        except (NoConsistentHistory, TooManyWorlds):
            return None
        finally:
            self.states_visited += sampler.cost.states_visited
        self.is_exact &= bag.exact
        return bag

    def _is_expanded(self, keys: np.ndarray, roles: list[int]) -> np.ndarray:
        """Return for worlds with keys [W, R] whether one of these roles has a record there that was expanded."""
        known = np.zeros(len(keys), np.bool_)
        for role in roles:
            known |= np.isin(keys[:, role], np.array(sorted(self.expanded[role]), np.uint64))
        return known


def collect_worlds(
    collection: Collection,
    role_id: int,
    key: int,
    bag: Bag,
    deadline: float | None = None,
    room: WorldRoom | None = None,
) -> CollectedWorlds:
    """Return the worlds of all orders for a role after its record with this key, whose belief is a bag.

    If they do not fit into `room`, there are two orders, and of both a part that speaks for all.
    """
    collection.begin(role_id, key, bag)
    program, config = collection.machine.program, collection.config
    others = [role for role in program.serial_order if role not in (role_id, program.chance)]
    if room is not None:
        collection.draw_records(others, room, np.random.default_rng((collection.seed, key)))
    for order in range(2, config.orders + 1):
        for role in others if order % 2 == 0 else [role_id]:
            chosen = collection.list_records(role)[: config.records]
            if chosen and not has_passed(deadline):
                collection.expand(role, chosen, deadline)
        if room is not None and collection.thin_beliefs(role_id, key, others, room.worlds):
            break
    worlds = collection.join()
    is_closed = not collection.is_thinned and not any(collection.list_records(role) for role in [role_id, *others])
    worlds = _take(worlds, worlds.weights > LEAST_WEIGHT * worlds.weights.max())
    return worlds._replace(weights=worlds.weights / worlds.weights.sum(), is_closed=is_closed)


def name_records(keys: np.ndarray, roles: list[int]) -> np.ndarray:
    """Return a 64-bit name [N] of the records of these roles in worlds with keys [N, R]."""
    return percept_keys(keys[:, roles])


def split_keys(machine: Machine, keys: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the columns of keys [W, R] by role, with nothing for `random`."""
    chance = machine.program.chance
    return tuple(keys[:, role] if role != chance else keys[:0, role] for role in range(keys.shape[1]))


def _take(worlds: CollectedWorlds, kept: np.ndarray) -> CollectedWorlds:
    return worlds._replace(
        histories=worlds.histories[kept],
        states=worlds.states[kept],
        keys=worlds.keys[kept],
        weights=worlds.weights[kept],
    )
