"""`resolve`: solve the part of the game that is left.

1. Before the first decision: build the tree from the start of the game, as far as the budget goes, and solve it. Its
   strategies say how all roles are taken to have played.
2. At a decision: collect worlds of all orders (`world_orders`), weighted by the strategies of earlier searches.
3. Grow and solve the tree below them (`subgame`).
4. Answer with the average policy at the record, and remember the strategies of all roles for later decisions.
5. If the last tree was grown to all ends of the game and holds the record, its solution is the answer. So a game that
   fits as a whole is solved once.

Without a clock, a search depends on the game, the config, the seed and the record alone: own decisions before the
record that were not asked about are searched first.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np

from veil.belief import SAMPLERS, Bag, SamplerContext
from veil.caches import BoundedCache
from veil.engine import Game, Machine, Record, encode, root_keys, tiny_game
from veil.equilibrium import Worlds, warm_up_entries
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask
from veil.search.playouts.style import FORESIGHT
from veil.search.resolve.config import ResolveConfig
from veil.search.resolve.gadgets import make_crown
from veil.search.resolve.past_play import PastPlay
from veil.search.resolve.subgame import InfosetStrategy, PlayoutRule, Subgame
from veil.search.resolve.world_orders import CollectedWorlds, Collection, WorldRoom, collect_worlds, split_keys
from veil.search.walks.contract import find_record_key

NODES_PER_SECOND = 150_000  # by which a tree grows, about
LEAST_WORLDS = 32
WORLDS_PER_SECOND = 2000  # of the time that is left, where replies do not fit: each world takes playouts first
RECORDS = 1.5  # times the square root of the worlds: records of others, where replies fit
WORLDS_SHARE = 0.3  # of the time of a decision, at most, for worlds of higher orders
ANSWER_SHARE = 0.15  # of the time of a decision, for what comes after the last iteration
START_SHARE = 0.4  # of the start clock
CLOCK_NODES = 400_000  # of a tree under a clock, at most: what a long clock fills, and memory bears
START_SEED = 0  # the search from the start is the same for all players
MAX_SEARCHES = 64  # that a process keeps

_searches: BoundedCache[tuple[object, ...], tuple[Subgame, CollectedWorlds | None]] = BoundedCache(MAX_SEARCHES)


class ResolveSearch:
    """A search that solves subgames. What it learns about records survives between the moves of a match."""

    def __init__(self, task: SearchTask, config: ResolveConfig) -> None:
        self.task, self.config = task, config
        self.machine, self.past = task.game.machine, PastPlay(task.game.machine, config.mix)
        warm_up()
        deadline = None if task.start_seconds is None else perf_counter() + START_SHARE * task.start_seconds
        self.worlds: CollectedWorlds | None = None
        self._remember(solve_start(task.game, config, deadline))
        self.rounds = -1  # before the last decision that was searched

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the strategy after this record."""
        if budget.deadline is None:
            self._catch_up(question.record)
        answer = self._decide(question.record, question.belief.worlds(self.config.worlds, rng), budget.deadline)
        if answer is None:
            raise ValueError("a record without a choice was searched")
        return answer

    def _catch_up(self, record: Record) -> None:
        """Search at own decisions before a record that were not searched yet."""
        role_id = self.task.role_id
        missing = range(self.rounds + 1, len(record.rounds))
        if not missing or (self.subgame.is_complete and self.subgame.find_infoset(role_id, self._key(record))):
            return
        context = SamplerContext(self.machine, role_id, self.config.worlds, self.task.seed)
        sampler = SAMPLERS.make(self.config.sampler, context)
        for number, entry in enumerate(encode(self.task.game, record)):
            if number in missing:
                bag = sampler.worlds(self.config.worlds, np.random.default_rng(self.task.seed))
                if has_choice(self.machine, role_id, bag):
                    self._decide(Record(record.role, record.rounds[:number]), bag, None)
            sampler.observe(*entry)

    def _decide(self, record: Record, bag: Bag, deadline: float | None) -> Answer | None:
        """Return the strategy after a record with this belief; None if there is no choice."""
        role_id, key = self.task.role_id, self._key(record)
        if deadline is not None:
            deadline -= ANSWER_SHARE * (deadline - perf_counter())
        self.rounds = len(record.rounds)
        known = self.subgame.find_infoset(role_id, key) if self.subgame.is_complete else None
        if known is None:
            game, seed = self.task.game, self.task.seed
            name = (game.fingerprint, game.utility, game.limits, self.config, role_id, seed, key)
            found = _searches.find(name) if deadline is None else None
            subgame, worlds = found or self._solve(key, bag, deadline)
            if deadline is None:
                _searches.keep(name, (subgame, worlds))
            self.worlds = worlds
            self._remember(subgame)
            known = subgame.find_infoset(role_id, key)
        return None if known is None else self._answer(known)

    def _solve(self, key: int, bag: Bag, deadline: float | None) -> tuple[Subgame, CollectedWorlds]:
        """Collect worlds, and solve the game below them."""
        begin, role_id, seed = perf_counter(), self.task.role_id, self.task.seed
        until = None if deadline is None else begin + WORLDS_SHARE * (deadline - begin)
        collection = Collection(self.machine, self.config, self.past, seed)
        room, replies_fit = self._find_room(bag, deadline)
        worlds = collect_worlds(collection, role_id, key, bag, until, room)
        rule = make_rule(self.config, (seed, key))
        crown = make_crown(worlds, self.subgame, role_id, self.config.gadget)
        is_own = worlds.keys[:, role_id] == np.uint64(key) if collection.is_thinned and replies_fit else None
        subgame = Subgame(self.task.game, worlds.as_worlds(self.machine), rule, crown, is_own)
        own = np.flatnonzero(subgame.growing.frontier.level.keys[role_id] == np.uint64(key))
        run_subgame(subgame, self.config, own, deadline, self.past)
        return subgame, worlds

    def _find_room(self, bag: Bag, deadline: float | None) -> tuple[WorldRoom | None, bool]:
        """Return how many worlds there is room for, and whether the own move and a reply fit in all of them.

        If they fit in too few worlds, more worlds say more than replies do.
        """
        bits = self.machine.legal_bits(self.machine.judge(bag.states[:1]))[self.task.role_id]
        moves = max(1, int(bits.sum()))
        seconds = None if deadline is None else deadline - perf_counter()
        nodes = self.config.nodes if seconds is None else NODES_PER_SECOND * seconds
        worlds = int(2.0 * nodes / moves**2)
        if worlds >= LEAST_WORLDS:
            return WorldRoom(worlds, int(RECORDS * worlds**0.5)), True
        if seconds is None:
            return None, False
        worlds = max(LEAST_WORLDS, int(WORLDS_PER_SECOND * seconds))
        return WorldRoom(worlds, worlds // 2), False

    def _key(self, record: Record) -> int:
        return find_record_key(self.task.game, record)

    def _remember(self, subgame: Subgame) -> None:
        self.subgame = subgame
        for role_id in subgame.growing.players:
            self.past.add(role_id, subgame.strategies(role_id))

    def _answer(self, known: InfosetStrategy) -> Answer:
        subgame, worlds, utility = self.subgame, self.worlds, self.task.game.utility
        details: dict[str, Any] = {
            "opponents": "equilibrium of the tree",
            "nodes": subgame.growing.num_nodes,
            "iterations": subgame.solver.iterations,
            "complete": subgame.is_complete,
        }
        if worlds is not None:
            details |= {"worlds": len(worlds.weights), "closed": worlds.is_closed}
        return Answer(
            moves=known.moves,
            strategy=known.average,
            values=known.values * utility.scale + utility.zero,
            visits=np.zeros(len(known.moves)),
            playouts=subgame.playouts,
            states_visited=subgame.states_visited + (0 if worlds is None else worlds.states_visited),
            details=details,
        )


def has_choice(machine: Machine, role_id: int, bag: Bag) -> bool:
    """Return whether a role has several legal moves in the first world of a bag."""
    bits = machine.legal_bits(machine.judge(bag.states[:1]))[role_id]
    return int(bits.sum()) > 1


def solve_start(game: Game, config: ResolveConfig, deadline: float | None = None) -> Subgame:
    """Return the subgame from the start of a game, solved as far as the budget goes.

    Without a deadline it depends on the game and the config alone, and is computed once per process.
    """
    name = (game.fingerprint, game.utility, game.limits, config)
    found = _searches.find(name) if deadline is None else None
    if found is not None:
        return found[0]
    machine = game.machine
    worlds = Worlds(machine.initial_states(), split_keys(machine, root_keys(machine, 1)), np.ones(1))
    subgame = Subgame(game, worlds, make_rule(config, (START_SEED,)))
    config = replace(config, nodes=config.start_nodes or config.nodes)
    run_subgame(subgame, config, np.arange(len(subgame.growing.frontier)), deadline)
    if deadline is None:
        _searches.keep(name, (subgame, None))
    return subgame


def run_subgame(
    subgame: Subgame,
    config: ResolveConfig,
    first: np.ndarray,
    deadline: float | None = None,
    past: PastPlay | None = None,
) -> None:
    """Grow these leaves first; then grow and solve until the deadline or, without one, for the work of the config.

    `past` are strategies of earlier searches to begin with.
    """
    nodes = config.nodes if deadline is None else max(config.nodes, CLOCK_NODES)
    subgame.grow_first(first, nodes, deadline)
    if past is not None:
        subgame.begin_with(past)
    if deadline is None:
        subgame.run_work(config.nodes, config.iterations)
    else:
        subgame.run_until(deadline, nodes)


def make_rule(config: ResolveConfig, seed: tuple[int, ...]) -> PlayoutRule:
    """Return how leaves are valued."""
    return PlayoutRule(config.playouts, FORESIGHT[config.playout], seed)


@cache
def warm_up() -> None:
    """Compile the kernels of resolving, once per process, with a tiny game."""
    subgame = solve_start(tiny_game(), ResolveConfig(nodes=50, iterations=1))
    subgame.find_best_values(subgame.growing.players[0])
    warm_up_entries(subgame.solver.form)
