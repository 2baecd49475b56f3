"""From the user's input to a `Game`: a catalogue name with parameters, paths, the rules themselves, or a game."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from veil.engine.game import Game
from veil.engine.grounding import GroundLimits
from veil.errors import fail
from veil.files import read_bytes
from veil.games import FAMILIES, POINTS, Utility, instantiate
from veil.lang import Source, decode, join_sources, read_rules

MAX_FILE_BYTES = 64 * 2**20  # of rules; they may come from another program, through a pipe
RULES_TEXT = re.compile(r"\n|^\s*[(;%]|^\s*EFG \d|:-|<=|\.\s*$")  # patterns that no name of a game has, and few paths
LOOKS_LIKE_A_PATH = re.compile(r"[/\\]|\.\w{1,6}$")

Named = str | os.PathLike[str]  # a name of the catalogue, a path, or a rules text


def load(
    game: Named | Sequence[Named],
    limits: GroundLimits | None = None,
    *,
    transfer: bool = False,
    end_on_gain: bool = False,
) -> Game:
    """Read and check a game: `tic_tac_toe`, `krieg_tictactoe(size=4)`, `path/to/rules.kif`, or a rules text.

    A game may be written in several files, a domain and a problem for example: `load(["domain.pog", "problem.pog"])`.
    With `transfer`, the two roles of a POGDDL game pay each other: one role loses what the other gains.
    With `end_on_gain`, a POGDDL game also ends as soon as a role has gained, as in the authors' program.
    """
    names = [game] if isinstance(game, str | os.PathLike) else list(game)
    if not names:
        raise TypeError("a game is a name, a path, a rules text, or one or more paths; there is none here")
    if len(names) > 1:
        paths = [Path(_check_file(os.fspath(name))) for name in names]
        source = join_sources([decode(read_bytes(path, MAX_FILE_BYTES, regular=False), path.name) for path in paths])
        name, utility = "+".join(path.stem for path in paths), POINTS
    else:
        name, source, utility = _find(names[0])
    rules = read_rules(replace(source, transfer=transfer, end_on_gain=end_on_gain))
    if rules.scale != 1:
        utility = Utility(scale=rules.scale)
    return Game(name, rules, limits or GroundLimits(), utility)


def read_game(text: str, name: str = "rules") -> Game:
    """Return the game of a rules text from any source; the text is never taken for a name or a path."""
    return Game(name, read_rules(Source(name, text)))


def _find(game: Named) -> tuple[str, Source, Utility]:
    """Return the name, the rules and the utility for a name, a path or a text."""
    text = os.fspath(game)
    if not text.strip():
        raise fail("unknown-game", name="(nothing)", near="")
    if isinstance(game, str):
        if text.split("(")[0].strip() in FAMILIES:
            instance = instantiate(text)
            file = instance.family.name + Path(instance.family.rules_file).suffix
            return instance.name, Source(file, instance.text), instance.family.utility
        if RULES_TEXT.search(text) and not _is_file(text):
            return "rules", Source("rules", text), POINTS
        if not LOOKS_LIKE_A_PATH.search(text) and not _is_file(text):
            instantiate(text)  # says what is wrong with the name
    path = Path(text)
    return path.stem, decode(read_bytes(path, MAX_FILE_BYTES, regular=False), path.name), POINTS


def as_game(game: Game | Named | Sequence[Named]) -> Game:
    """Return the game itself, or the game that a name, a path or a rules text stands for."""
    return game if isinstance(game, Game) else load(game)


def _check_file(text: str) -> str:
    """Return the path if the file exists; if a game has several names, they are its files."""
    if not _is_file(text):
        raise fail("not-a-file", name=text[:80])
    return text


def _is_file(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long, or with characters no path has
        return False
