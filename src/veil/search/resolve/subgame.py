"""A subgame that is solved while it grows.

1. The tree begins with the worlds. Leaves are valued by playouts.
2. As long as a whole level costs little, all leaves are grown.
3. A stage: choose the leaves that play reaches most, grow them, value the new leaves, play more from those that are
   reached next, fold the tree into its sequence form, and run PCFR+ on from the regrets so far. One role explores in
   each stage, the others play their average policies; the roles take turns.
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
    EnteredCfrSolver,
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

LEAST_STAGE = 64  # leaves
STAGE_SHARE = 8  # a stage grows at most an eighth of the leaves
LEVEL_SHARE = 16  # whole levels are grown as long as they fill at most a sixteenth of the budget
STAGE_ITERATIONS = 10  # a stage without a clock runs a tenth of the iterations; all of them come at the end
GROWING_SHARE = 0.3  # of the time that is left, for one growth, at the pace of the last one
LEAST_GROWTH = 256  # nodes of a growth under a clock: the pace of a smaller one says nothing about a larger one
FINAL_SHARE = 0.25  # of the time of a search, for iterations on the largest tree
CLOCK_ITERATIONS = 200  # between two growths under a clock, at most; what they take, if that is less
OWN_SHARE = 0.5  # of the growth, at least, goes below the worlds of the own belief
RARE = 0.1  # times the mean reach of a leaf: below it, a leaf waits until all others are as deep
EXPLORE = 0.5  # uniform part of the role that explores
LAST_STAGES = 8  # without growth, where no clock runs
REFINED = 4  # times the playouts of a new leaf, for one that is reached much
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


class BestValues(NamedTuple):
    """What records of a role are worth, K of them."""

    records: np.ndarray  # [K] ascending
    values: np.ndarray  # [K]
    guessed: np.ndarray  # [K] the probability that playouts valued what came after them


class Subgame:
    """A growing tree and a solver that runs on it."""

    def __init__(
        self,
        game: Game,
        worlds: Worlds,
        rule: PlayoutRule,
        crown: Crown | None = None,
        is_own: np.ndarray | None = None,
    ) -> None:
        """`is_own` [W] says which worlds are of the belief that the subgame is about, if they were thinned out.

        Then the game is so large that the tree grows level by level; by default it grows where play goes.
        """
        self.game, self.rule, self.is_own = game, rule, is_own
        self.playouts = self.states_visited = self.stages = 0
        self.growing = GrowingTree(game, worlds, crown)
        self.leaf_utility = np.zeros((0, len(self.growing.players)))
        self.leaf_playouts = np.zeros(0)
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
        self.grow_levels(first, nodes, nodes // LEVEL_SHARE)
        self.flat = self.growing.tree(self.leaf_utility)
        self.solver = start_solver(fold_tree(self.flat), self.growing.crown)

    def grow_levels(self, first: np.ndarray, nodes: int, level_nodes: int, deadline: float | None = None) -> None:
        """Grow these leaves, as many as fit into `nodes` but at least one; then whole levels within `level_nodes`."""
        fits = np.cumsum(self.growing.frontier.cost[first]) + self.growing.num_nodes <= nodes
        self._grow(first[: max(1, int(fits.sum()))])
        while not self.is_complete and self._total_cost() <= self._nodes_in_time(level_nodes, deadline):
            self._grow(np.arange(len(self.growing.frontier)))

    def begin_with(self, past: PastPlay) -> None:
        """Begin with the strategies of earlier searches, after records that they know.

        So roles that have to agree, and could agree on several things, stay with what they have agreed on.
        """
        flat, policy = self.flat, uniform_policy(self.solver.form)
        moves = self.slot_moves()
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
        for _ in range(0 if self.is_complete else LAST_STAGES):
            self.refine()
            self.solver.run(max(1, iterations // STAGE_ITERATIONS))
        self.solver.run(iterations)

    def run_until(self, deadline: float, nodes: int) -> None:
        """Grow and solve until the deadline. Iterations between two growths take no longer than growing does."""
        growing_until = deadline - FINAL_SHARE * max(0.0, deadline - perf_counter())
        spent = 0.0
        self.solver.run(1)
        while (begin := perf_counter()) + spent < growing_until:
            if not self.run_stage(self._nodes_in_time(nodes, growing_until), least=1):
                break
            spent = perf_counter() - begin
            before = self.solver.iterations
            for iterations in pace(min(growing_until, perf_counter() + spent)):
                self.solver.run(iterations)
                if self.solver.iterations - before >= CLOCK_ITERATIONS:
                    break
        for iterations in pace(deadline):
            self.solver.run(iterations)
            if self.solver.iterations % 64 < iterations and self._has_converged():
                break

    def run_stage(self, nodes: int, least: int = 0) -> bool:
        """Grow the leaves that play reaches most, `least` of them also if they do not fit; return False for none."""
        room = nodes - self.growing.num_nodes
        if self.is_complete or room < 2:
            return False
        reach = self._find_reach()
        chosen = self._choose(reach, room, least)
        if not len(chosen):
            return False
        reach[chosen] = 0.0
        self._refine(reach)
        self._grow(chosen)
        self._end_stage()
        return True

    def refine(self) -> None:
        """Play more from the leaves that are reached most; a stage without growth."""
        self._refine(self._find_reach())
        self._end_stage()

    def _end_stage(self) -> None:
        self.flat = self.growing.tree(self.leaf_utility)
        self.solver.grow(fold_tree(self.flat), KEPT)
        self.stages += 1

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
        nodes = flat.parent[flat.slot == slots.start]
        mass = max(float(reach[nodes].sum()), 1e-300)
        values = find_counterfactual_values(form, average)[slots] / mass
        bonus = self.growing.spread_bonus()
        if bonus is not None:
            values -= reach[nodes] @ bonus[nodes, place] / mass
        current = self.solver.current()[slots]
        return InfosetStrategy(self.slot_moves()[slots], average[slots], current, values, mass)

    def find_best_values(self, role_id: int) -> BestValues:
        """Return what a best response of a role gets after each of its records in the tree.

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
        bonus = self.growing.spread_bonus()
        worth = value[nodes] if bonus is None else value[nodes] - bonus[nodes, place]
        is_leaf = np.zeros(len(flat.parent))
        is_leaf[self.growing.frontier.level.node] = 1.0
        guessed = value_nodes(*edges, policy, is_leaf)[nodes]
        best, share = (np.bincount(which, reach[nodes] * each) / np.maximum(mass, 1e-300) for each in (worth, guessed))
        return BestValues(records, best, share)

    def strategies(self, role_id: int) -> StrategyTable:
        """Return the average policy of a role at all its records in the tree."""
        place, flat = self.growing.players.index(role_id), self.flat
        infosets = slice(int(flat.role_start[place]), int(flat.role_start[place + 1]))
        start = flat.slot_start[infosets.start : infosets.stop + 1]
        slots = slice(int(start[0]), int(start[-1]))
        average, moves = self.solver.average(), self.slot_moves()
        return StrategyTable(flat.infoset_key[infosets], start - start[0], moves[slots], average[slots])

    def slot_moves(self) -> np.ndarray:
        """Return the number of the move of every slot [S]."""
        moves, played = np.zeros(self.flat.num_slots, np.int64), self.flat.slot >= 0
        moves[self.flat.slot[played]] = self.flat.move[played]
        return moves

    def _total_cost(self) -> int:
        return self.growing.num_nodes + int(self.growing.frontier.cost.sum())

    def _find_reach(self) -> np.ndarray:
        """Return how much play reaches every leaf [L], if one role explores."""
        flat, form, policy = self.flat, self.solver.form, self.solver.average()
        if form.num_roles:
            side = form.role_range(self.stages % form.num_roles)
            policy[side] = (1.0 - EXPLORE) * policy[side] + EXPLORE * uniform_policy(form)[side]
        nodes = self.growing.frontier.level.node
        reach: np.ndarray = reach_nodes(flat.parent, flat.slot, flat.chance_prob, policy)[nodes]
        if self.is_own is not None:
            is_own = self.growing.spread(self.is_own[:, None].astype(float))[nodes, 0] > 0.0
            own, others = reach[is_own].sum(), reach[~is_own].sum()
            if 0.0 < own < OWN_SHARE * (own + others):
                reach[is_own] *= OWN_SHARE / (1.0 - OWN_SHARE) * others / own
        return reach

    def _choose(self, reach: np.ndarray, room: int, least: int) -> np.ndarray:
        """Return leaves of the frontier by their reach [L], as many as a stage may have and fit into `room` nodes."""
        order = np.argsort(-reach, kind="stable") if self.is_own is None else self._order_by_level(reach)
        order = order[: self._stage_size()]
        return order[: max(least, int((np.cumsum(self.growing.frontier.cost[order]) <= room).sum()))]

    def _order_by_level(self, reach: np.ndarray) -> np.ndarray:
        """Return the leaves with the highest first, but for rare ones; of equal depth, by their reach [L].

        The last role to choose gains by every round that is added, so that moves with unequal trees below them cannot
        be compared. Leaves of one infoset come together: a role that chooses in some of them only would know which.
        """
        frontier = self.growing.frontier
        _, which, size = np.unique(frontier.infoset, return_inverse=True, return_counts=True)
        reached = np.bincount(which, reach)
        is_rare = reached < RARE * reach.mean() * size
        depth = self.growing.find_depths()[frontier.level.node]
        return np.lexsort((which, -reached[which], depth, is_rare[which]))

    def _refine(self, reach: np.ndarray) -> None:
        """Play more from leaves that are reached much [L] for the playouts that they have had.

        Roles choose what looks best, and of many leaves with few playouts each, the luckiest look best.
        """
        order = np.argsort(-reach / self.leaf_playouts, kind="stable")[: self._stage_size()]
        chosen = order[reach[order] > 0.0]
        if not len(chosen):
            return
        had, more = self.leaf_playouts[chosen], REFINED * self.rule.playouts
        found = self._play(self.growing.frontier.level.states[chosen], more, 1)
        self.leaf_utility[chosen] += (found - self.leaf_utility[chosen]) * (more / (had + more))[:, None]
        self.leaf_playouts[chosen] += more

    def _stage_size(self) -> int:
        return max(LEAST_STAGE, len(self.growing.frontier) // STAGE_SHARE)

    def _nodes_in_time(self, nodes: int, deadline: float | None) -> int:
        """Return how large the tree may become: `nodes`, or what growing can add in a part of the time that is left."""
        if deadline is None:
            return nodes
        seconds = max(0.0, GROWING_SHARE * (deadline - perf_counter()))
        return min(nodes, self.growing.num_nodes + max(LEAST_GROWTH, int(seconds / self._seconds_each)))

    def _grow(self, chosen: np.ndarray) -> None:
        """Grow these leaves, and value the new ones."""
        begin, before = perf_counter(), self.growing.num_nodes
        self._grow_all(chosen)
        self._seconds_each = (perf_counter() - begin) / max(1, self.growing.num_nodes - before)

    def _grow_all(self, chosen: np.ndarray) -> None:
        left = np.ones(len(self.growing.frontier), np.bool_)
        left[chosen] = False
        self.leaf_utility, self.leaf_playouts = self.leaf_utility[left], self.leaf_playouts[left]
        self._value(self.growing.grow(chosen))

    def _value(self, new: int) -> None:
        """Value the last `new` leaves of the frontier by playouts."""
        level = self.growing.frontier.level
        found = self._play(level.states[len(level.node) - new :], self.rule.playouts, 0)
        self.leaf_utility = np.concatenate((self.leaf_utility, found))
        self.leaf_playouts = np.concatenate((self.leaf_playouts, np.full(new, float(self.rule.playouts))))
        self.states_visited += new

    def _play(self, states: np.ndarray, playouts: int, stream: int) -> np.ndarray:
        """Return the mean utilities [B, R] of playouts from these states [B, words]."""
        seed = (*self.rule.seed, self.stages, stream)
        played = self.game.machine.playouts(states, playouts, seed, foresight=self.rule.foresight)
        self.playouts += int(played.playouts.sum())
        self.states_visited += played.steps
        goals = played.goal_sum / np.maximum(1, played.playouts)[:, None]
        utility: np.ndarray = self.game.utility.of(goals[:, self.growing.players])
        return utility

    def _has_converged(self) -> bool:
        form: Form = self.solver.form
        span = max(1e-9, float(np.abs(form.weight).max(initial=0.0)))
        return evaluate_profile(form, self.solver.average()).nash_conv <= CONVERGED * span


def start_solver(form: Form, crown: Crown) -> CfrSolver:
    """Return a solver of a form whose tree has this crown."""
    config = PcfrPlusConfig()
    return CfrSolver(form, config) if crown.entries is None else EnteredCfrSolver(form, config, crown.entries)
