"""Boards of families with two axes: grids make boards; tokens and marks lie on them, or make one if there is none.

A family with a place for each role, such as `(shot red 2 3)`, lies on the boards that another family has made for each
role, `(ship red 2 3 cruiser)`: on the board of that role, or on another board if its cells change with the mark.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from veil.boards.arrangement import GRID, MARKS
from veil.boards.blanks import find_blanks
from veil.boards.effects import count_effects_of_marks, find_clear_winner
from veil.boards.fluent_families import FluentFamily
from veil.boards.looks import Look
from veil.boards.orientation import Orientation, orient
from veil.boards.scene import EDGES, HEX, MARK, SQUARE
from veil.boards.view_plan import BoardPlan, Dresser, PlannedFamily, Spot, ViewPlan
from veil.vocabulary import Term

Homes = dict[tuple[Term, ...], int]  # values of the split -> board


class GridPlacer:
    """Placement of families with two axes on boards (the plan is changed in place)."""

    def __init__(self, plan: ViewPlan) -> None:
        self.plan, self.dresser = plan, Dresser(plan)

    def place(self, entry: PlannedFamily) -> None:
        """Put a family on existing boards, or on new ones, one for each value of its split."""
        family, arrangement = entry.family, entry.arrangement
        homes, split = self._find_homes(entry)
        is_small = arrangement.kind == MARKS and bool(homes)
        if not homes:
            homes, split = self._make_boards(entry), arrangement.split
        elif split:
            homes = self._swap_homes(entry, homes, split)
        if arrangement.kind in (GRID, MARKS):
            self.plan.blanks |= find_blanks(self.plan.game, family, arrangement)
        self._note_meanings(entry, homes, split)
        pieces = [place for place in arrangement.pieces if place not in split]
        for fluent, codes in zip(family.fluents.tolist(), family.codes.tolist(), strict=True):
            board = homes[tuple(family.places[place].values[codes[place]] for place in split)]
            cell = self._cell_of(entry, codes, board)
            self.plan.boards[board].exists[cell] = True
            look = self.dresser.dress(family, codes, pieces)
            name = self.dresser.wording.name(family.name)
            look = _make_small(look, family.name, f"{name} {look.label}" if pieces else name) if is_small else look
            self.plan.spots[fluent] = Spot(board, *cell, look)

    def _cell_of(self, entry: PlannedFamily, codes: list[int], board: int) -> tuple[int, int]:
        """Return row and column of a fluent of a family on a board that has its axes."""
        values = [entry.family.places[place].values[codes[place]] for place in entry.arrangement.axes]
        cell = self.plan.boards[board].cell_at(*values)
        assert cell is not None
        return cell

    def _find_homes(self, entry: PlannedFamily) -> tuple[Homes, tuple[int, ...]]:
        """Return the boards under tokens or marks, by split, and the places that choose one; none for a grid itself."""
        family, arrangement = entry.family, entry.arrangement
        if arrangement.kind == GRID:
            return {}, ()
        axes = [set(family.places[place].values) for place in arrangement.axes]
        fitting: Homes = {}
        for number, board in enumerate(self.plan.boards):
            if board.kind == GRID and all(own <= set(their) for own, their in zip(axes, board.axes, strict=True)):
                fitting.setdefault(board.split, number)
        if () in fitting:
            return {(): fitting[()]}, ()
        for place in arrangement.pieces:
            if {(value,) for value in family.places[place].values} <= set(fitting):
                return fitting, (place,)
        return {}, ()

    def _swap_homes(self, entry: PlannedFamily, homes: Homes, split: tuple[int, ...]) -> Homes:
        """Return the boards in another order if cells of other boards change when a mark appears."""
        found: Homes = {}
        for (value,) in homes:
            codes = entry.family.codes
            own = [
                index
                for index in range(len(codes))
                if entry.family.places[split[0]].values[codes[index, split[0]]] == value
            ]
            cells = {
                int(entry.family.fluents[index]): {
                    board: self._cell_of(entry, codes[index].tolist(), board) for board in homes.values()
                }
                for index in own
            }
            winner = find_clear_winner(count_effects_of_marks(self.plan, cells)) if cells else None
            found[value,] = homes[value,] if winner is None else winner
        return found if len(set(found.values())) == len(found) else homes

    def _make_boards(self, entry: PlannedFamily) -> Homes:
        """Make new boards for a family, one for each value of its split."""
        places, homes = entry.family.places, Homes()
        first = len(self.plan.boards)
        for split in product(*(places[place].values for place in entry.arrangement.split)):
            homes[split] = len(self.plan.boards)
            self.plan.boards.append(self._make_board(entry, split, first))
        return homes

    def _make_board(self, entry: PlannedFamily, split: tuple[Term, ...], home: int) -> BoardPlan:
        family, show, wording = entry.family, self.plan.show, self.dresser.wording
        first, second = entry.arrangement.axes
        axes, lie = (family.places[first].values, family.places[second].values), self._orient(family, (first, second))
        columns, rows = axes if lie.first_is_column else axes[::-1]
        shown_rows = [show(value) for value in (rows[::-1] if lie.rows_up else rows)]
        shown_columns = [show(value) for value in columns]
        labels = [
            [f"{column} {row}" if lie.first_is_column else f"{row} {column}" for column in shown_columns]
            for row in shown_rows
        ]
        return BoardPlan(
            " ".join([wording.name(family.name), *(wording.word(show(word)) for word in split)]),
            GRID,
            tuple(shown_rows),
            tuple(shown_columns),
            labels,
            np.zeros((len(rows), len(columns)), np.bool_),
            shape=HEX if self.plan.hints.kinds.get(family.name) == HEX else SQUARE,
            rows_up=lie.rows_up,
            axes=axes,
            orientation=lie,
            split=split,
            home=home,
        )

    def _orient(self, family: FluentFamily, axes: tuple[int, int]) -> Orientation:
        """Return the orientation from the hints, or else from the rules."""
        if family.name in self.plan.hints.rows:
            argument, rows_up = self.plan.hints.rows[family.name]
            return Orientation(family.places[axes[0]].path[0] != argument, rows_up)
        return orient(self.plan.game.rules, family, axes)

    def _note_meanings(self, entry: PlannedFamily, homes: Homes, split: tuple[int, ...]) -> None:
        """Store what the places of a family mean on its boards."""
        family, (first, second) = entry.family, entry.arrangement.axes
        paths = {first: "first", second: "second"} | dict.fromkeys(split, "split")
        meanings = {(family.name, family.places[place].path): what for place, what in paths.items()}
        for board in homes.values():
            self.plan.boards[board].meanings |= meanings


def _make_small(look: Look, family: str, label: str) -> Look:
    """Return the look of a mark on another family's board: a dot in a corner, or a wall."""
    return look._replace(form=next((side for side in EDGES if side in family), MARK), label=label)
