"""Series of matches for experiments."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import pytest

from tests.support.games import game
from veil.match import MatchConfig, run_match
from veil.streams import match_seed
from veil_lab.series import give_workers, limit_jobs, open_workers, play_series

SPECS = {"first": "hyperplay:models=5,playouts=3", "second": "random"}


def test_a_series_is_its_matches_one_by_one_whoever_plays_them() -> None:
    kuhn = game("kuhn_poker")
    series = play_series(kuhn, SPECS, 6, seed=3)
    assert list(series.logs) == [run_match(kuhn, SPECS, match_seed(3, number)) for number in range(6)]
    with ThreadPoolExecutor(2) as pool:
        assert play_series(kuhn, SPECS, 6, seed=3, executor=pool) == series


class CountingThreads(ThreadPoolExecutor):
    """Threads that know how often they were asked."""

    calls = 0

    def submit(self, *values: Any, **options: Any) -> Any:
        self.calls += 1
        return super().submit(*values, **options)


def test_workers_that_a_command_was_given_play_the_series_of_its_experiments() -> None:
    kuhn = game("kuhn_poker")
    alone = play_series(kuhn, SPECS, 6, seed=3)
    with CountingThreads(2) as given, give_workers(given):
        assert play_series(kuhn, SPECS, 6, seed=3) == alone
        assert given.calls > 0
        for is_alone in (True, False):
            with open_workers(alone=is_alone) as workers:
                assert workers is given
        with give_workers(None), open_workers(alone=True) as workers:
            assert workers is None
    with open_workers(alone=True) as workers:
        assert workers is None


def test_an_experiment_with_one_job_works_in_this_process_on_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    with limit_jobs(1), open_workers(alone=False) as workers:
        assert workers is None
    monkeypatch.setattr("veil_lab.series.Pool", lambda jobs: nullcontext(jobs))
    for limit, jobs in ((None, 4), (3, 3)):
        with limit_jobs(limit), open_workers(alone=False) as opened:
            assert opened == jobs  # a number in the place of a pool


def test_what_was_played_and_what_it_cost() -> None:
    series = play_series(game("kuhn_poker"), SPECS, 20, seed=1)
    bets = [any(entry.moves["first"] == "bet" for entry in log.rounds) for log in series.logs]
    assert series.share("first", "bet") == pytest.approx(sum(bets) / 20)
    assert series.favourite("first", "b") == "bet"
    assert series.favourite("first", "nothing") == "-"
    assert series.mean("first").matches == 20
    assert series.branching("first") == 2  # bet or pass
    assert series.states("first") > 0
    assert 0 < series.belief_states("first") < series.states("first")
    assert series.states_per_match("first") >= series.states("first")
    assert (series.branching("second"), series.states("second")) == (0, 0)  # it counts nothing
    assert (series.samplers("first"), series.samplers("second")) == ("exact 100 %", "-")
    assert series.rounds() == pytest.approx(sum(len(log.rounds) for log in series.logs) / 20)


def test_a_cheat_plays_where_the_series_allows_it() -> None:
    series = play_series(game("exploding_bomb"), {"agent": "cheat:playouts=20"}, 3, 0, MatchConfig(allow_cheat=True))
    assert series.states("agent") > 0
