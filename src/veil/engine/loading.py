"""From what a user gives to a `Game`: a catalogue name with parameters, a path, the rules themselves, or a game."""

from __future__ import annotations

import os
import re
from pathlib import Path

from veil.engine.game import Game
from veil.engine.grounding import GroundLimits
from veil.errors import fail, phrase
from veil.files import reason_of, unreadable
from veil.games import FAMILIES, instantiate
from veil.lang import read_rules

MAX_FILE_BYTES = 64 * 2**20
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
    return Game(path.stem, read_rules(_read(path), path.name), limits)


def as_game(game: Game | str | os.PathLike[str]) -> Game:
    """The game itself, or the one that a name, a path or a rules text stands for."""
    return game if isinstance(game, Game) else load(game)


def _is_file(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long, or with characters no path has
        return False


def _read(path: Path) -> bytes:
    """The content of a rules file. Pipes and devices will do as well: rules may come from another program."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise unreadable(str(path), reason_of(error)) from None
    if len(data) > MAX_FILE_BYTES:
        raise unreadable(str(path), phrase("too-many-bytes", megabytes=MAX_FILE_BYTES >> 20))
    return data
