"""The common part of all commands about a game: the game, the limits of grounding, warnings about the rules."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.cli.call import Call, Options
from veil.cli.options import EndOnGain, GameNames, MaxMemory, MaxRules, MaxSeconds, Sees, Transfer, Turns
from veil.engine import GroundLimits, load
from veil.errors import fail
from veil.limits import check_limit
from veil.report import Progress

if TYPE_CHECKING:
    from veil.engine import Game, Machine

GIGABYTE = 2**30
LIMITS = GroundLimits()  # the defaults


@dataclass(kw_only=True)
class GroundOptions(Options):
    """The options for the limits of grounding."""

    max_rules: MaxRules = LIMITS.max_rules
    max_seconds: MaxSeconds = LIMITS.max_seconds
    max_memory: MaxMemory = LIMITS.max_bytes / GIGABYTE

    def make_limits(self) -> GroundLimits:
        """Check the options, and return them as limits for the engine."""
        check_limit("rules", self.max_rules, "--max-rules")
        check_limit("seconds", self.max_seconds, "--max-seconds")
        check_limit("gigabytes", self.max_memory, "--max-memory")
        size = max(1, int(self.max_memory * GIGABYTE))
        return GroundLimits(max_rules=self.max_rules, max_seconds=self.max_seconds, max_bytes=size)


@dataclass(kw_only=True)
class GameChoice(Options):
    """The options that choose a game, and say how it is read."""

    game_names: GameNames
    transfer: Transfer = False
    end_on_gain: EndOnGain = False
    turns: Turns = "written"
    sees: Sees = "written"

    def load(self, limits: GroundLimits) -> Game:
        """Read and check the game."""
        readings: dict[str, Any] = {"transfer": self.transfer, "end_on_gain": self.end_on_gain}
        return load(self.game_names, limits, turns=self.turns, sees=self.sees, **readings)


@dataclass(kw_only=True)
class GameCall(GroundOptions, GameChoice, Call):
    """The options of every command that is about a game."""

    @cached_property
    def game(self) -> Game:
        """The game. It is read and checked at the first use."""
        return self.load(self.make_limits())

    def words(self) -> list[str]:
        """Return the words of a command line that name this game, read in this way."""
        flags = {"--transfer": self.transfer, "--end-on-gain": self.end_on_gain}
        choices = {"--turns": self.turns, "--sees": self.sees}
        chosen = [word for name, value in choices.items() if value != "written" for word in (name, value)]
        return [*self.game_names, *(flag for flag, is_given in flags.items() if is_given), *chosen]

    def prepare(self) -> Machine:
        """Compile the game, and return it in native code. A terminal shows a progress message meanwhile."""
        with Progress(f"preparing {self.game.name}"):
            return self.game.machine

    def check_output(self, name: str, *inputs: str | None) -> None:
        """Refuse an output file that is a rules file of the game, or one of `inputs`."""
        is_file = self.game.rules.source.name == Path(self.game_names[0]).name
        for file in (*(self.game_names if is_file else ()), *inputs):
            if file and os.path.exists(file) and os.path.exists(name) and os.path.samefile(file, name):
                raise fail("output-over-input", name=name)

    def answer(self, data: Callable[[], dict[str, Any]], text: Callable[[], str]) -> None:
        """Print the answer, after the warnings about the rules and the notes on how ambiguous rules were read."""
        told = [*self.game.warnings, *self.game.readings]
        self.problems[:0] = [entry for entry in told if entry not in self.problems]
        super().answer(data, text)
