"""Moves and percepts of a game, numbers to words and back; looked up once."""

from __future__ import annotations

import numpy as np

from veil.engine.game import Game
from veil.engine.machine import unpack
from veil.errors import VeilError
from veil.lang import read_term


class Names:
    """The words of a game's ground program."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = [[game.rules.show(move) for move in own] for own in game.program.moves]
        self.percepts = [[game.rules.show(percept) for percept in own] for own in game.program.percepts]
        self._numbers = [{move: at for at, move in enumerate(own)} for own in game.program.moves]

    def move_number(self, role: int, text: str) -> int | None:
        """The number of a move, in any spelling; None where the role has no such move."""
        try:
            return self._numbers[role].get(read_term(text))
        except VeilError:
            return None

    def seen(self, role: int, percepts: np.ndarray) -> frozenset[str]:
        """The percepts of a packed row [words]."""
        bits = unpack(percepts[None, :], len(self.percepts[role]))[0]
        return frozenset(self.percepts[role][at] for at in np.flatnonzero(bits))
