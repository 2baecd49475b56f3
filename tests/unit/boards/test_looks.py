"""Signs and colours of pieces, from the words of the rules."""

from __future__ import annotations

import pytest

from veil.boards.looks import Wardrobe, in_words, shorten


@pytest.mark.parametrize(
    ("words", "glyph", "tone", "form"),
    [
        (["red"], "", "red", "disc"),
        (["ann"], "", "first", "disc"),
        (["bob", "3"], "3", "second", "text"),
        (["x"], "✕", "first", "text"),
        (["wk"], "♔", "white", "text"),
        (["black_queen"], "♛", "black", "text"),
        (["black", "king"], "♚", "black", "text"),
        (["gray"], "", "grey", "disc"),
        (["90", "40"], "90/40", "plain", "text"),
        (["a"], "", "first", "disc"),  # the initial of a role
        (["bk"], "♚", "black", "text"),  # a code of chess goes before initials
        (["bq2"], "bq2", "plain", "text"),
        (["wall"], "wall", "plain", "text"),
        (["cruiser"], "cr", "plain", "text"),
        (["queen", "spades"], "Q♠", "plain", "text"),
        (["hearts", "7"], "7♥", "red", "text"),
        (["spades"], "sp", "plain", "text"),  # no card without a rank
        (["queen"], "qu", "plain", "text"),
    ],
)
def test_pieces_are_dressed_by_their_words(words: list[str], glyph: str, tone: str, form: str) -> None:
    look = Wardrobe(["ann", "bob"]).dress(words)
    assert (look.glyph, look.tone, look.form) == (glyph, tone, form)


def test_roles_with_one_initial_lend_it_to_nobody() -> None:
    assert Wardrobe(["red_one", "red_two"]).dress(["r"]).tone == "plain"


def test_a_table_of_signs_goes_before_everything() -> None:
    look = Wardrobe(["ann", "bob"], {"ann": "A!", "cruiser": "⛴"}).dress(["cruiser"])
    assert look.glyph == "⛴"
    assert Wardrobe(["ann", "bob"], {"ann": "A!"}).dress(["ann"])[1:] == ("A!", "first", "text")


def test_a_piece_without_words_is_called_like_its_family() -> None:
    look = Wardrobe([]).dress([], "tail_pos")
    assert (look.label, look.glyph) == ("tail pos", "tp")


def test_terms_are_read_as_words() -> None:
    assert in_words("(your_turn (at 1 2))") == "your turn at 1 2"


@pytest.mark.parametrize(
    ("word", "short"), [("disc6", "dis6"), ("mov_left", "ml"), ("x", "x"), ("wall", "wall"), ("pellet", "pe")]
)
def test_long_words_are_shortened(word: str, short: str) -> None:
    assert shorten(word) == short
