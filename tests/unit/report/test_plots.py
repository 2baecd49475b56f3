"""Figures: what is refused before the work, and what is written after it."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from veil.errors import VeilError
from veil.match import Mean
from veil.report.plots import check_plot_file, draw_lines, draw_panels, has_matplotlib, pyplot, save

pytest.importorskip("matplotlib", reason="matplotlib is not installed (extra `plots`)")
STARTS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml", ".PNG": b"\x89PNG"}


def code_of(name: str) -> str:
    with pytest.raises(VeilError) as caught:
        check_plot_file(name)
    return caught.value.problems[0].code


@pytest.mark.parametrize("ending", STARTS)
def test_a_figure_has_the_format_of_its_name(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"figure{ending}"
    check_plot_file(str(path))
    assert not path.exists()
    draw_lines(path, [1, 2, 4], {"a": [3.0, 2.0, 1.0]}, "steps", "value")
    assert path.read_bytes().startswith(STARTS[ending])
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_panels_stand_side_by_side(tmp_path: Path) -> None:
    means = [Mean(value=10.0, half=2.0, matches=8), Mean(value=0.0, half=None, matches=8)]
    for count in (1, 2):
        draw_panels(tmp_path / f"{count}.png", [1, 8], {str(i): {"a": means} for i in range(count)}, "models", "goal")
    one, two = (pyplot().imread(tmp_path / f"{count}.png") for count in (1, 2))
    assert two.shape[1] > 1.5 * one.shape[1]


@pytest.mark.parametrize("name", ["figure", "figure.txt", "figure.jpg", "", ".png"])
def test_a_name_without_a_format_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert code_of(name) == "bad-plot"
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    for name in ("no/such/folder/figure.png", tmp_path / "folder.png", "/proc/self/figure.png"):
        assert code_of(str(name)) == "unwritable-file"


def test_a_figure_that_is_saved_is_released(tmp_path: Path) -> None:
    plt = pyplot()
    figure, _ = plt.subplots()
    save(figure, tmp_path / "figure.png")
    assert not plt.fignum_exists(figure.number)
    figure, _ = plt.subplots()
    with pytest.raises(VeilError, match="cannot write"):
        save(figure, tmp_path / "nowhere" / "figure.png")
    assert not plt.fignum_exists(figure.number)


def test_without_matplotlib_plots_are_refused_and_the_rest_goes_on() -> None:
    assert has_matplotlib()
    with patch.dict(sys.modules, {"matplotlib": None}):
        assert not has_matplotlib()
        assert code_of("figure.png") == "no-matplotlib"
