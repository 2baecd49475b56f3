"""Players that users write: a Python file with a class `Player`, named by a spec like all others."""

from __future__ import annotations

import importlib.machinery
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veil.errors import VeilError, fail
from veil.players.protocol import Player

METHODS = ("start", "play", "stop", "report")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnConfig:
    """A file of Python that defines a class `Player`."""

    file: str = ""

    def __post_init__(self) -> None:
        if not self.file:
            raise fail("bad-option", what="own needs a file: own:file=my_player.py")
        if not Path(self.file).is_file():
            raise fail("unreadable-file", name=self.file, reason="there is no such file")


def load_own(config: OwnConfig) -> Player:
    """The player of the file. Its code is run: whoever names it trusts it."""
    spec = importlib.util.spec_from_file_location("veil_own_player", config.file, loader=_loader(config.file))
    if spec is None or spec.loader is None:
        raise fail("unreadable-file", name=config.file, reason="it is no Python")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        made: Any = module.Player() if hasattr(module, "Player") else None
    except VeilError:
        raise
    except (Exception, SystemExit) as error:
        what = f"{config.file} cannot be run: {type(error).__name__}: {error}"
        raise fail("bad-option", what=what[:300]) from None
    missing = [name for name in METHODS if not callable(getattr(made, name, None))]
    if missing:
        raise fail("bad-option", what=f"{config.file} needs a class Player with {', '.join(METHODS)}")
    player: Player = made
    return player


def _loader(file: str) -> importlib.machinery.SourceFileLoader:
    """Whatever the file is called, it is source code."""
    return importlib.machinery.SourceFileLoader("veil_own_player", file)
