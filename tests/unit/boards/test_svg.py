"""Boards as SVG: well-formed, escaped, named for clicks and for screen readers, shaded by probability."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import veil
from veil.boards import (
    Badge,
    Board,
    Cell,
    Choice,
    Piece,
    Scene,
    ViewConfig,
    fill_state,
    plan_views,
    render_badges_svg,
    render_page,
    render_svg,
)

EVIL = "<script>alert('x')</script>\x1b[2J\" onload=\"evil()"


def piece(label: str = "red", glyph: str = "", form: str = "disc", chance: float = 1.0, tone: str = "red") -> Piece:
    return Piece(f"(cell 1 1 {label})", label, glyph, tone, form, chance)


def board(*pieces: Piece, kind: str = "grid", shape: str = "square", title: str = "cell") -> Board:
    """A board of two cells, with these pieces in the first."""
    cells = (Cell("b0-0-0", "1 1", 0, 0, pieces), Cell("b0-0-1", "2 1", 0, 1, exists=False))
    if kind == "hand":
        return Board("b0", title, kind, ("ann",), ("",), cells[:1])
    return Board("b0", title, kind, ("1",), ("1", "2"), cells, shape, (0.5,) if shape == "hex" else ())


def find(svg: str, kind: str, name: str) -> list[ET.Element]:
    """The elements with a class."""
    every = (element for element in ET.fromstring(svg).iter() if element.tag.endswith(f"}}{kind}"))
    return [element for element in every if name in element.get("class", "").split()]


@pytest.mark.parametrize("kind", ["grid", "rack", "hand"])
@pytest.mark.parametrize("shape", ["square", "hex"])
def test_every_board_is_well_formed_and_says_what_it_shows(kind: str, shape: str) -> None:
    root = ET.fromstring(render_svg(board(piece(), kind=kind, shape=shape)))
    texts = [element.text for element in root if element.tag.endswith(("title", "desc"))]
    assert texts[0] == "cell"
    assert "red" in str(texts[1])


def test_cells_have_names_and_words() -> None:
    first, second = find(render_svg(board(piece(chance=0.25))), "g", "cell")
    assert first.get("data-cell") == "b0-0-0"
    assert first[0].text == "1 1: red 25 %"
    assert "void" in second.get("class", "")


def test_what_is_likelier_is_drawn_darker_and_what_is_certain_is_solid() -> None:
    shades = [
        float(find(render_svg(board(piece(chance=chance))), "circle", "piece")[0].get("opacity", ""))
        for chance in (0.05, 0.5, 0.95, 1.0)
    ]
    assert shades == sorted(shades)
    assert shades[-1] == 1.0
    assert shades[-2] < 0.9
    assert not find(render_svg(board(piece())), "text", "chance")
    assert [text.text for text in find(render_svg(board(piece(chance=0.5))), "text", "chance")] == ["50%"]


def test_a_cell_with_a_move_is_a_button_that_names_it() -> None:
    moves = [Choice("(mark 1 1)", "mark 1 1", ("b0-0-0",))]
    (cell,) = find(render_svg(board(), moves), "g", "can-move")
    assert (cell.get("role"), cell.get("tabindex"), cell.get("data-move")) == ("button", "0", "(mark 1 1)")
    assert cell.get("aria-label") == "1 1: empty (mark 1 1)"


def test_a_cell_from_which_several_moves_begin_names_none_of_them() -> None:
    moves = [Choice(f"(move 1 1 {n})", "move", ("b0-0-0", "b0-0-1")) for n in range(2)]
    (cell,) = find(render_svg(board(), moves), "g", "can-move")
    assert cell.get("data-move") is None


def test_cells_that_mean_the_same_are_buttons_too() -> None:
    moves = [Choice("(drop 1)", "drop 1", ("b0-0-0",), ("b0-0-1",))]
    assert len(find(render_svg(board(), moves), "g", "can-move")) == 2


@pytest.mark.parametrize("kind", ["grid", "rack", "hand"])
def test_nothing_from_rules_gets_out_of_its_text(kind: str) -> None:
    evil = Piece(EVIL, EVIL, EVIL[:4], "plain", "text", 0.5)
    pictured = board(evil, kind=kind, title=EVIL)
    svg = render_svg(pictured, [Choice(EVIL, EVIL, ("b0-0-0",))])
    whole = render_page([(EVIL, Scene((pictured,), (Badge(EVIL, (evil,)),)))], EVIL)
    for text in (svg, render_badges_svg([Badge(EVIL, (evil,))]), whole):
        assert "<script" not in text
        assert 'onload="' not in text
        assert "\x1b" not in text
    ET.fromstring(svg)


def test_no_style_stands_inline_so_that_a_strict_policy_holds() -> None:
    svg = render_svg(board(piece(chance=0.3)))
    assert "style" not in svg
    assert "<style>" in render_svg(board(piece()), style=True)


def test_walls_stand_on_their_side() -> None:
    (wall,) = find(render_svg(board(piece(form="east"))), "line", "wall")
    assert wall.get("x1") == wall.get("x2")
    assert wall.get("y1") != wall.get("y2")


def test_facts_that_are_so_or_not_stand_in_one_row() -> None:
    flags = [Badge(name, (piece(name),), is_flag=True) for name in ("over", "asked")]
    svg = render_badges_svg([*flags, Badge("turn", (piece("3"),))])
    assert len(find(svg, "g", "chips")) == 2
    assert [chip.text for chip in find(svg, "text", "chip-text")] == ["3", "over", "asked"]


def test_boards_of_a_real_game_are_well_formed() -> None:
    game = veil.load("dark_hex")
    scene = fill_state(plan_views(game, ViewConfig(games=256)), game.initial_state())
    svg = render_svg(scene.boards[0])
    assert len(find(svg, "polygon", "ground")) == 9
