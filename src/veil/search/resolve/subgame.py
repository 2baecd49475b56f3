"""A subgame that is solved while it grows.

1. The tree begins with the worlds. Leaves are valued by playouts (`LeafValues`).
2. As long as a whole level costs little, all leaves are grown.
3. A stage: choose the leaves that play reaches most, grow them, value the new leaves, fold the tree into its sequence
   form, and run PCFR+ on from the regrets so far. One role explores in each stage, the others play their average
   policies; the roles take turns.
4. The average policies after any stage are an answer.

With two roles and a constant sum, the average policies approach an equilibrium of the tree as it is; otherwise this is
a heuristic.
"""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np

from veil.clock import pace
from veil.engine import Game
from veil.equilibrium import (
    CfrSolver,
    Crown,
    Form,
    GrowingTree,
    PcfrPlusConfig,
    StrategyTable,
    Worlds,
    evaluate_profile,
    find_best_response,
    find_counterfactual_values,
    fold_tree,
    reach_nodes,
    uniform_policy,
    value_nodes,
)
from veil.search.resolve.past_play import PastPlay

LEAST_STAGE = 256  # leaves
STAGE_SHARE = 3  # a stage grows at most a third of the leaves
LEVEL_SHARE = 4  # whole levels are grown as long as they fill at most a quarter of the budget
STAGE_ITERATIONS = 10  # a stage without a clock runs a tenth of the iterations; all of them come at the end
GROWING_SHARE = 0.3  # of the time that is left, for one growth, at the pace of the last one
EXPLORE = 0.5  # uniform part of the role that explores
KEPT = 1e-3  # what the average policy of a smaller tree counts in a larger one
CONVERGED = 1e-5  # NashConv, relative to the largest payoff, at which a search with a clock ends


class PlayoutRule(NamedTuple):
    """How leaves are valued."""

    playouts: int
    foresight: int
    seed: tuple[int, ...]


class InfosetStrategy(NamedTuple):
    """What a subgame says about an infoset. K moves."""

    moves: np.ndarray  # [K] move numbers, ascending
    average: np.ndarray  # [K]
    current: np.ndarray  # [K]
    values: np.ndarray  # [K] expected utility of the owner after each move
    reach: float  # probability that chance and the others come here


class Subgame:
    """A growing tree and a solver that runs on it."""

    def __init__(self, game: Game, worlds: Worlds, rule: PlayoutRule, crown: Crown | None = None) -> None:
        self.game, self.rule = game, rule
        self.playouts = self.states_visited = self.stages = 0
        self.growing = GrowingTree(game, worlds, crown)
        self.leaf_utility = np.zeros((0, len(self.growing.players)))
        begin = perf_counter()
        self._value(len(self.growing.frontier))
        self._seconds_each = max(1e-7, perf_counter() - begin) / max(1, len(self.growing.frontier))

    @property
    def is_complete(self) -> bool:
        """Whether all leaves are ends of the game."""
        return not len(self.growing.frontier)

    def grow_first(self, first: np.ndarray, nodes: int, deadline: float | None = None) -> None:
        """Grow these leaves, as many as fit but at least one; then whole levels while they cost little.

        This comes before everything else, and once.
        """
        nodes = self._nodes_in_time(nodes, deadline)
        fits = np.cumsum(self.growing.frontier.cost[first]) + self.growing.num_nodes <= nodes
        self._grow(first[: max(1, int(fits.sum()))])
        while not self.is_complete and self._total_cost() <= nodes / LEVEL_SHARE:
            self._grow(np.arange(len(self.growing.frontier)))
        self.flat = self.growing.tree(self.leaf_utility)
        self.solver = CfrSolver(fold_tree(self.flat), PcfrPlusConfig())

    def begin_with(self, past: PastPlay) -> None:
        """Begin with the strategies of earlier searches, after records that they know.

        So roles that have to agree, and could agree on several things, stay with what they have agreed on.
        """
        flat, policy = self.flat, uniform_policy(self.solver.form)
        moves = self._slot_moves()
        for place, role_id in enumerate(self.growing.players):
            infosets = slice(int(flat.role_start[place]), int(flat.role_start[place + 1]))
            sizes = np.diff(flat.slot_start[infosets.start : infosets.stop + 1])
            slots = self.solver.form.role_range(place)
            known = past.find(role_id, np.repeat(flat.infoset_key[infosets], sizes), moves[slots])
            policy[slots] = np.where(np.isnan(known), policy[slots], known)
        self.solver.begin_with(policy)

    def run_work(self, nodes: int, iterations: int) -> None:
        """Grow the tree to `nodes` nodes, stage by stage, and run `iterations` iterations on the largest."""
        while self.run_stage(nodes):
            self.solver.run(max(1, iterations // STAGE_ITERATIONS))
        self.solver.run(iterations)

    def run_until(self, deadline: float, nodes: int) -> None:
        """Grow and solve until the deadline; iterations take about as long as growing."""
        begin, spent = perf_counter(), 0.0
        self.solver.run(1)
        while perf_counter() + 2 * spent < deadline and self.run_stage(self._nodes_in_time(nodes, deadline)):
            grown = perf_counter()
            for iterations in pace(min(deadline, grown + (grown - begin))):
                self.solver.run(iterations)
            spent, begin = perf_counter() - begin, perf_counter()
        for iterations in pace(deadline):
            self.solver.run(iterations)
            if self.solver.iterations % 64 < iterations and self._has_converged():
                break

    def run_stage(self, nodes: int) -> bool:
        """Grow the leaves that play reaches most; return False if none fits any more."""
        room = nodes - self.growing.num_nodes
        if self.is_complete or room < 2:
            return False
        chosen = self._choose(room)
        if not len(chosen):
            return False
        self._grow(chosen)
        self.flat = self.growing.tree(self.leaf_utility)
        self.solver.grow(fold_tree(self.flat), KEPT)
        self.stages += 1
        return True

    def find_infoset(self, role_id: int, key: int) -> InfosetStrategy | None:
        """Return what is known about a record; None if it is not in the tree, or has no choice."""
        form, place, flat = self.solver.form, self.growing.players.index(role_id), self.flat
        start, stop = flat.role_start[place], flat.role_start[place + 1]
        hits = np.flatnonzero(flat.infoset_key[start:stop] == np.uint64(key))
        if not len(hits):
            return None
        infoset = int(start + hits[0])
        slots = slice(int(flat.slot_start[infoset]), int(flat.slot_start[infoset + 1]))
        average = self.solver.average()
        others = average.copy()
        others[form.role_range(place)] = 1.0
        reach = reach_nodes(flat.parent, flat.slot, flat.chance_prob, others)
        mass = float(reach[flat.parent[flat.slot == slots.start]].sum())
        values = find_counterfactual_values(form, average)[slots] / max(mass, 1e-300)
        current = self.solver.current()[slots]
        return InfosetStrategy(self._slot_moves()[slots], average[slots], current, values, mass)

    def find_best_values(self, role_id: int) -> tuple[np.ndarray, np.ndarray]:
        """Return all records of a role in the tree, ascending, and what its best response gets after each.

        The others play their average policies; a value is per unit of the probability that they come there.
        """
        form, place, flat = self.solver.form, self.growing.players.index(role_id), self.flat
        policy = self.solver.average()
        others = policy.copy()
        others[form.role_range(place)] = 1.0
        policy[form.role_range(place)] = find_best_response(form, policy, place)[0][form.role_range(place)]
        edges = flat.parent, flat.slot, flat.chance_prob
        value = value_nodes(*edges, policy, np.ascontiguousarray(flat.utility[:, place] * (flat.num_children == 0)))
        reach = reach_nodes(*edges, others)
        nodes, keys = self.growing.list_passed(role_id)
        records, which = np.unique(keys, return_inverse=True)
        mass = np.bincount(which, reach[nodes])
        return records, np.bincount(which, reach[nodes] * value[nodes]) / np.maximum(mass, 1e-300)

    def strategies(self, role_id: int) -> StrategyTable:
        """Return the average policy of a role at all its records in the tree."""
        place, flat = self.growing.players.index(role_id), self.flat
        infosets = slice(int(flat.role_start[place]), int(flat.role_start[place + 1]))
        start = flat.slot_start[infosets.start : infosets.stop + 1]
        slots = slice(int(start[0]), int(start[-1]))
        average, moves = self.solver.average(), self._slot_moves()
        return StrategyTable(flat.infoset_key[infosets], start - start[0], moves[slots], average[slots])

    def _slot_moves(self) -> np.ndarray:
        moves, played = np.zeros(self.flat.num_slots, np.int64), self.flat.slot >= 0
        moves[self.flat.slot[played]] = self.flat.move[played]
        return moves

    def _total_cost(self) -> int:
        return self.growing.num_nodes + int(self.growing.frontier.cost.sum())

    def _choose(self, room: int) -> np.ndarray:
        """Return leaves of the frontier by their reach, as many as a stage may have and fit into `room` nodes."""
        flat, form, policy = self.flat, self.solver.form, self.solver.average()
        if form.num_roles:
            side = form.role_range(self.stages % form.num_roles)
            policy[side] = (1.0 - EXPLORE) * policy[side] + EXPLORE * uniform_policy(form)[side]
        frontier = self.growing.frontier
        reach = reach_nodes(flat.parent, flat.slot, flat.chance_prob, policy)[frontier.level.node]
        size = max(LEAST_STAGE, len(frontier) // STAGE_SHARE)
        order = np.argsort(-reach, kind="stable")[:size]
        return order[np.cumsum(frontier.cost[order]) <= room]

    def _nodes_in_time(self, nodes: int, deadline: float | None) -> int:
        """Return how large the tree may become: `nodes`, or what growing can add in a part of the time that is left."""
        if deadline is None:
            return nodes
        seconds = max(0.0, GROWING_SHARE * (deadline - perf_counter()))
        return min(nodes, self.growing.num_nodes + int(seconds / self._seconds_each))

    def _grow(self, chosen: np.ndarray) -> None:
        """Grow these leaves, and value the new ones."""
        begin, before = perf_counter(), self.growing.num_nodes
        self._grow_all(chosen)
        self._seconds_each = (perf_counter() - begin) / max(1, self.growing.num_nodes - before)

    def _grow_all(self, chosen: np.ndarray) -> None:
        left = np.ones(len(self.growing.frontier), np.bool_)
        left[chosen] = False
        self.leaf_utility = self.leaf_utility[left]
        self._value(self.growing.grow(chosen))

    def _value(self, new: int) -> None:
        """Value the last `new` leaves of the frontier by playouts."""
        level, players = self.growing.frontier.level, self.growing.players
        states = level.states[len(level.node) - new :]
        played = self.game.machine.playouts(
            states, self.rule.playouts, (*self.rule.seed, self.stages), foresight=self.rule.foresight
        )
        goals = played.goal_sum / np.maximum(1, played.playouts)[:, None]
        self.leaf_utility = np.concatenate((self.leaf_utility, self.game.utility.of(goals[:, players])))
        self.playouts += int(played.playouts.sum())
        self.states_visited += played.steps + new

    def _has_converged(self) -> bool:
        form: Form = self.solver.form
        span = max(1e-9, float(np.abs(form.weight).max(initial=0.0)))
        return evaluate_profile(form, self.solver.average()).nash_conv <= CONVERGED * span
