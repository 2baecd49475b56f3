"""Players that users write: a Python file with a class `Player`, named by a spec like all others."""

from __future__ import annotations

import importlib.machinery
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veil.errors import VeilError, fail
from veil.files import unreadable
from veil.players.protocol import Player
from veil.registry import option

METHODS = ("start", "play", "stop", "report")
MODULE = "veil_own_player"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnConfig:
    """A file of Python that defines a class `Player`."""

    file: str = option("", "a Python file with a class Player")

    def __post_init__(self) -> None:
        if not self.file:
            raise fail("bad-option", what="own needs a file: own:file=my_player.py")
        if not Path(self.file).is_file():
            raise unreadable(self.file, "there is no such file")


def load_own(config: OwnConfig) -> Player:
    """The player of the file. Its code is run: whoever names it trusts it."""
    loader = importlib.machinery.SourceFileLoader(MODULE, config.file)  # whatever the file is called, it is source code
    spec = importlib.util.spec_from_file_location(MODULE, config.file, loader=loader)
    if spec is None or spec.loader is None:
        raise unreadable(config.file, "it is no Python")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        player: Any = module.Player() if hasattr(module, "Player") else None
    except VeilError:
        raise
    except (Exception, SystemExit) as error:
        what = f"{config.file} cannot be run: {type(error).__name__}: {error}"
        raise fail("bad-option", what=what[:300]) from None
    if not all(callable(getattr(player, name, None)) for name in METHODS):
        raise fail("bad-option", what=f"{config.file} needs a class Player with {', '.join(METHODS)}")
    checked: Player = player
    return checked
