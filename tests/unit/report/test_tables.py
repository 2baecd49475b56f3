"""One table, three ways to write it."""

from __future__ import annotations

import csv
import io

import pytest

from veil.report.tables import Table, show_cell, show_short

TABLE = Table(("game", "nodes", "value", "ratio"), [("kuhn", 1234, -0.055556, "40.5x"), ("leduc_poker", 9, None, None)])


def test_a_terminal_gets_columns_side_by_side_numbers_to_the_right() -> None:
    assert TABLE.as_lines() == [
        "game         nodes     value  ratio",
        "-----------  -----  --------  -----",
        "kuhn         1,234  -0.05556  40.5x",
        "leduc_poker      9         -      -",
    ]


def test_markdown_says_which_columns_stand_to_the_right() -> None:
    assert TABLE.as_markdown() == [
        "| game        | nodes |    value | ratio |",
        "|-------------|------:|---------:|------:|",
        "| kuhn        | 1,234 | -0.05556 | 40.5x |",
        "| leduc_poker |     9 |        - |     - |",
    ]


def test_csv_has_the_values_themselves() -> None:
    table = Table(("name", "value"), [('a "b", c', 0.1234567890123), ("d\ne", None)])
    assert list(csv.reader(io.StringIO(table.as_csv()))) == [
        ["name", "value"],
        ['a "b", c', "0.1234567890123"],
        ["d\ne", ""],
    ]
    assert table.as_csv().endswith("\n")
    assert "\r" not in table.as_csv()


@pytest.mark.parametrize(
    ("cell", "right"),
    [
        (5, True),
        (0.5, True),
        (None, True),
        ("12.30M", True),
        ("1,234", True),
        ("99.5 %", True),
        ("-3", True),
        ("50.0 ± 1.0", False),
        ("5x5", False),
        ("cfr+", False),
        (True, False),
        ("", False),
    ],
)
def test_a_column_stands_to_the_right_where_it_holds_numbers_alone(cell: object, right: bool) -> None:
    *_, shown, _ = Table(("a wide column", "b"), [(cell, "x"), (cell, "x")]).as_lines()
    assert shown == f"{show_cell(cell):{'>' if right else '<'}13}  x"
    *_, mixed = Table(("a wide column", "b"), [(cell, "x"), ("word", "x")]).as_lines()
    assert mixed.startswith("word ")


def test_a_table_without_rows_has_its_names() -> None:
    assert Table(("a", "bc"), []).as_lines() == ["a  bc", "-  --"]
    assert Table(("a", "bc"), []).as_markdown() == ["| a | bc |", "|---|----|"]
    assert Table(("a", "bc"), []).as_csv() == "a,bc\n"


def test_a_row_that_is_too_short_is_a_mistake_of_the_program() -> None:
    with pytest.raises(ValueError, match="zip"):
        Table(("a", "b"), [("x",)]).as_lines()


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "-"), (1234567, "1,234,567"), (0.123456, "0.1235"), (12345.6, "12,346"), (True, "True"), ("a", "a")],
)
def test_cells_are_short(value: object, shown: str) -> None:
    assert show_cell(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "-"), (7.0, "7"), (999.0, "999"), (1234.0, "1.23k"), (456_000.0, "456k"), (12.3e6, "12.30M")],
)
def test_large_numbers_have_three_digits(value: float | None, shown: str) -> None:
    assert show_short(value) == shown
