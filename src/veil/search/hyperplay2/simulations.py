"""HyperPlay-II: imperfect-information simulations (Schofield & Thielscher 2019, section 6, equations 20 to 22).

1. Take worlds of the own infoset. Replay each from the start, so that every role has the record it would have there.
2. For every own move: play it, and go on to the end with a HyperPlayer in every role, each knowing its own record only
   (20). All simulations run side by side, a lane each.
3. The value of a move is the mean of the own goals, weighted by the worlds' probabilities (21); the best one is chosen
   (22).

An information-gathering move pays here, because the own HyperPlayer of the simulation knows no more than its record.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter
from typing import Literal

import numpy as np

from veil.belief import Bag
from veil.engine import Machine, tiny_game
from veil.engine.lanes import unpack
from veil.errors import fail
from veil.registry import check_options, option
from veil.search.contract import TIE, Answer, SearchBudget, SearchQuestion, SearchTask, answer_by_values
from veil.search.hyperplay2.nested import NestedPlayers, NestedSampler, OutOfTime, warm_up as warm_up_nested
from veil.search.hyperplay2.pruning_spec import CUTS, Pruning, PruningSpec, check_cut
from veil.search.hyperplay2.records import SimulatedGames
from veil.search.opponents.modelled import ModelledOpponents, ReadConfig
from veil.search.playouts.montecarlo import (
    HyperPlayConfig,
    MonteCarloSearch,
    expected_values,
    paced_batches,
    playouts_per_world,
)
from veil.search.playouts.style import PLAYOUT, Playout, PlayoutStyle
from veil.streams import derive_seed

MAX_ROUNDS = 1000  # of a simulation
WORK = 50_000_000  # states: about a second
MAX_MODELS = 1 << 12  # of the players of one role, in simulations side by side, if players keep nothing
NOBODY = -1  # for kernels: no role
FALLBACK = 0.2  # share of the time that HyperPlay's values may take first


@dataclass(frozen=True, slots=True, kw_only=True)
class HyperPlay2Config:
    """Models of the infoset, simulations per model and move; models and playouts of the nested players."""

    models: int = option(20, "worlds that are simulated", limit="worlds")
    simulations: int = option(2, "per world and move", limit="playouts")
    nested_models: int = option(6, "of the players inside a simulation", limit="worlds")
    nested_playouts: int = option(6, "of the players inside a simulation", limit="playouts")
    playout: Playout = option("uniform", PLAYOUT + ", of the players inside")
    discount: float = option(1.0, "of a goal per round until it is reached", limit="share")
    cut_on_win: str | None = option(None, f"the best score, {CUTS}: a move that reaches it on average is taken")
    prune_on_depth: bool = option(False, "simulations longer than the shortest win of their world count as lost")
    work: int = option(
        WORK, "states for a move, at most; decisions and tests of the players inside count as more", limit="states"
    )
    sampler: str = option("auto", "how worlds are found: a row of `veil samplers`", table="veil.belief:SAMPLERS")
    opponents: str = option("uniform", "how the others play: a row of `veil opponents`", table="veil.search:OPPONENTS")

    nested_opponents: Literal["uniform", "hyperplay"] = option(
        "uniform", "how the players inside take the others to play: at random, or they read them"
    )
    nested_sampler: NestedSampler = option(
        "states", "how the players inside find worlds: merged states, or `hyperplay`, HyperGames as the article has it"
    )
    memo: bool = option(False, "the players inside decide once per record for a match, and not in every simulation")

    def __post_init__(self) -> None:
        check_options(self)
        if self.nested_sampler == "hyperplay" and self.nested_opponents != "uniform":
            raise fail("bad-option", what="nested_sampler=hyperplay takes the others to play uniformly")
        check_cut(self.cut_on_win)

    def read_others(self, machine: Machine, seed: int) -> ModelledOpponents | None:
        """Return the players' model of the others; None means uniform play."""
        if self.nested_opponents == "uniform":
            return None
        budget = ReadConfig(models=self.nested_models, playouts=self.nested_playouts, playout=self.playout)
        return ModelledOpponents(machine, budget, derive_seed(seed, 1))

    @property
    def wishes(self) -> PruningSpec:
        """What is left out or counted differently."""
        return PruningSpec(discount=self.discount, cut_on_win=self.cut_on_win, prune_on_depth=self.prune_on_depth)

    @property
    def worlds(self) -> int:
        """The number of worlds that the belief is asked for."""
        return self.models

    def searcher(self, task: SearchTask) -> HyperPlay2Search:
        """Return a searcher for one role of one match."""
        return HyperPlay2Search(task, self)


class HyperPlay2Search:
    """Simulations with a HyperPlayer in every role, equations (20) to (22).

    With `memo` the nested players serve a whole match; without it, one simulation.
    """

    def __init__(self, task: SearchTask, config: HyperPlay2Config) -> None:
        self.task, self.config = task, config
        machine = task.game.machine
        warm_up()  # now, before a clock runs
        self.nested = NestedPlayers(
            machine,
            models=config.nested_models,
            playouts=config.nested_playouts,
            seed=task.seed,
            style=PlayoutStyle.of(config.playout, config.discount),
            opponents=config.read_others(machine, task.seed),
            sampler=config.nested_sampler,
            memo=config.memo,
        )
        self.chance = machine.program.chance
        self.pruning = config.wishes.of_game(task.game, task.role_id)
        fallback = HyperPlayConfig(models=config.models, playout=config.playout, discount=config.discount)
        self._fallback = MonteCarloSearch(task, fallback)

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the best moves after this record; HyperPlay's moves if not even one world is simulated in time.

        Without a deadline, all worlds are simulated side by side, as often as the config says. If half of the work is
        used up before all have ended once, the other half goes to one world after the other.
        """
        bag = question.belief.worlds(self.config.models, rng)
        before, fallback = self.nested.states_visited, None
        if budget.deadline is not None:
            now = perf_counter()
            early = SearchBudget(now + FALLBACK * (budget.deadline - now))
            fallback = self._fallback.value(bag, question.seed, early)
        runs = Simulations(self.nested, self.task.role_id, bag, self.chance, self.pruning)
        if budget.deadline is None:
            runs.add_within(
                self.config.work, playouts_per_world(self.config.models * self.config.simulations, bag), rng
            )
        else:
            runs.add_until(budget.deadline, rng)
        if not runs.playouts:
            answer = fallback or self._fallback.value(bag, question.seed, SearchBudget())
            return replace(answer, bag=bag, details={"fallback": "playouts"})
        visited = runs.states_visited + self.nested.states_visited - before
        return replace(runs.answer(), states_visited=visited, bag=bag)


class Simulations:
    """The paths of all simulations of a decision. P paths."""

    def __init__(self, players: NestedPlayers, role: int, bag: Bag, chance: int | None, pruning: Pruning) -> None:
        self.players, self.machine, self.role, self.bag = players, players.machine, role, bag
        self.chance, self.pruning = chance, pruning
        self._random = NOBODY if chance is None else chance
        self.states_visited = 0
        self._layout = self.machine.row_layout()
        self.records = self._replay(np.arange(len(bag)))  # [N, R] in each world
        legal = unpack(self.machine.judge(bag.states).legal[role], len(self.machine.program.moves[role]))
        self.world, self.move = np.nonzero(legal)
        self.sums, self.goals, self.counts = (np.zeros(len(self.world)) for _ in range(3))
        self.shortest = np.full(len(bag), MAX_ROUNDS)  # [N] rounds of the shortest win in each world
        self.playouts = self.pruned = 0

    def add(self, simulations: int, rng: np.random.Generator) -> None:
        """Run `simulations` more simulations for every (world, move)."""
        self._add(np.arange(len(self.world)), simulations, rng)

    def add_within(self, work: int, simulations: int, rng: np.random.Generator) -> None:
        """Run `simulations` simulations for every (world, move), as far as the work allows; perhaps none.

        All worlds are simulated side by side. If they have not ended with half of the work, one world after the other
        gets one simulation per move.
        """
        begin = self.players.work
        try:
            self.players.max_work = begin + work // 2
            self.add(simulations, rng)
        except OutOfTime:
            if not self.playouts:
                self._add_worlds(begin + work, rng)
        finally:
            self.players.max_work = None

    def _add_worlds(self, max_work: int, rng: np.random.Generator) -> None:
        """Run one simulation for every move of one world after the other, until the work is used up."""
        self.players.max_work = max_work
        try:
            for world in rng.permutation(len(self.bag)).tolist():
                self._add(np.flatnonzero(self.world == world), 1, rng)
        except OutOfTime:
            pass  # unfinished simulations are lost

    def add_until(self, deadline: float, rng: np.random.Generator) -> None:
        """Run simulations for every (world, move) until the deadline, a world at a time; perhaps none."""
        order = rng.permutation(len(self.bag))
        self.players.deadline = deadline
        try:
            for worlds, times in paced_batches(len(self.bag), deadline):
                if self._has_cut():
                    break
                self._add(np.flatnonzero(np.isin(self.world, order[worlds])), times, rng)
        except OutOfTime:
            pass  # unfinished simulations are lost
        finally:
            self.players.deadline = None

    def _add(self, pairs: np.ndarray, simulations: int, rng: np.random.Generator) -> None:
        """Run `simulations` simulations for each of these pairs: side by side, or move by move if that prunes."""
        if not self.pruning.takes_turns:
            self._add_together(np.repeat(pairs, simulations), rng)
            return
        for move in rng.permutation(np.unique(self.move[pairs])).tolist():
            if self._has_cut():
                return
            self._add_together(np.repeat(pairs[self.move[pairs] == move], simulations), rng)

    def _add_together(self, pair: np.ndarray, rng: np.random.Generator) -> None:
        """Run one simulation for each of these pairs, which may repeat.

        Players that keep nothing are made for some simulations at a time: memory is limited.
        """
        at_once = len(pair) if self.players.memo else max(1, MAX_MODELS // self.players.budget.models)
        for first in range(0, len(pair), max(1, at_once)):
            if not self.players.memo:
                self.players.forget()
            self._add_some(pair[first : first + at_once], rng)

    def _add_some(self, pair: np.ndarray, rng: np.random.Generator) -> None:
        """Run one simulation for each of these pairs, side by side."""
        goals, lengths = self._run(pair, rng)
        size = len(self.world)
        self.sums += np.bincount(pair, goals * self.pruning.discount**lengths, minlength=size)
        self.goals += np.bincount(pair, goals, minlength=size)
        self.counts += np.bincount(pair, minlength=size)
        self.playouts += len(pair)
        if self.pruning.win_at is not None:
            won = goals >= self.pruning.win_at
            np.minimum.at(self.shortest, self.world[pair[won]], lengths[won])

    def answer(self) -> Answer:
        """Return the values so far (21) of the moves that were simulated."""
        moves, values = expected_values(self.move, self.bag.weights[self.world], self.sums, self.counts)
        visits = np.bincount(self.move, self.counts)[moves]
        some, visited = visits > 0, self.states_visited + self.players.states_visited
        if not some.any():
            some = ~some
        return answer_by_values(moves[some], values[some], visits[some], self.playouts, visited)

    def _has_cut(self) -> bool:
        """Return whether a move that was simulated in all of its worlds has reached the best score (cut on win)."""
        if self.pruning.cut_at is None:
            return False
        moves, means = expected_values(self.move, self.bag.weights[self.world], self.goals, self.counts)
        untried = np.bincount(self.move, self.counts == 0)[moves]
        return bool((means[untried == 0] >= self.pruning.cut_at - TIE).any())

    def _replay(self, world: np.ndarray, rng: np.random.Generator | None = None) -> np.ndarray:
        """Return the number [P, R] of every role's record in these worlds [P]; with `rng`, of players of their own."""
        from veil.search.hyperplay2.simulation_kernels import replay_records  # imports numba

        histories = np.require(self.bag.histories[world], np.int64, ("C", "W"))
        self.states_visited += histories.shape[0] * histories.shape[1]
        records = self.players.records
        if rng is None:
            start = np.tile(np.arange(histories.shape[2]), (len(world), 1))
        else:
            start = records.add_starts(rng.integers(0, 2**64, len(world), np.uint64))
        table, state = records.make_room(histories.size), self.machine.initial_states()
        found: np.ndarray = replay_records(
            self.machine.code, self._layout, table, self._random, state, histories, start
        )
        return found

    def _run(self, pair: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return (own goals [P], rounds [P]) of simulations that begin with these pairs."""
        from veil.search.hyperplay2.simulation_kernels import close_round, open_round  # imports numba

        players, code, games = self.players, self.machine.code, self._begin(pair, rng)
        for number in range(MAX_ROUNDS + 1):
            self.pruned += int(open_round(code, self._layout, self.role, games, number))
            alive = int(games.alive[0])
            if not alive:
                break
            players.check_clock()
            beginner = self.role if number == 0 else NOBODY
            self._think(games, beginner)
            table, values = players.records.make_room(alive * games.record.shape[1]), players.valued.pool
            close_round(code, self._layout, table, values, games, self._random, beginner)
            self.states_visited += alive
        return games.goals, games.rounds

    def _begin(self, pair: np.ndarray, rng: np.random.Generator) -> SimulatedGames:
        """Return a simulation for each of these pairs, before its first move."""
        world, count = self.world[pair], len(pair)
        return SimulatedGames(
            state=self.bag.states[world],
            record=self.records[world] if self.players.memo else self._replay(world, rng),
            legal=np.zeros((count, int(self._layout.legal[-1])), np.uint64),
            number=np.arange(count),
            first_move=self.move[pair],
            last=self.shortest[world],
            goals=np.zeros(count),
            rounds=np.zeros(count, np.int64),
            alive=np.array([count]),
            rng=rng.integers(0, 2**64, 1, np.uint64),
        )

    def _think(self, games: SimulatedGames, beginner: int) -> None:
        """Compute values for all roles that have a choice in some game, except the role with a given first move."""
        from veil.search.hyperplay2.simulation_kernels import list_undecided  # imports numba

        for role in range(len(self.machine.program.roles)):
            if role not in (beginner, self.chance):
                undecided = list_undecided(self.players.records.arrays, self._layout, games, role)
                if len(undecided):
                    self.players.think(role, undecided)


def simulate_moves(
    players: NestedPlayers,
    role: int,
    bag: Bag,
    chance: int | None,
    simulations: int,
    rng: np.random.Generator,
    pruning: Pruning | None = None,
) -> Answer:
    """Return the values of all own moves by `simulations` simulations per move and world."""
    runs = Simulations(players, role, bag, chance, pruning or Pruning())
    runs.add(simulations, rng)
    return runs.answer()


@cache
def warm_up() -> None:
    """Compile the kernels of simulations and of the players in them, once per process, with a tiny game."""
    warm_up_nested()
    machine, role = tiny_game().machine, tiny_game().program.serial_order[-1]
    nothing = np.zeros((1, 0, len(machine.program.roles)), np.int32)
    bag = Bag(histories=nothing, states=machine.initial_states(), weights=np.ones(1), sampler="start")
    for players in (
        NestedPlayers(machine, models=2, playouts=2, seed=0),
        NestedPlayers(machine, models=2, playouts=2, seed=0, sampler="hyperplay", memo=False),
    ):
        simulate_moves(players, role, bag, machine.program.chance, 1, np.random.default_rng(0))
