"""`SolveStore`: the state of a run of a solver in a file, so that a run that was killed goes on where it was.

The file is an array file, written completely or not at all, now and then and at the end. It belongs to one game, one
method and one seed; others are refused. What comes out at the end does not depend on where a run was killed.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from veil.equilibrium.array_file import map_arrays, write_arrays
from veil.equilibrium.response import Evaluation
from veil.errors import VeilError, fail
from veil.files import check_writable
from veil.limits import LIMITS
from veil.parts import OptionalPart

FORMAT = "veil solve 1"
SOLVER = "solver "  # before the names of the solver's own arrays
PAUSE = 10.0  # seconds between two writes, at least
SHARE = 0.05  # of the time that writes may take
ROUNDING = 1e-6  # of a probability


class KeepsState(OptionalPart):
    """A solver whose state can be written down, and read again."""

    @abstractmethod
    def state(self) -> dict[str, np.ndarray]:
        """Return what the next iteration needs; the caller must not change it."""

    @abstractmethod
    def restore(self, iterations: int, state: Mapping[str, np.ndarray]) -> None:
        """Go on after `iterations` iterations of a run that had this state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """The state of a run. K evaluations, R roles, S slots."""

    iterations: int
    seconds: float  # that the run has taken
    course: np.ndarray  # [K, 3] a row for every evaluation: iterations, seconds, exploitability
    evaluation: Evaluation  # of the best policy
    policy: np.ndarray  # [S] the best so far
    solver: Mapping[str, np.ndarray]


class SolveStore:
    """The file that keeps the state of one run."""

    def __init__(self, name: str | os.PathLike[str], identity: Mapping[str, Any]) -> None:
        """Open a store for a run; `identity` says which run it is. Raises `VeilError` if the file holds another."""
        self.name, self._identity = os.fspath(name), {"format": FORMAT, **identity}
        self._next, self._is_new = perf_counter() + PAUSE, not os.path.exists(self.name)
        check_writable(self.name)

    def read(self, roles: int, slots: int, needed: Mapping[str, np.ndarray]) -> RunState | None:
        """Return the state in the file; None if there is none yet.

        It is refused unless its arrays are like those in `needed`, the state of a solver of this run: kernels work on
        them without a look at their sizes.
        """
        if self._is_new:
            return None
        about, arrays = map_arrays(self.name, _refuse)
        for key, value in self._identity.items():
            if about.get(key) != value:
                raise _refuse(self.name, f"it belongs to another run: {key} is {about.get(key)}, not {value}")
        shapes = {"value": (roles,), "best_value": (roles,), "policy": (slots,)}
        course = arrays.get("course", np.zeros(0))
        solver = {key.removeprefix(SOLVER): values for key, values in arrays.items() if key.startswith(SOLVER)}
        if (
            not _is_number(about.get("iterations"), int)
            or not _is_number(about.get("seconds"), float)
            or course.shape != (len(course), 3)
            or any(key not in arrays or arrays[key].shape != shape for key, shape in shapes.items())
            or solver.keys() != needed.keys()
            or any((solver[key].shape, solver[key].dtype) != (own.shape, own.dtype) for key, own in needed.items())
            or not all(np.isfinite(values).all() for values in arrays.values())
            or not _are_chances(arrays["policy"])
        ):
            raise _refuse(self.name, "it has not the arrays of a run")
        return RunState(
            iterations=about["iterations"],
            seconds=about["seconds"],
            course=course,
            evaluation=Evaluation(np.array(arrays["value"]), np.array(arrays["best_value"])),
            policy=np.array(arrays["policy"]),
            solver=solver,
        )

    def is_due(self) -> bool:
        """Return whether it is time to write."""
        return perf_counter() >= self._next

    def write(self, state: RunState) -> None:
        """Put the state into the file."""
        start = perf_counter()
        about = {**self._identity, "iterations": state.iterations, "seconds": state.seconds}
        own = {
            "course": state.course,
            "value": state.evaluation.value,
            "best_value": state.evaluation.best_value,
            "policy": state.policy,
        }
        write_arrays(self.name, about, own | {SOLVER + key: values for key, values in state.solver.items()})
        now = perf_counter()
        self._next = now + max(PAUSE, (now - start) / SHARE)


def _refuse(name: str, what: str) -> VeilError:
    return fail("bad-store", name=name, what=what)


def _is_number(value: object, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool) and 0 <= value <= LIMITS["iterations"].high  # type: ignore[operator]


def _are_chances(policy: np.ndarray) -> bool:
    return bool((policy >= 0).all() and (policy <= 1 + ROUNDING).all())
