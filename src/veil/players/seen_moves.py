"""The moves of all roles in a round, as far as a role knows them from its record. Dialects that tell all moves use it.

An exact belief follows the record. The role knows the last joint move if all worlds of the belief agree on it. Nothing
else is used, so a player that is told all moves never learns more than the record of its role says.
"""

from __future__ import annotations

import numpy as np

from veil.belief import BeliefTracker, NoConsistentHistory, TooManyWorlds, make_sampler
from veil.errors import VeilError, fail
from veil.players.contract import Observation, Seat

MAX_WORLDS = 1000  # a role that knows all moves has one world, or a few if moves are revealed later


class SeenMoves:
    """The moves of all roles, found from the record of one role."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        sampler = make_sampler(f"exact:max_worlds={MAX_WORLDS}", seat.game, seat.role)
        self._belief = BeliefTracker(seat.game, sampler)

    def observe(self, observation: Observation, over: bool) -> list[str]:
        """Return the moves of all roles in the observed round, in the order of the roles.

        `over` says that the round may be the last one. A role that cannot know the moves is refused.
        """
        try:
            try:
                last = self._explain(observation, over)
            except NoConsistentHistory:
                if not over:
                    raise
                last = self._explain(observation, False)  # the match ends before the game does
        except (NoConsistentHistory, TooManyWorlds, VeilError):
            raise fail("dialect-a", role=self.seat.role) from None
        if len(last) != 1:
            raise fail("dialect-a", role=self.seat.role)
        (joint_move,) = last
        return list(self.seat.game.names.joint_words(np.array(joint_move)).values())

    def _explain(self, observation: Observation, over: bool) -> set[tuple[int, ...]]:
        """Return the last joint moves of all worlds. The belief changes only if there is a world."""
        belief = self._belief.copy()
        belief.observe(observation, over=over)
        worlds = belief.worlds(None, np.random.default_rng(0))
        self._belief = belief
        return {tuple(history[-1].tolist()) for history in worlds.histories}
