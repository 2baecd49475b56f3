"""Boards as SVG for a browser: escaped, readable for screen readers, in light and dark, with names for clicks.

- `<svg class="veil-board ...">` with `<title>` and `<desc>`; every cell is `<g class="cell" data-cell="b0-2-1">` with a
  `<title>` that says what is, or may be, there and how likely it is.
- Cells of legal moves have `class="cell can-move" role="button" tabindex="0"`, and `data-move` where one move is meant.
- Colours are classes (`tone-red`); `SVG_STYLE` is their stylesheet, for a page to include once. `style=True` puts it
  into the picture, which then stands alone. Nothing else is styled inline, so a strict content policy can hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape
from math import sqrt

from veil.boards.scene import DISC, EDGES, HEX, MARK, Badge, Board, Cell, Choice, Piece, Scene
from veil.boards.svg_style import SVG_STYLE
from veil.errors import check_kind
from veil.sanitize import make_visible

CELL = 44  # pixels of a side
LIGHT = ("white", "yellow")  # tones that letters on them are dark on
MARGIN, HEAD = 26, 26  # for labels of rows and columns, and the title
LEAST_OPACITY, MOST_OPACITY = 0.14, 0.8  # of possible pieces
CERTAIN = 0.9995
SOLID = str.maketrans("♔♕♖♗♘♙", "♚♛♜♝♞♟")  # a white piece is a solid sign that is filled with white
CHIP_HEIGHT, CHARACTER = 24, 7.4  # of chips in hands and badges
MAX_CHIPS = 24
SMALLEST = 10.0  # size of a sign
PAIR = ((-0.19, -0.19), (0.19, 0.19))  # places of several pieces in a cell, from its centre
QUARTERS = ((-0.24, -0.24), (0.24, -0.24), (-0.24, 0.24), (0.24, 0.24))
CHIPS_WIDTH = 420  # of a row of chips


def render_svg(board: Board, choices: Iterable[Choice] = (), *, style: bool = False) -> str:
    """Return one board as an SVG element. `choices` are the legal moves that can be made by clicks on it."""
    check_kind("board", board, Board)
    clicks = _collect_clicks(choices)
    if board.kind == "hand":
        return _render_hand(board, style)
    width, height = _size(board)
    parts = [_open(board.title, describe_board(board), width, height, f"{board.kind} {board.shape}", style)]
    parts += [_label(name, *_centre_of_column(board, column), "column") for column, name in enumerate(board.columns)]
    parts += [_label(name, *_centre_of_row(board, row), "row") for row, name in enumerate(board.rows) if name]
    parts += [_render_cell(board, cell, clicks.get(cell.name, ())) for cell in board.cells]
    parts += [  # above all cells: a wall belongs to two of them
        _render_wall(piece, *_corner(board, cell.row, cell.column))
        for cell in board.cells
        for piece in cell.pieces
        if piece.form in EDGES
    ]
    return "".join([*parts, "</svg>"])


def render_badges_svg(badges: Sequence[Badge], *, style: bool = False) -> str:
    """Return all badges in rows, as one SVG element."""
    flags = [badge for badge in badges if badge.is_flag]
    rows = [(badge.title, _chips_of_badge(badge)) for badge in badges if not badge.is_flag]
    if flags:
        rows.append(("", [chip for badge in flags for chip in _chips_of_badge(badge)]))
    return _render_rows("facts", rows, style)


def describe_board(board: Board) -> str:
    """Return a board in words: what is certain and what is possible in its cells."""
    texts = [f"{cell.label}: {describe_pieces(cell.pieces)}" for cell in board.cells if cell.pieces]
    return "; ".join(texts) or "empty"


def describe_pieces(pieces: Iterable[Piece]) -> str:
    """Return pieces in words, with their probabilities."""
    return ", ".join(
        piece.label if piece.chance >= CERTAIN else f"{piece.label} {100 * piece.chance:.3g} %" for piece in pieces
    )


def render_page(scenes: Sequence[tuple[str, Scene]], title: str) -> str:
    """Return a self-contained page of scenes with headings, for contact sheets."""
    figures = "".join(
        f"<figure><figcaption>{_clean(name)}</figcaption>"
        + "".join(render_svg(board) for board in scene.boards)
        + (render_badges_svg(scene.badges) if scene.badges else "")
        + "</figure>"
        for name, scene in scenes
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{_clean(title)}</title>'
        f"<style>{SVG_STYLE}{PAGE_STYLE}</style><main>{figures}</main></html>"
    )


PAGE_STYLE = (
    "body{font:14px system-ui,sans-serif;margin:12px;background:#fff;color:#1c2733}"
    "main{columns:4;column-gap:12px}"
    "figure{margin:0 0 12px;padding:8px 10px;border:1px solid #d5dde5;border-radius:8px;break-inside:avoid}"
    "figure svg{max-width:100%;height:auto;display:block}figcaption{font-weight:600;margin-bottom:4px}"
)


def _collect_clicks(choices: Iterable[Choice]) -> dict[str, list[Choice]]:
    """Return the moves that a click on a cell makes or begins, by the name of the cell."""
    clicks: dict[str, list[Choice]] = defaultdict(list)
    for choice in choices:
        for name in (*choice.cells[:1], *choice.same):
            clicks[name].append(choice)
    return clicks


# Geometry


def _row_height(board: Board) -> float:
    return CELL * sqrt(3) / 2 if board.shape == HEX else CELL


def _left(board: Board) -> float:
    longest = max((len(name) for name in board.rows), default=0)
    return max(MARGIN if any(board.rows) else 8, 10 + CHARACTER * longest)


def _size(board: Board) -> tuple[float, float]:
    shift = max(board.shift, default=0.0) * CELL
    rows = _row_height(board) * len(board.rows) + (CELL / sqrt(3) / 2 if board.shape == HEX else 0)
    return _left(board) + CELL * len(board.columns) + shift + 8, HEAD + rows + 24


def _corner(board: Board, row: int, column: int) -> tuple[float, float]:
    """Return the top left corner of the box around a cell."""
    shift = board.shift[row] if board.shift else 0.0
    return _left(board) + CELL * (column + shift), HEAD + _row_height(board) * row


def _centre_of_column(board: Board, column: int) -> tuple[float, float]:
    last = len(board.rows) - 1
    x, y = _corner(board, last, column)
    below = CELL * 2 / sqrt(3) if board.shape == HEX else CELL
    return x + CELL / 2, y + below + 14


def _centre_of_row(board: Board, row: int) -> tuple[float, float]:
    x, y = _corner(board, row, 0)
    return x - 6, y + (CELL / sqrt(3) if board.shape == HEX else CELL / 2) + 4


# Elements


def _open(title: str, description: str, width: float, height: float, classes: str, style: bool) -> str:
    sheet = f"<style>{SVG_STYLE}</style>" if style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="veil-board {classes}" role="group" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'aria-label="{_clean(title)}">{sheet}<title>{_clean(title)}</title><desc>{_clean(description)}</desc>'
        f'<text class="title" x="8" y="16">{_clean(title)}</text>'
    )


def _label(text: str, x: float, y: float, which: str) -> str:
    return f'<text class="label {which}" x="{x:.1f}" y="{y:.1f}">{_clean(text)}</text>'


def _render_cell(board: Board, cell: Cell, choices: Sequence[Choice]) -> str:
    x, y = _corner(board, cell.row, cell.column)
    tall = CELL * 2 / sqrt(3) if board.shape == HEX else CELL
    is_dark = board.kind == "grid" and board.shape != HEX and (cell.row + cell.column) % 2
    classes = ["cell", "void" if not cell.exists else "dark" if is_dark else "light"]
    attributes = ""
    if choices:
        classes.append("can-move")
        attributes = f' role="button" tabindex="0" aria-label="{_clean(_describe_cell(cell, choices))}"'
        only = {choice.move for choice in choices if len(choice.cells) == 1}
        if len(only) == 1 and len(choices) == 1:
            attributes += f' data-move="{_clean(next(iter(only)))}"'
    return (
        f'<g class="{" ".join(classes)}" data-cell="{_clean(cell.name)}"{attributes}>'
        f"<title>{_clean(_describe_cell(cell, choices))}</title>"
        f"{_outline(board, x, y)}{_render_pieces(cell, x, y, tall)}</g>"
    )


def _describe_cell(cell: Cell, choices: Sequence[Choice]) -> str:
    pieces = describe_pieces(cell.pieces) or "empty"
    moves = f" ({'; '.join(choice.words for choice in choices[:4])})" if choices else ""
    return f"{cell.label}: {pieces}{moves}"


def _outline(board: Board, x: float, y: float) -> str:
    if board.shape != HEX:
        return f'<rect class="ground" x="{x:.1f}" y="{y:.1f}" width="{CELL}" height="{CELL}"/>'
    half, quarter = CELL / 2, CELL / (2 * sqrt(3))
    points = [
        (x + half, y),
        (x + CELL, y + quarter),
        (x + CELL, y + 3 * quarter),
        (x + half, y + 4 * quarter),
        (x, y + 3 * quarter),
        (x, y + quarter),
    ]
    return f'<polygon class="ground" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>'


def _render_pieces(cell: Cell, x: float, y: float, tall: float) -> str:
    pieces = [piece for piece in cell.pieces if not piece.is_small]
    marks = [piece for piece in cell.pieces if piece.form == MARK]
    centre = x + CELL / 2, y + tall / 2
    if len(pieces) == 1:
        drawn = _render_piece(pieces[0], *centre, 1.0)
    else:
        spots, scale = (PAIR, 0.62) if len(pieces) == 2 else (QUARTERS, 0.48)
        drawn = "".join(
            _render_piece(piece, centre[0] + dx * CELL, centre[1] + dy * CELL, scale)
            for piece, (dx, dy) in zip(pieces, spots, strict=False)
        )
    apart = 0.36 if tall == CELL else 0.28  # from the centre of a square, of a hexagon
    places = [(apart, -apart), (-apart, -apart), (apart, apart), (-apart, apart)]
    return drawn + "".join(
        f'<circle class="mark tone-{mark.tone}" cx="{centre[0] + dx * CELL:.1f}" cy="{centre[1] + dy * CELL:.1f}" '
        f'r="4" opacity="{_opacity(mark.chance)}"/>'
        for mark, (dx, dy) in zip(marks, places, strict=False)
    )


def _render_piece(piece: Piece, x: float, y: float, scale: float) -> str:
    """Draw a piece around a point, with its probability below if it is not certain."""
    is_certain = piece.chance >= CERTAIN
    opacity, classes = _opacity(piece.chance), f"piece tone-{piece.tone}{'' if is_certain else ' possible'}"
    if piece.form == DISC:
        body = f'<circle class="{classes}" cx="{x:.1f}" cy="{y:.1f}" r="{15 * scale:.1f}" opacity="{opacity}"/>'
        if piece.glyph:
            ground = "on-light" if piece.tone in LIGHT else "on-dark"
            body += (
                f'<text class="sign {ground}" x="{x:.1f}" y="{y + 5 * scale:.1f}" '
                f'font-size="{14 * scale:.1f}">{_clean(piece.glyph)}</text>'
            )
    else:
        size = max(SMALLEST, scale * {1: 26.0, 2: 19.0, 3: 14.5}.get(len(piece.glyph), 11.5))
        body = (
            f'<text class="{classes} sign" x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size:.1f}" '
            f'opacity="{opacity}">{_clean(piece.glyph.translate(SOLID))}</text>'
        )
    if is_certain or scale < 1.0:
        return body
    return f'{body}<text class="chance" x="{x:.1f}" y="{y + 19:.1f}">{_percent(piece.chance)}</text>'


def _render_wall(piece: Piece, x: float, y: float) -> str:
    """Draw a wall on one side of a cell."""
    left, right = (x if piece.form != "east" else x + CELL), (x + CELL if piece.form != "west" else x)
    top, bottom = (y if piece.form != "south" else y + CELL), (y + CELL if piece.form != "north" else y)
    return (
        f'<line class="wall" x1="{left:.1f}" y1="{top:.1f}" x2="{right:.1f}" y2="{bottom:.1f}" '
        f'opacity="{_opacity(piece.chance)}"/>'
    )


def _opacity(chance: float) -> str:
    if chance >= CERTAIN:
        return "1"
    return f"{LEAST_OPACITY + (MOST_OPACITY - LEAST_OPACITY) * chance:.2f}"


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}%" if chance >= 0.01 else "<1%"


# Hands and badges: rows of chips


def _render_hand(board: Board, style: bool) -> str:
    rows = [
        (name, [_chip_text(piece) for piece in cell.pieces]) for name, cell in zip(board.rows, board.cells, strict=True)
    ]
    return _render_rows(board.title, rows, style, [cell.name for cell in board.cells])


def _chips_of_badge(badge: Badge) -> list[tuple[str, Piece]]:
    return [_chip_text(piece) for piece in badge.pieces]


def _chip_text(piece: Piece) -> tuple[str, Piece]:
    return piece.label if piece.chance >= CERTAIN else f"{piece.label} {_percent(piece.chance)}", piece


def _render_rows(
    title: str, rows: Sequence[tuple[str, list[tuple[str, Piece]]]], style: bool, names: Sequence[str] = ()
) -> str:
    """Draw labels with chips beside them."""
    left = 16 + CHARACTER * max((len(name) for name, _ in rows), default=0)
    parts, y, widest = [], float(HEAD), 160.0
    for number, (name, chips) in enumerate(rows):
        x = left
        attribute = f' data-cell="{_clean(names[number])}"' if names else ""
        parts.append(f'<g class="chips"{attribute}>')
        parts.append(f'<text class="label chips-name" x="{left - 8:.1f}" y="{y + 16:.1f}">{_clean(name)}</text>')
        for text, piece in chips[:MAX_CHIPS]:
            wide = 14 + CHARACTER * len(text)
            if x > left and x + wide > left + CHIPS_WIDTH:
                x, y = left, y + CHIP_HEIGHT + 4
            parts.append(_render_chip(text, piece, x, y, wide))
            x += wide + 5
            widest = max(widest, x)
        if len(chips) > MAX_CHIPS:
            parts.append(f'<text class="label more" x="{x:.1f}" y="{y + 16:.1f}">+{len(chips) - MAX_CHIPS}</text>')
            widest = max(widest, x + 40)
        parts.append("</g>")
        y += CHIP_HEIGHT + 6
    words = "; ".join(f"{name}: {', '.join(text for text, _ in chips)}" for name, chips in rows)
    return "".join([_open(title, words, widest + 8, y + 6, "hand", style), *parts, "</svg>"])


def _render_chip(text: str, piece: Piece, x: float, y: float, wide: float) -> str:
    possible = "" if piece.chance >= CERTAIN else " possible"
    return (
        f'<g class="chip{possible}"><title>{_clean(piece.fluent)}: {100 * piece.chance:.3g} %</title>'
        f'<rect class="tone-{piece.tone}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{CHIP_HEIGHT}" rx="6" '
        f'opacity="{_opacity(piece.chance)}"/>'
        f'<text class="chip-text" x="{x + wide / 2:.1f}" y="{y + 16.5:.1f}">{_clean(text)}</text></g>'
    )


def _clean(text: str) -> str:
    """Return text from outside, visible and escaped."""
    return escape(make_visible(text), quote=True)
