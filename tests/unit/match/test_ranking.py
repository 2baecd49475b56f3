"""Rankings over several games: SciPy's paired test, Elo by a general minimiser and by the jackknife, ranks by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

import veil
from tests.reference.ranking import compare_pair, fit_elo
from veil.match.ranking import Ranking, rank_players
from veil.match.standings import compute_standings
from veil.match.store import Result

SKILL = {"a": 0.8, "b": 0.5, "c": 0.3}


def play(game: str, seats: tuple[str, ...], number: int, goals: tuple[int, ...]) -> Result:
    return Result(game=game, players=seats, number=number, goals=goals, errors=(0,) * len(seats), rounds=1, seconds=0.1)


def a_tournament(matches: int, seed: int = 0) -> list[Result]:
    """Games `g` of two and `h` of one role, whose luck depends on the number."""
    results = []
    for number in range(matches):
        rng = np.random.default_rng([seed, number])
        luck = rng.random(2)
        for one, other in permutations(SKILL, 2):
            won = luck[0] + 0.5 * rng.random() < 0.5 + SKILL[one] - SKILL[other]
            drawn = rng.random() < 0.2
            goals = (50, 50) if drawn else (100, 0) if won else (0, 100)
            results.append(play("g", (one, other), number, goals))
        results += [
            play("h", (spec,), number, (int(60 * luck[1] + 30 * SKILL[spec] * rng.random()),)) for spec in SKILL
        ]
    return results


def rank(results: list[Result]) -> Ranking:
    ranking = rank_players(results, compute_standings(results, ["g", "h"], "abc"))
    assert ranking is not None
    return ranking


def test_differences_and_ratings_are_those_of_the_oracle() -> None:
    results = a_tournament(60)
    ranking = rank(results[::-1])
    assert ranking.players == ("a", "b", "c")
    assert (ranking.numbers, ranking.games) == (60, ("g", "h"))
    for entry in ranking.differences:
        mean, half, p_value = compare_pair(results, entry.player, entry.other)
        assert tuple(entry.goals) == pytest.approx((mean, half))
        assert entry.is_shown == (p_value < 0.05 / 3)  # of these three, all are far from the border
    expected = fit_elo(results, list("abc"))
    assert [ranking.elo[spec].value for spec in "abc"] == pytest.approx(expected.tolist(), abs=1e-3)


def test_the_interval_of_elo_is_that_of_the_jackknife() -> None:
    results = a_tournament(20)
    left_out = np.array(
        [fit_elo([entry for entry in results if entry.number != number], list("abc")) for number in range(20)]
    )
    errors = np.sqrt(19 / 20 * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    halves = [rank(results).elo[spec].half for spec in "abc"]
    assert halves == pytest.approx((2.0930 * errors).tolist(), rel=0.1)  # Student's factor for 19 degrees of freedom


def test_ranks_are_means_over_the_games_and_equal_means_share_theirs() -> None:
    results = [play("g", seats, 0, (60, 40)) for seats in permutations("abc", 2)]
    results += [play("h", (spec,), 0, (goal,)) for spec, goal in zip("abc", (30, 30, 10), strict=True)]
    ranking = rank(results)
    assert ranking.mean_ranks == {"a": 1.75, "b": 1.75, "c": 2.5}
    assert [entry.goals.half for entry in ranking.differences] == [None] * 3
    assert not any(entry.is_shown for entry in ranking.differences)


def test_numbers_that_have_not_ended_are_in_no_difference() -> None:
    results = a_tournament(30)
    cut = [replace(entry, finished=False) if entry.key == ("g", ("a", "b"), 7) else entry for entry in results]
    assert rank(cut).numbers == 29
    whole = rank([entry for entry in results if entry.number != 7])
    assert [entry.goals for entry in rank(cut).differences] == [entry.goals for entry in whole.differences]


def test_who_always_wins_has_a_rating_and_one_player_has_no_ranking() -> None:
    results = [play("g", ("a", "b"), number, (100, 0)) for number in range(9)]
    ranking = rank_players(results, compute_standings(results, ["g"], "ab"))
    assert ranking is not None
    assert ranking.elo["a"].value - ranking.elo["b"].value == pytest.approx(400 * np.log10(9.5 / 0.5))
    assert ranking.differences[0].is_shown  # nine equal differences: the sign test
    alone = [play("h", ("a",), 0, (10,))]
    assert rank_players(alone, compute_standings(alone, ["h"], "a")) is None


def test_a_tournament_in_python_has_a_ranking() -> None:
    result = veil.run_tournament(["monty_hall"], ["first", "random"], matches=4)
    ranking = result.ranking()
    assert ranking is not None
    assert ranking.elo == {}
    assert ranking.differences[0].goals.value == pytest.approx(
        ranking.mean_goals[ranking.players[0]] - ranking.mean_goals[ranking.players[1]]
    )
