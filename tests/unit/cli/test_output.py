"""Labels beside texts: a column for all, and never glued together."""

from __future__ import annotations

import pytest

from veil.cli.output import column, labelled


@pytest.mark.parametrize("length", range(1, 60))
def test_a_label_of_any_length_stands_apart_from_its_text(length: int) -> None:
    label = "x" * length
    assert labelled(label, "noop; sees 1").split() == [label, "noop;", "sees", "1"]
    assert labelled(label, "noop", column([label])).split() == [label, "noop"]


def test_the_texts_of_a_block_begin_in_one_column() -> None:
    labels = ["ann", "contestant", "the_third_of_them"]
    wide = column(labels)
    assert {labelled(label, "*", wide).index("*") for label in labels} == {wide}
    assert column(["ann"]) == column([]) == 10  # blocks of short labels look alike


def test_a_label_wider_than_the_terminal_loses_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    label = "x" * 100
    shown = labelled(label, "one two (three four)", column([label]))
    assert shown.split() == [label, "one", "two", "(three", "four)"]


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_no_text_is_a_dash(text: str) -> None:
    assert labelled("sees", text) == "  sees    -"
