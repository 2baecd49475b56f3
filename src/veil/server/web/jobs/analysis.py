"""An analysis in its worker: the expanded game, a running solver, and its policy.

A worker has one session. The solver runs in a thread, so that questions are answered meanwhile; `stop` ends it at its
next evaluation, and the best policy so far stays in the session. If the worker has ended, because it was idle, the next
question makes a new session with the uniform policy.
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
    policy_of,
    prepare,
    slots_of,
    solve_prepared,
    uniform_policy,
)
from veil.errors import Problem, VeilError, did_you_mean, fail
from veil.server.web.host.workers import Say, show_problem
from veil.server.web.jobs.game_sources import open_game
from veil.server.web.jobs.scenery import Scenery

MAX_NODES = 2_000_000  # of a tree that is held in memory
EXPAND_SECONDS = 30.0
SOLVED_AT_ONCE = 20_000  # nodes of a game that is solved when its page is opened
MAX_POINTS = 400  # points of the curve; a run of ten minutes has about a hundred


class AnalysisSession:
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
        """Put a policy into the session; return the number of infosets that it does not have."""
        self.stop()
        prepared = self.expanded()
        self.policy, missing = slots_of(prepared.tree, Policy.parse(text, name), name)
        self.policy_name, self.solution, self.points = name, None, []
        return missing

    def judge(self) -> Evaluation:
        """Return the value of the session's policy, and what best responses win against it."""
        return evaluate_profile(self.expanded().form, self.slots())

    def slots(self) -> np.ndarray:
        """Return the session's policy [S]."""
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


_sessions: dict[str, AnalysisSession] = {}  # by game; a worker has one


def find_session(source: dict[str, Any]) -> AnalysisSession:
    """Return the session of this worker; a new one if it was for another game."""
    key = repr((source["name"], source["text"], source["transfer"]))
    if key not in _sessions:
        _sessions.clear()
        _sessions[key] = AnalysisSession(open_game(source))
    return _sessions[key]


# The functions that a worker is asked to call


def open_session(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """Return the game and its size, or why there is no tree."""
    session = find_session(source)
    roles = [role for role in session.game.roles if role != "random"]
    prepared = session.prepared
    return {
        "game": session.game.name,
        "unit": session.game.utility.unit,
        "roles": roles,
        "size": None if prepared is None else prepared.tree.counts(),
        "constant_sum": prepared is not None and prepared.total is not None,
        "is_small": prepared is not None and prepared.tree.num_nodes <= SOLVED_AT_ONCE,
        "problems": [show_problem(entry) for entry in session.refusals],
    } | tell_course(session)


def begin_solving(say: Say, source: dict[str, Any], method: str, seconds: float, seed: int) -> dict[str, Any]:
    """Start a solver; return the curve so far."""
    session = find_session(source)
    session.begin(method, seconds, seed)
    return tell_course(session)


def look_at_solver(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """Return how far the solver is."""
    session = find_session(source)
    if not session.is_running:
        session.raise_failure()
    return tell_course(session)


def stop_solver(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """End the solver; the best policy so far stays."""
    session = find_session(source)
    session.stop()
    session.raise_failure()
    return tell_course(session)


def load_policy(say: Say, source: dict[str, Any], text: str, name: str) -> dict[str, Any]:
    """Load a policy that `veil solve --policy-out` wrote."""
    session = find_session(source)
    missing = session.take_policy(text, name)
    return tell_course(session) | {"missing": missing}


def save_policy(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """Return the session's policy as the text of a file."""
    session = find_session(source)
    tree = session.expanded().tree
    policy = policy_of(
        tree, session.slots(), {"made_by": session.policy_name, "exploitability": session.judge().exploitability}
    )
    return {"text": policy.as_text(), "name": f"{session.game.name}.json"}


def tell_course(session: AnalysisSession) -> dict[str, Any]:
    """Return the curve so far, and the session's policy."""
    points = list(session.points)[-MAX_POINTS:]
    told: dict[str, Any] = {
        "running": session.is_running,
        "points": [[point.iterations, point.seconds, point.exploitability] for point in points],
        "policy": session.policy_name,
        "stopped_by": None if session.solution is None else session.solution.stopped_by,
        "notes": [] if session.solution is None else [show_problem(entry) for entry in session.solution.notes],
    }
    if session.prepared is not None and session.policy is not None:
        judged = session.judge()
        roles = session.prepared.roles
        told |= {
            "value": dict(zip(roles, judged.value.tolist(), strict=True)),
            "best_response": dict(zip(roles, judged.best_value.tolist(), strict=True)),
            "exploitability": judged.exploitability,
            "nash_conv": judged.nash_conv,
        }
    return told


def check_role(session: AnalysisSession, role: str) -> int:
    """Return the place of a role among those that decide. Raises `VeilError` if the role is unknown."""
    roles = session.expanded().roles
    if role not in roles:
        raise fail("unknown-role", role=role, roles=", ".join(roles), near=did_you_mean(role, roles))
    return roles.index(role)
