"""`solve`: one way into all solvers, with a budget of iterations, seconds or exploitability.

A run alternates between iterations and exact evaluations of the average policy; the best one seen is the result. It
ends when a budget is used up, when the target is met, or with Ctrl-C, and gives the best so far in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import NamedTuple, Protocol

import numpy as np

from veil.engine import Game
from veil.equilibrium.cfr import CFR, CFR_PLUS, DCFR, PCFR_PLUS, CfrSolver, ItsSolver, XfpSolver
from veil.equilibrium.form import Form, sequence_form
from veil.equilibrium.lp import solve_lp
from veil.equilibrium.mccfr import McCfrSolver
from veil.equilibrium.policy import Policy, policy_of
from veil.equilibrium.response import Evaluation, evaluate
from veil.equilibrium.tree import MAX_NODES, GameTree, Tree, constant_sum, expand
from veil.errors import Problem, fail, problem

DEFAULT_SECONDS = 10.0  # where no budget is given
DEFAULT_PRECISION = 1e-4  # of the range of payoffs: a target where none is given
GROWTH = 1.2  # iterations from one evaluation to the next: a matter of numbers alone, so that a seed has one result
PATIENCE = 0.25  # seconds in a kernel before Ctrl-C is heard


class Solver(Protocol):
    """Something that gets better with every iteration."""

    iterations: int

    def run(self, iterations: int) -> None: ...

    def average(self) -> np.ndarray: ...


class Whole(NamedTuple):
    """A game in the shapes that solvers want."""

    found: GameTree
    form: Form
    total: float | None  # what the payoffs add up to, None where that varies


SOLVERS: dict[str, Callable[[Whole, int], Solver]] = {
    "its": lambda whole, seed: ItsSolver(whole.form, seed),
    "xfp": lambda whole, seed: XfpSolver(whole.form),
    "cfr": lambda whole, seed: CfrSolver(whole.form, CFR),
    "cfr+": lambda whole, seed: CfrSolver(whole.form, CFR_PLUS),
    "dcfr": lambda whole, seed: CfrSolver(whole.form, DCFR),
    "pcfr+": lambda whole, seed: CfrSolver(whole.form, PCFR_PLUS),
    "es-mccfr": lambda whole, seed: McCfrSolver(whole.found.tree, whole.form, whole.total, "external", seed),
    "os-mccfr": lambda whole, seed: McCfrSolver(whole.found.tree, whole.form, whole.total, "outcome", seed),
}
METHODS = (*SOLVERS, "lp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """When to stop; None is no limit. With no limit at all, after `DEFAULT_SECONDS` or with a precise result."""

    iterations: int | None = None
    seconds: float | None = None
    target: float | None = None  # exploitability

    def __post_init__(self) -> None:
        for name in ("iterations", "seconds", "target"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise fail("bad-limit", name=name, value=value)

    def filled(self, tree: Tree) -> Budget:
        """Defaults where nothing is said."""
        if self.iterations is None and self.seconds is None and self.target is None:
            ends = tree.utility[tree.num_children == 0]
            span = float((ends.max(axis=0) - ends.min(axis=0)).max(initial=0.0))
            return replace(self, seconds=DEFAULT_SECONDS, target=DEFAULT_PRECISION * (span or 1.0))
        return self


class Point(NamedTuple):
    """How far a run was."""

    iterations: int
    seconds: float
    exploitability: float


Progress = Callable[[Point, np.ndarray], None]  # hears of every evaluation: how far, and the policy [S]


def _ignore(point: Point, policy: np.ndarray) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What a solver found, judged exactly."""

    whole: Whole
    method: str
    seed: int
    iterations: int  # that were run; the policy is the best of the averages on the way
    seconds: float  # of the solver and its evaluations; not of the expansion
    policy_slots: np.ndarray  # [S]
    evaluation: Evaluation
    course: tuple[Point, ...]
    interrupted: bool = False
    notes: tuple[Problem, ...] = ()

    @property
    def value(self) -> dict[str, float]:
        """Expected utility per role."""
        return dict(zip(self.whole.found.roles, map(float, self.evaluation.value), strict=True))

    @property
    def exploitability(self) -> float:
        return self.evaluation.exploitability

    @property
    def nash_conv(self) -> float:
        return self.evaluation.nash_conv

    @property
    def policy(self) -> Policy:
        """With names, ready to be saved."""
        made = {"method": self.method, "iterations": self.iterations, "seed": self.seed}
        made["exploitability"] = self.exploitability
        return policy_of(self.whole.found, self.policy_slots, made)


def solve(
    game: Game,
    method: str = "cfr+",
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    seed: int = 0,
    max_nodes: int = MAX_NODES,
    progress: Progress = _ignore,
) -> Solution:
    """Solve a game: `solve(load("kuhn_poker"), method="lp").value`."""
    check_method(method)
    budget = Budget(iterations=iterations, seconds=seconds, target=target)
    return run(prepare(game, max_nodes), method, budget, seed, progress)


def check_method(method: str) -> None:
    """Refuse a name that is none."""
    if method not in METHODS:
        raise fail("unknown-method", method=method, methods=", ".join(METHODS))


def prepare(game: Game, max_nodes: int = MAX_NODES) -> Whole:
    """Expand a game and fold it into its sequences."""
    found = expand(game, max_nodes)
    if not found.roles:
        raise fail("no-players", game=game.name)
    return Whole(found, sequence_form(found.tree), constant_sum(found.tree))


def run(
    whole: Whole,
    method: str,
    budget: Budget,
    seed: int = 0,
    progress: Progress = _ignore,
) -> Solution:
    """Solve a game that is prepared."""
    notes, course, iterations, interrupted = _remarks(whole, method), tuple[Point, ...](), 1, False
    solver = SOLVERS[method](whole, seed) if method != "lp" else None
    start = perf_counter()
    if solver is None:
        policy = solve_lp(whole.form, whole.total)
        judged = evaluate(whole.form, policy)
        course = (Point(1, perf_counter() - start, judged.exploitability),)
    else:
        policy, judged, course, interrupted = _iterate(whole.form, solver, budget.filled(whole.found.tree), progress)
        iterations = solver.iterations
    return Solution(
        whole=whole,
        method=method,
        seed=seed,
        iterations=iterations,
        seconds=perf_counter() - start,
        policy_slots=policy,
        evaluation=judged,
        course=course,
        interrupted=interrupted,
        notes=notes,
    )


def _iterate(
    form: Form, solver: Solver, budget: Budget, progress: Progress
) -> tuple[np.ndarray, Evaluation, tuple[Point, ...], bool]:
    """Iterations and evaluations in turn: the best policy, its evaluation, the course, whether Ctrl-C ended it."""
    start = perf_counter()
    policy, interrupted = solver.average(), False
    course: list[Point] = []
    judged = evaluate(form, policy)
    speed = 1.0  # iterations per second; a first guess
    try:
        goal = 1
        while True:
            if budget.iterations is not None:
                goal = min(goal, budget.iterations)
            while solver.iterations < goal:
                before, done = perf_counter(), solver.iterations
                if budget.seconds is not None and before - start >= budget.seconds:
                    break
                solver.run(max(1, min(goal - done, int(speed * PATIENCE))))
                speed = (solver.iterations - done) / max(1e-9, perf_counter() - before)
            average = solver.average()
            now = evaluate(form, average)
            if now.exploitability <= judged.exploitability or not course:
                policy, judged = average, now
            course.append(Point(solver.iterations, perf_counter() - start, now.exploitability))
            progress(course[-1], average)
            if _spent(budget, solver.iterations, perf_counter() - start, judged.exploitability):
                break
            goal = int(solver.iterations * GROWTH) + 1
    except KeyboardInterrupt:
        interrupted = True
    return policy, judged, tuple(course), interrupted


def _spent(budget: Budget, iterations: int, seconds: float, exploitability: float) -> bool:
    return (
        (budget.iterations is not None and iterations >= budget.iterations)
        or (budget.seconds is not None and seconds >= budget.seconds)
        or (budget.target is not None and exploitability <= budget.target)
    )


def _remarks(whole: Whole, method: str) -> tuple[Problem, ...]:
    """The CFR family and fictitious play are sure of themselves only where two roles share a constant sum."""
    roles = len(whole.found.roles)
    if method == "lp" or roles == 1 or (roles == 2 and whole.total is not None):
        return ()
    what = f"{roles} roles" if roles > 2 else "payoffs whose sum varies"
    return (problem("no-guarantee", method=method, what=what),)
