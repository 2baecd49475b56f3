"""The time that work in a game that is walked will take, measured on a few of its shards before it begins."""

from __future__ import annotations

from dataclasses import dataclass

from veil.clock import show_seconds
from veil.equilibrium.configs import CfrConfig
from veil.equilibrium.response import uniform_policy
from veil.equilibrium.solvers import SOLVERS
from veil.equilibrium.streaming.walk import Walk
from veil.errors import fail

SAMPLE = 0.5  # seconds for each role


@dataclass(frozen=True, slots=True)
class WalkEstimate:
    """The steps of a pass, and the seconds of one pass for every role: of an evaluation, or an iteration at most."""

    steps: float
    seconds: float

    def check(self, walk: Walk, limit: float | None) -> None:
        """Raise `VeilError` if a limit of seconds leaves no time for an evaluation."""
        if limit is not None and self.seconds > limit:
            raise fail("walk-too-long", game=walk.game.name, time=show_seconds(self.seconds), limit=limit)


def estimate_walk(walk: Walk) -> WalkEstimate:
    """Return how long a pass for every role takes, from a few shards against uniform play."""
    policy = uniform_policy(walk.form)
    return WalkEstimate(walk.steps, sum(walk.estimate_pass(role, policy, SAMPLE) for role in range(len(walk.roles))))


def check_method(walk: Walk, method: str) -> None:
    """Raise `VeilError` for a solver that needs a tree: all but the CFR family."""
    if not isinstance(SOLVERS.parse(method).config, CfrConfig):
        raise fail("method-needs-tree", game=walk.game.name, method=method)
