"""Lists in parentheses, taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from veil.wire.expressions import MAX_NESTING, MessageError, first_term, split_list


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("()", []),
        ("( )", []),
        ("(INFO)", ["INFO"]),
        ("( PLAY m1 (( mark 1 1 ) noop ) )", ["PLAY", "m1", "(( mark 1 1 ) noop )"]),
        ("(PLAY m1 1 (CHOOSE 1) ())", ["PLAY", "m1", "1", "(CHOOSE 1)", "()"]),
        ("\r\n\t(a(b)c) \n", ["a", "(b)", "c"]),
        ("(a ; one ) two\n b)", ["a", "b"]),
    ],
)
def test_items_are_as_they_are_written(text: str, items: list[str]) -> None:
    assert split_list(text) == items


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("; only a remark", "empty"),
        ("info", "list in parentheses"),
        (")", "list in parentheses"),
        ("(a", "never closed"),
        ("(a))", "follows"),
        ("(a) (b)", "follows"),
        ("(" * (MAX_NESTING + 1), "open"),
    ],
)
def test_what_is_no_list_is_refused(text: str, why: str) -> None:
    with pytest.raises(MessageError, match=why):
        split_list(text)


def test_a_complaint_repeats_a_part_at_most() -> None:
    with pytest.raises(MessageError) as caught:
        split_list("x" * 100_000)
    assert len(str(caught.value)) < 200


@given(st.text(alphabet="() ;\nab?é", max_size=60))
def test_whatever_is_taken_apart_can_be_put_together_again(text: str) -> None:
    try:
        items = split_list(text)
    except MessageError:
        return
    assert split_list(f"({' '.join(item + chr(10) for item in items)})") == items


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("noop", "noop"),
        (" ( mark 1 1 )\n(taunt ha)", "( mark 1 1 )"),
        ("; a remark\nnoop (taunt ha)", "noop"),
        ("(a (b) c) d", "(a (b) c)"),
        ("(a (b", "(a (b"),
        (") a", ") a"),
        ("", ""),
    ],
)
def test_the_first_term_of_a_text(text: str, first: str) -> None:
    assert first_term(text) == first
