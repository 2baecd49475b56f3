"""Labels beside texts: a column for all, and never glued together."""

from __future__ import annotations

import pytest

from veil.report import HeatMap, PageSection, ReportPage, page_as_text
from veil.report.axes import show_share
from veil.report.text import find_column, label_text


@pytest.mark.parametrize("length", range(1, 60))
def test_a_label_of_any_length_stands_apart_from_its_text(length: int) -> None:
    label = "x" * length
    assert label_text(label, "noop; sees 1").split() == [label, "noop;", "sees", "1"]
    assert label_text(label, "noop", find_column([label])).split() == [label, "noop"]


def test_the_texts_of_a_block_begin_in_one_column() -> None:
    labels = ["ann", "contestant", "the_third_of_them"]
    wide = find_column(labels)
    assert {label_text(label, "*", wide).index("*") for label in labels} == {wide}
    assert find_column(["ann"]) == find_column([]) == 10  # blocks of short labels look alike


def test_a_label_wider_than_the_terminal_loses_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    label = "x" * 100
    shown = label_text(label, "one two (three four)", find_column([label]))
    assert shown.split() == [label, "one", "two", "(three", "four)"]


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_no_text_is_a_dash(text: str) -> None:
    assert label_text("sees", text) == "  sees    -"


def test_a_heat_map_is_a_row_per_value_in_a_terminal():
    chart = HeatMap(title="Distance", x="size", y="prize", columns=["3", "4"], rows=["1"], values=[[0.00566, None]])
    page = ReportPage(title="t", headline="h", sections=[PageSection(title="All", charts=[chart])])
    lines = [" ".join(line.split()) for line in page_as_text(page).splitlines()]
    assert lines[-3:] == ["Distance", "prize down, size across 3, 4", "1 0, -"]


def test_a_share_has_a_decimal_only_where_that_says_more():
    assert [show_share(share) for share in (0.875, 0.4, 1.0, 0.0, 0.99999)] == [
        "87.5 %",
        "40 %",
        "100 %",
        "0 %",
        "100 %",
    ]
