"""Players that search: HyperPlay, HyperPlay-II, and the Cheat that knows the true state."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from veil.belief import Bag
from veil.clock import paced
from veil.errors import fail
from veil.players.knowledge import Knowledge
from veil.players.limits import MAX_THREADS, MAX_WORK, MAX_WORLDS, check_sizes
from veil.players.protocol import Seat, Told
from veil.search import (
    Forest,
    MoveValues,
    NestedPlayers,
    Pruning,
    Simulations,
    Tally,
    chance_role,
    check_discount,
    per_world,
)

FALLBACK = 0.2  # of its time is what HyperPlay-II takes for HyperPlay's values first


@dataclass(frozen=True, slots=True, kw_only=True)
class HyperPlayConfig:
    """Models of the infoset, playouts per model and move; an infoset with fewer histories shares the playouts out."""

    models: int = 100
    playouts: int = 30
    weights: str = "posterior"  # or uniform: what the article warns of
    discount: float = 1.0
    threads: int = 1

    def __post_init__(self) -> None:
        check_sizes(self, models=MAX_WORLDS, playouts=MAX_WORK, threads=MAX_THREADS)
        if self.weights not in ("posterior", "uniform"):
            raise fail("bad-option", what=f"weights must be posterior or uniform, not {self.weights}")
        check_discount(self.discount)


@dataclass(frozen=True, slots=True, kw_only=True)
class HyperPlay2Config:
    """Models of the infoset, simulations per model and move; models and playouts of the nested players."""

    models: int = 20
    simulations: int = 4
    nested_models: int = 20
    nested_playouts: int = 20
    discount: float = 1.0
    cut_on_win: int | None = None
    prune_on_depth: int | None = None

    def __post_init__(self) -> None:
        check_sizes(self, models=MAX_WORLDS, simulations=MAX_WORK, nested_models=MAX_WORLDS, nested_playouts=MAX_WORK)
        _ = self.pruning

    @property
    def pruning(self) -> Pruning:
        return Pruning(discount=self.discount, cut_on_win=self.cut_on_win, prune_on_depth=self.prune_on_depth)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarloConfig:
    """Playouts per move, from one world that is taken for the true one."""

    playouts: int = 1000

    def __post_init__(self) -> None:
        check_sizes(self, playouts=MAX_WORK)


@dataclass(frozen=True, slots=True, kw_only=True)
class PimcConfig:
    """Worlds, and iterations of the search in each of them."""

    worlds: int = 20
    iterations: int = 200

    def __post_init__(self) -> None:
        check_sizes(self, worlds=MAX_WORLDS, iterations=MAX_WORK)


class HyperPlayer:
    """Equations (12) to (14): a bag of models, playouts from each, the best move on average."""

    def __init__(self, config: HyperPlayConfig) -> None:
        self.config = config
        self.decisions = self.states_visited = self.moves_valued = 0
        self._report: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        self.seat = seat
        self.knowledge = Knowledge(seat, worlds=self.config.models)
        self.rng = np.random.default_rng((seat.seed, 1))

    def play(self, told: Told | None) -> str:
        deadline = self.seat.deadline()
        legal = self._legal(told, deadline)
        if len(legal) == 1:
            self._report = {"forced": legal[0]}
            return legal[0]
        bag = self._bag()
        values = self._values(bag, deadline)
        self.decisions += 1
        self.states_visited += values.states_visited
        self.moves_valued += len(values.moves)
        self._explain(bag, values)
        return self.knowledge.show(values.best(self.rng))

    def stop(self, told: Told | None) -> None:
        del told

    def report(self) -> dict[str, Any]:
        return self._report

    def _legal(self, told: Told | None, deadline: float | None) -> list[str]:
        """The own legal moves, by all that was told."""
        self.knowledge.hear(told, deadline)
        return self.knowledge.legal()

    def _bag(self) -> Bag:
        bag = self.knowledge.bag(self.rng)
        if self.config.weights == "uniform":
            bag = replace(bag, weights=np.full(len(bag), 1 / len(bag)))
        return bag

    def _values(self, bag: Bag, deadline: float | None) -> MoveValues:
        tally = Tally(self.seat.game.machine, self.seat.role_id, bag, self.config.discount)
        seed, threads = (self.seat.seed, self.decisions), self.config.threads
        if deadline is None:
            tally.add(per_world(self.config.models * self.config.playouts, bag), seed, threads)
        else:
            tally.add_until(deadline, seed, threads)
        return tally.values()

    def _explain(self, bag: Bag, values: MoveValues) -> None:
        self._report = {
            "values": {
                self.knowledge.show(move): float(value)
                for move, value in zip(values.moves.tolist(), values.values, strict=True)
            },
            "worlds": len(bag),
            "exact": bag.exact,
            "sampler": bag.sampler,
            "playouts": values.playouts,
            "states_visited": values.states_visited,
        }


class HyperPlayer2(HyperPlayer):
    """Equations (20) to (24): simulations with a HyperPlayer in every role."""

    def __init__(self, config: HyperPlay2Config) -> None:
        super().__init__(HyperPlayConfig(models=config.models))
        self.own = config

    def start(self, seat: Seat) -> None:
        super().start(seat)
        machine = seat.game.machine
        self.nested = NestedPlayers(
            machine, models=self.own.nested_models, playouts=self.own.nested_playouts, seed=seat.seed
        )
        self.chance = chance_role(machine)

    def _values(self, bag: Bag, deadline: float | None) -> MoveValues:
        before = self.nested.states_visited
        if deadline is None:
            runs = Simulations(self.nested, self.seat.role_id, bag, self.chance, self.own.pruning)
            wanted = per_world(self.own.models * self.own.simulations, bag)
            for first in range(0, wanted, at_once := max(1, wanted // 4)):  # pruning looks in between
                runs.add(min(at_once, wanted - first), self.rng)
        else:
            now = perf_counter()
            values = super()._values(bag, now + FALLBACK * (deadline - now))
            runs = Simulations(self.nested, self.seat.role_id, bag, self.chance, self.own.pruning)
            runs.add_until(deadline, self.rng)
            if not runs.playouts:  # not even one world was simulated in time
                return values
        visited = runs.states_visited + self.nested.states_visited - before
        return replace(runs.values(), states_visited=visited)


class MonteCarloPlayer(HyperPlayer):
    """The host of a HyperPlayer alone: one world, drawn by its probability, and playouts from it."""

    def __init__(self, config: MonteCarloConfig) -> None:
        super().__init__(HyperPlayConfig(models=1, playouts=config.playouts))


class PimcPlayer(HyperPlayer):
    """Perfect-information search in every world, then the mean."""

    def __init__(self, config: PimcConfig) -> None:
        super().__init__(HyperPlayConfig(models=config.worlds))
        self.own = config

    def _values(self, bag: Bag, deadline: float | None) -> MoveValues:
        machine = self.seat.game.machine
        forest = Forest(machine, self.seat.role_id, bag, chance_role(machine), self.rng)
        if deadline is None:
            forest.grow(per_world(self.own.worlds * self.own.iterations, bag))
        else:
            for iterations in paced(deadline):
                forest.grow(iterations)
        return forest.values()


class CheatPlayer(HyperPlayer):
    """A HyperPlayer with the true game for its only model: a yardstick, not a player. The referee must grant it."""

    def peek(self, state: np.ndarray) -> None:
        """The true state."""
        self.true_state = state

    def _legal(self, told: Told | None, deadline: float | None) -> list[str]:
        return self.knowledge.legal_in(self.true_state[None, :])  # whoever knows the truth needs no belief

    def _bag(self) -> Bag:
        seen = np.zeros((1, 0, len(self.seat.game.roles)), np.int32)
        return Bag(
            histories=seen, states=self.true_state[None, :].copy(), weights=np.ones(1), sampler="cheat", exact=True
        )
