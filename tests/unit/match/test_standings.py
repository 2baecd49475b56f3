"""Tables of tournaments: means, 95 % intervals against SciPy, who met whom."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from veil.match.standings import Mean, mean_of, standings
from veil.match.store import Result


def result(game: str, players: str, goals: tuple[int, ...], errors: tuple[int, ...] = (0, 0, 0), seconds: float = 0.5):
    seats = tuple(players)
    return Result(
        game=game, players=seats, number=0, goals=goals, errors=errors[: len(seats)], rounds=4, seconds=seconds
    )


@pytest.mark.parametrize("size", [2, 3, 10, 1000])
def test_intervals_are_those_of_scipy(size: int) -> None:
    goals = np.random.default_rng(size).integers(0, 101, size)
    found = mean_of(goals.tolist())
    low, high = stats.t.interval(0.95, size - 1, loc=goals.mean(), scale=stats.sem(goals))
    assert (found.value - found.half, found.value + found.half) == pytest.approx((low, high))
    assert found.matches == size


def test_a_known_interval() -> None:
    """0, 50 and 100: mean 50, standard error 50 / sqrt(3), and 4.303 for two degrees of freedom (any table of t)."""
    found = mean_of([0, 50, 100])
    assert found.value == 50
    assert found.half == pytest.approx(4.303 * 50 / np.sqrt(3), rel=1e-4)


def test_one_match_has_no_interval() -> None:
    assert mean_of([70]) == Mean(70.0, None, 1)
    assert str(mean_of([70])) == "70.0"


def test_equal_goals_have_an_interval_of_width_zero() -> None:
    assert mean_of([100, 100, 100]) == Mean(100.0, 0.0, 3)
    assert str(mean_of([100, 100, 100])) == "100.0 ± 0.0"


def test_rows_meet_columns_in_both_seats() -> None:
    results = [
        result("g", "ab", (100, 0)),
        result("g", "ba", (20, 80)),
        result("g", "ac", (60, 40)),
        result("g", "cb", (10, 90)),
    ]
    (table,) = standings(results, ["g"], "abc")
    assert {pair: (mean.value, mean.matches) for pair, mean in table.cross.items()} == {
        ("a", "b"): (90, 2),
        ("b", "a"): (10, 2),
        ("a", "c"): (60, 1),
        ("c", "a"): (40, 1),
        ("c", "b"): (10, 1),
        ("b", "c"): (90, 1),
    }
    assert {spec: (mean.value, mean.matches) for spec, mean in table.overall.items()} == {
        "a": (80, 3),
        "b": (pytest.approx((0 + 20 + 90) / 3), 3),
        "c": (25, 2),
    }


def test_with_three_seats_a_player_meets_each_other_once_per_match() -> None:
    (table,) = standings([result("g", "aab", (10, 20, 30))], ["g"], "ab")
    assert table.cross[("a", "b")] == mean_of([10, 20])
    assert table.cross[("a", "a")] == mean_of([10, 20])
    assert table.cross[("b", "a")] == mean_of([30])
    assert ("b", "b") not in table.cross


def test_there_is_a_table_per_game_in_the_order_they_are_named() -> None:
    results = [result("f", "a", (1,)), result("g", "a", (2,))]
    tables = standings(results, ["g", "h", "f"], ["a"])
    assert [(table.game, table.overall["a"].value) for table in tables] == [("g", 2), ("f", 1)]
    assert all(table.players == ("a",) for table in tables)


def test_errors_and_speed_are_summed() -> None:
    results = [result("g", "ab", (0, 0), (1, 2), 0.5), result("g", "ba", (0, 0), (4, 8), 1.5)]
    (table,) = standings(results, ["g"], "ab")
    assert table.errors == {"a": 1 + 8, "b": 2 + 4}
    assert table.rounds_per_second == pytest.approx(8 / 2.0)
