"""Scenes: a state is certain, a belief is shaded; blanks are nothing; a record in words."""

from __future__ import annotations

import msgspec
import pytest

import veil
from tests.support.games import load_in_words_of_rules
from veil.boards import Scene, ViewConfig, as_json, fill_belief, fill_state, plan_views, tell_record

QUICK = ViewConfig(games=256)


def test_a_state_is_drawn_with_certainty() -> None:
    game = load_in_words_of_rules("tic_tac_toe")
    state, _ = game.initial_state().play({"xplayer": "(mark 1 3)"})
    scene = fill_state(plan_views(game, QUICK), state)
    (piece,) = [piece for cell in scene.boards[0].cells for piece in cell.pieces]
    assert (piece.fluent, piece.chance, piece.glyph) == ("(cell 1 3 xplayer)", 1.0, "✕")
    assert scene.boards[0].cells[0].pieces == (piece,)  # x counts from the left, y from below
    assert [(badge.title, badge.pieces[0].label) for badge in scene.badges] == [("control", "oplayer")]


def test_a_belief_is_drawn_with_its_probabilities() -> None:
    game = load_in_words_of_rules("kuhn_poker")
    record = game.record("first").then("noop", ["(card king)"]).then("noop")
    chances = veil.believe(game, record).marginals()
    hand = fill_belief(plan_views(game, QUICK), chances).boards[0]
    shown = {cell.label: {piece.label: piece.chance for piece in cell.pieces} for cell in hand.cells}
    assert shown["first"] == {"king": 1.0}
    assert shown["second"] == pytest.approx({"jack": 0.5, "queen": 0.5})


def test_the_likeliest_piece_comes_first_and_marks_last() -> None:
    game = load_in_words_of_rules("krieg_tictactoe")
    chances = {"(tried xplayer 2 2)": 1.0, "(cell 2 2 oplayer)": 0.1, "(cell 2 2 xplayer)": 0.6}
    cell = fill_belief(plan_views(game, QUICK), chances).boards[0].cells[4]
    assert [(piece.label, piece.form) for piece in cell.pieces] == [
        ("xplayer", "text"),
        ("oplayer", "text"),
        ("tried xplayer", "mark"),
    ]


def test_blanks_that_the_rules_store_are_no_pieces() -> None:
    rules = """(role x) (role o) (index 1) (index 2) (index 3) (<= (init (cell ?x ?y b)) (index ?x) (index ?y))
    (<= (legal ?r (mark ?x ?y)) (role ?r) (true (cell ?x ?y b)))
    (<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
    (<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (does x (mark ?x ?y))) (not (does o (mark ?x ?y))))
    (<= terminal (not (true (cell 1 1 b)))) (goal x 50) (goal o 50)"""
    game = veil.load(rules)
    plan = plan_views(game, QUICK)
    board = fill_state(plan, game.initial_state()).boards[0]
    assert all(cell.exists and not cell.pieces for cell in board.cells)


def test_fluents_that_no_plan_knows_and_chances_of_nothing_are_passed_over() -> None:
    plan = plan_views(load_in_words_of_rules("tic_tac_toe"), QUICK)
    scene = fill_belief(plan, {"(cell 9 9 x)": 1.0, "(cell 1 1 xplayer)": 0.0})
    assert not any(cell.pieces for cell in scene.boards[0].cells)


def test_scenes_can_be_written_as_json_and_read_again() -> None:
    game = load_in_words_of_rules("dark_hex")
    scene = fill_state(plan_views(game, QUICK), game.initial_state())
    assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene
    assert as_json(scene)["boards"][0]["cells"][0]["name"] == "b0-0-0"


def test_a_record_is_told_in_words_in_the_order_of_time() -> None:
    game = load_in_words_of_rules("krieg_tictactoe")
    record = game.record("oplayer").then("noop", ["your_turn"]).then("(mark 2 2)", ["marked"])
    told = [(line.round, line.move, line.percepts) for line in tell_record(game, record)]
    assert told == [(1, "wait", ("your turn",)), (2, "mark 2 2", ("marked",))]


def test_who_has_no_choice_waits_whatever_the_move_is_called_where_it_is_one() -> None:
    game = veil.load("monty_hall")
    record = game.record("contestant", "(choose 3); noop: 2; noop")
    assert [line.move for line in tell_record(game, record)] == ["choose door 3", "stay", "stay"]
    assert [line.move for line in tell_record(game, record, forced={2})] == ["choose door 3", "wait", "stay"]


def test_values_of_a_coloured_relation_are_discs_of_different_colours() -> None:
    plan = veil.plan_views(veil.load("mastermind(pegs=2, colours=3)"))
    scene = veil.fill_state(plan, ["(code 1 1)", "(code 2 3)"])
    pieces = [piece for cell in scene.boards[0].cells for piece in cell.pieces]
    assert [(piece.form, piece.tone, piece.glyph) for piece in pieces] == [("disc", "red", "1"), ("disc", "green", "3")]
    assert veil.render_svg(scene.boards[0]).count("on-dark") == 2
