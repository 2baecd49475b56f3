"""The text of a run: small, with a row per line, and the same again when it is read."""

from __future__ import annotations

import json

import numpy as np

from tests.support.runs import make_report, run_of
from veil_lab.results.run_text import MAX_POINTS, spell_run

REPORT = make_report(
    [("a", np.float64(1 / 3), float("nan")), ("b", "-1,234.5 ± 0.25", True)],
    ("name", "value", "more"),
    remarks=["one", "two"],
    series={"step": range(1, 1001), "value": np.linspace(0, 1, 1000)},
    parts=[make_report([(1,)], ("x",), name="part")],
)


def test_a_row_is_a_line_figures_have_five_digits_and_an_interval_is_a_pair() -> None:
    text = spell_run(run_of(REPORT))
    assert '        ["a", 0.33333, null],\n        ["b", [-1234.5, 0.25], true]\n' in text
    plain = json.loads(text)
    assert list(plain)[:4] == ["experiment", "quick", "date", "seed"]
    assert [table["name"] for table in plain["tables"]] == ["its-fig5", "part"]


def test_what_is_read_is_what_was_written() -> None:
    run = run_of(REPORT, ran=[{"game": "kuhn", "players": "first random", "matches": 3}], given={"matches": 3})
    text = spell_run(run)
    assert spell_run(run_of(REPORT, ran=run.ran, given={"matches": 3})) == text


def test_a_long_curve_is_thinned_and_keeps_its_ends() -> None:
    series = run_of(REPORT).table().series
    assert series is not None
    steps = [row[0] for row in series.rows]
    assert steps[0] == 1
    assert steps[-1] == 1000
    assert len(steps) <= MAX_POINTS


def test_points_of_several_curves_are_all_kept() -> None:
    many = make_report([(1,)], ("x",), series={"game": ["a", "b"] * 200, "value": range(400)})
    series = run_of(many).table().series
    assert series is not None
    assert len(series.rows) == 400
