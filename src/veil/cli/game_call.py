"""What the commands about a game share: the game itself, the limits of grounding, warnings about the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from veil.cli.call import Call, Options
from veil.cli.options import GameName, MaxMemory, MaxRules, MaxSeconds
from veil.engine import GroundLimits, load
from veil.limits import check_limit
from veil.report import Progress

if TYPE_CHECKING:
    from veil.engine import Game, Machine

GIGABYTE = 2**30
LIMITS = GroundLimits()  # where nothing else is said


@dataclass(kw_only=True)
class GroundOptions(Options):
    """The limits of grounding."""

    max_rules: MaxRules = LIMITS.max_rules
    max_seconds: MaxSeconds = LIMITS.max_seconds
    max_memory: MaxMemory = LIMITS.max_bytes / GIGABYTE

    def make_limits(self) -> GroundLimits:
        """The same for the engine."""
        check_limit("rules", self.max_rules, "--max-rules")
        check_limit("seconds", self.max_seconds, "--max-seconds")
        check_limit("gigabytes", self.max_memory, "--max-memory")
        size = max(1, int(self.max_memory * GIGABYTE))
        return GroundLimits(max_rules=self.max_rules, max_seconds=self.max_seconds, max_bytes=size)


@dataclass(kw_only=True)
class GameCall(GroundOptions, Call):
    """The options of every command that is about a game."""

    game_name: GameName

    @cached_property
    def game(self) -> Game:
        """The game, read and checked when it is first asked for."""
        return load(self.game_name, self.make_limits())

    def prepare(self) -> Machine:
        """The game in native code; on a terminal it is said that this is under way."""
        with Progress(f"preparing {self.game.name}"):
            return self.game.machine

    def answer(self, data: Callable[[], object], text: Callable[[], str]) -> None:
        """The same, after the warnings about the rules."""
        self.problems[:0] = self.game.warnings
        super().answer(data, text)
