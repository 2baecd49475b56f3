"""From what a user gives to a `Game`: a catalogue name with parameters, a path, the rules themselves, or a game."""

from __future__ import annotations

import os
import re
from pathlib import Path

from veil.engine.game import Game
from veil.engine.grounding import GroundLimits
from veil.errors import fail
from veil.files import read_bytes
from veil.games import FAMILIES, instantiate
from veil.lang import read_rules

MAX_FILE_BYTES = 64 * 2**20  # of rules; they may come from another program, through a pipe
RULES_TEXT = re.compile(r"\n|^\s*[(;%]|:-|<=|\.\s*$")  # what no name of a game and few paths have
LOOKS_LIKE_A_PATH = re.compile(r"[/\\]|\.\w{1,6}$")


def load(game: str | os.PathLike[str], limits: GroundLimits | None = None) -> Game:
    """Read and check a game: `tic_tac_toe`, `krieg_tictactoe(size=4)`, `path/to/rules.kif`, or a rules text."""
    limits = limits or GroundLimits()
    text = os.fspath(game)
    if not text.strip():
        raise fail("unknown-game", name="(nothing)", near="")
    if isinstance(game, str):
        if text.split("(")[0].strip() in FAMILIES:
            instance = instantiate(text)
            rules = read_rules(instance.text, f"{instance.family.name}.kif")
            return Game(instance.name, rules, limits, instance.family.utility)
        if RULES_TEXT.search(text) and not _is_file(text):
            return Game("rules", read_rules(text, "rules"), limits)
        if not LOOKS_LIKE_A_PATH.search(text) and not _is_file(text):
            instantiate(text)  # says what is wrong with the name
    path = Path(text)
    return Game(path.stem, read_rules(read_bytes(path, MAX_FILE_BYTES, regular=False), path.name), limits)


def as_game(game: Game | str | os.PathLike[str]) -> Game:
    """The game itself, or the one that a name, a path or a rules text stands for."""
    return game if isinstance(game, Game) else load(game)


def _is_file(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long, or with characters no path has
        return False
