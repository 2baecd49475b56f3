"""The games of the HyperPlay article's experiments, each from the side of one role, with records of HyperPlayers.

The article plays batches of games between HyperPlayers that are "well below the optimal level", so that the games
differ. Records are made in the same way here: every role is a HyperPlayer of the article's kind, with few models that
search back and few playouts. No player sees the true state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine import Game, load, observe_history
from veil.match import MatchLog
from veil.vocabulary import RANDOM
from veil_lab.series import play_series

# Our game; the role whose view is taken: the second player, who is the first to get imperfect information.
GAMES: dict[str, str] = {
    "battleships_in_fog(size=4)": "blue",
    "blind_breakthrough(width=5, height=5)": "black",
    "border_protection(size=5)": "defender",
    "guess_who(characters=8, attributes=4)": "second",
    "hidden_connect(size=4, line=3)": "blue",
    "simultaneous_krieg_tictactoe(size=3, line=3)": "oplayer",
    "mastermind(pegs=3, colours=5, guesses=6)": "breaker",
    "transit(width=5, height=5)": "patrol",
}
# The same games in sizes whose infosets are small enough in mid-game for Pearson's test.
TESTED_GAMES = {name.replace("battleships_in_fog(size=4)", "battleships_in_fog(size=3)"): GAMES[name] for name in GAMES}
RECORDER = "hyperplay:models=20,playouts=2,sampler=hyperplay,reseed=false,remedy=none"
RECORDED_BY = f"Records are of games between HyperPlayers of the article's kind in all roles, {RECORDER}."


class View(NamedTuple):
    """A game from one role's side."""

    game: Game
    role: int

    @classmethod
    def of(cls, name: str, role: str) -> View:
        game = load(name)
        return cls(game, game.roles.index(role))

    def play(self, seed: int) -> np.ndarray:
        """Return [T, R] the joint moves of a game between HyperPlayers, as numbers."""
        players = {role: RECORDER for role in self.game.roles if role != RANDOM}
        return find_joint_moves(self.game, play_series(self.game, players, 1, seed).logs[0])

    def make_record(self, seed: int) -> list[tuple[int, np.ndarray, bool]]:
        """Return what the role was told in such a game."""
        return observe_history(self.game.machine, self.play(seed), self.role)


def find_joint_moves(game: Game, log: MatchLog) -> np.ndarray:
    """Return [T, R] the joint moves of a match, as numbers."""
    names = game.names
    return np.array(
        [[names.move_id(role_id, entry.moves[role]) for role_id, role in enumerate(game.roles)] for entry in log.rounds]
    )
