"""The case study of the full board: its costs summed up, and the experiment run small."""

from __future__ import annotations

import numpy as np
import pytest

from veil_lab.papers import hyperplay_table2
from veil_lab.papers.hyperplay_table2 import (
    LATE,
    TABLE2,
    Course,
    _count_states,
    _find_gaps,
    case_study,
    find_late_costs,
)

RANDOM = (1000.0, 1_000_000.0, 50.0)  # states of random sampling, which finds 100 histories, none, and 50


def make_course() -> Course:
    """Return three games to round 33 and one that was over before; HyperPlay has 100 models and 10,000 states."""
    course = Course(*(np.full((4, max(TABLE2)), np.nan) for _ in Course._fields))
    for number, (states, found) in enumerate(zip(RANDOM, (100, 0, 50), strict=True)):
        course.by_chance[number, LATE - 1], course.successes[number, LATE - 1] = states, found
        course.plain[number], course.total[number], course.on_line[number] = 0.5, 10_000, 50
        course.update[number] = 1.0
    return course


def test_the_cost_of_a_sample_is_taken_game_by_game_so_that_an_easy_game_does_not_decide() -> None:
    """Costs of 10, at least 1,000,000 and 1 state; pooled they would be 1,001,050 / 150 = 6,674."""
    costs = find_late_costs(make_course())
    assert costs.game.tolist() == [0, 1, 2]
    assert costs.random.tolist() == [10, 1_000_000, 1]
    assert costs.hyperplay.tolist() == [200, 200, 200]
    assert costs.ratio == pytest.approx(1_000_011 / 3 / 200)


def test_a_game_without_a_success_makes_the_mean_a_lower_bound_and_is_counted() -> None:
    course = make_course()
    rows = {row[0]: row[2] for row in _count_states(course, find_late_costs(course), 100, 0.01).rows}
    assert rows["a random sample, measured: mean over games"].startswith("more than 333,337")
    assert rows["a random sample, measured: median"] == "10"
    assert rows["games in which a random sample is dearer"] == "1 of 3"
    assert rows["games without any random success"] == "1 of 3"


def test_the_gaps_are_what_this_run_does_not_meet() -> None:
    course = make_course()
    costs = find_late_costs(course)
    assert [what for what, _ in _find_gaps(course, costs, 1e-5, 6e23)] == ["48 samples of HyperPlay for a random one"]
    cheaper = costs._replace(random=np.full(3, 48 * 200.0))
    assert _find_gaps(course, cheaper, 1e-5, 6e23) == []
    course.plain[:] = 0.9
    assert len(_find_gaps(course, cheaper, 0.01, 6e25)) == 3


@pytest.mark.slow
@pytest.mark.nightly
def test_models_go_off_line_slowly_and_random_sampling_is_far_dearer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hyperplay_table2, "TIMED", 1)
    monkeypatch.setattr(hyperplay_table2, "RANDOM_STATES", 300_000)
    report = case_study(seed=0, quick=True)
    assert [row[0] for row in report.rows] == [1, 2, 16, 17, 32, 33]
    plain, reseeded = (float(report.rows[4][column].split()[0]) for column in (6, 7))
    assert 50 <= plain <= reseeded  # the article: 50 %
    states, games = report.parts
    assert [row[1] for row in states.rows[:4]] == ["745", "1.3", "166,000", "160,000"]
    assert all(row[-1] > 1 for row in games.rows)  # the article: 48
    assert any("2 in place of 20" in remark for remark in report.remarks)
