"""The CFR family in a game that is walked: a pass over all histories takes the place of the entries of the form.

An iteration of a role is one pass, which finds the counterfactual values at its last moves, and the update that trees
have, too. Histories that the others never play are not walked: from the second iteration on, most of them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from veil.equilibrium.cfr import CfrSolver
from veil.equilibrium.configs import CfrConfig
from veil.equilibrium.full_width_kernels import learn
from veil.equilibrium.response import uniform_policy
from veil.equilibrium.sequence_kernels import realize
from veil.equilibrium.streaming.walk import Share, Walk, ignore_share
from veil.equilibrium.streaming.walk_evaluation import add_uniform_payoffs


class WalkCfrSolver(CfrSolver):
    """Regrets and average policy of one run in a game that is walked.

    A run that is left in the middle of an iteration, by Ctrl-C, goes on with the role whose turn it was.
    """

    def __init__(self, walk: Walk, config: CfrConfig) -> None:
        self.share: Share = ignore_share  # called with the share of an iteration that is done
        self._walk, self._turn = walk, 0  # the first role that has not learned in this iteration
        super().__init__(walk.form, config)

    def run(self, iterations: int) -> None:
        """Run `iterations` more iterations."""
        for _ in range(iterations):
            self._iterate(self.iterations + 1)
            self.iterations, self._turn = self.iterations + 1, 0

    def average(self) -> np.ndarray:
        """Return the average policy [S], exactly symmetric, so that it is so with the four bytes of a file, too."""
        policy = super().average()
        for role in range(len(self._walk.roles)):
            self._walk.make_symmetric(role, policy)
        return policy

    def state(self) -> dict[str, np.ndarray]:
        """Return what the next iteration needs; the caller must not change it."""
        return super().state() | {"turn": np.array([self._turn], np.int32)}

    def restore(self, iterations: int, state: Mapping[str, np.ndarray]) -> None:
        """Go on after `iterations` iterations of a run that had this state."""
        super().restore(iterations, {name: values for name, values in state.items() if name != "turn"})
        self._turn = int(state["turn"][0])

    def _iterate(self, t: int) -> None:
        """Run iteration t, or the rest of it: roles learn one after the other, or all from the same policies."""
        roles = range(len(self._walk.roles))
        for role in roles[self._turn :]:
            self._find_values(role)
            if self._scheme.alternating:
                self._learn(role, t)
                self._turn = role + 1
        if not self._scheme.alternating:
            for role in roles:
                self._learn(role, t)

    def _learn(self, role: int, t: int) -> None:
        """Update one role; what symmetries map onto each other stays equal, whatever rounding does."""
        learn(self.form, self._scheme, self._memory, role, t)
        if self._walk.symmetries > 1:
            for values in (self._memory.regret, self._memory.policy):
                self._walk.make_symmetric(role, values)
            realize(self.form, role, self._memory.policy, self._memory.realization)

    def _find_values(self, role: int) -> None:
        """Set the counterfactual values of a role's last moves, against the current policies of the others."""
        policy, values, roles = self._memory.policy, self._memory.cf_value, len(self._walk.roles)
        is_first = self.iterations == 0 and self._turn == 0 and np.array_equal(policy, uniform_policy(self.form))

        def share(done: float) -> None:
            self.share((role + done) / roles)

        if is_first:
            add_uniform_payoffs(self._walk, role, policy, values, share)
        else:
            self._walk.add_payoffs(role, policy, values, share, is_symmetric=True)
