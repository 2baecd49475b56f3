"""Curves of games without a tree: exact points of the solver that `veil solve` runs."""

import pytest

import veil
from veil.engine import load
from veil.equilibrium import prepare_walk
from veil_lab.papers.walked_curves import FIRST, TARGET, compare_without_tree, follow_walk


def test_a_course_begins_with_uniform_play_and_goes_on_to_the_target() -> None:
    course = follow_walk(prepare_walk(load("kuhn_poker")), 256)
    assert course[0].nash_conv == pytest.approx(veil.evaluate("kuhn_poker", "uniform").nash_conv)
    assert course[1].iterations == FIRST
    assert course[1].nash_conv == pytest.approx(veil.solve("kuhn_poker", "pcfr+", iterations=FIRST).course[-1][2] * 2)
    assert course[-1].nash_conv <= TARGET < course[-2].nash_conv


def test_a_report_has_a_row_for_every_point() -> None:
    report = compare_without_tree(quick=True)
    assert [row[1] for row in report.rows] == ["0", str(FIRST)]
    assert report.series["nash_conv"] == pytest.approx([float(str(report.rows[1][2]))], abs=1e-4)
