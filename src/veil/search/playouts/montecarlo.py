"""Values of moves by random playouts from the worlds of a bag: the search of a HyperPlayer (equations 12 to 14).

The value of a move is the mean of the role's goals over playouts that begin with it, per world, weighted by the
world's probability (13); the move with the highest value is chosen (14). The other roles move at random from the first
move on.

Under a clock, a playout that is too long for it is cut (`playout_clock`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Literal

import numpy as np

from veil.belief import Bag
from veil.clock import pace
from veil.engine import Machine, draw_rows_uniformly
from veil.registry import check_options, option
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask, answer_by_values
from veil.search.playouts.playout_clock import MAX_ROUNDS, PlayoutClock
from veil.search.playouts.style import PLAYOUT, UNIFORM_STYLE, Playout, PlayoutStyle
from veil.signals import check_signals

MAX_ROWS, MAX_CELLS = 1 << 18, 1 << 28  # playouts that are prepared at a time, and bytes of their legal moves
MAX_PLAYOUTS = 1 << 22  # that are played from one safe point to the next


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsConfig:
    """Models of the infoset, playouts per model and move; the worlds of a smaller infoset share all playouts."""

    models: int = option(100, "worlds that are played from", limit="worlds")
    playouts: int = option(30, "per world and move", limit="playouts")
    weights: Literal["posterior", "uniform"] = option("posterior", "of the worlds; the article warns of uniform")
    playout: Playout = option("uniform", PLAYOUT)
    discount: float = option(1.0, "of a goal per round until it is reached", limit="share")
    threads: int = option(1, "for the playouts; the result does not depend on them", limit="threads")
    sampler: str = option("auto", "how worlds are found: a row of `veil samplers`", table="veil.belief:SAMPLERS")
    opponents: str = option("uniform", "how the others play: a row of `veil opponents`", table="veil.search:OPPONENTS")

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def worlds(self) -> int:
        """The number of worlds that the belief is asked for."""
        return self.models


@dataclass(frozen=True, slots=True, kw_only=True)
class HyperPlayConfig(ModelsConfig):
    """HyperPlay: the options of models."""

    def searcher(self, task: SearchTask) -> MonteCarloSearch:
        """Return a searcher for one role of one match."""
        return MonteCarloSearch(task, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarloConfig:
    """Playouts per move, from one world that is assumed to be the true one."""

    playouts: int = option(1000, "per move", limit="playouts")
    sampler: str = option("auto", "how the world is found: a row of `veil samplers`", table="veil.belief:SAMPLERS")
    opponents: str = option("uniform", "how the others play: a row of `veil opponents`", table="veil.search:OPPONENTS")

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def worlds(self) -> int:
        """One."""
        return 1

    def searcher(self, task: SearchTask) -> MonteCarloSearch:
        """Return a searcher for one role of one match: HyperPlay with one model."""
        return MonteCarloSearch(task, HyperPlayConfig(models=1, playouts=self.playouts, sampler=self.sampler))


class MonteCarloSearch:
    """Equations (12) to (14): a bag of models, playouts from each, the best move on average."""

    def __init__(self, task: SearchTask, config: ModelsConfig) -> None:
        self.task, self.config = task, config

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the best moves after this record."""
        bag = question.belief.worlds(self.config.models, rng)
        if self.config.weights == "uniform":
            bag = replace(bag, weights=np.full(len(bag), 1 / len(bag)))
        return replace(self.value(bag, question.seed, budget), bag=bag)

    def value(self, bag: Bag, seed: tuple[int, ...], budget: SearchBudget) -> Answer:
        """Return the values of all moves in these worlds."""
        style = PlayoutStyle.of(self.config.playout, self.config.discount)
        tally = MoveTally(self.task.game.machine, self.task.role_id, bag, style)
        if budget.deadline is None:
            tally.add(playouts_per_world(self.config.models * self.config.playouts, bag), seed, self.config.threads)
        else:
            tally.add_until(budget.deadline, seed, self.config.threads)
        return tally.answer()


class MoveTally:
    """Values of moves that get more precise with every batch of playouts."""

    def __init__(self, machine: Machine, role: int, bag: Bag, style: PlayoutStyle = UNIFORM_STYLE) -> None:
        self.machine, self.role, self.bag, self.style = machine, role, bag, style
        judged = machine.judge(bag.states)
        self.legal = machine.legal_bits(judged)
        self.world, self.move = np.nonzero(self.legal[role])  # the pairs whose utility (12) is estimated
        self.sums, self.counts = np.zeros(len(self.world)), np.zeros(len(self.world))
        self.playouts = self.states_visited = self.cut = 0
        self.clock, self.max_rounds = PlayoutClock(), MAX_ROUNDS
        others = [bits for other, bits in enumerate(self.legal) if other != role]
        self.others_choose = any((bits.sum(axis=1) > 1).any() for bits in others)

    def add(self, playouts: int, seed: tuple[int, ...], threads: int = 1) -> None:
        """Play `playouts` more playouts for every pair."""
        self._add(np.arange(len(self.world)), playouts, seed, threads)

    def add_until(self, deadline: float, seed: tuple[int, ...], threads: int = 1) -> None:
        """Play playouts for every pair until the deadline."""
        order = np.random.default_rng(seed).permutation(len(self.bag))
        for piece, (worlds, times) in enumerate(paced_batches(len(self.bag), deadline)):
            pairs = np.flatnonzero(np.isin(self.world, order[worlds]))
            if piece == 0:
                self._begin(pairs, deadline, (*seed, piece), threads)
            else:
                self._add(pairs, times, (*seed, piece), threads)

    def answer(self) -> Answer:
        """Return the values so far."""
        moves, values = expected_values(self.move, self.bag.weights[self.world], self.sums, self.counts)
        visits = np.bincount(self.move, self.counts)[moves]
        return answer_by_values(moves, values, visits, self.playouts, self.states_visited)

    def _begin(self, pairs: np.ndarray, deadline: float, seed: tuple[int, ...], threads: int) -> None:
        """Play the first portion, and set after how many rounds playouts are cut."""
        sums, counts, begin = self.sums.copy(), self.counts.copy(), perf_counter()
        few = self.max_rounds = self.clock.rounds(deadline, len(pairs))
        self._add(pairs, 1, seed, threads)
        self.clock.learn(self.states_visited, perf_counter() - begin)
        self.max_rounds = self.clock.rounds(deadline, len(pairs))
        if self.cut and self.max_rounds > few:
            self.sums, self.counts, self.cut = sums, counts, 0
            self._add(pairs, 1, seed, threads)

    def _add(self, pairs: np.ndarray, playouts: int, seed: tuple[int, ...], threads: int) -> None:
        most = max(bits.shape[1] for bits in self.legal)
        rows = min(MAX_ROWS, MAX_CELLS // max(1, most))
        at_once = max(1, rows // max(1, len(pairs)))  # rows of a pair
        if not self.others_choose and self.style.discount == 1.0:  # a row of a pair may play all of its games
            at_once = max(1, MAX_PLAYOUTS // max(1, len(pairs)))
            for part, first in enumerate(range(0, playouts, at_once)):
                self._add_rows(pairs, min(at_once, playouts - first), (*seed, part), threads)
        else:
            for part, first in enumerate(range(0, playouts, at_once)):
                self._add_rows(np.repeat(pairs, min(at_once, playouts - first)), 1, (*seed, part), threads)
        self.counts[pairs] += playouts

    def _add_rows(self, pair: np.ndarray, per_row: int, seed: tuple[int, ...], threads: int) -> None:
        check_signals()
        rng = np.random.default_rng(seed)
        first = np.stack([draw_rows_uniformly(bits[self.world[pair]], rng) for bits in self.legal], axis=1)
        first[:, self.role] = self.move[pair]
        states = self.bag.states[self.world[pair]]
        played = self.machine.playouts(
            states,
            per_row,
            seed,
            first_moves=first,
            max_rounds=self.max_rounds,
            threads=threads,
            foresight=self.style.foresight,
        )
        self.cut += played.cut
        goals = played.goal_sum[:, self.role]
        if self.style.discount != 1.0:  # one playout per row, so its length is known
            goals *= self.style.discount**played.length_sum
        self.sums += np.bincount(pair, goals, minlength=len(self.world))
        self.playouts += len(pair) * per_row
        self.states_visited += played.steps + len(pair)


def paced_batches(worlds: int, deadline: float) -> Iterator[tuple[slice, int]]:
    """Yield (worlds, times): the worlds to play next, and how often; all in turn, repeatedly, until the deadline.

    The first portion is played in any case.
    """
    begin = 0
    for size in pace(deadline):
        end = min(worlds, begin + size)
        yield slice(begin, end), max(1, size // worlds) if begin == 0 else 1
        begin = end % worlds


def expected_values(
    move: np.ndarray, weight: np.ndarray, sums: np.ndarray, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (moves [K], their values [K]) from the playouts of (world, move) pairs, weighted by the worlds (13).

    A pair without playouts is left out: then the worlds in which the move was tried stand for all of its worlds.
    """
    moves = np.unique(move)
    top = int(moves.max()) + 1
    total = np.bincount(move, weight * sums / np.maximum(1, counts), minlength=top)[moves]
    if counts.all():
        return moves, total
    tried = np.bincount(move, weight * (counts > 0), minlength=top)[moves]
    return moves, total * np.bincount(move, weight, minlength=top)[moves] / np.maximum(tried, 1e-12)


def playouts_per_world(budget: int, bag: Bag) -> int:
    """Return the playouts of each world: `budget` playouts are shared by the worlds of the bag."""
    return max(1, -(-budget // len(bag)))
