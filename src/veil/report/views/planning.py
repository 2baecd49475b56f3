"""`plan_views`: from the rules of a game to a `ViewPlan`, which says where every fluent is drawn.

1. Families of fluents with ordered places (`fluent_families`), and their keys (`keys`).
2. An arrangement for every family (`arranging`).
3. Boards: every grid is one, or one for each value of its split; tokens and marks lie on a grid whose axes hold theirs,
   and make one where there is none. Racks and hands are boards of their own; whatever else there is becomes badges.

A cell in which nothing can ever be, by the ground program, does not exist; so boards need not be rectangles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from veil.engine import Game
from veil.report.views.arranging import (
    BADGE,
    GRID,
    HAND,
    LIST,
    MARKS,
    MAX_AXIS,
    ON_CELLS,
    RACK,
    TOKEN,
    Arrangement,
    arrange,
)
from veil.report.views.fluent_families import FamilyPlace, FluentFamily, Path, find_families
from veil.report.views.hints import ViewHints, read_hints
from veil.report.views.keys import Key, StateSample, confirm_keys, guess_keys, sample_states
from veil.report.views.looks import Look, Wardrobe, in_words
from veil.report.views.orientation import Orientation, orient
from veil.report.views.scene import HEX, MARK, SQUARE
from veil.vocabulary import RANDOM, Term

BLANKS = ("b", "blank", "empty", "none", "nil", "clear", "free", "e")
HIDDEN = "hidden"


class Spot(NamedTuple):
    """Where a fluent is drawn, and how."""

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
    # Of a grid: the two axes as they stand in fluents and moves, and which board of a split it is.
    axes: tuple[tuple[Term, ...], ...] = ()
    orientation: Orientation | None = None
    split: tuple[Term, ...] = ()
    home: int = -1  # the number of the first board of the family that made it
    meanings: dict[tuple[str, Path], str] = field(default_factory=dict)  # (family, place) -> first, second, split, slot

    def cell_at(self, first: Term, second: Term) -> tuple[int, int] | None:
        """Row and column of the cell with these coordinates, in the order of the rules; None where there is none."""
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


class PlannedFamily(NamedTuple):
    """A family with what was found out about it."""

    family: FluentFamily
    keys: tuple[Key, ...]
    arrangement: Arrangement


@dataclass(slots=True)
class ViewPlan:
    """How a game is drawn: made once, filled with any state or belief (`fill_state`, `fill_belief`)."""

    game: Game
    families: tuple[PlannedFamily, ...]
    hints: ViewHints
    boards: list[BoardPlan] = field(default_factory=list)
    badges: list[BadgePlan] = field(default_factory=list)
    spots: dict[int, Spot] = field(default_factory=dict)  # by the number of the fluent
    blanks: set[int] = field(default_factory=set)  # fluents that say that a cell is empty
    targets: dict[int, Any] = field(default_factory=dict)  # by role: how its moves are made (`move_places`)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewConfig:
    """How much work a plan may be."""

    games: int = 1_000_000  # random ones, in which keys are confirmed
    seconds: float = 2.0  # for that, about
    seed: int = 0


def plan_views(game: Game, config: ViewConfig | None = None) -> ViewPlan:
    """How a game is drawn. The game must fit the limits of grounding."""
    config = config or ViewConfig()
    sample = sample_states(game, config.seed)
    hints = read_hints(game.rules.source.text)
    every = find_families(game)
    guesses = [guess_keys(family, sample) for family in every]
    deadline = perf_counter() + config.seconds
    confirmed = confirm_keys(game, every, guesses, sample, games=config.games, seed=config.seed, deadline=deadline)
    families = []
    for family, keys in zip(every, confirmed, strict=True):
        trimmed = trim_family(family, sample)
        sizes = [len(place.values) for place in trimmed.places]
        wish = hints.kinds.get(family.name, "")
        roles = [role for role in game.program.roles if role != RANDOM]
        families.append(PlannedFamily(trimmed, tuple(keys), arrange(trimmed, keys, roles, sizes, wish)))
    plan = ViewPlan(game, tuple(families), hints)
    _Planner(plan).make()
    return plan


def trim_family(family: FluentFamily, sample: StateSample) -> FluentFamily:
    """The family without the ends of long ordered places that random play never reached.

    The ground program of a game with counters may hold coordinates far outside the board.
    """
    held = sample.held[family.fluents]
    keep = np.ones(len(family.fluents), np.bool_)
    for place, entry in enumerate(family.places):
        if entry.is_ordered and len(entry.values) > MAX_AXIS and held.any() and len(family.places) > 1:
            codes = family.codes[held, place]
            keep &= (family.codes[:, place] >= codes.min()) & (family.codes[:, place] <= codes.max())
    if keep.all():
        return family
    places, columns = [], []
    for place, entry in enumerate(family.places):
        present = np.unique(family.codes[keep, place])
        places.append(FamilyPlace(entry.path, tuple(entry.values[code] for code in present), entry.is_ordered))
        columns.append(np.searchsorted(present, family.codes[keep, place]))
    return FluentFamily(family.name, family.arity, tuple(places), family.fluents[keep], np.stack(columns, axis=1))


class _Planner:
    """Puts the families of a plan on boards (the plan is changed in place)."""

    def __init__(self, plan: ViewPlan) -> None:
        self.plan, self.game = plan, plan.game
        roles = [str(role) for role in plan.game.program.roles if role != RANDOM]
        self.wardrobe = Wardrobe(roles, plan.hints.glyphs)
        self.show = plan.game.rules.show

    def make(self) -> None:
        shown = [entry for entry in self.plan.families if self.plan.hints.kinds.get(entry.family.name) != HIDDEN]
        order = {GRID: 0, MARKS: 2, TOKEN: 1}
        on_cells = [entry for entry in shown if entry.arrangement.kind in ON_CELLS]
        for entry in sorted(on_cells, key=lambda entry: (order[entry.arrangement.kind], -len(entry.family.fluents))):
            self._put_on_grid(entry)
        for entry in sorted(shown, key=lambda entry: entry.arrangement.kind != RACK):
            if entry.arrangement.kind == RACK:
                self._put_on_rack(entry)
            elif entry.arrangement.kind == HAND:
                self._put_in_hands(entry)
        for entry in shown:
            if entry.arrangement.kind in (BADGE, LIST) and not self._lay_on_rack(entry):
                self._make_badge(entry)

    # Grids

    def _put_on_grid(self, entry: PlannedFamily) -> None:
        """On a board that is there, or on new ones, one for each value of the split."""
        family, arrangement = entry.family, entry.arrangement
        homes = self._find_homes(entry)
        if homes is None:
            homes = self._make_grids(entry)
        if arrangement.kind == GRID:
            self.plan.blanks |= find_blanks(self.game, family, arrangement)
        is_mark = arrangement.kind == MARKS and any(
            spot.board in {board for boards in homes.values() for board in boards} for spot in self.plan.spots.values()
        )
        first, second = arrangement.axes
        self._note_meanings(entry, homes)
        for fluent, codes in zip(family.fluents.tolist(), family.codes.tolist(), strict=True):
            split = tuple(family.places[place].values[codes[place]] for place in self._split_of(entry, homes))
            board = homes[split][0]
            cell = self.plan.boards[board].cell_at(
                family.places[first].values[codes[first]], family.places[second].values[codes[second]]
            )
            assert cell is not None
            self.plan.boards[board].exists[cell] = True
            pieces = [place for place in arrangement.pieces if place not in self._split_of(entry, homes)]
            look = self._dress(family, codes, pieces)
            if is_mark:
                look = look._replace(form=MARK, label=f"{in_words(family.name)} {look.label}".strip())
                if not pieces:
                    look = look._replace(label=in_words(family.name))
            self.plan.spots[fluent] = Spot(board, *cell, look)

    def _note_meanings(self, entry: PlannedFamily, homes: dict[tuple[Term, ...], list[int]]) -> None:
        """Remember what the places of a family mean on its boards."""
        family, (first, second) = entry.family, entry.arrangement.axes
        meanings = {
            (family.name, family.places[first].path): "first",
            (family.name, family.places[second].path): "second",
        }
        meanings |= {(family.name, family.places[place].path): "split" for place in self._split_of(entry, homes)}
        for boards in homes.values():
            for board in boards:
                self.plan.boards[board].meanings |= meanings

    def _split_of(self, entry: PlannedFamily, homes: dict[tuple[Term, ...], list[int]]) -> tuple[int, ...]:
        """The places of a family that choose a board."""
        depth = len(next(iter(homes)))
        if entry.arrangement.kind == GRID or depth == 0:
            return entry.arrangement.split
        return entry.arrangement.pieces[:depth]

    def _find_homes(self, entry: PlannedFamily) -> dict[tuple[Term, ...], list[int]] | None:
        """The boards that tokens or marks lie on, by split; None where there are none, or it is a grid itself."""
        family, arrangement = entry.family, entry.arrangement
        if arrangement.kind == GRID:
            return None
        axes = [family.places[place].values for place in arrangement.axes]
        fitting: dict[tuple[Term, ...], list[int]] = {}
        for number, board in enumerate(self.plan.boards):
            if board.kind == GRID and all(set(own) <= set(their) for own, their in zip(axes, board.axes, strict=True)):
                fitting.setdefault(board.split, []).append(number)
        if () in fitting:
            return {(): fitting[()]}
        whos = {(value,) for place in arrangement.pieces[:1] for value in family.places[place].values}
        return fitting if whos and whos <= set(fitting) else None

    def _make_grids(self, entry: PlannedFamily) -> dict[tuple[Term, ...], list[int]]:
        """New boards for a family, one for each value of its split."""
        family, arrangement = entry.family, entry.arrangement
        first, second = arrangement.axes
        axes = (family.places[first].values, family.places[second].values)
        lie = self._orient(family, (first, second))
        homes: dict[tuple[Term, ...], list[int]] = {}
        for split in product(*(family.places[place].values for place in arrangement.split)):
            columns, rows = axes if lie.first_is_column else axes[::-1]
            shown_rows = [self.show(value) for value in (rows[::-1] if lie.rows_up else rows)]
            shown_columns = [self.show(value) for value in columns]
            title = " ".join([in_words(self.show(family.name)), *(in_words(self.show(value)) for value in split)])
            labels = [
                [f"{column} {row}" if lie.first_is_column else f"{row} {column}" for column in shown_columns]
                for row in shown_rows
            ]
            board = BoardPlan(
                title,
                GRID,
                tuple(shown_rows),
                tuple(shown_columns),
                labels,
                np.zeros((len(rows), len(columns)), np.bool_),
                HEX if self.plan.hints.kinds.get(family.name) == HEX else SQUARE,
                lie.rows_up,
                axes,
                lie,
                split,
                len(self.plan.boards) - len(homes),
            )
            homes[split] = [len(self.plan.boards)]
            self.plan.boards.append(board)
        return homes

    def _orient(self, family: FluentFamily, axes: tuple[int, int]) -> Orientation:
        """As the hints say, or as the rules look."""
        if family.name in self.plan.hints.rows:
            argument, rows_up = self.plan.hints.rows[family.name]
            return Orientation(family.places[axes[0]].path[0] != argument, rows_up)
        return orient(self.game.rules, family, axes)

    # Racks, hands, badges

    def _put_on_rack(self, entry: PlannedFamily) -> None:
        """A row of slots, or one for each who."""
        _, (slot,), rows, _, pieces = entry.arrangement
        self._put_in_rows(entry, rows, slot, pieces or (slot,))

    def _put_in_hands(self, entry: PlannedFamily) -> None:
        self._put_in_rows(entry, entry.arrangement.rows, None, entry.arrangement.pieces)

    def _put_in_rows(self, entry: PlannedFamily, rows: Sequence[int], slot: int | None, pieces: Sequence[int]) -> None:
        """A board with a row for each value of `rows` and a column for each of `slot`, or one wide column."""
        family, number = entry.family, len(self.plan.boards)
        row_labels = [self.show(value) for value in family.places[rows[0]].values] if rows else [""]
        columns = [self.show(value) for value in family.places[slot].values] if slot is not None else [""]
        labels = [[f"{row} {column}".strip() or self.show(family.name) for column in columns] for row in row_labels]
        board = BoardPlan(
            in_words(self.show(family.name)),
            entry.arrangement.kind,
            tuple(row_labels),
            tuple(columns),
            labels,
            np.zeros((len(row_labels), len(columns)), np.bool_),
            axes=(family.places[slot].values,) if slot is not None else (),
            home=number,
            meanings={(family.name, family.places[slot].path): "slot"} if slot is not None else {},
        )
        self.plan.boards.append(board)
        if entry.arrangement.kind == RACK and pieces:
            self.plan.blanks |= find_blanks(self.game, family, entry.arrangement)
        for fluent, codes in zip(family.fluents.tolist(), family.codes.tolist(), strict=True):
            row, column = (codes[rows[0]] if rows else 0), (codes[slot] if slot is not None else 0)
            board.exists[row, column] = True
            self.plan.spots[fluent] = Spot(number, row, column, self._dress(family, codes, pieces))

    def _lay_on_rack(self, entry: PlannedFamily) -> bool:
        """Lay what can be in one of some slots on the row of these slots, if there is one; whether it was done."""
        family = entry.family
        if len(family.places) != 1 or entry.arrangement.kind != BADGE or not family.places[0].is_ordered:
            return False
        for number, board in enumerate(self.plan.boards):
            if board.kind == RACK and len(board.rows) == 1 and board.axes == (family.places[0].values,):
                look = self.wardrobe.dress([], family.name)
                board.meanings[family.name, family.places[0].path] = "slot"
                for fluent, (code,) in zip(family.fluents.tolist(), family.codes.tolist(), strict=True):
                    self.plan.spots[fluent] = Spot(number, 0, code, look)
                return True
        return False

    def _make_badge(self, entry: PlannedFamily) -> None:
        family = entry.family
        every = range(len(family.places))
        looks = tuple(self._dress(family, codes, every) for codes in family.codes.tolist())
        title = in_words(self.show(family.name))
        self.plan.badges.append(BadgePlan(title, tuple(family.fluents.tolist()), looks, not family.places))

    def _dress(self, family: FluentFamily, codes: Sequence[int], pieces: Sequence[int]) -> Look:
        """The look of a fluent of a family."""
        terms = [family.places[place].values[codes[place]] for place in pieces]
        look = self.wardrobe.dress(
            [str(term) if isinstance(term, str) else self.show(term) for term in terms], family.name
        )
        label = " ".join(in_words(self.show(term)) for term in terms)
        return look._replace(label=label or look.label)


def find_blanks(game: Game, family: FluentFamily, arrangement: Arrangement) -> set[int]:
    """The fluents that say that a cell is empty: of a value that fills most cells at first, or that is called so."""
    if len(arrangement.pieces) != 1:
        return set()
    place = arrangement.pieces[0]
    values, codes = family.places[place].values, family.codes[:, place]
    held = game.program.initial[family.fluents]
    cells = len({tuple(row) for row in np.delete(family.codes, place, axis=1).tolist()})
    roles = {role for role in game.program.roles if role != RANDOM}
    counts = np.bincount(codes[held], minlength=len(values))
    blank = int(counts.argmax())
    if held.sum() < cells or 2 * counts[blank] <= cells or values[blank] in roles:
        named = [code for code, value in enumerate(values) if value in BLANKS and value not in roles]
        if not named or len(values) < 2:
            return set()
        blank = min(named, key=lambda code: BLANKS.index(str(values[code])))
    return set(family.fluents[codes == blank].tolist())
