"""`solve`: one way into all solvers, with a budget of iterations, seconds or exploitability.

A run alternates between iterations and exact evaluations of the average policy; the best one is the result. It ends
when a budget is used up, when the target is met, or with Ctrl-C, and gives the best so far in any case; the solution
says which (`stopped_by`). An exact solver is run to its end, whatever the budget.

Where no limit is given, the target is `DEFAULT_PRECISION` of the range of payoffs, and `DEFAULT_SECONDS` the limit. The
default method comes there within a moment in small games: six digits of a value are then right.
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
from veil.equilibrium.tree import MAX_NODES, GameTree, TreeBounds
from veil.errors import Problem, problem
from veil.limits import check_limit
from veil.signals import check_signals

DEFAULT_METHOD = "pcfr+"  # in small games the fastest by far, in large ones mostly; see docs/decisions.md
DEFAULT_SECONDS = 10.0  # where no budget is given
DEFAULT_PRECISION = 1e-8  # of the range of payoffs: a target where none is given
GROWTH = 1.2  # iterations from one evaluation to the next: a matter of numbers alone, so that a seed has one result
MOMENT = 1e-6  # seconds
EXPANDING = 0.6  # of the seconds may be spent on the tree; to fold it takes about as long again, or half of it
LEAST_EXPANDING = 0.5  # seconds that may be spent on it in any case
PATIENCE = 0.25  # seconds in a kernel from one safe point to the next

Stop = Literal["target", "iterations", "seconds", "exact", "interrupted"]  # what has ended a run


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """When to stop; None is no limit. With no limit at all, see `fill`."""

    iterations: int | None = None
    seconds: float | None = None
    target: float | None = None  # exploitability

    def __post_init__(self) -> None:
        for name, kind in (("iterations", "iterations"), ("seconds", "seconds"), ("target", "payoff")):
            value = getattr(self, name)
            if value is not None:
                check_limit(kind, value, name)

    def fill(self, tree: GameTree) -> Budget:
        """Return the defaults for this game where no limit is given, and this budget otherwise."""
        if self != Budget():
            return self
        ends = tree.flat.utility[tree.flat.num_children == 0]
        span = float((ends.max(axis=0) - ends.min(axis=0)).max(initial=0.0))
        return replace(self, seconds=DEFAULT_SECONDS, target=DEFAULT_PRECISION * (span or 1.0))

    def without(self, seconds: float) -> Budget:
        """Return what is left when so many seconds are spent: a moment at least, which is one iteration."""
        return self if self.seconds is None else replace(self, seconds=max(MOMENT, self.seconds - seconds))

    def find_stop(self, point: Point, best: float) -> Stop | None:
        """What ends a run here, None where nothing does; `best` is the lowest exploitability so far."""
        if self.target is not None and best <= self.target:
            return "target"
        if self.iterations is not None and point.iterations >= self.iterations:
            return "iterations"
        return "seconds" if self.seconds is not None and point.seconds >= self.seconds else None


class Point(NamedTuple):
    """How far a run was at one evaluation."""

    iterations: int
    seconds: float
    exploitability: float


Progress = Callable[[Point, np.ndarray], None]  # called at every evaluation: how far, and the average policy [S]


def ignore_progress(point: Point, policy: np.ndarray) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Solution:
    """What a solver found, evaluated exactly."""

    prepared: PreparedGame
    method: str  # the spec of the solver
    seed: int
    iterations: int  # that were run; the policy is the best of the averages on the way
    seconds: float  # of the solver and its evaluations; not of the expansion
    policy_slots: np.ndarray  # [S] the least exploitable of the averages on the way
    last_slots: np.ndarray  # [S] the average after the last iteration
    evaluation: Evaluation
    course: tuple[Point, ...]
    budget: Budget  # with the defaults, where no limit was given
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
        """The average after the last iteration with names; it may be more exploitable than one on the way."""
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
    solver stops after so many `iterations` or `seconds`, or at the exploitability `target`, whatever comes first; where
    none of them is given, at an exploitability of 1e-8 of the range of payoffs, or after 10 seconds. The solution says
    what it was: `stopped_by`. A game of more than `max_nodes` nodes is refused (`limit_name` is what the user
    calls that limit), and so is one that is not expanded within the seconds. `progress` is called at every evaluation
    of the average policy.
    """
    SOLVERS.parse(method)
    budget = Budget(iterations=iterations, seconds=seconds, target=target)
    prepared, spent = prepare_within(as_game(game), max_nodes, budget.seconds, limit_name)
    return solve_prepared(prepared, method, budget, seed, progress, spent=spent)


def prepare_within(
    game: Game, max_nodes: int, seconds: float | None, limit_name: str = "max_nodes"
) -> tuple[PreparedGame, float]:
    """Expand and fold a game; return also what that has taken of the seconds, if there is a limit of them.

    Small trees are expanded in any case. To compile kernels is no time of the solver.
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
    """Solve a game that is prepared; so many of the seconds of the budget are `spent` already."""
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
    """A solver at work: iterations and evaluations in turn, and the best policy so far."""

    def __init__(self, prepared: PreparedGame, solver: Solver, progress: Progress) -> None:
        self.form, self.solver, self.progress = prepared.form, solver, progress
        self.start = perf_counter()
        self.policy = solver.average()
        self.evaluation = evaluate_profile(self.form, self.policy)
        self.course: list[Point] = []
        self._pace = 1.0  # iterations per second; a first guess

    def finish(self) -> Stop:
        """Run an exact solver to its end. There is no best so far: Ctrl-C is raised."""
        self.solver.run(1)
        self._evaluate()
        return "exact"

    def iterate(self, budget: Budget) -> Stop:
        """Run within the budget; return what has ended it."""
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
        """Run up to so many iterations, in pieces between safe points; time may end it before."""
        while (done := self.solver.iterations) < goal:
            check_signals()
            before = perf_counter()
            if done and seconds is not None and before - self.start >= seconds:
                return
            self.solver.run(max(1, min(goal - done, int(self._pace * PATIENCE))))
            self._pace = (self.solver.iterations - done) / max(1e-9, perf_counter() - before)

    def _evaluate(self) -> None:
        """Evaluate the average policy, keep the better one, and say how far the run is."""
        average = self.solver.average()
        judged = evaluate_profile(self.form, average)
        if judged.exploitability <= self.evaluation.exploitability or not self.course:
            self.policy, self.evaluation = average, judged
        self.course.append(Point(self.solver.iterations, perf_counter() - self.start, judged.exploitability))
        self.progress(self.course[-1], average)


def _find_notes(prepared: PreparedGame, method: str, solver: Solver) -> tuple[Problem, ...]:
    """Say where an iterative solver is a heuristic: everywhere but with one role, or two and a constant sum."""
    count = len(prepared.roles)
    if solver.is_exact or count == 1 or (count == 2 and prepared.total is not None):
        return ()
    what = f"{count} roles" if count > 2 else "payoffs whose sum varies"
    return (problem("no-guarantee", method=method, what=what),)
