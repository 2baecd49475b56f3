"""Perfect-information search in every world, as if it were the true one; then the mean over the worlds.

Each world has a search tree of its own (UCT with decoupled choices: in a round every role picks its move by its own
counts, chance at random). All worlds walk down their trees side by side; their new leaves are stepped, judged and
played out in one batch each. The search ignores what a role cannot know. Therefore it suffers from strategy fusion
(Frank & Basin 1998); the imperfect-information searches are compared with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from veil.belief import Bag
from veil.clock import pace
from veil.engine import Machine, tiny_game
from veil.engine.lanes import empty_tally
from veil.registry import check_options, option
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask, answer_by_values
from veil.search.playouts.montecarlo import playouts_per_world
from veil.search.playouts.playout_clock import MAX_ROUNDS, PlayoutClock
from veil.search.playouts.style import FORESIGHT, PLAYOUT, Playout
from veil.signals import check_signals

if TYPE_CHECKING:
    from veil.search.playouts.forest_kernels import Nodes

EXPLORE = 0.7  # of UCB1, with goals scaled to 0..1
AT_ONCE = 10_000  # playouts
FIRST_ITERATIONS = 100  # initial room; clearing more takes longer than a short search
FIRST_MOVES = 16  # of a node, about


@dataclass(frozen=True, slots=True, kw_only=True)
class PimcConfig:
    """Worlds, and iterations of the search in each of them."""

    worlds: int = option(20, "that are searched", limit="worlds")
    iterations: int = option(100, "of the search in every world", limit="playouts")
    playout: Playout = option("uniform", PLAYOUT)
    sampler: str = option("auto", "how worlds are found: a row of `veil samplers`", table="veil.belief:SAMPLERS")
    opponents: str = option("uniform", "how the others play: a row of `veil opponents`", table="veil.search:OPPONENTS")

    def __post_init__(self) -> None:
        check_options(self)

    def searcher(self, task: SearchTask) -> PimcSearch:
        """Return a searcher for one role of one match."""
        return PimcSearch(task, self)


class PimcSearch:
    """A perfect-information search in every world, then the mean."""

    def __init__(self, task: SearchTask, config: PimcConfig) -> None:
        self.task, self.config, self.clock = task, config, PlayoutClock()
        warm_up()  # now, before a clock runs

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the best moves after this record."""
        bag = question.belief.worlds(self.config.worlds, rng)
        machine = self.task.game.machine
        forest = Forest(machine, self.task.role_id, bag, rng, FORESIGHT[self.config.playout])
        if budget.deadline is None:
            forest.grow(playouts_per_world(self.config.worlds * self.config.iterations, bag))
        else:
            self._grow_until(forest, budget.deadline)
        return replace(forest.answer(), bag=bag)

    def _grow_until(self, forest: Forest, deadline: float) -> None:
        """Grow the trees until the deadline; playouts that are too long for it are cut."""
        worlds = len(forest.bag)
        rounds = self.clock.rounds(deadline, worlds)
        for piece, iterations in enumerate(pace(deadline)):
            begin = perf_counter()
            forest.grow(iterations, rounds)
            if piece == 0:
                self.clock.learn(forest.states_visited, perf_counter() - begin)
                rounds = self.clock.rounds(deadline, worlds)


class Forest:
    """One tree per world of a bag."""

    def __init__(self, machine: Machine, role: int, bag: Bag, rng: np.random.Generator, foresight: int = 0) -> None:
        from veil.search.playouts.forest_kernels import Search, judge_nodes  # imports numba

        self.machine, self.role, self.bag = machine, role, bag
        self.playouts, self._costs = 0, np.zeros(1, np.int64)
        self._layout = machine.row_layout()
        span = max(1, *(max(own, default=0) for own in machine.program.goals))
        sizes = len(bag), len(machine.program.roles), sum(map(len, machine.program.goals))
        words = rng.integers(0, 2**64, len(bag), np.uint64)
        chance = -1 if machine.program.chance is None else machine.program.chance
        self._search = Search(chance, EXPLORE, float(span), words, empty_tally(*sizes), foresight, MAX_ROUNDS)
        self._moves_of_all = sum(map(len, machine.program.moves))
        nodes = (1 + FIRST_ITERATIONS) * len(bag)
        self._nodes: Nodes = self._room(nodes, FIRST_MOVES * nodes + len(bag) * self._moves_of_all)
        self._nodes.state[: len(bag)] = bag.states
        self._nodes.used[0] = len(bag)
        judge_nodes(machine.code, self._layout, self._nodes, 0, len(bag))

    @property
    def states_visited(self) -> int:
        """The number of new nodes and of states of playouts."""
        return int(self._costs[0])

    def grow(self, iterations: int, max_rounds: int = MAX_ROUNDS) -> None:
        """Run `iterations` iterations in every world, with playouts of at most `max_rounds` rounds."""
        from veil.search.playouts.forest_kernels import grow_trees  # imports numba

        self._search = self._search._replace(max_rounds=max_rounds)
        self.playouts += iterations * len(self.bag)  # an end is a playout of no moves
        while iterations:
            check_signals()
            some = min(iterations, max(1, AT_ONCE // len(self.bag)))
            done = grow_trees(self.machine.code, self._layout, self._nodes, self._search, some, self._costs)
            iterations -= int(done)
            if done < some:
                self._make_room()

    def visits(self) -> np.ndarray:
        """Return the visits [N] of the worlds."""
        return self._nodes.visits[: len(self.bag)]

    def answer(self) -> Answer:
        """Return the role's mean goals by first move, weighted by the worlds' probabilities."""
        nodes, trees = self._nodes, len(self.bag)
        starts, sizes = nodes.first[:trees, self.role], nodes.size[:trees, self.role]
        world = np.repeat(np.arange(trees), sizes)
        place = np.arange(len(world)) + np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
        moves, which = np.unique(nodes.move[place], return_inverse=True)
        means = nodes.total[place] / np.maximum(1, nodes.tries[place])
        values = np.bincount(which, self.bag.weights[world] * means)
        visits = np.bincount(which, nodes.tries[place])
        return answer_by_values(moves, values, visits, self.playouts, self.states_visited)

    def _make_room(self) -> None:
        """Double the room, with enough for an iteration."""
        from veil.search.playouts.forest_kernels import fill_table  # imports numba

        old, trees = self._nodes, len(self.bag)
        moves = 2 * len(old.move) + trees * self._moves_of_all
        new = self._room(2 * len(old.visits) + trees, moves)
        new.used[:] = old.used
        for name in old._fields:
            if name not in ("child", "used"):
                used = old.used[1 if name in ("move", "tries", "total") else 0]
                getattr(new, name)[:used] = getattr(old, name)[:used]
        fill_table(new, trees)
        self._nodes = new

    def _room(self, nodes: int, moves: int) -> Nodes:
        """Return free room for `nodes` nodes and `moves` moves."""
        from veil.search.playouts.forest_kernels import Nodes  # imports numba

        roles = len(self.machine.program.roles)
        return Nodes(
            state=np.zeros((nodes, self.machine.state_words), np.uint64),
            over=np.zeros(nodes, np.bool_),
            goals=np.zeros((nodes, roles), np.int64),
            visits=np.zeros(nodes, np.int64),
            first=np.zeros((nodes, roles), np.int64),
            size=np.zeros((nodes, roles), np.int64),
            parent=np.zeros(nodes, np.int64),
            joint=np.zeros((nodes, roles), np.int64),
            child=np.zeros(1 << (2 * nodes).bit_length(), np.int64),
            move=np.zeros(moves, np.int64),
            tries=np.zeros(moves),
            total=np.zeros(moves),
            used=np.zeros(2, np.int64),
        )


@cache
def warm_up() -> None:
    """Compile the kernels of a forest, once per process, with a tiny game."""
    machine = tiny_game().machine
    nothing = np.zeros((1, 0, len(machine.program.roles)), np.int32)
    bag = Bag(histories=nothing, states=machine.initial_states(), weights=np.ones(1), sampler="start")
    Forest(machine, machine.program.serial_order[-1], bag, np.random.default_rng(0)).grow(3)
