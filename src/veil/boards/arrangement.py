"""The layout of a family of fluents: which places are rows and columns, and which name the piece.

With its keys (`keys`) and its ordered places (`orders`), a family is the first of these kinds that fits:

| kind | when |
|---|---|
| `grid` | two ordered places in a key, something outside: what is in the cell; other places of the key: a grid each |
| `token` | two ordered places outside a key: the key says who, the places where |
| `marks` | two ordered places, nothing is a smaller key: a set of cells; another place says what is there |
| `rack` | an ordered place in a key, or a set of ordered values: slots in a row, a row for each who |
| `hand` | a place that says who: what each of them has |
| `badge` | at most one at a time, or a fact that holds or not |
| `list` | anything else |
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from veil.boards.fluent_families import FluentFamily
from veil.boards.keys import Key
from veil.vocabulary import WHOLE_NUMBER, Term

GRID, TOKEN, MARKS, RACK, HAND, BADGE, LIST = "grid", "token", "marks", "rack", "hand", "badge", "list"
ON_CELLS = (GRID, TOKEN, MARKS)  # kinds with two axes
MAX_AXIS = 40  # values of rows or columns
DENSE = 0.6  # minimal share of the numbers from the first to the last that are rows of a board
FILLED = 0.3  # minimal share of the cells of a board that can hold something
MAX_SPLIT = 8  # maximal number of boards that one family makes
MAX_ROWS = 16  # of a rack or a hand
MAX_SLOTS = 40  # columns of a rack
MAX_SET = 16  # columns of a rack that shows a set of values


class Arrangement(NamedTuple):
    """The layout of a family. Numbers are places of the family."""

    kind: str
    axes: tuple[int, ...] = ()  # first and second place of a cell; or the slot of a rack
    rows: tuple[int, ...] = ()  # of a rack or a hand: who
    split: tuple[int, ...] = ()  # places with a board for each of their values
    pieces: tuple[int, ...] = ()  # what is there


def arrange(
    family: FluentFamily, keys: Sequence[Key], roles: Collection[Term], sizes: Sequence[int], wish: str = ""
) -> Arrangement:
    """Return the arrangement of a family; `sizes` [P] count the values that matter, `wish` is a preferred kind."""
    every = tuple(range(len(family.places)))
    if wish in (BADGE, LIST) or not every:
        return Arrangement(wish or BADGE, pieces=every)
    family = _without_orders_of_roles(family, roles)
    if wish not in (RACK, HAND):
        on_cells = _arrange_cells(family, keys, sizes)
        if on_cells is not None and on_cells.kind == GRID:
            on_cells = _turn_round(family, on_cells, roles, sizes)
        if on_cells is not None:
            return on_cells
    if frozenset() in keys and wish not in (RACK, HAND):
        return Arrangement(BADGE, pieces=every)
    rack = None if wish == HAND else _arrange_rack(family, keys, roles, sizes)
    return rack or _arrange_hand(family, keys, roles, sizes)


def _without_orders_of_roles(family: FluentFamily, roles: Collection[Term]) -> FluentFamily:
    """Return the family with places that name roles as unordered, even if the names are numbered."""
    places = tuple(
        replace(entry, is_ordered=False) if sum(value in roles for value in entry.values) > 1 else entry
        for entry in family.places
    )
    return replace(family, places=places)


def _can_be_axis(values: Sequence[Term]) -> bool:
    """Return whether the values of an ordered place can number the rows of a board: numbers must not have many gaps."""
    if not all(isinstance(value, str) and WHOLE_NUMBER.fullmatch(value) for value in values):
        return True
    numbers = [int(str(value)) for value in values]
    return len(numbers) >= DENSE * (max(numbers) - min(numbers) + 1)


def _is_filled(family: FluentFamily, axes: tuple[int, int], sizes: Sequence[int]) -> bool:
    """Return whether enough of the cells of two axes can ever hold something."""
    return len(np.unique(family.codes[:, axes], axis=0)) >= FILLED * sizes[axes[0]] * sizes[axes[1]]


def _arrange_cells(family: FluentFamily, keys: Sequence[Key], sizes: Sequence[int]) -> Arrangement | None:
    """Return a grid, or tokens or marks on one; None if the family has no two axes."""
    ordered = [
        place
        for place, entry in enumerate(family.places)
        if entry.is_ordered and 1 < sizes[place] <= MAX_AXIS and _can_be_axis(entry.values)
    ]
    found = [
        (rank, arrangement)
        for axes in combinations(ordered, 2)
        if _is_filled(family, axes, sizes)
        for rank, arrangement in _try_axes(family, keys, sizes, axes)
    ]
    return max(found, key=lambda entry: entry[0])[1] if found else None


def _turn_round(family: FluentFamily, grid: Arrangement, roles: Collection[Term], sizes: Sequence[int]) -> Arrangement:
    """Swap split and pieces of a grid per colour with numbers in its cells; colours in the cells are better."""
    has_numbers = all(family.places[place].is_ordered for place in grid.pieces)
    has_names = all(
        not family.places[place].is_ordered and not set(family.places[place].values) & set(roles)
        for place in grid.split
    )
    if not grid.split or not has_numbers or not has_names or _product(sizes, grid.pieces) > MAX_SPLIT:
        return grid
    return grid._replace(split=grid.pieces, pieces=grid.split)


def _try_axes(
    family: FluentFamily, keys: Sequence[Key], sizes: Sequence[int], axes: tuple[int, int]
) -> list[tuple[tuple[int, ...], Arrangement]]:
    """Return what these axes would make of the family, with a rank: a greater rank is better."""
    pair, every = frozenset(axes), frozenset(range(len(family.places)))
    is_square = family.places[axes[0]].values == family.places[axes[1]].values
    rank = (int(is_square), int(axes[1] == axes[0] + 1), axes[0])
    found: list[tuple[tuple[int, ...], Arrangement]] = []
    for key in keys:
        split, outside = tuple(sorted(key - pair)), tuple(sorted(every - pair))
        boards = _product(sizes, split)
        if key >= pair and key != every and boards <= MAX_SPLIT:
            pieces = tuple(sorted(every - key))
            has_names = not any(family.places[place].is_ordered for place in pieces)
            found.append(((3, -len(split), has_names, *rank), Arrangement(GRID, axes, split=split, pieces=pieces)))
        elif not key & pair and len(key) < 3:
            found.append(((2, -len(key), 0, *rank), Arrangement(TOKEN, axes, pieces=outside)))
        elif key == every and len(outside) <= 1:
            found.append(((1, -len(outside), 0, *rank), Arrangement(MARKS, axes, pieces=outside)))
    return found


def _arrange_rack(
    family: FluentFamily, keys: Sequence[Key], roles: Collection[Term], sizes: Sequence[int]
) -> Arrangement | None:
    """Return slots in a row; None if no place can number them."""
    every = frozenset(range(len(family.places)))
    who = _who_of(family, roles)
    best: tuple[tuple[int, ...], Arrangement] | None = None
    for key in keys:
        slots = [place for place in key if family.places[place].is_ordered and 1 < sizes[place] <= MAX_SLOTS]
        for slot in slots:
            rows = tuple(sorted(key - {slot}))
            if len(rows) > 1 or _product(sizes, rows) > MAX_ROWS or (rows and family.places[rows[0]].is_ordered):
                continue
            pieces = tuple(sorted(every - key))
            has_one_each = who is not None and frozenset({who}) in keys
            if who in pieces and (has_one_each or rows or len(pieces) > 1 or sizes[slot] > MAX_SET):
                continue  # a card says who holds it, and a hand shows that better
            if key == every and not rows and sizes[slot] > MAX_SET:
                continue
            rank = (-_product(sizes, tuple(key)), len(rows))
            if best is None or rank > best[0]:
                best = rank, Arrangement(RACK, (slot,), rows, pieces=pieces)
    return best[1] if best is not None else None


def _arrange_hand(
    family: FluentFamily, keys: Sequence[Key], roles: Collection[Term], sizes: Sequence[int]
) -> Arrangement:
    """Return a row for everyone who has something; a plain list if no place says who."""
    every = tuple(range(len(family.places)))
    who = _who_of(family, roles)
    if who is None:
        single = [next(iter(key)) for key in keys if len(key) == 1]
        who = next((place for place in single if 1 < sizes[place] <= MAX_ROWS), None)
    if who is None or len(every) == 1:
        return Arrangement(LIST, pieces=every)
    return Arrangement(HAND, rows=(who,), pieces=tuple(place for place in every if place != who))


def _who_of(family: FluentFamily, roles: Collection[Term]) -> int | None:
    """Return the first place that names roles, and little else; None if there is none."""
    for place, entry in enumerate(family.places):
        named = sum(value in roles for value in entry.values)
        if named > 1 and 2 * named >= len(entry.values):
            return place
    return None


def _product(sizes: Sequence[int], places: Sequence[int]) -> int:
    product = 1
    for place in places:
        product *= sizes[place]
    return product
