"""The parts of a view as plain data: a `Scene` has boards and badges, a board has cells, a cell has pieces.

Every piece has its fluent and its probability: 1 in a state, less in a belief. All records
are frozen and can be written as JSON: `msgspec.json.encode(scene)`, or `as_json(scene)` for plain dicts and lists.
"""

from __future__ import annotations

from typing import Any

import msgspec

SQUARE, HEX = "square", "hex"
DISC, TEXT, MARK = "disc", "text", "mark"  # how a piece is drawn: a stone, a sign, a small sign in a corner
EDGES = ("north", "south", "east", "west")  # or as a wall on that side of the cell


class Piece(msgspec.Struct, frozen=True):
    """A piece that is, or may be, in a cell or on a badge."""

    fluent: str  # as the rules spell it
    label: str  # what it is, in words
    glyph: str  # a sign of one to four characters; of a disc it may be empty
    tone: str  # colour: `red`, `blue`, ...; `first`, `second`, ... for roles; `plain`
    form: str  # DISC, TEXT, MARK or one of EDGES
    chance: float  # probability that the fluent holds

    @property
    def is_small(self) -> bool:
        """Whether it is drawn at the edge of its cell and leaves room for pieces."""
        return self.form == MARK or self.form in EDGES


class Cell(msgspec.Struct, frozen=True):
    """A cell of a board."""

    name: str  # unique among all boards of the scene: board, row and column
    label: str  # the place in the words of the rules
    row: int
    column: int
    pieces: tuple[Piece, ...] = ()  # likeliest first; marks last
    exists: bool = True  # whether it can ever hold a piece


class Board(msgspec.Struct, frozen=True):
    """Cells in rows and columns, from the top left. R rows, C columns."""

    name: str  # unique in the scene
    title: str  # in words
    kind: str  # "grid", "rack" or "hand"
    rows: tuple[str, ...]  # [R] labels, the top row first
    columns: tuple[str, ...]  # [C]
    cells: tuple[Cell, ...]  # [R * C], row by row
    shape: str = SQUARE  # or HEX: each row is shifted by half a cell against its neighbour
    shift: tuple[float, ...] = ()  # [R] of a hex board: how far a row is shifted to the right, in cells


class Badge(msgspec.Struct, frozen=True):
    """A fact about the game as a whole: whose turn it is, a counter, a flag."""

    title: str
    pieces: tuple[Piece, ...]  # what holds or may hold, likeliest first
    is_flag: bool = False  # a fact that holds or not: one piece, with the title as its label


class Scene(msgspec.Struct, frozen=True):
    """All that is shown of a state or of a belief."""

    boards: tuple[Board, ...]
    badges: tuple[Badge, ...]


class Choice(msgspec.Struct, frozen=True):
    """A legal move, and how it is chosen: by a cell, from a cell to a cell, or by a button with words."""

    move: str  # as the rules spell it
    words: str
    cells: tuple[str, ...] = ()  # names of cells: none (a button), one (click it), two (from, to)
    same: tuple[str, ...] = ()  # other cells that mean the same, for example the rest of a column


class RecordLine(msgspec.Struct, frozen=True):
    """One round of a record in words."""

    round: int  # from 1
    move: str
    percepts: tuple[str, ...]


def as_json(value: msgspec.Struct) -> Any:
    """Return a record as dicts, lists, texts and numbers."""
    return msgspec.to_builtins(value)
