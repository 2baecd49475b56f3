"""What the commands about a game share: the game itself, the limits of grounding, warnings about the rules."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.cli.call import Call
from veil.cli.options import GameNames, MaxMemory, MaxRules, MaxSeconds, Transfer
from veil.engine import GroundLimits, load
from veil.errors import fail
from veil.limits import check_limit
from veil.report import Progress

if TYPE_CHECKING:
    from veil.engine import Game, Machine

GIGABYTE = 2**30
LIMITS = GroundLimits()  # where nothing else is said


@dataclass(kw_only=True)
class GameCall(Call):
    """The options of every command that is about a game."""

    game_names: GameNames
    transfer: Transfer = False
    max_rules: MaxRules = LIMITS.max_rules
    max_seconds: MaxSeconds = LIMITS.max_seconds
    max_memory: MaxMemory = LIMITS.max_bytes / GIGABYTE

    @cached_property
    def game(self) -> Game:
        """The game, read and checked when it is first asked for."""
        check_limit("rules", self.max_rules, "--max-rules")
        check_limit("seconds", self.max_seconds, "--max-seconds")
        check_limit("gigabytes", self.max_memory, "--max-memory")
        size = max(1, int(self.max_memory * GIGABYTE))
        limits = GroundLimits(max_rules=self.max_rules, max_seconds=self.max_seconds, max_bytes=size)
        return load(self.game_names, limits, transfer=self.transfer)

    def prepare(self) -> Machine:
        """The game in native code; on a terminal it is said that this is under way."""
        with Progress(f"preparing {self.game.name}"):
            return self.game.machine

    def check_output(self, name: str, *inputs: str | None) -> None:
        """Refuse to write over the rules, or over another file that is read."""
        is_file = self.game.rules.source.name == Path(self.game_names[0]).name
        for file in (*(self.game_names if is_file else ()), *inputs):
            if file and os.path.exists(file) and os.path.exists(name) and os.path.samefile(file, name):
                raise fail("output-over-input", name=name)

    def answer(self, data: Callable[[], dict[str, Any]], text: Callable[[], str]) -> None:
        """The same, after the warnings about the rules, and how they were read where there are two ways."""
        told = [*self.game.warnings, *self.game.readings]
        self.problems[:0] = [entry for entry in told if entry not in self.problems]
        super().answer(data, text)
