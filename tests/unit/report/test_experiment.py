"""The result of an experiment: as text, as data, as files."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from veil.errors import VeilError
from veil.report.experiment import Report


def report(**more: Any) -> Report:
    return Report(
        name="fig1",
        title="A title",
        source="A paper",
        settings={"seed": 3, "games": 5},
        columns=("game", "theirs", "ours"),
        rows=[("kuhn", 0.5, 0.25), ("leduc", None, 0.125)],
        **more,
    )


def test_the_text_has_title_settings_table_and_remarks() -> None:
    part = report(remarks=["first", "second " * 30])
    lines = report(parts=[part]).as_text().splitlines()
    assert lines[:4] == ["fig1: A title", "  A paper", "  settings: seed 3, games 5", ""]
    assert lines[4:8] == [
        "  game   theirs   ours",
        "  -----  ------  -----",
        "  kuhn      0.5   0.25",
        "  leduc       -  0.125",
    ]
    assert lines[8:] == ["", *part.as_text().splitlines()]
    assert "  - first" in lines
    assert max(map(len, lines)) <= 110


def test_data_leaves_out_what_is_drawn() -> None:
    assert report().as_json() == {
        "name": "fig1",
        "title": "A title",
        "source": "A paper",
        "settings": {"seed": 3, "games": 5},
        "columns": ["game", "theirs", "ours"],
        "rows": [["kuhn", 0.5, 0.25], ["leduc", None, 0.125]],
        "remarks": [],
        "gaps": [],
    }
    assert report(parts=[report()]).as_json()["parts"] == [report().as_json()]


def test_files_are_tables_series_and_figures(tmp_path: Path) -> None:
    figures = {"fig1.png": lambda path: path.write_text("drawn")}
    other = Report(name="fig2", title="", source="", settings={}, columns=("a",), rows=[(1,)])
    result = report(figures=figures, series={"step": [1, 2], "value": [0.5, None]}, parts=[other])
    folder = tmp_path / "new"
    names = ["fig1.csv", "fig1-series.csv", "fig1.png", "fig2.csv"]
    assert result.write(folder) == [folder / name for name in names]
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert (folder / "fig1.csv").read_text() == "game,theirs,ours\nkuhn,0.5,0.25\nleduc,,0.125\n"
    assert (folder / "fig1-series.csv").read_text() == "step,value\n1,0.5\n2,\n"
    (folder / "fig1.png").unlink()
    assert folder / "fig1.png" not in result.write(folder, figures=False)
    assert not (folder / "fig1.png").exists()


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(VeilError, match="cannot write"):
        report().write(tmp_path / "file")


def test_a_report_may_have_parts(tmp_path: Path) -> None:
    part = Report(name="b", title="more", source="there", settings={}, columns=("y",), rows=[(2,)])
    whole = Report(name="a", title="some", source="here", settings={}, columns=("x",), rows=[(1,)], parts=[part])
    assert whole.as_text().index("a: some") < whole.as_text().index("b: more")
    assert whole.as_json()["parts"] == [part.as_json()]
    assert "parts" not in part.as_json()
    assert [path.name for path in whole.write(tmp_path)] == ["a.csv", "b.csv"]
    assert list(csv.reader((tmp_path / "b.csv").open())) == [["y"], ["2"]]
