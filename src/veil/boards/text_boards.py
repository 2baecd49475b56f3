"""Boards as text for a terminal: signs in a frame, shaded by their probability, with optional colours.

A certain piece stands as it is. A possible one has its probability beside it: `X.4` is between 35 and 45 %, `X.04`
between 3.5 and 4.5 %. In colour, certain pieces are bold, and unlikely ones are dimmed.
"""

from __future__ import annotations

import unicodedata

from msgspec.structs import replace

from veil.boards.scene import HEX, Badge, Board, Cell, Piece, Scene
from veil.errors import check_kind
from veil.sanitize import make_visible

CERTAIN, LIKELY, TENTH = 0.9995, 0.5, 0.095
STONES = {"white": "o", "black": "●", "plain": "•"}
COLOURS = {
    "white": "97",
    "black": "90",
    "red": "31",
    "blue": "34",
    "green": "32",
    "yellow": "33",
    "orange": "33",
    "purple": "35",
    "pink": "95",
    "teal": "36",
    "brown": "33",
    "grey": "37",
    "first": "36",
    "second": "33",
    "third": "35",
    "fourth": "32",
    "fifth": "34",
    "sixth": "31",
}
RESET, DIM, BOLD = "\x1b[0m", "\x1b[2m", "\x1b[1m"
VOID = "▒"
MAX_PIECES = 2  # maximal number of pieces shown in a cell
MAX_CHIPS = 12  # maximal number of pieces shown in a hand or on a badge


def render_scene_text(scene: Scene, *, colour: bool = False, width: int = 100) -> str:
    """Return all boards and badges of a scene, one below the other."""
    check_kind("scene", scene, Scene)
    parts = [render_text(board, colour=colour, width=width) for board in scene.boards]
    badges = " · ".join(_show_badge(badge, colour) for badge in scene.badges)
    return "\n".join([*parts, *([badges] if badges else [])])


def render_text(board: Board, *, colour: bool = False, width: int = 100) -> str:
    """Return one board as lines of text, its title first."""
    board = _clean(board)
    if board.kind == "hand":
        return "\n".join([board.title, *_show_hand(board, colour)])
    cells = [[_show_cell(cell, colour) for cell in row] for row in _rows_of(board)]
    size = max([1, *(_width(text) for row in cells for text in row), *map(len, board.columns)])
    label = max(map(len, board.rows), default=0)
    lines = [board.title]
    head = " " * (label + 2) + " ".join(_centre(name, size) for name in board.columns)
    rows = [
        f"{_indent(board, row, size)}{name.rjust(label)}  {' '.join(_centre(text, size) for text in cells[row])}"
        for row, name in enumerate(board.rows)
    ]
    lines += [head, *rows] if not _is_upward(board) else [*rows, head]
    return "\n".join(line.rstrip() for line in lines)


def _clean(board: Board) -> Board:
    """Return the board with labels that are safe to show."""
    rows, columns = (tuple(map(make_visible, labels)) for labels in (board.rows, board.columns))
    return replace(board, title=make_visible(board.title), rows=rows, columns=columns)


def _is_upward(board: Board) -> bool:
    """Return whether the labels of columns stand below, as on a chess board."""
    return board.kind == "grid"


def _rows_of(board: Board) -> list[list[Cell]]:
    width = len(board.columns)
    return [list(board.cells[row * width : (row + 1) * width]) for row in range(len(board.rows))]


def _indent(board: Board, row: int, size: int) -> str:
    return " " * round(board.shift[row] * (size + 1)) if board.shape == HEX else ""


def _show_cell(cell: Cell, colour: bool) -> str:
    if not cell.exists:
        return VOID
    if not cell.pieces:
        return "·"
    pieces = [piece for piece in cell.pieces if not piece.is_small] or list(cell.pieces)
    shown = [_show_piece(piece, colour) for piece in pieces[:MAX_PIECES]]
    return "/".join(shown) + ("…" if len(pieces) > MAX_PIECES else "")


def _show_piece(piece: Piece, colour: bool) -> str:
    sign = make_visible(piece.glyph) or (STONES.get(piece.tone) or make_visible(piece.label[:1]).upper())
    if piece.is_small:
        sign = "'"
    is_certain = piece.chance >= CERTAIN
    text = sign if is_certain else f"{sign}{_digits(piece.chance)}"
    if not colour:
        return text
    code = COLOURS.get(piece.tone)
    weight = BOLD if is_certain else DIM if piece.chance < LIKELY else ""
    return f"{weight}{f'{chr(27)}[{code}m' if code else ''}{text}{RESET}"


def _digits(chance: float) -> str:
    """Return `.4` for 0.35 to 0.45, `.04` for 0.035 to 0.045; never 0 or 1: the piece is possible and not certain."""
    return f".{min(9, round(10 * chance))}" if chance >= TENTH else f".{max(1, round(100 * chance)):02}"


def _show_hand(board: Board, colour: bool) -> list[str]:
    label = max(map(len, board.rows), default=0)
    return [
        f"{name.rjust(label)}  {_show_chips(row[0].pieces, colour)}".rstrip()
        for name, row in zip(board.rows, _rows_of(board), strict=True)
    ]


def _show_chips(pieces: tuple[Piece, ...], colour: bool) -> str:
    chips = []
    for piece in pieces[:MAX_CHIPS]:
        percent = "" if piece.chance >= CERTAIN else f" {100 * piece.chance:.0f} %"
        text = f"[{make_visible(piece.label)}{percent}]"
        code = COLOURS.get(piece.tone)
        chips.append(f"\x1b[{code}m{text}{RESET}" if colour and code else text)
    if len(pieces) > MAX_CHIPS:
        chips.append(f"and {len(pieces) - MAX_CHIPS} more")
    return " ".join(chips) or "-"


def _show_badge(badge: Badge, colour: bool) -> str:
    title = make_visible(badge.title)
    if badge.is_flag:
        piece = badge.pieces[0]
        return title if piece.chance >= CERTAIN else f"{title} {100 * piece.chance:.0f} %"
    return f"{title}: {_show_chips(badge.pieces, colour)}"


def _width(text: str) -> int:
    """Return the number of terminal columns of a text, without escape sequences."""
    plain, inside = 0, False
    for char in text:
        if char == "\x1b":
            inside = True
        elif inside:
            inside = char != "m"
        else:
            plain += 2 if unicodedata.east_asian_width(char) in "WF" else 0 if unicodedata.combining(char) else 1
    return plain


def _centre(text: str, size: int) -> str:
    room = max(0, size - _width(text))
    return " " * (room // 2) + text + " " * (room - room // 2)
