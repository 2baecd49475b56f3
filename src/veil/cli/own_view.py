"""What a role is certain of while it plays: the fluents that hold in every world of its exact belief."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from veil.report import count_things, label_text

if TYPE_CHECKING:
    from veil.belief import Sampler
    from veil.engine import Game
    from veil.players import Observation

SAMPLER = "exact:max_worlds=20000"
SECONDS = 3.0  # that a round of a belief may take
TOO_MANY = "too many histories are possible to say what is certain"


class OwnView:
    """The exact belief of a role, in words; it is given up where it grows too large."""

    def __init__(self, game: Game, role: str) -> None:
        from veil.belief import make_sampler

        self.game, self.role_id = game, game.names.role_id(role)
        self._belief: Sampler | None = make_sampler(SAMPLER, game, role)
        self._said = False  # that it was given up

    def hear(self, observation: Observation) -> None:
        """One round more, after which the game goes on."""
        from veil.belief import NothingExplains, TooManyWorlds

        names = self.game.names
        move, seen = names.move_id(self.role_id, observation.own_move), observation.percepts
        row = names.pack_percepts(self.role_id, seen)
        if self._belief is None or move is None or row is None:
            return
        try:
            self._belief.observe(move, row, False, perf_counter() + SECONDS)
            self._belief.settle()
        except (TooManyWorlds, NothingExplains):  # the second only where the rules tell more than they say
            self._belief = None

    def describe(self, indent: int) -> list[str]:
        """What is certain, and how many histories are possible; that it is too much only once."""
        import numpy as np

        if self._belief is None:
            said, self._said = self._said, True
            return [] if said else [label_text("known", TOO_MANY, indent)]
        bag = self._belief.worlds(None, np.random.default_rng(0))
        certain = [fluent for fluent, chance in bag.marginals(self.game).items() if chance == 1.0]
        histories = f"({count_things(len(bag), 'history', 'histories')} possible)"
        return [label_text("known", " ".join([*sorted(certain), histories]), indent)]
