"""From the user's input to a `Game`: a catalogue name with parameters, paths, the rules themselves, or a game."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from veil.engine.game import Game
from veil.engine.grounding import GroundLimits
from veil.engine.rules_text import has_percepts, open_moves
from veil.errors import bad_argument, check_choice, check_kind, fail, phrase, problem
from veil.files import read_bytes
from veil.games import FAMILIES, POINTS, Utility, instantiate
from veil.lang import Source, decode, join_sources, read_rules, read_statements, take_turns

MAX_FILE_BYTES = 64 * 2**20  # of rules; they may come from another program, through a pipe
RULES_TEXT = re.compile(r"\n|^\s*[(;%]|^\s*EFG \d|:-|<=|\.\s*$")  # patterns that no name of a game has, and few paths
SUFFIXES = (".kif", ".gdl", ".pog", ".pogddl", ".efg")  # of rules files that a folder may hold
LOOKS_LIKE_A_PATH = re.compile(r"[/\\]|\.\w{1,6}$")

Named = str | os.PathLike[str]  # a name of the catalogue, a path, or a rules text


def load(
    game: Named | Sequence[Named],
    limits: GroundLimits | None = None,
    *,
    transfer: bool = False,
    end_on_gain: bool = False,
    turns: Literal["written", "control"] = "written",
    sees: Literal["written", "moves"] = "written",
) -> Game:
    """Read and check a game: `tic_tac_toe`, `krieg_tictactoe(size=4)`, `path/to/rules.kif`, or a rules text.

    A game may be written in several files, a domain and a problem for example: `load(["domain.pog", "problem.pog"])`.
    With `transfer`, the two roles of a POGDDL game pay each other: one role loses what the other gains.
    With `end_on_gain`, a POGDDL game also ends as soon as a role has gained, as in the authors' program.
    With `turns="control"`, only roles R with a true fluent `control(R)` move, in rules whose `legal` does not say so.
    With `sees="moves"`, every role sees all moves, as in GDL-I, in rules without `sees`.
    """
    names = [game] if isinstance(game, str | os.PathLike) else list(game) if isinstance(game, Sequence) else []
    check_kind("limits", limits or GroundLimits(), GroundLimits)
    check_choice("turns", turns, ("written", "control"))
    check_choice("sees", sees, ("written", "moves"))
    if not names or not all(isinstance(name, str | os.PathLike) for name in names):
        raise bad_argument("game", phrase("a-game"), game)
    if len(names) > 1:
        paths = [Path(_check_file(os.fspath(name))) for name in names]
        source = join_sources([decode(read_bytes(path, MAX_FILE_BYTES, regular=False), path.name) for path in paths])
        name, utility = "+".join(path.stem for path in paths), POINTS
    else:
        name, source, utility = _find(names[0])
    rules = read_rules(replace(source, transfer=transfer, end_on_gain=end_on_gain))
    if turns == "control":
        rules = read_rules(take_turns(source, read_statements(source)))
        rules = replace(rules, problems=(*rules.problems, problem("turns-by-control")))
    if rules.scale != 1:
        utility = Utility(scale=rules.scale)
    found = Game(name, rules, limits or GroundLimits(), utility)
    return found if sees == "written" else _see_all_moves(found)


def _see_all_moves(game: Game) -> Game:
    """Return the game as GDL-I. Refuse rules that say what a role sees."""
    if has_percepts(game):
        raise fail("bad-sees", name=game.rules.source.name)
    found = open_moves(game)
    return replace(found, rules=replace(found.rules, problems=(*found.rules.problems, problem("moves-seen"))))


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


def list_rules(name: Named) -> list[Named]:
    """Return the rules files of a folder, sorted; anything else is returned as it is, alone."""
    if not _is_file(os.fspath(name)) or not Path(name).is_dir():
        return [name]
    files = sorted(path for path in Path(name).iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())
    if not files:
        raise fail("no-rules-in-folder", name=os.fspath(name), suffixes=", ".join(SUFFIXES))
    return [os.fspath(path) for path in files]


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
