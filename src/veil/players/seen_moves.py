"""All moves of a round, as far as a role can know them from what it was told: for dialects that tell all moves.

An exact belief follows the record. Where all its worlds agree on the last joint move, the role knows it; nothing else
is used, so that a role that is told the moves of others never knows more than its record says.
"""

from __future__ import annotations

import numpy as np

from veil.belief import BeliefTracker, NoConsistentHistory, TooManyWorlds, make_sampler
from veil.errors import VeilError, fail
from veil.players.contract import Observation, Seat

MAX_WORLDS = 1000  # a role that knows all moves has one world, or a few where moves are hidden and come out later


class SeenMoves:
    """Follows the record of one role."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        sampler = make_sampler(f"exact:max_worlds={MAX_WORLDS}", seat.game, seat.role)
        self._belief = BeliefTracker(seat.game, sampler)

    def hear(self, observation: Observation, over: bool) -> list[str]:
        """The moves of all roles in the round that was just observed, in their order; `over`: it may be the last one.

        A role that cannot know them is refused.
        """
        try:
            try:
                last = self._explain(observation, over)
            except NoConsistentHistory:
                if not over:
                    raise
                last = self._explain(observation, False)  # it ends, although the game does not
        except (NoConsistentHistory, TooManyWorlds, VeilError):
            raise fail("dialect-a", role=self.seat.role) from None
        if len(last) != 1:
            raise fail("dialect-a", role=self.seat.role)
        (joint_move,) = last
        return list(self.seat.game.names.joint_words(np.array(joint_move)).values())

    def _explain(self, observation: Observation, over: bool) -> set[tuple[int, ...]]:
        """The last joint moves of all worlds; the belief is only changed where there are some."""
        belief = self._belief.copy()
        belief.observe(observation, over=over)
        worlds = belief.worlds(None, np.random.default_rng(0))
        self._belief = belief
        return {tuple(history[-1].tolist()) for history in worlds.histories}
