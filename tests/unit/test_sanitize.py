"""Text from outside: nothing in it steers a terminal, nothing in it floods one."""

from __future__ import annotations

import pytest

from veil.errors import Place, Problem, problem
from veil.sanitize import MAX_DETAIL, MAX_DETAIL_WORD, MAX_WORD, make_visible, show_detail, show_text

ESCAPE = "\x1b[2J\x1b]0;owned\x07"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, with ümläuts, 漢字 and \N{RIGHTWARDS ARROW}", "plain, with ümläuts, 漢字 and \N{RIGHTWARDS ARROW}"),
        ("\x1b[31mred", "\u241b[31mred"),
        ("over\rwritten\b", "over\u240dwritten\u2408"),
        ("\x00\x7f", "\u2400\u2421"),
        ("\x9b31m", "\ufffd31m"),  # the one-byte form of ESC [
        ("abc\u202ecba", "abc\ufffdcba"),  # turns the direction of writing
        ("zero\u200bwidth\ufeff", "zero\ufffdwidth\ufffd"),
        ("lines\nand\ttabs", "lines\nand\ttabs"),
    ],
)
def test_each_character_is_seen_and_keeps_its_place(text: str, shown: str) -> None:
    assert make_visible(text) == shown
    assert len(shown) == len(text)


def test_a_long_word_is_cut_in_its_middle_and_lines_stay() -> None:
    text = f"a\n{'x' * 100_000}end b\nc"
    first, cut, last = show_text(text).splitlines()
    assert (first, last) == ("a", "c")
    assert cut.startswith("xxx")
    assert cut.endswith("xend b")
    assert len(cut) < MAX_WORD
    assert show_text("y" * MAX_WORD) == "y" * MAX_WORD


def test_a_detail_of_a_message_is_one_short_line() -> None:
    shown = show_detail(f"one\ntwo {'x' * 100_000} " + "word " * 10_000)
    assert "\n" not in shown
    assert len(shown) <= MAX_DETAIL + 4
    assert "x" * (MAX_DETAIL_WORD + 1) not in shown


def test_messages_show_what_they_are_given() -> None:
    made = problem("unknown-game", name=f"{ESCAPE}{'z' * 100_000}", near="")
    assert "\x1b" not in str(made)
    assert len(str(made)) < 1000
    assert len(made.message) < 1000


def test_the_caret_stands_below_its_character_in_a_line_with_escapes() -> None:
    line = f"(role {ESCAPE} x)"
    shown = str(Problem("x", "error", "here", Place(f"{ESCAPE}.kif", 1, line.index("x") + 1, line)))
    head, source, caret = shown.splitlines()
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert source[caret.index("^")] == "x"
    assert head.endswith(".kif:1:22: here")
