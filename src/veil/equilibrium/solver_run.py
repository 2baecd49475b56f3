"""`solve`: the entry to all solvers, with a budget of iterations, seconds or exploitability.

A run alternates between iterations and exact evaluations of the average policy; the best policy is the result. It ends
when a budget is used up, when the target is reached, or with Ctrl-C, and returns the best policy so far. The solution
says why it ended (`stopped_by`). An exact solver runs to its end, whatever the budget.

Without any limit, the target is `DEFAULT_PRECISION` of the range of payoffs, and the limit is `DEFAULT_SECONDS`. In
small games the default method reaches the target at once: six digits of a value are then right.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Literal, NamedTuple

import numpy as np

from veil.engine import Game, as_game
from veil.equilibrium.policy import Policy, policy_of
from veil.equilibrium.prepared_game import PreparedGame, prepare
from veil.equilibrium.response import Evaluation, evaluate_profile
from veil.equilibrium.solvers import SOLVERS, Solver
from veil.equilibrium.tree import MAX_NODES, GameTree
from veil.equilibrium.tree_records import TreeBounds
from veil.errors import Problem, problem
from veil.limits import check_limit
from veil.signals import check_signals

DEFAULT_METHOD = "pcfr+"  # by far the fastest in small games, and in most large ones; see docs/decisions.md
DEFAULT_SECONDS = 10.0  # if no budget is given
DEFAULT_PRECISION = 1e-8  # of the range of payoffs: the target if none is given
GROWTH = 1.2  # ratio of iterations between evaluations: it depends on numbers alone, so that a seed has one result
MOMENT = 1e-6  # seconds
EXPANDING = 0.6  # share of the seconds for the tree; folding takes half of that or as much again
LEAST_EXPANDING = 0.5  # seconds for the tree in any case
PATIENCE = 0.25  # seconds in a kernel from one safe point to the next

Stop = Literal["target", "iterations", "seconds", "exact", "interrupted"]  # why a run ended


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of a run; None is no limit. Without any limit, see `fill`."""

    iterations: int | None = None
    seconds: float | None = None
    target: float | None = None  # exploitability

    def __post_init__(self) -> None:
        for name, kind in (("iterations", "iterations"), ("seconds", "seconds"), ("target", "payoff")):
            value = getattr(self, name)
            if value is not None:
                check_limit(kind, value, name)

    def fill(self, tree: GameTree) -> Budget:
        """Return this budget, or the defaults for this game if it has no limit."""
        if self != Budget():
            return self
        ends = tree.flat.utility[tree.flat.num_children == 0]
        span = float((ends.max(axis=0) - ends.min(axis=0)).max(initial=0.0))
        return replace(self, seconds=DEFAULT_SECONDS, target=DEFAULT_PRECISION * (span or 1.0))

    def without(self, seconds: float) -> Budget:
        """Return the budget after `seconds` are spent; at least a moment is left, which is one iteration."""
        return self if self.seconds is None else replace(self, seconds=max(MOMENT, self.seconds - seconds))

    def find_stop(self, point: Point, best: float) -> Stop | None:
        """Return why a run ends here, None if it goes on; `best` is the lowest exploitability so far."""
        if self.target is not None and best <= self.target:
            return "target"
        if self.iterations is not None and point.iterations >= self.iterations:
            return "iterations"
        return "seconds" if self.seconds is not None and point.seconds >= self.seconds else None


class Point(NamedTuple):
    """The progress of a run at one evaluation."""

    iterations: int
    seconds: float
    exploitability: float


Progress = Callable[[Point, np.ndarray], None]  # called at every evaluation with its point and the average policy [S]


def ignore_progress(point: Point, policy: np.ndarray) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Solution:
    """The result of a solver, evaluated exactly."""

    prepared: PreparedGame
    method: str  # the spec of the solver
    seed: int
    iterations: int  # number of iterations; the policy is the best of the averages on the way
    seconds: float  # of the solver and its evaluations, without the expansion
    policy_slots: np.ndarray  # [S] the least exploitable of the averages on the way
    last_slots: np.ndarray  # [S] the average after the last iteration
    evaluation: Evaluation
    course: tuple[Point, ...]
    budget: Budget  # with the defaults, if no limit was given
    stopped_by: Stop
    notes: tuple[Problem, ...] = ()

    def __repr__(self) -> str:
        return f"Solution({self.game.name!r}, {self.method!r}, {self.value}, exploitability={self.exploitability:.3g})"

    @property
    def game(self) -> Game:
        return self.prepared.game

    @property
    def tree(self) -> GameTree:
        return self.prepared.tree

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C has ended the run."""
        return self.stopped_by == "interrupted"

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles without `random`."""
        return self.prepared.roles

    @property
    def value(self) -> dict[str, float]:
        """Expected utility per role."""
        return dict(zip(self.roles, map(float, self.evaluation.value), strict=True))

    @property
    def exploitability(self) -> float:
        return self.evaluation.exploitability

    @property
    def nash_conv(self) -> float:
        return self.evaluation.nash_conv

    @property
    def policy(self) -> Policy:
        """The policy with names, ready to be saved."""
        made = {"method": self.method, "iterations": self.iterations, "seed": self.seed}
        made["exploitability"] = self.exploitability
        return policy_of(self.tree, self.policy_slots, made)

    @property
    def last_policy(self) -> Policy:
        """The average after the last iteration with names; an earlier average may be less exploitable."""
        made = {"method": self.method, "iterations": self.iterations, "seed": self.seed}
        made["exploitability"] = self.course[-1].exploitability
        return policy_of(self.tree, self.last_slots, made)


def solve(
    game: Game | str | os.PathLike[str],
    method: str = DEFAULT_METHOD,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    seed: int = 0,
    max_nodes: int = MAX_NODES,
    progress: Progress = ignore_progress,
    limit_name: str = "max_nodes",
) -> Solution:
    """Solve a game: `solve("kuhn_poker", method="lp").value`.

    The game is a `Game`, its name, path or rules text; the method is a spec of `SOLVERS`, like `dcfr:alpha=2`. The
    solver stops after `iterations` iterations, after `seconds` seconds, or at the exploitability `target`, whichever
    comes first. If none is given, it stops at an exploitability of 1e-8 of the range of payoffs, or after 10 seconds.
    The solution says why it stopped: `stopped_by`. Raises `VeilError` for a game of more than `max_nodes` nodes
    (messages call that limit `limit_name`), and for a game that is not expanded within the seconds. `progress` is
    called at every evaluation of the average policy.
    """
    SOLVERS.parse(method)
    budget = Budget(iterations=iterations, seconds=seconds, target=target)
    prepared, spent = prepare_within(as_game(game), max_nodes, budget.seconds, limit_name)
    return solve_prepared(prepared, method, budget, seed, progress, spent=spent)


def prepare_within(
    game: Game, max_nodes: int, seconds: float | None, limit_name: str = "max_nodes"
) -> tuple[PreparedGame, float]:
    """Expand and fold a game; return it with the seconds that this took, 0 if there is no limit of seconds.

    Small trees are expanded in any case. The time to compile kernels does not count.
    """
    if seconds is None:
        return prepare(game, max_nodes, bounds=TreeBounds(option=limit_name)), 0.0
    bounds = TreeBounds(seconds=max(LEAST_EXPANDING, EXPANDING * seconds), option=limit_name)
    prepared = prepare(game, max_nodes, bounds=bounds)
    return prepared, prepared.tree.seconds / EXPANDING


def solve_prepared(
    prepared: PreparedGame,
    method: str,
    budget: Budget,
    seed: int = 0,
    progress: Progress = ignore_progress,
    *,
    spent: float = 0.0,
) -> Solution:
    """Solve a prepared game; `spent` seconds of the budget are used up already."""
    solver = SOLVERS.make(method, prepared, seed)
    notes = _find_notes(prepared, method, solver)
    run = _Run(prepared, solver, progress)
    budget = budget.fill(prepared.tree)
    stopped_by = run.finish() if solver.is_exact else run.iterate(budget.without(spent))
    return Solution(
        prepared=prepared,
        method=method,
        seed=seed,
        iterations=solver.iterations,
        seconds=perf_counter() - run.start,
        policy_slots=run.policy,
        last_slots=solver.average(),
        evaluation=run.evaluation,
        course=tuple(run.course),
        budget=budget,
        stopped_by=stopped_by,
        notes=notes,
    )


class _Run:
    """A running solver: iterations and evaluations in turn, and the best policy so far."""

    def __init__(self, prepared: PreparedGame, solver: Solver, progress: Progress) -> None:
        self.form, self.solver, self.progress = prepared.form, solver, progress
        self.start = perf_counter()
        self.policy = solver.average()
        self.evaluation = evaluate_profile(self.form, self.policy)
        self.course: list[Point] = []
        self._pace = 1.0  # iterations per second; a first guess

    def finish(self) -> Stop:
        """Run an exact solver to its end. Ctrl-C raises KeyboardInterrupt, because there is no best policy so far."""
        self.solver.run(1)
        self._evaluate()
        return "exact"

    def iterate(self, budget: Budget) -> Stop:
        """Run within the budget; return why the run ended."""
        goal = 1
        try:
            while True:
                self._advance(min(goal, budget.iterations or goal), budget.seconds)
                self._evaluate()
                check_signals()
                if (stop := budget.find_stop(self.course[-1], self.evaluation.exploitability)) is not None:
                    return stop
                goal = int(self.solver.iterations * GROWTH) + 1
        except KeyboardInterrupt:
            return "interrupted"

    def _advance(self, goal: int, seconds: float | None) -> None:
        """Run up to `goal` iterations in total, in pieces between safe points.

        It stops earlier when `seconds` are over.
        """
        while (done := self.solver.iterations) < goal:
            check_signals()
            before = perf_counter()
            if done and seconds is not None and before - self.start >= seconds:
                return
            self.solver.run(max(1, min(goal - done, int(self._pace * PATIENCE))))
            self._pace = (self.solver.iterations - done) / max(1e-9, perf_counter() - before)

    def _evaluate(self) -> None:
        """Evaluate the average policy, keep the better one, and report the progress."""
        average = self.solver.average()
        judged = evaluate_profile(self.form, average)
        if judged.exploitability <= self.evaluation.exploitability or not self.course:
            self.policy, self.evaluation = average, judged
        self.course.append(Point(self.solver.iterations, perf_counter() - self.start, judged.exploitability))
        self.progress(self.course[-1], average)


def _find_notes(prepared: PreparedGame, method: str, solver: Solver) -> tuple[Problem, ...]:
    """Return a note if an iterative solver is a heuristic: not for one role, nor for two with a constant sum."""
    count = len(prepared.roles)
    if solver.is_exact or count == 1 or (count == 2 and prepared.total is not None):
        return ()
    what = f"{count} roles" if count > 2 else "payoffs whose sum varies"
    return (problem("no-guarantee", method=method, what=what),)
