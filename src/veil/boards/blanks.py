"""Fluents that say that a cell is empty. They are drawn as nothing."""

from __future__ import annotations

import numpy as np

from veil.boards.arrangement import RACK, Arrangement
from veil.boards.fluent_families import FluentFamily
from veil.engine import Game
from veil.vocabulary import RANDOM

BLANKS = ("b", "blank", "empty", "none", "nil", "clear", "free", "e")


def find_blanks(game: Game, family: FluentFamily, arrangement: Arrangement) -> set[int]:
    """Return the fluents that say that a cell is empty: their value fills most cells at first, or has such a name."""
    if len(arrangement.pieces) != 1:
        return set()
    place = arrangement.pieces[0]
    values, codes = family.places[place].values, family.codes[:, place]
    held = game.program.initial[family.fluents]
    cells = len({tuple(row) for row in np.delete(family.codes, place, axis=1).tolist()})
    roles = {role for role in game.program.roles if role != RANDOM}
    counts = np.bincount(codes[held], minlength=len(values))
    blank = int(counts.argmax())
    fills = arrangement.kind != RACK and held.sum() >= cells and 2 * counts[blank] > cells
    if not fills or values[blank] in roles:
        named = [code for code, value in enumerate(values) if value in BLANKS and value not in roles]
        if not named or len(values) < 2:
            return set()
        blank = min(named, key=lambda code: BLANKS.index(str(values[code])))
    return set(family.fluents[codes == blank].tolist())
