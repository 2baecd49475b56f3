"""`ViewPlan`: the place of every fluent of a game; boards and badges without pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from veil.boards.arrangement import Arrangement
from veil.boards.fluent_families import FluentFamily, Path
from veil.boards.hints import ViewHints
from veil.boards.keys import Key
from veil.boards.looks import PAINTS, Look, Wardrobe
from veil.boards.orientation import Orientation
from veil.boards.scene import DISC, SQUARE
from veil.boards.wording import Wording
from veil.engine import Game
from veil.vocabulary import RANDOM, Term


class Spot(NamedTuple):
    """The place of a fluent, and its look."""

    board: int
    row: int
    column: int
    look: Look


@dataclass(slots=True)
class BoardPlan:
    """A board without pieces. R rows, C columns."""

    title: str
    kind: str  # "grid", "rack" or "hand"
    rows: tuple[str, ...]  # [R] labels, the top row first
    columns: tuple[str, ...]  # [C]
    labels: list[list[str]]  # [R][C] the cells in the words of the rules
    exists: np.ndarray  # [R, C] bool
    shape: str = SQUARE
    rows_up: bool = False
    # Of a grid: the two axes as they stand in fluents and moves, and its values of the split.
    axes: tuple[tuple[Term, ...], ...] = ()
    orientation: Orientation | None = None
    split: tuple[Term, ...] = ()
    is_set: bool = False  # a rack of values that are present or not
    home: int = -1  # the number of the first board of the family that made it
    meanings: dict[tuple[str, Path], str] = field(default_factory=dict)  # (family, place) -> first, second, split, slot

    def cell_at(self, first: Term, second: Term) -> tuple[int, int] | None:
        """Return row and column of the cell with these coordinates, in the order of the rules.

        The result is None if there is none.
        """
        if self.orientation is None or first not in self.axes[0] or second not in self.axes[1]:
            return None
        indices = self.axes[0].index(first), self.axes[1].index(second)
        column, row = indices if self.orientation.first_is_column else indices[::-1]
        return (len(self.rows) - 1 - row if self.rows_up else row), column


class BadgePlan(NamedTuple):
    """Fluents that are shown beside the boards. N fluents."""

    title: str
    fluents: tuple[int, ...]  # [N]
    looks: tuple[Look, ...]  # [N]
    is_flag: bool  # one fluent without arguments
    digits: tuple[tuple[str, int], ...] = ()  # [N] of numbers in binary digits: whose number, and the digit's worth


class PlannedFamily(NamedTuple):
    """A family with its keys and its arrangement."""

    family: FluentFamily
    keys: tuple[Key, ...]
    arrangement: Arrangement


@dataclass(slots=True, repr=False)
class ViewPlan:
    """The plan of a game's views: made once, filled with any state or belief (`fill_state`, `fill_belief`)."""

    game: Game
    families: tuple[PlannedFamily, ...]
    hints: ViewHints
    boards: list[BoardPlan] = field(default_factory=list)
    badges: list[BadgePlan] = field(default_factory=list)
    spots: dict[int, Spot] = field(default_factory=dict)  # by the number of the fluent
    blanks: set[int] = field(default_factory=set)  # fluents that say that a cell is empty
    targets: dict[int, Any] = field(default_factory=dict)  # by role: how its moves are made (`move_places`)
    wording: Wording = field(init=False)

    def __post_init__(self) -> None:
        self.wording = Wording(self.hints)

    def __repr__(self) -> str:
        return f"ViewPlan({self.game.name!r}, boards={len(self.boards)}, badges={len(self.badges)})"

    def show(self, term: Term) -> str:
        """Return a term as the rules spell it."""
        return self.game.rules.show(term)


class Dresser:
    """The looks of the fluents of a plan."""

    def __init__(self, plan: ViewPlan) -> None:
        roles = [str(role) for role in plan.game.program.roles if role != RANDOM]
        self.plan, self.wording, self.wardrobe = plan, plan.wording, Wardrobe(roles, plan.hints.glyphs)

    def dress(self, family: FluentFamily, codes: Sequence[int], pieces: Sequence[int]) -> Look:
        """Return the look of a fluent of a family, by the values at these places; without any, by the family's name."""
        terms = [family.places[place].values[codes[place]] for place in pieces]
        words = [term if isinstance(term, str) else self.plan.show(term) for term in terms]
        look = self.wardrobe.dress(words, family.name)
        if pieces and family.name in self.plan.hints.coloured:
            look = look._replace(tone=PAINTS[codes[pieces[-1]] % len(PAINTS)], form=DISC)
        label = " ".join(self.wording.word(self.plan.show(term)) for term in terms)
        return look._replace(label=label or self.wording.name(family.name))
