"""Players that users write: a Python file with a class `Player`. The spec `own:file=...` names the file."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from veil.errors import VeilError, fail
from veil.players.contract import PARTS, Player
from veil.players.files import FileContents
from veil.registry import option
from veil.signals import OutOfProcessorTime

METHODS = ("start", "play", "stop", "report")
MODULE = "veil_own_player"
MAX_SHOWN = 300  # characters of an error message about a file


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnConfig:
    """The name of a Python file that defines a class `Player`."""

    file: str = option("", "a Python file with a class Player", is_main=True)

    def __post_init__(self) -> None:
        if not self.file:
            raise fail("bad-option", what="own needs a file: own:file=my_player.py")


def load_own(config: OwnConfig, content: FileContents) -> Player:
    """Run the code of the file and return its player. The user must trust the file."""
    module = ModuleType(MODULE)
    module.__file__ = config.file
    try:
        with redirect_stdout(sys.stderr):
            exec(compile(content.data, config.file, "exec"), vars(module))
            player: Any = module.Player() if hasattr(module, "Player") else None
    except (VeilError, KeyboardInterrupt, OutOfProcessorTime):
        raise
    except BaseException as error:
        what = f"{config.file} cannot be run: {type(error).__name__}: {error}"
        raise fail("bad-option", what=what[:MAX_SHOWN]) from None
    if not all(callable(getattr(player, name, None)) for name in METHODS):
        raise fail("bad-option", what=f"{config.file} needs a class Player with {', '.join(METHODS)}")
    return hush(player)


def hush(player: Any) -> Player:
    """Wrap a player so that its output goes to standard error. The wrapper has the same parts as the player.

    Standard output is reserved for the command.
    """
    parts = {name: _forward(player, name) for name in (*METHODS, *PARTS) if hasattr(player, name)}
    hushed: Player = type("OwnPlayer", (), parts)()
    return hushed


def _forward(player: Any, name: str) -> Any:
    """Return a method that calls the player's method, or a property that reads its attribute."""
    if not callable(getattr(player, name)):
        return property(lambda _: getattr(player, name))

    def call(_: object, *args: Any, **options: Any) -> Any:
        with redirect_stdout(sys.stderr):
            return getattr(player, name)(*args, **options)

    return call
