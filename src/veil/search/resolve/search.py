"""`resolve`: solve the part of the game that is left.

1. Before the first decision: build the tree from the start of the game, as far as the budget goes, and solve it. Its
   strategies say how all roles are taken to have played. If the whole game fits, its solution is the answer to all
   questions.
2. At a decision: collect worlds of all orders (`world_orders`), weighted by the strategies of earlier searches.
3. Grow and solve the tree below them (`subgame`).
4. Answer with the average policy at the record, and remember the strategies of all roles for later decisions.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from veil.caches import BoundedCache
from veil.engine import Game, root_keys
from veil.equilibrium import Worlds
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask
from veil.search.playouts.style import FORESIGHT
from veil.search.resolve.config import ResolveConfig
from veil.search.resolve.past_play import PastPlay
from veil.search.resolve.subgame import InfosetStrategy, PlayoutRule, Subgame
from veil.search.resolve.world_orders import CollectedWorlds, Collection, collect_worlds, split_keys
from veil.search.walks.contract import find_record_key

WORLDS_SHARE = 0.3  # of the time of a decision, at most, for worlds of higher orders
START_SHARE = 0.8  # of the start clock
START_SEED = 0  # the search from the start is the same for all players

_starts: BoundedCache[tuple[object, ...], Subgame] = BoundedCache(4)


class ResolveSearch:
    """A search that solves subgames. What it learns about records survives between the moves of a match."""

    def __init__(self, task: SearchTask, config: ResolveConfig) -> None:
        self.task, self.config = task, config
        self.machine, self.past = task.game.machine, PastPlay(task.game.machine, config.mix)
        deadline = None if task.start_seconds is None else perf_counter() + START_SHARE * task.start_seconds
        start = solve_start(task.game, config, deadline)
        self.players = start.growing.players
        self.solved = start if start.is_complete else None
        self._remember(start)

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the strategy after this record."""
        role_id, key = self.task.role_id, find_record_key(self.task.game, question.record)
        if self.solved is not None:
            known = self.solved.find_infoset(role_id, key)
            if known is not None:
                return self._answer(known, self.solved, None)
        begin = perf_counter()
        bag = question.belief.worlds(self.config.worlds, rng)
        until = None if budget.deadline is None else begin + WORLDS_SHARE * (budget.deadline - begin)
        collection = Collection(self.machine, self.config, self.past, self.task.seed)
        worlds = collect_worlds(collection, role_id, key, bag, until)
        subgame = Subgame(self.task.game, worlds.as_worlds(self.machine), make_rule(self.config, question.seed))
        frontier = subgame.growing.frontier.level
        own = np.flatnonzero(frontier.keys[role_id] == np.uint64(key))
        run_subgame(subgame, self.config, own, budget.deadline)
        self._remember(subgame)
        known = subgame.find_infoset(role_id, key)
        if known is None:
            raise ValueError("a record without a choice was searched")
        return self._answer(known, subgame, worlds)

    def _remember(self, subgame: Subgame) -> None:
        for role_id in self.players:
            self.past.add(role_id, subgame.strategies(role_id))

    def _answer(self, known: InfosetStrategy, subgame: Subgame, worlds: CollectedWorlds | None) -> Answer:
        utility = self.task.game.utility
        details = {
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


def solve_start(game: Game, config: ResolveConfig, deadline: float | None = None) -> Subgame:
    """Return the subgame from the start of a game, solved as far as the budget goes.

    Without a deadline it depends on the game and the config alone, and is computed once per process.
    """
    key = (game.fingerprint, game.utility, game.limits, config)
    found = _starts.find(key) if deadline is None else None
    if found is not None:
        return found
    machine = game.machine
    worlds = Worlds(machine.initial_states(), split_keys(machine, root_keys(machine, 1)), np.ones(1))
    subgame = Subgame(game, worlds, make_rule(config, (START_SEED,)))
    run_subgame(subgame, config, np.arange(len(subgame.growing.frontier)), deadline)
    return _starts.keep(key, subgame) if deadline is None else subgame


def run_subgame(subgame: Subgame, config: ResolveConfig, first: np.ndarray, deadline: float | None) -> None:
    """Grow these leaves first; then grow and solve until the deadline or, without one, for the work of the config."""
    subgame.grow_first(first, config.nodes)
    if deadline is None:
        subgame.run_work(config.nodes, config.iterations)
    else:
        subgame.run_until(deadline, config.nodes)


def make_rule(config: ResolveConfig, seed: tuple[int, ...]) -> PlayoutRule:
    """Return how leaves are valued."""
    return PlayoutRule(config.playouts, FORESIGHT[config.playout], seed)
