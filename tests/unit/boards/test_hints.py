"""Hints in comments: what is understood, and that nothing else does harm."""

from __future__ import annotations

from veil.boards.hints import read_hints


def test_hints_are_read_from_comments_of_all_notations() -> None:
    hints = read_hints(
        ";;; view: hex stone\n% view: rack code spare\n  ; VIEW: glyph wp ♙ Bp ♟\n;;; view: rows cell 2 up\n"
        "; view: rows at 1\n"
    )
    assert hints.kinds == {"stone": "hex", "code": "rack", "spare": "rack"}
    assert hints.glyphs == {"wp": "♙", "bp": "♟"}
    assert hints.rows == {"cell": (1, True), "at": (0, False)}
    assert hints.ignored == []


def test_what_means_nothing_is_passed_over_and_noted() -> None:
    hints = read_hints("; view: sphere cell\n; view: hex\n; view: glyph x\n; view: rows cell two\n(role view:)\n")
    assert hints.ignored == ["sphere cell", "hex", "glyph x", "rows cell two"]
    assert (hints.kinds, hints.glyphs, hints.rows) == ({}, {}, {})


def test_a_sign_is_cut_to_a_few_characters() -> None:
    assert read_hints("; view: glyph x abcdefgh").glyphs == {"x": "abcd"}
