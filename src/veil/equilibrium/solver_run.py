"""`solve`: the entry to all solvers, with a budget of iterations, seconds or exploitability.

A run alternates between iterations and exact evaluations of the average policy; the best policy is the result. It ends
when a budget is used up, when the target is reached, or with Ctrl-C, and returns the best policy so far. The solution
says why it ended (`stopped_by`). An exact solver runs to its end, whatever the budget.

A game whose tree is too large is walked (`streaming/`), by the solvers of the CFR family. An evaluation then takes as
long as several iterations, so there are fewer. A run that cannot end within its seconds is refused with an estimate.

Without any limit, the target is `DEFAULT_PRECISION` of the range of payoffs, and the limit is `DEFAULT_SECONDS`. In
small games the default method reaches the target at once: six digits of a value are then right.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from veil.display import Displayed, Plot, plot
from veil.engine import Game, as_game
from veil.equilibrium.evaluation import judge_slots
from veil.equilibrium.policy import Policy, policy_of
from veil.equilibrium.prepared_game import PreparedGame, prepare
from veil.equilibrium.response import Evaluation
from veil.equilibrium.solve_store import KeepsState, RunState, SolveStore
from veil.equilibrium.solvers import SOLVERS, Solver
from veil.equilibrium.tree import MAX_NODES, GameTree
from veil.equilibrium.tree_records import TreeBounds
from veil.errors import Problem, VeilError, fail, problem
from veil.limits import check_limit
from veil.signals import check_signals

if TYPE_CHECKING:
    from veil.equilibrium.streaming.walk import Walk
    from veil.equilibrium.streaming.walk_estimate import WalkEstimate

DEFAULT_METHOD = "pcfr+"  # by far the fastest in small games, and in most large ones; see docs/decisions.md
DEFAULT_SECONDS = 10.0  # if no budget is given
DEFAULT_PRECISION = 1e-8  # of the range of payoffs: the target if none is given
GROWTH = 1.2  # ratio of iterations between evaluations: it depends on numbers alone, so that a seed has one result
WALK_GROWTH, FIRST_WALKED = 2.0, 16  # that ratio, and the first evaluation, in a game that is walked
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

    def fill(self, prepared: GameTree | PreparedGame | Walk) -> Budget:
        """Return this budget, or the defaults for this game if it has no limit."""
        if self != Budget():
            return self
        tree = prepared.tree if isinstance(prepared, PreparedGame) else prepared
        ends = tree.flat.utility[tree.flat.num_children == 0] if isinstance(tree, GameTree) else tree.graph.payoffs
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


def is_walked(solution: Solution) -> bool:
    """Return whether a game was walked, without a tree."""
    return not isinstance(solution.prepared, PreparedGame)


def ignore_progress(point: Point, policy: np.ndarray) -> None:
    """Do nothing."""


class WalkListener(NamedTuple):
    """What is called while a game is walked."""

    estimate: Callable[[WalkEstimate], None] = lambda _: None  # before the work: how long it will take
    share: Callable[[float, float], None] = lambda *_: None  # iterations that are done; the share of an evaluation


SILENT = WalkListener()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Solution(Displayed):
    """The result of a solver, evaluated exactly."""

    prepared: PreparedGame | Walk
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
        value = ", ".join(f"{role}: {utility:.6g}" for role, utility in self.value.items())
        return f"Solution({self.game.name!r}, {self.method!r}, {{{value}}}, exploitability={self.exploitability:.3g})"

    def plot(self) -> Plot:
        """Return a picture of the exploitability over iterations: `solution.plot().save("curve.png")`."""
        return plot(self)

    @property
    def game(self) -> Game:
        """The game that was solved."""
        return self.prepared.game

    @property
    def tree(self) -> GameTree:
        """The tree of the game. Raises `VeilError` if the game was walked, without a tree."""
        if not isinstance(self.prepared, PreparedGame):
            raise fail("no-tree", game=self.game.name)
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
        """NashConv per role: the mean over roles of what a best response gains."""
        return self.evaluation.exploitability

    @property
    def nash_conv(self) -> float:
        """The sum over roles of what a best response gains; 0 in an equilibrium."""
        return self.evaluation.nash_conv

    @property
    def policy(self) -> Policy:
        """The policy with names, ready to be saved."""
        return self._name(self.policy_slots, self.exploitability)

    @property
    def last_policy(self) -> Policy:
        """The average after the last iteration with names; an earlier average may be less exploitable."""
        return self._name(self.last_slots, self.course[-1].exploitability)

    def _name(self, slots: np.ndarray, exploitability: float) -> Policy:
        """Return a policy [S] with names."""
        made = {"method": self.method, "iterations": self.iterations, "seed": self.seed}
        made["exploitability"] = exploitability
        if isinstance(self.prepared, PreparedGame):
            return policy_of(self.prepared.tree, slots, made)
        from veil.equilibrium.streaming.walk_policy import walk_policy_of  # imports numba

        return walk_policy_of(self.prepared, slots, made)


def solve(
    game: Game | str | os.PathLike[str],
    method: str = DEFAULT_METHOD,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    seed: int = 0,
    max_nodes: int | None = None,
    progress: Progress = ignore_progress,
    limit_name: str = "max_nodes",
    by_legal: bool = False,
    store: str | os.PathLike[str] | None = None,
    walking: WalkListener = SILENT,
    executor: Executor | None = None,
) -> Solution:
    """Solve a game: `solve("kuhn_poker", method="lp").value`.

    The game is a `Game`, its name, path or rules text; the method is a spec of `SOLVERS`, like `dcfr:alpha=2`. The
    solver stops after `iterations` iterations, after `seconds` seconds, or at the exploitability `target`, whichever
    comes first. If none is given, it stops at an exploitability of 1e-8 of the range of payoffs, or after 10 seconds.
    The solution says why it stopped: `stopped_by`. `progress` is called at every evaluation of the average policy.

    A game whose tree is too large is walked, by the CFR family, on an `executor` if there is one (`veil.open_cluster`);
    `walking` is told how long that takes. If `max_nodes`
    is given, a larger tree is refused instead (messages call that limit `limit_name`). A game that cannot be prepared
    within the seconds is refused, too. With `by_legal`, a role knows its legal moves where its record does not tell
    them; without it, such a game is refused.

    The file `store` keeps the state of the run now and then. The same call goes on from there, and counts the
    iterations and seconds before.
    """
    SOLVERS.parse(method)
    budget = Budget(iterations=iterations, seconds=seconds, target=target)
    check_limit("seed", seed, "seed")
    game = as_game(game)
    prepared: PreparedGame | Walk
    try:
        prepared, spent = prepare_within(
            game, MAX_NODES if max_nodes is None else max_nodes, budget.seconds, limit_name, by_legal=by_legal
        )
    except VeilError as error:
        prepared, spent = _prepare_walk(game, error, max_nodes, executor), 0.0
    return solve_prepared(prepared, method, budget, seed, progress, spent=spent, store=store, walking=walking)


def _prepare_walk(game: Game, error: VeilError, max_nodes: int | None, executor: Executor | None) -> Walk:
    """Return a game ready to be walked, if the error says that its tree is too large and the user gave no limit."""
    from veil.equilibrium.streaming.choice import is_too_large  # imports numba
    from veil.equilibrium.streaming.shard_crew import prepare_on

    if max_nodes is not None or not is_too_large(error):
        raise error
    return prepare_on(executor, game)


def prepare_within(
    game: Game, max_nodes: int, seconds: float | None, limit_name: str = "max_nodes", *, by_legal: bool = False
) -> tuple[PreparedGame, float]:
    """Expand and fold a game; return it with the seconds that this took, 0 if there is no limit of seconds.

    Small trees are expanded in any case. The time to compile kernels does not count. With `by_legal`, infosets are told
    apart by record and legal moves.
    """
    if seconds is None:
        return prepare(game, max_nodes, bounds=TreeBounds(option=limit_name, by_legal=by_legal)), 0.0
    bounds = TreeBounds(seconds=max(LEAST_EXPANDING, EXPANDING * seconds), option=limit_name, by_legal=by_legal)
    prepared = prepare(game, max_nodes, bounds=bounds)
    return prepared, prepared.tree.seconds / EXPANDING


def solve_prepared(
    prepared: PreparedGame | Walk,
    method: str,
    budget: Budget,
    seed: int = 0,
    progress: Progress = ignore_progress,
    *,
    spent: float = 0.0,
    store: str | os.PathLike[str] | None = None,
    walking: WalkListener = SILENT,
) -> Solution:
    """Solve a prepared game; `spent` seconds of the budget are used up already."""
    budget = budget.fill(prepared)
    judging = 0.0 if isinstance(prepared, PreparedGame) else _begin_walk(prepared, method, budget, walking)
    solver = SOLVERS.make(method, prepared, seed)
    notes = _find_notes(prepared, method, solver)
    kept = None if store is None else _open_store(store, prepared, method, seed, solver)
    run = _Run(prepared, solver, progress, kept, walking)
    run.judging = judging
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


def _begin_walk(walk: Walk, method: str, budget: Budget, walking: WalkListener) -> float:
    """Refuse a solver that needs a tree, and a run that cannot end within its seconds; tell the estimate.

    Return the seconds of an evaluation.
    """
    from veil.equilibrium.streaming.walk_estimate import check_method, estimate_walk  # imports numba

    check_method(walk, method)
    estimate = estimate_walk(walk)
    estimate.check(walk, budget.seconds)
    walking.estimate(estimate)
    return estimate.seconds


def _open_store(
    name: str | os.PathLike[str], prepared: PreparedGame | Walk, method: str, seed: int, solver: Solver
) -> SolveStore:
    """Return the store of a run."""
    if not isinstance(solver, KeepsState):
        raise fail("no-solver-state", method=method)
    kind = "tree" if isinstance(prepared, PreparedGame) else "walk"
    utility = prepared.game.utility
    identity = {"game": prepared.game.name, "rules": prepared.game.fingerprint, "utility": str(utility)}
    return SolveStore(name, {**identity, "method": method, "seed": seed, "layout": kind})


class _Run:
    """A running solver: iterations and evaluations in turn, and the best policy so far."""

    def __init__(
        self,
        prepared: PreparedGame | Walk,
        solver: Solver,
        progress: Progress,
        store: SolveStore | None,
        walking: WalkListener,
    ) -> None:
        self.prepared, self.solver, self.progress = prepared, solver, progress
        self.store, self.walking = store, walking
        self.is_walked = not isinstance(prepared, PreparedGame)
        self.start = perf_counter()
        self.course: list[Point] = []
        self._pace = 1.0  # iterations per second; a first guess
        self.judging = 0.0  # seconds that an evaluation takes, in a game that is walked
        if self.is_walked:
            solver.share = lambda done: walking.share(solver.iterations + done, 0.0)  # type: ignore[attr-defined]
        kept = None
        if store is not None and isinstance(solver, KeepsState):
            kept = store.read(prepared.form.num_roles, prepared.form.num_slots, solver.state())
        if kept is not None and isinstance(solver, KeepsState):
            solver.restore(kept.iterations, kept.solver)
            self.start -= kept.seconds
            self.policy, self.evaluation = kept.policy, kept.evaluation
            self.course = [Point(int(row[0]), float(row[1]), float(row[2])) for row in kept.course]
        else:
            self.policy = solver.average()
            self.evaluation = judge_slots(prepared, self.policy, is_uniform=True)

    def finish(self) -> Stop:
        """Run an exact solver to its end. Ctrl-C raises KeyboardInterrupt, because there is no best policy so far."""
        self.solver.run(1)
        self._evaluate()
        return "exact"

    def iterate(self, budget: Budget) -> Stop:
        """Run within the budget; return why the run ended."""
        try:
            return self._iterate(budget)
        except KeyboardInterrupt:
            return "interrupted"
        finally:
            self._write()

    def _iterate(self, budget: Budget) -> Stop:
        """Run within the budget, without regard to Ctrl-C."""
        while True:
            judged = self.course[-1].iterations if self.course else 0
            stop = budget.find_stop(self.course[-1], self.evaluation.exploitability) if self.course else None
            if stop is not None and judged == self.solver.iterations:
                return stop
            goal = self._find_goal(judged)
            self._advance(min(goal, budget.iterations or goal), budget.seconds)
            self._evaluate()
            check_signals()

    def _find_goal(self, judged: int) -> int:
        """Return the iterations before the next evaluation, if the last one was after `judged`."""
        if self.is_walked:
            return max(FIRST_WALKED, int(judged * WALK_GROWTH))
        return int(judged * GROWTH) + 1

    def _advance(self, goal: int, seconds: float | None) -> None:
        """Run up to `goal` iterations in total, in pieces between safe points.

        It stops earlier when `seconds` are over, or would be after an evaluation that takes as long as the last one.
        """
        while (done := self.solver.iterations) < goal:
            check_signals()
            before = perf_counter()
            if done and seconds is not None and before + self.judging - self.start >= seconds:
                return
            self.solver.run(max(1, min(goal - done, int(self._pace * PATIENCE))))
            self._pace = (self.solver.iterations - done) / max(1e-9, perf_counter() - before)
            if self.store is not None and self.store.is_due():
                self._write()

    def _evaluate(self) -> None:
        """Evaluate the average policy, keep the better one, and report the progress."""
        average, before = self.solver.average(), perf_counter()
        done = float(self.solver.iterations)
        judged = judge_slots(self.prepared, average, lambda share: self.walking.share(done, share))
        if self.is_walked:
            self.judging = perf_counter() - before
        if judged.exploitability <= self.evaluation.exploitability or not self.course:
            self.policy, self.evaluation = average, judged
        self.course.append(Point(self.solver.iterations, perf_counter() - self.start, judged.exploitability))
        self.progress(self.course[-1], average)

    def _write(self) -> None:
        """Put the state of the run into the store, if there is one."""
        if self.store is None or not isinstance(self.solver, KeepsState):
            return
        course = np.array(self.course, np.float64).reshape(-1, len(Point._fields))
        self.store.write(
            RunState(
                iterations=self.solver.iterations,
                seconds=perf_counter() - self.start,
                course=course,
                evaluation=self.evaluation,
                policy=self.policy,
                solver=self.solver.state(),
            )
        )


def _find_notes(prepared: PreparedGame | Walk, method: str, solver: Solver) -> tuple[Problem, ...]:
    """Return notes on what a run gives.

    An iterative solver is a heuristic, but for one role, or for two with a constant sum. Symmetries of a game that is
    walked make its policy symmetric.
    """
    count, notes = len(prepared.roles), list[Problem]()
    if not (solver.is_exact or count == 1 or (count == 2 and prepared.total is not None)):
        what = f"{count} roles" if count > 2 else "payoffs whose sum varies"
        notes.append(problem("no-guarantee", method=method, what=what))
    if not isinstance(prepared, PreparedGame) and prepared.symmetries > 1:
        notes.append(problem("symmetric-policy", game=prepared.game.name, count=prepared.symmetries))
    return tuple(notes)
