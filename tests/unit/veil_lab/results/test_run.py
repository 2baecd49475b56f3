"""Runs as data: cells by name, numbers of cells, files of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import make_report, run_of
from veil.errors import VeilError
from veil_lab.results.run import MissingCellError, RunFile, name_apart, read_number, read_runs
from veil_lab.results.run_text import spell_run

COLUMNS = ("game", "theirs", "ours", "ours")
ROWS = [("kuhn", "45 %", "51.2 ± 3.3", 1), ("leduc(3)", None, 0.5, 2)]


def test_a_cell_is_found_by_row_and_column_and_two_columns_of_one_name_are_told_apart() -> None:
    table = run_of(make_report(ROWS, COLUMNS)).table()
    kuhn = table.find(game="kuhn")
    assert kuhn["ours"] == (51.2, 3.3)
    assert (kuhn.number("ours"), kuhn.half("ours"), kuhn.number("theirs")) == (51.2, 3.3, 45.0)
    assert table.at("leduc").number("ours 2") == 2
    assert list(name_apart(["a", "a", "b", "a"])) == ["a", "a 2", "b", "a 3"]


def test_what_a_run_does_not_have_is_an_error_of_its_own() -> None:
    run = run_of(make_report(ROWS, COLUMNS))
    for ask in (
        lambda: run.table("other"),
        lambda: run.table().at("chess"),
        lambda: run.table().find(game="chess"),
        lambda: run.table().find(game="kuhn")["states"],
        lambda: run.table().find(game="leduc(3)").number("theirs"),
    ):
        with pytest.raises(MissingCellError):
            ask()


@pytest.mark.parametrize(
    ("cell", "number"), [("< 0.01 %", 0.01), ("6.0e+23", 6e23), ("more than 1,024", 1024), ("-0.5", -0.5), (3, 3)]
)
def test_the_number_of_a_cell_is_the_one_in_front(cell: str | int, number: float) -> None:
    assert read_number(cell) == number


def test_a_folder_has_its_full_runs_and_no_quick_ones(tmp_path: Path) -> None:
    assert read_runs(tmp_path / "nowhere") == {}
    run = run_of(make_report(ROWS, COLUMNS))
    for quick in (False, True):
        place = RunFile(tmp_path, run.experiment, quick)
        place.path.write_text(spell_run(run), encoding="utf-8")
    assert read_runs(tmp_path) == {"its-fig5": run}


def test_a_file_that_is_no_run_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "of somebody else.json").write_text("[]")
    assert read_runs(tmp_path) == {}
    (tmp_path / "its-fig2.json").write_text("[]")
    with pytest.raises(VeilError, match=r"its-fig2\.json: this is not the run of an experiment"):
        read_runs(tmp_path)
