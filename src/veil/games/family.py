"""A family of games, its parameters, the utility of its goals, and one game of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from veil.games.facts import no_facts
from veil.vocabulary import RANDOM

if TYPE_CHECKING:
    import numpy as np

Value = int | str  # of a parameter

WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter: a whole number from `low` to `high` or, if there are `choices`, one of these words."""

    name: str
    default: Value
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    meaning: str

    def limits(self) -> str:
        """Return the allowed values in short: `3..12`, or `up|down`."""
        return "|".join(self.choices) if self.choices else f"{self.low}..{self.high}"

    def wanted(self) -> str:
        """Return the allowed values in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        return f"a whole number from {self.low} to {self.high}"

    def read(self, text: str) -> Value | None:
        """Return the value that a text stands for; None if this parameter has no such value."""
        if self.choices:
            return text if text in self.choices else None
        if not WHOLE_NUMBER.fullmatch(text):
            return None
        return int(text) if self.low <= int(text) <= self.high else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Utility:
    """The utility of a goal value, which solvers use: (goal - zero) / scale, in `unit`."""

    zero: int = 0
    scale: int = 1
    unit: str = "points"

    def of(self, goals: np.ndarray) -> np.ndarray:
        """Return the utilities of goal values."""
        utilities: np.ndarray = (goals - self.zero) / self.scale
        return utilities

    def in_words(self) -> str:
        """Return the mapping as a formula: `chips = goal - 50`."""
        shifted = f"goal - {self.zero}" if self.zero else "goal"
        if self.scale == 1:
            return f"{self.unit} = {shifted}"
        return f"{self.unit} = ({shifted}) / {self.scale}" if self.zero else f"{self.unit} = goal / {self.scale}"

    @property
    def is_told(self) -> bool:
        """Whether players count in this unit, for example in chips, and not in goals."""
        return self.unit not in (POINTS.unit, WIN_OR_LOSE.unit)

    def tell(self, goal: float) -> str:
        """Return a goal as players count it: `+1 chip`, or the goal itself."""
        if not self.is_told:
            return f"{goal:g}"
        value = (goal - self.zero) / self.scale
        return f"{value:+g} {self.unit.removesuffix('s') if abs(value) == 1 else self.unit}"


POINTS = Utility()  # the goal values themselves
WIN_OR_LOSE = Utility(zero=50, scale=50, unit="wins")  # 100, 50 and 0 count as 1, 0 and -1


FACTS = ";;; Facts for"  # begins the text of a game that has parameters
COUNTED = 20_000_000  # nodes up to which the catalogue gives the size of a game


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Games that share a rules file; the parameters make the facts that complete it.

    `small` and `full` are values of all parameters: a game that is small enough to be solved as a whole, and the
    largest game that is really played.
    """

    name: str
    summary: str
    source: str
    roles: tuple[str, ...]
    moves: Literal["simultaneous", "in turn"]
    parameters: tuple[Parameter, ...] = ()
    small: Mapping[str, Value] = field(default_factory=dict)
    full: Mapping[str, Value] = field(default_factory=dict)
    nodes: int | None = None  # of the whole game at its default size; None if more than `COUNTED`
    utility: Utility = POINTS
    facts: Callable[..., list[str]] = no_facts  # called with every parameter by name
    rules_file: str

    def defaults(self) -> dict[str, Value]:
        """Return the default value of every parameter."""
        return {entry.name: entry.default for entry in self.parameters}

    def sizes(self) -> dict[str, str]:
        """Return the three games of the family that tests use, by name: small, default, full."""
        values = {"small": self.small, "default": self.defaults(), "full": self.full}
        names = [entry.name for entry in self.parameters]
        return {size: canonical_name(self.name, {key: chosen[key] for key in names}) for size, chosen in values.items()}

    def players(self) -> str:
        """Return the number of players in words: `2 players and chance`."""
        count = sum(role != RANDOM for role in self.roles)
        people = f"{count} player{'s' if count > 1 else ''}"
        return f"{people} and chance" if RANDOM in self.roles else people

    def size(self) -> str:
        """Return the size of the whole game with default parameters, in words."""
        return f"{self.nodes:,} nodes" if self.nodes else f"more than {COUNTED // 10**6} million nodes"

    def usage(self) -> str:
        """Return how to write it: `krieg_tictactoe(size=3), size 3..10`."""
        limits = (f", {entry.name} {entry.limits()}" for entry in self.parameters)
        return canonical_name(self.name, self.defaults()) + "".join(limits)

    def rules_text(self) -> str:
        """Return the bundled rules file."""
        return files("veil.games").joinpath("rules", self.rules_file).read_text(encoding="utf-8")

    def text(self, values: Mapping[str, Value]) -> str:
        """Return the complete rules for these values of all parameters: the facts, then the rules file."""
        rules = self.rules_text()
        lines = self.facts(**values)
        if not lines:
            return rules
        title = f"{FACTS} {canonical_name(self.name, values)}; the rules follow."
        return "\n".join([title, *lines, "", rules])


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One game of a family."""

    name: str  # canonical, with all parameters
    family: Family
    values: dict[str, Value]
    text: str  # the complete rules


def canonical_name(name: str, values: Mapping[str, Value]) -> str:
    """Return `krieg_tictactoe(size=3)`; only the name if there are no parameters."""
    written = ", ".join(f"{key}={value}" for key, value in values.items())
    return f"{name}({written})" if written else name
