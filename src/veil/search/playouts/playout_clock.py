"""How long playouts may be under a clock: one mechanism for all searches that play games to the end.

Random play of some games hardly ever ends. Under a clock, a playout that is too long for it is cut, and the goals where
it stands count. A first portion with short playouts shows what a state costs; then as many rounds are allowed as there
is time for. Playouts of most games end long before.
"""

from __future__ import annotations

from time import perf_counter

FEW_ROUNDS, MAX_ROUNDS = 64, 100_000  # of a playout: before the cost of a state is known, and at most
SHARE = 0.25  # of the time that is left, for a portion of playouts if they all have the most rounds
FIRST_PORTION = 64  # playouts, before the cost of a state is known


class PlayoutClock:
    """What a state of a playout costs, and what there is time for by that."""

    def __init__(self) -> None:
        self.seconds_each = 0.0  # of a state; 0: not known

    def learn(self, states: int, seconds: float) -> None:
        """Note the cost of a portion of playouts."""
        if states:
            self.seconds_each = max(seconds / states, self.seconds_each / 2)

    def rounds(self, deadline: float | None, playouts: int) -> int:
        """Return after how many rounds to cut playouts, so that a portion of `playouts` is done before the deadline."""
        if deadline is None:
            return MAX_ROUNDS
        if not self.seconds_each:
            return FEW_ROUNDS
        return int(min(max(self._states(deadline, SHARE) / max(1, playouts), FEW_ROUNDS), MAX_ROUNDS))

    def portion(self, deadline: float | None, most: int, share: float) -> int:
        """Return how many playouts, at most `most`, take no more than this share of the time with a few rounds each."""
        if deadline is None:
            return most
        if not self.seconds_each:
            return min(most, FIRST_PORTION)
        return int(min(max(self._states(deadline, share) / FEW_ROUNDS, 1), most))

    def _states(self, deadline: float, share: float) -> float:
        """Return how many states fit into a share of the time that is left."""
        return share * max(0.0, deadline - perf_counter()) / self.seconds_each
