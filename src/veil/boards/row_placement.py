"""Boards of families without two axes: racks and hands are boards with rows, all others are badges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veil.boards.arrangement import BADGE, RACK
from veil.boards.blanks import find_blanks
from veil.boards.fluent_families import FluentFamily
from veil.boards.view_plan import BadgePlan, BoardPlan, Dresser, PlannedFamily, Spot, ViewPlan


class RowPlacer:
    """Placement of families on racks, in hands and on badges (the plan is changed in place)."""

    def __init__(self, plan: ViewPlan) -> None:
        self.plan, self.dresser = plan, Dresser(plan)

    def place(self, entry: PlannedFamily) -> None:
        """Make a board with a row per owner, and with a column per slot of a rack or one wide column of a hand."""
        family, arrangement, number = entry.family, entry.arrangement, len(self.plan.boards)
        slot = arrangement.axes[0] if arrangement.kind == RACK else None
        who = arrangement.rows[0] if arrangement.rows else None
        board = self._make_board(entry, who, slot)
        self.plan.boards.append(board)
        if arrangement.kind == RACK:
            self.plan.blanks |= find_blanks(self.plan.game, family, arrangement)
        pieces: Sequence[int] = arrangement.pieces or ((slot,) if slot is not None else ())
        for fluent, codes in zip(family.fluents.tolist(), family.codes.tolist(), strict=True):
            cell = (codes[who] if who is not None else 0), (codes[slot] if slot is not None else 0)
            board.exists[cell] = True
            self.plan.spots[fluent] = Spot(number, *cell, self.dresser.dress(family, codes, pieces))

    def _make_board(self, entry: PlannedFamily, who: int | None, slot: int | None) -> BoardPlan:
        family, show = entry.family, self.plan.show
        rows = [show(value) for value in family.places[who].values] if who is not None else [""]
        columns = [show(value) for value in family.places[slot].values] if slot is not None else [""]
        labels = [[f"{row} {column}".strip() or show(family.name) for column in columns] for row in rows]
        return BoardPlan(
            self.dresser.wording.name(family.name),
            entry.arrangement.kind,
            tuple(rows),
            tuple(columns),
            labels,
            np.zeros((len(rows), len(columns)), np.bool_),
            axes=(family.places[slot].values,) if slot is not None else (),
            is_set=not entry.arrangement.pieces,
            home=len(self.plan.boards),
            meanings={(family.name, family.places[slot].path): "slot"} if slot is not None else {},
        )

    def place_beside(self, entry: PlannedFamily) -> None:
        """Put a family on an existing row of slots that it chooses one of; otherwise on a badge."""
        if not self._lay_on_rack(entry):
            self.make_badge(entry.family)

    def _lay_on_rack(self, entry: PlannedFamily) -> bool:
        """Put a family that names one of some slots on the row of these slots, if there is one.

        Return whether it did.
        """
        family = entry.family
        if len(family.places) != 1 or entry.arrangement.kind != BADGE or not family.places[0].is_ordered:
            return False
        for number, board in enumerate(self.plan.boards):
            if board.is_set and len(board.rows) == 1 and board.axes == (family.places[0].values,):
                look = self.dresser.wardrobe.dress([], family.name)._replace(
                    label=self.dresser.wording.name(family.name)
                )
                board.meanings[family.name, family.places[0].path] = "slot"
                for fluent, (code,) in zip(family.fluents.tolist(), family.codes.tolist(), strict=True):
                    self.plan.spots[fluent] = Spot(number, 0, code, look)
                return True
        return False

    def make_sums(self, family: FluentFamily) -> None:
        """Make a badge with the numbers whose binary digits are the last arguments of a family."""
        *others, last = family.places
        digits = tuple(
            (
                " ".join(
                    self.dresser.wording.word(self.plan.show(place.values[code]))
                    for place, code in zip(others, codes, strict=False)
                ),
                2 ** int(str(last.values[codes[-1]])),
            )
            for codes in family.codes.tolist()
        )
        self.make_badge(family)
        self.plan.badges[-1] = self.plan.badges[-1]._replace(digits=digits)

    def make_badge(self, family: FluentFamily) -> None:
        """Make a badge with all fluents of a family."""
        every = range(len(family.places))
        looks = tuple(self.dresser.dress(family, codes, every) for codes in family.codes.tolist())
        title = self.dresser.wording.name(family.name)
        self.plan.badges.append(BadgePlan(title, tuple(family.fluents.tolist()), looks, not family.places))
