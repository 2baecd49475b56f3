"""Boards as text: columns stay in line, what is uncertain has its probability, colours only where they are wanted."""

from __future__ import annotations

import re

import pytest

import veil
from tests.support.games import load_in_words_of_rules
from veil.boards import ViewConfig, fill_belief, fill_state, plan_views, render_scene_text, render_text

QUICK = ViewConfig(games=256)


@pytest.fixture(scope="module")
def krieg():
    return plan_views(load_in_words_of_rules("krieg_tictactoe"), QUICK)


BELIEF = {
    "(cell 2 2 oplayer)": 1.0,
    "(cell 1 1 xplayer)": 0.25,
    "(cell 3 3 xplayer)": 0.999,
    "(cell 2 1 xplayer)": 0.04,
    "(control oplayer)": 1.0,
}


def test_a_belief_is_drawn_with_its_probabilities(krieg) -> None:
    assert render_scene_text(fill_belief(krieg, BELIEF)).splitlines() == [
        "cell",
        "3   ·    ·   ✕.9",
        "2   ·    ◯    ·",
        "1  ✕.2  ✕.04  ·",
        "    1    2    3",
        "control: [oplayer]",
    ]


def test_colours_change_nothing_but_the_colours(krieg) -> None:
    scene = fill_belief(krieg, BELIEF)
    plain, coloured = render_scene_text(scene), render_scene_text(scene, colour=True)
    assert "\x1b" not in plain
    assert coloured != plain
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain


def test_hexagons_are_shifted_row_by_row() -> None:
    game = load_in_words_of_rules("dark_hex")
    text = render_text(fill_state(plan_views(game, QUICK), game.initial_state()).boards[0])
    assert text.splitlines()[1:4] == ["1  · · ·", " 2  · · ·", "  3  · · ·"]


def test_a_hand_lists_what_may_be_in_it() -> None:
    plan = plan_views(load_in_words_of_rules("kuhn_poker"), QUICK)
    chances = {"(holds first king)": 1.0, "(holds second jack)": 0.5, "(holds second queen)": 0.5, "over": 0.25}
    assert render_scene_text(fill_belief(plan, chances)).splitlines() == [
        "holds",
        " first  [king]",
        "second  [jack 50 %] [queen 50 %]",
        "over 25 %",
    ]


def test_escape_sequences_in_the_rules_are_made_visible() -> None:
    rules = """(role a) (init (cell 1 \x1b[2J)) (init (cell 2 b)) (init (cell 3 b)) (legal a go) (goal a 1)
    (<= (next over\x07) (does a go)) (<= terminal (true over\x07))"""
    game = veil.load(rules)
    text = render_scene_text(fill_state(plan_views(game, QUICK), game.initial_state()))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u241b" in text
