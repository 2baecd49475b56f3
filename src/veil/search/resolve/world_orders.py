"""The worlds that a decision depends on: those that we hold possible, those that others hold possible there, and so on.

1. Order one: the worlds of our own belief, weighted by chance and by how all roles would have played (`PastPlay`).
2. Order two: the heaviest records of others among them. Each gives worlds that its role holds possible. Those that we
   know to be false are added: there we hold other records, and our strategy there is part of the solution.
3. Order three: the same for our records in those worlds, and so on.

All weights are relative to one prior. Let a record have the mass m in worlds that are collected already, because
another role's record in them was expanded; and let these be the share s of its own belief. Then its belief as a whole
has the mass m / s. If no record is left to be expanded, the worlds are closed: whoever is in one of them knows that all
others are, and what comes later is a game of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.belief import SAMPLERS, Bag, NoConsistentHistory, SamplerContext, TooManyWorlds, history_keys
from veil.clock import has_passed
from veil.engine import Machine, observe_history
from veil.equilibrium import Worlds
from veil.search.resolve.config import ResolveConfig
from veil.search.resolve.past_play import PastPlay

LEAST_WEIGHT = 1e-12  # of a world, relative to the heaviest


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
        self.is_exact, self.states_visited = True, 0

    def begin(self, role_id: int, key: int, bag: Bag) -> None:
        """Collect the own belief of a role after its record with this key."""
        own = self._weigh(bag)
        own.keys[:, role_id] = key  # also where a world is only a guess
        self.expanded.setdefault(role_id, set()).add(key)
        self._add(own, 1.0 / own.weights.sum())

    def expand(self, role_id: int, key: int, history: np.ndarray, deadline: float | None = None) -> None:
        """Add what a role believes after its record with this key, which a history [T, R] leads to."""
        worlds = self.join()
        bag = self._believe(role_id, history, deadline)
        others = [role for role in self.expanded if role != role_id]
        self.expanded.setdefault(role_id, set()).add(key)
        if bag is None:
            self.is_exact = False
            return
        belief = self._weigh(bag)
        belief = belief._replace(weights=belief.weights / belief.weights.sum())
        is_known = self._is_expanded(belief.keys, others)
        is_held = (worlds.keys[:, role_id] == np.uint64(key)) & self._is_expanded(worlds.keys, others)
        share = max(belief.weights[is_known].sum(), 1.0 / (1 + len(bag)))
        self._add(_take(belief, ~is_known), worlds.weights[is_held].sum() / share)

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
            _, first = np.unique(history_keys(histories), return_index=True)
            joined = CollectedWorlds(histories, states, keys, weights, False, self.is_exact, self.states_visited)
            self.parts = [_take(joined, np.sort(first))]
        worlds = self.parts[0]
        return worlds._replace(is_exact=self.is_exact, states_visited=self.states_visited)

    def _add(self, worlds: CollectedWorlds, factor: float) -> None:
        if len(worlds.weights):
            self.parts.append(worlds._replace(weights=worlds.weights * factor))

    def _weigh(self, bag: Bag) -> CollectedWorlds:
        """Return the worlds of a bag, weighted by how all roles would have played."""
        keys, ratio = self.past.compare_with_uniform(bag.histories)
        weights = bag.weights * ratio
        self.is_exact &= bag.exact
        return CollectedWorlds(bag.histories, bag.states, keys, weights, False, bag.exact, 0)

    def _believe(self, role_id: int, history: np.ndarray, deadline: float | None) -> Bag | None:
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
        return bag

    def _is_expanded(self, keys: np.ndarray, roles: list[int]) -> np.ndarray:
        """Return for worlds with keys [W, R] whether one of these roles has a record there that was expanded."""
        known = np.zeros(len(keys), np.bool_)
        for role in roles:
            known |= np.isin(keys[:, role], np.array(sorted(self.expanded[role]), np.uint64))
        return known


def collect_worlds(
    collection: Collection, role_id: int, key: int, bag: Bag, deadline: float | None = None
) -> CollectedWorlds:
    """Return the worlds of all orders for a role after its record with this key, whose belief is a bag."""
    collection.begin(role_id, key, bag)
    program, config = collection.machine.program, collection.config
    others = [role for role in program.serial_order if role not in (role_id, program.chance)]
    for order in range(2, config.orders + 1):
        for role in others if order % 2 == 0 else [role_id]:
            for record, place in collection.list_records(role)[: config.records]:
                if not has_passed(deadline):
                    collection.expand(role, record, collection.join().histories[place], deadline)
    worlds = collection.join()
    is_closed = not any(collection.list_records(role) for role in [role_id, *others])
    worlds = _take(worlds, worlds.weights > LEAST_WEIGHT * worlds.weights.max())
    return worlds._replace(weights=worlds.weights / worlds.weights.sum(), is_closed=is_closed)


def thin_out(worlds: CollectedWorlds, is_own: np.ndarray, limit: int, rng: np.random.Generator) -> CollectedWorlds:
    """Return at most `limit` worlds; those of the own belief [W] get half of the places, or all that others leave.

    Worlds that stay speak for those that do not: weights are right in expectation.
    """
    if len(worlds.weights) <= limit:
        return worlds
    own, others = np.flatnonzero(is_own), np.flatnonzero(~is_own)
    places = min(len(own), max(limit // 2, limit - len(others)))
    drawn = [draw_part(worlds.weights[part], count, rng) for part, count in ((own, places), (others, limit - places))]
    place = np.concatenate([part[chosen] for part, (chosen, _) in zip((own, others), drawn, strict=True)])
    weights = np.concatenate([part for _, part in drawn])
    kept = _take(worlds, place)
    return kept._replace(weights=weights / weights.sum(), is_closed=False, is_exact=False)


def draw_part(weights: np.ndarray, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw at most `count` of these positive weights [W]; return their places, ascending, and their new weights.

    Each is drawn with a probability p in proportion to its weight, or surely, and gets its weight divided by p.
    """
    if len(weights) <= count:
        return np.arange(len(weights)), weights
    order = np.argsort(-weights, kind="stable")
    rest = np.cumsum(weights[order][::-1])[::-1]  # of a weight and all smaller ones
    is_sure = weights[order] * (count - np.arange(len(order))) >= rest
    sure = int(np.argmin(is_sure))  # the first that is not sure
    chance = np.ones(len(weights))
    small = order[sure:]
    chance[small] = weights[small] * (count - sure) / rest[sure]
    ticks = np.cumsum(np.concatenate(([rng.random()], chance[small])))
    drawn = np.sort(np.concatenate((order[:sure], small[np.diff(np.floor(ticks)) >= 1.0])))
    return drawn, weights[drawn] / chance[drawn]


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
