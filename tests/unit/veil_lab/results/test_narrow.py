"""Tables on pages: narrow enough to read, with nothing left out."""

from __future__ import annotations

from tests.support.runs import make_report, run_of
from veil_lab.results.narrow import FOLDED_ROWS, MOST_COLUMNS, count_keys, show_cell, show_table

WIDE = tuple(f"c{number}" for number in range(9))


def show(rows: list[tuple[object, ...]], columns: tuple[str, ...]) -> list[str]:
    return show_table(run_of(make_report(rows, columns)).table())


def test_a_wide_table_of_many_rows_is_split_and_every_part_names_its_rows() -> None:
    rows = [(f"row {row}", *(10 * row + column for column in range(8))) for row in range(6)]
    lines = show(rows, WIDE)
    widths = [line.count("|") - 1 for line in lines if line.startswith("|")]
    assert max(widths) <= MOST_COLUMNS
    assert sum(line.startswith("| row 3") for line in lines) == 2
    assert all(str(row[column]) in " ".join(lines) for row in rows for column in range(1, 9))


def test_a_wide_table_of_few_rows_is_transposed() -> None:
    lines = show([("HyperPlay", *range(8)), ("HyperPlay-II", *range(8))], WIDE)
    assert lines[0].split() == ["|", "c0", "|", "HyperPlay", "|", "HyperPlay-II", "|"]
    assert len(lines) == 2 + 8


def test_a_column_with_one_text_becomes_a_sentence() -> None:
    lines = show([(row, "no better", *range(row, row + 7)) for row in range(6)], WIDE)
    assert lines[0] == "c1: no better."
    assert not any("no better" in line for line in lines[1:])


def test_a_long_table_is_folded() -> None:
    lines = show([(row,) for row in range(FOLDED_ROWS + 1)], ("x",))
    assert lines[0].startswith("<details>")
    assert lines[-1] == "</details>"


def test_a_mean_and_its_interval_have_the_same_number_of_digits() -> None:
    assert show_cell((50.0, 0.25)) == "50.00 ± 0.25"
    assert show_cell((1234.5, 2.0)) == "1,234.5 ± 2.0"
    assert show_cell((49.0, 7.0)) == "49.0 ± 7.0"
    assert show_cell((48000.0, 700.0)) == "48,000 ± 700"
    assert show_cell(True) == "yes"
    assert show_cell("nan nan nan") == "-"
    assert count_keys([("a", 1), ("a", 2)]) == 2
