"""The verdict on a game in one sentence: the same for `veil check`, `veil review`, the workbench and Python."""

from __future__ import annotations

from typing import NamedTuple

from veil.engine import Game
from veil.errors import phrase
from veil.report import count_things
from veil.review.playability import Soundness

DOUBTFUL = (
    "undefined-",
    "unasked-",
    "capital-constant",
)  # warnings after which the game may be another one than was meant
REASONS = {  # code of a flaw -> phrase of the verdict; the others are about goals
    "stuck": "flaw-stuck",
    "stuck-later": "flaw-stuck",
    "never-ends": "flaw-never-ends",
    "infoset-moves": "flaw-infoset-moves",
}


class GameVerdict(NamedTuple):
    """One sentence, and whether the game is sound: no flaw shows in play, and the rules define every name."""

    sentence: str
    is_sound: bool


def find_verdict(game: Game, soundness: Soundness) -> GameVerdict:
    """Return the verdict on a game whose soundness is known."""
    doubts = [entry for entry in game.warnings if entry.code.startswith(DOUBTFUL)]
    if soundness.flaws:
        causes = [phrase("flaw-names", names=count_things(len(doubts), "name"))] if doubts else []
        reasons = dict.fromkeys(phrase(REASONS.get(entry.code, "flaw-goals")) for entry in soundness.flaws)
        return GameVerdict(phrase("verdict-not-sound", reasons="; ".join([*causes, *reasons])), False)
    if doubts:
        return GameVerdict(phrase("verdict-undefined", names=count_things(len(doubts), "name")), False)
    if game.warnings:
        return GameVerdict(phrase("verdict-repaired", warnings=count_things(len(game.warnings), "warning")), True)
    return GameVerdict(phrase("verdict-sound"), True)
