"""Moves on boards: a cell, from and to, a column, a slot; the rest are buttons."""

from __future__ import annotations

import pytest

from tests.support.games import load_in_words_of_rules
from veil.boards import Choice, ViewConfig, place_moves, plan_views


def choices_of(name: str, role: str, *joint_moves: dict[str, str]) -> dict[str, Choice]:
    game = load_in_words_of_rules(name)
    state = game.initial_state()
    for joint in joint_moves:
        state, _ = state.play(joint)
    plan = plan_views(game, ViewConfig(games=256))
    return {choice.move: choice for choice in place_moves(plan, role, state.legal(role))}


def test_one_cell_is_clicked_and_other_moves_are_buttons() -> None:
    mine, theirs = (choices_of("tic_tac_toe", role) for role in ("xplayer", "oplayer"))
    assert mine["(mark 1 3)"] == Choice("(mark 1 3)", "mark 1 3", ("b0-0-0",))
    assert theirs == {"noop": Choice("noop", "wait")}


def test_two_cells_are_from_and_to() -> None:
    moves = choices_of("breakthrough(width=3, height=4)", "white")
    assert moves["(move 1 1 2 2)"].cells == ("b0-3-0", "b0-2-1")


def test_a_column_is_clicked_anywhere() -> None:
    move = choices_of("connect_four(width=3, height=2)", "xplayer")["(drop 2)"]
    assert sorted((*move.cells, *move.same)) == ["b0-0-1", "b0-1-1"]


def test_a_column_of_one_of_two_boards_is_on_that_board() -> None:
    secrets = [{"random": "(secret red win)"}, {"random": "(secret blue lose)"}]
    choices = choices_of("hidden_connect(size=3)", "red", *secrets)
    boards = {move: {cell[:2] for cell in (*choice.cells, *choice.same)} for move, choice in choices.items()}
    assert all(cells == {f"b{int(move.split()[1]) - 1}"} for move, cells in boards.items())
    assert boards


def test_a_shot_lands_on_the_board_where_it_has_its_effect() -> None:
    placed = [
        {"red": "(place destroyer 1 1 across)"},
        {"blue": "(place destroyer 2 2 down)"},
    ]
    game = "battleship(size=3, ships=1)"
    placing, shooting = choices_of(game, "red"), choices_of(game, "red", *placed)
    boards = [board.title for board in plan_views(load_in_words_of_rules(game), ViewConfig(games=256)).boards]
    (own,) = {choice.cells[0].split("-")[0] for choice in placing.values()}
    (other,) = {choice.cells[0].split("-")[0] for choice in shooting.values()}
    assert (boards[int(own[1:])], boards[int(other[1:])]) == ("cell red", "cell blue")
    assert all(choice.same == () for choice in shooting.values())


@pytest.mark.parametrize(
    ("name", "role", "joint_moves", "move", "cell"),
    [
        ("monty_hall", "contestant", [], "(choose 2)", "b0-0-1"),
        ("ii_goofspiel", "second", [], "(bid 3)", "b0-1-3"),  # the own row
    ],
)
def test_a_slot_is_clicked(name: str, role: str, joint_moves: list[dict[str, str]], move: str, cell: str) -> None:
    assert choices_of(name, role, *joint_moves)[move].cells == (cell,)


def test_squares_named_by_one_word_are_clicked_too() -> None:
    rules = """(role x) (init (cell a1 x)) (init (cell a2 b)) (init (cell b1 b)) (init (cell b2 b)) (init (n 1))
    (<= (legal x (move ?f ?t)) (true (cell ?f x)) (true (cell ?t b)))
    (<= (next (cell ?t x)) (does x (move ?f ?t))) (<= (next (cell ?f b)) (does x (move ?f ?t)))
    (<= (next (cell ?c b)) (true (cell ?c b)) (does x (move ?f ?t)) (distinct ?c ?t))
    (<= (next (n 2)) (true (n 1))) (<= terminal (true (n 2))) (goal x 1)"""
    moves = choices_of(rules, "x")
    assert moves["(move a1 b2)"].cells == ("b0-1-0", "b0-0-1")
