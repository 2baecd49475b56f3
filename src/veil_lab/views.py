"""The games of the HyperPlay article's experiments, each from the side of one role."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine import Game, load, observe_history
from veil_lab.weak_play import PLAYOUTS, weak_game

# Our game; the role whose view is taken: the second player, who is the first to get imperfect information.
GAMES: dict[str, str] = {
    "battleships_in_fog(size=4)": "blue",
    "blind_breakthrough(width=5, height=5)": "black",
    "border_protection(size=5)": "defender",
    "guess_who(characters=8, attributes=4)": "second",
    "hidden_connect(size=4, line=3)": "blue",
    "krieg_tictactoe(size=3)": "oplayer",
    "mastermind(pegs=3, colours=5, guesses=6)": "breaker",
    "transit(width=5, height=5)": "patrol",
}


# If a player that looks one move ahead on the true state ends the game in round 3, records are of random play.
RANDOM_PLAY = ("battleships_in_fog", "guess_who")


class View(NamedTuple):
    """A game from one role's side."""

    game: Game
    role: int

    @classmethod
    def of(cls, name: str, role: str) -> View:
        game = load(name)
        return cls(game, game.roles.index(role))

    def play(self, seed: int) -> np.ndarray:
        """Return [T, R] joint moves of a game between weak players, or random ones if weak ones end it at once."""
        return weak_game(self.game, seed, 0 if self.game.name.startswith(RANDOM_PLAY) else PLAYOUTS)

    def make_record(self, seed: int) -> list[tuple[int, np.ndarray, bool]]:
        """Return what the role was told in such a game."""
        return observe_history(self.game.machine, self.play(seed), self.role)
