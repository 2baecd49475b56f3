"""An analysis in its worker: the expanded game, a running solver, and its policy.

A worker has one desk. The solver runs in a thread, so that questions are answered meanwhile; `stop` ends it at its next
evaluation, and the best policy so far stays on the desk. If the worker has ended, because it was idle, the next
question makes a new desk with the uniform policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Thread
from typing import Any

import numpy as np

from veil.engine import Game
from veil.equilibrium import (
    SOLVERS,
    Budget,
    Evaluation,
    Point,
    Policy,
    PreparedGame,
    Solution,
    TreeBounds,
    evaluate_profile,
    prepare,
    slots_of,
    solve_prepared,
    uniform_policy,
)
from veil.errors import Problem, VeilError, fail
from veil.server.web.host.workers import Say, show_problem
from veil.server.web.jobs.game_sources import open_game
from veil.server.web.jobs.scenery import Scenery

MAX_NODES = 2_000_000  # of a tree that is held in memory
EXPAND_SECONDS = 30.0
MAX_POINTS = 400  # points of the curve; a run of ten minutes has about a hundred


class Desk:
    """A game under analysis."""

    def __init__(self, game: Game) -> None:
        self.game, self.scenery = game, Scenery(game)
        self.prepared: PreparedGame | None = None
        self.refusals: Sequence[Problem] = ()  # the reasons why there is no tree
        try:
            bounds = TreeBounds(seconds=EXPAND_SECONDS)
            self.prepared = prepare(game, MAX_NODES, bounds=bounds)
        except VeilError as error:
            self.refusals = error.problems
        self.points: list[Point] = []
        self.policy = None if self.prepared is None else uniform_policy(self.prepared.form)
        self.policy_name = "uniform"
        self.solution: Solution | None = None
        self._failure: VeilError | None = None
        self._thread: Thread | None = None
        self._is_stopping = False

    @property
    def is_running(self) -> bool:
        """Whether a solver is running."""
        return self._thread is not None and self._thread.is_alive()

    def expanded(self) -> PreparedGame:
        """Return the tree. Raises `VeilError` with the reasons if there is none."""
        if self.prepared is None:
            raise VeilError(*self.refusals)
        return self.prepared

    def begin(self, method: str, seconds: float, seed: int) -> None:
        """Start a solver in place of the one before."""
        SOLVERS.parse(method)
        prepared = self.expanded()
        budget = replace(Budget().fill(prepared.tree), seconds=seconds)  # default precision, or the time is up
        self.stop()
        self.points, self.solution, self._failure, self._is_stopping = [], None, None, False
        self._thread = Thread(target=self._solve, args=(prepared, method, budget, seed), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the solver at its next evaluation, and wait for its end."""
        self._is_stopping = True
        if self._thread is not None:
            self._thread.join()

    def raise_failure(self) -> None:
        """Raise the error of the solver, once, if there is one."""
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def take_policy(self, text: str, name: str) -> int:
        """Put a policy on the desk; return the number of infosets that it does not have."""
        self.stop()
        prepared = self.expanded()
        self.policy, missing = slots_of(prepared.tree, Policy.parse(text, name), name)
        self.policy_name, self.solution, self.points = name, None, []
        return missing

    def judge(self) -> Evaluation:
        """Return the value of the policy on the desk, and what best responses win against it."""
        return evaluate_profile(self.expanded().form, self.slots())

    def slots(self) -> np.ndarray:
        """Return the policy on the desk [S]."""
        assert self.policy is not None
        return self.policy

    def _solve(self, prepared: PreparedGame, method: str, budget: Budget, seed: int) -> None:
        """Run a solver (the main function of its thread)."""
        best = np.inf

        def listen(point: Point, average: np.ndarray) -> None:
            nonlocal best
            self.points.append(point)
            if point.exploitability <= best:
                best, self.policy = point.exploitability, average
                self.policy_name = f"{method}, {point.iterations:,} iterations"
            if self._is_stopping:
                raise KeyboardInterrupt  # like Ctrl-C at a terminal: the best policy so far is the result

        try:
            self.solution = solve_prepared(prepared, method, budget, seed, listen)
        except KeyboardInterrupt:
            pass  # an exact solver has no best policy so far
        except VeilError as error:
            self._failure = error


_desks: dict[str, Desk] = {}  # by game; a worker has one


def find_desk(source: dict[str, Any]) -> Desk:
    """Return the desk of this worker; a new one if it was for another game."""
    key = repr((source["name"], source["text"], source["transfer"]))
    if key not in _desks:
        _desks.clear()
        _desks[key] = Desk(open_game(source))
    return _desks[key]


# The functions that a worker is asked to call


def open_desk(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """Return the game and its size, or why there is no tree."""
    desk = find_desk(source)
    roles = [role for role in desk.game.roles if role != "random"]
    prepared = desk.prepared
    return {
        "game": desk.game.name,
        "unit": desk.game.utility.unit,
        "roles": roles,
        "size": None if prepared is None else prepared.tree.counts(),
        "constant_sum": prepared is not None and prepared.total is not None,
        "problems": [show_problem(entry) for entry in desk.refusals],
    } | tell_course(desk)


def begin_solving(say: Say, source: dict[str, Any], method: str, seconds: float, seed: int) -> dict[str, Any]:
    """Start a solver; return the curve so far."""
    desk = find_desk(source)
    desk.begin(method, seconds, seed)
    return tell_course(desk)


def look_at_solver(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """Return how far the solver is."""
    desk = find_desk(source)
    if not desk.is_running:
        desk.raise_failure()
    return tell_course(desk)


def stop_solver(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """End the solver; the best policy so far stays."""
    desk = find_desk(source)
    desk.stop()
    desk.raise_failure()
    return tell_course(desk)


def load_policy(say: Say, source: dict[str, Any], text: str, name: str) -> dict[str, Any]:
    """Load a policy that `veil solve --policy-out` wrote."""
    desk = find_desk(source)
    missing = desk.take_policy(text, name)
    return tell_course(desk) | {"missing": missing}


def save_policy(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """Return the policy on the desk as the text of a file."""
    from veil.equilibrium import policy_of

    desk = find_desk(source)
    tree = desk.expanded().tree
    policy = policy_of(tree, desk.slots(), {"made_by": desk.policy_name, "exploitability": desk.judge().exploitability})
    return {"text": policy.as_text(), "name": f"{desk.game.name}.json"}


def tell_course(desk: Desk) -> dict[str, Any]:
    """Return the curve so far, and the policy on the desk."""
    points = list(desk.points)[-MAX_POINTS:]
    told: dict[str, Any] = {
        "running": desk.is_running,
        "points": [[point.iterations, point.seconds, point.exploitability] for point in points],
        "policy": desk.policy_name,
        "stopped_by": None if desk.solution is None else desk.solution.stopped_by,
        "notes": [] if desk.solution is None else [show_problem(entry) for entry in desk.solution.notes],
    }
    if desk.prepared is not None and desk.policy is not None:
        judged = desk.judge()
        roles = desk.prepared.roles
        told |= {
            "value": dict(zip(roles, judged.value.tolist(), strict=True)),
            "best_response": dict(zip(roles, judged.best_value.tolist(), strict=True)),
            "exploitability": judged.exploitability,
            "nash_conv": judged.nash_conv,
        }
    return told


def check_role(desk: Desk, role: str) -> int:
    """Return the place of a role among those that decide. Raises `VeilError` if the role is unknown."""
    roles = desk.expanded().roles
    if role not in roles:
        raise fail("unknown-role", role=role, roles=", ".join(roles))
    return roles.index(role)
