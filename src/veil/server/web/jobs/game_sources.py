"""Games as the browser names them: a game of the catalogue with parameters, or a text. Never a file of this machine."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import msgspec

from veil.engine import Game, GroundLimits, load
from veil.games import FAMILIES, POINTS, Utility, find_family
from veil.lang import Source, read_rules
from veil.server.web.host.settings import StudioConfig

GIGABYTE = 2**30
MAX_NAME = 60
NAME_CHARACTERS = re.compile(r"[^A-Za-z0-9_.()=, +-]+")


class GameSource(msgspec.Struct, kw_only=True, frozen=True):
    """A game: without `text`, `name` is a game of the catalogue; with `text`, it is only a title."""

    name: str
    text: str | None = None
    transfer: bool = False

    def as_arguments(self, config: StudioConfig) -> dict[str, Any]:
        """Return the arguments with which a worker opens the game."""
        return {
            "name": self.name,
            "text": self.text,
            "transfer": self.transfer,
            "max_rules": config.max_rules,
            "seconds": config.ground_seconds,
            "memory": config.max_memory,
        }


def open_game(source: dict[str, Any]) -> Game:
    """Return the game of such arguments, read and checked; nothing is ground yet. Raises `VeilError`."""
    limits = GroundLimits(
        max_rules=source["max_rules"],
        max_seconds=source["seconds"],
        max_bytes=int(source["memory"] * GIGABYTE / 2),
    )
    name, text = source["name"], source["text"]
    if text is None:
        find_family(name.split("(")[0].strip())  # raises an error for a path, before anything looks for a file
        return load(name, limits)
    title = clean_name(name)
    rules = read_rules(replace(Source(title, text), transfer=source["transfer"]))
    utility = POINTS if rules.scale == 1 else Utility(scale=rules.scale)
    return Game(title, rules, limits, utility)


def clean_name(name: str) -> str:
    """Return a title that may stand in messages and names of files."""
    return NAME_CHARACTERS.sub("_", name.strip())[:MAX_NAME].strip(" .") or "game"


def is_bundled(name: str) -> bool:
    """Return whether a name is in the catalogue, with or without parameters."""
    return name.split("(")[0].strip() in FAMILIES
