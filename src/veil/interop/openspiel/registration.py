"""`register`: makes a game of Veil a game of OpenSpiel, under a short name."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from veil.engine import Game, as_game
from veil.errors import fail
from veil.interop.openspiel.facts import GameFacts, find_facts
from veil.interop.openspiel.serial import SerialGame, SerialNode

if TYPE_CHECKING:
    from veil.interop.openspiel.states import SpielGame


class RegisteredGame(NamedTuple):
    """A game that OpenSpiel knows."""

    serial: SerialGame
    facts: GameFacts


REGISTERED: dict[str, RegisteredGame] = {}  # by short name, in this process


def register(game: Game | str | os.PathLike[str], *, max_rounds: int | None = None) -> str:
    """Register a game with OpenSpiel, and return its short name for `pyspiel.load_game`.

    The game is a catalogue name like `blind_breakthrough(5,5)`, the path of a rules file, a rules text, or a `Game`.
    `max_rounds` is the length of the longest game, if the tree is too large to find out; without it, random games
    decide. A game that cannot be ground, or may go on for ever, is refused. Registering a game again returns its name.
    """
    pyspiel = import_pyspiel()
    from veil.interop.openspiel.observer import MAX_TENSOR, tensor_size  # imports an optional package
    from veil.interop.openspiel.states import SpielGame, make_type

    game = as_game(game)
    name = _short_name(game)
    known = REGISTERED.get(name)
    if known is not None and (max_rounds is None or known.facts.is_exact or known.facts.rounds == max_rounds):
        return name
    facts = find_facts(game, max_rounds)
    serial = SerialGame(game, name)
    game_type = make_type(name, game, facts, tensor_size(serial, facts) <= MAX_TENSOR)
    REGISTERED[name] = RegisteredGame(serial, facts)
    _hand_over(pyspiel, game_type, lambda params: SpielGame(serial, facts, game_type, params))
    return name


def _hand_over(pyspiel: Any, game_type: Any, make: Callable[[Any], SpielGame]) -> None:
    """Register the maker of a game. OpenSpiel releases it after Python has ended, so it must never be freed."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))
    pyspiel.register_game(game_type, make)


def _short_name(game: Game) -> str:
    """Return a name without signs that have a meaning in OpenSpiel; another one if other rules have taken it."""
    plain = "veil_" + re.sub(r"\W+", "_", game.name).strip("_").lower()
    for name in (plain, f"{plain}_{game.fingerprint}"):
        taken = REGISTERED.get(name)
        if taken is None:
            return name
        same = taken.serial.game
        if same.fingerprint == game.fingerprint and same.utility == game.utility:
            return name
    return f"{plain}_{game.fingerprint}_{game.utility.zero}_{game.utility.scale}"


def find_node(name: str, fingerprint: str, path: tuple[int, ...]) -> SerialNode:
    """Return the node of a pickled state. Raises `VeilError` if its game is not registered in this process."""
    known = REGISTERED.get(name)
    if known is None or known.serial.game.fingerprint != fingerprint:
        raise fail("openspiel-unregistered", name=name)
    return known.serial.find(path)


def find_registered(game: object) -> SpielGame:
    """Return the object if it is a registered game. Raises `VeilError` otherwise."""
    from veil.interop.openspiel.states import SpielGame  # imports an optional package

    if not isinstance(game, SpielGame):
        raise fail("openspiel-foreign", name=str(game)[:60])
    return game


def import_pyspiel() -> Any:
    """Return the module pyspiel. Raises `VeilError` if it is not installed."""
    try:
        import pyspiel  # an optional package
    except ImportError:
        raise fail("openspiel-missing") from None
    return pyspiel
