"""Tuning: a planted unfair game is repaired, halving drops what is bad, a store goes on."""

import pytest

from tests.support.planted_game import PLANTED
from veil.lang import Source
from veil.review.aims import read_aim
from veil.review.tuner import TuneConfig, TuneWorkers, tune
from veil.review.tuning_page import make_tuning_page
from veil.review.tuning_store import TuningStore
from veil.review.variant_play import VariantConfig, VariantFacts, VariantMatch
from veil.review.variations import VariedGame, read_variation


def planted(*entries):
    return VariedGame(Source("boxes.kif", PLANTED), [read_variation(entry) for entry in entries])


def facts_of(variant):
    assert variant is not None
    assert variant.facts is not None
    return variant.facts


def fake(strengths):
    """A judge that plays matches with a known share of wins, and notes what it was asked."""
    asked = []

    def judge(task):
        asked.append((task.key, task.first, task.last))
        share = strengths[task.key]
        played = [
            VariantMatch(number, [100.0, 0.0] if (number * 37) % 100 < share else [0.0, 100.0], 1)
            for number in range(task.first, task.last)
        ]
        return VariantFacts(roles=["a", "b"], played=played)

    return judge, asked


@pytest.mark.compiled("slow as Python")
def test_a_planted_unfair_game_is_repaired():
    result = tune(planted("limit=0,5,6,7"), TuneConfig(aim=read_aim("fair")))
    assert result.best is not None
    assert result.best.setting == ("6",)
    assert facts_of(result.best).goals == pytest.approx([52.5, 47.5], abs=0.05)
    worst = result.ranking()[-1]
    assert worst.setting == ("0",)
    assert facts_of(worst).goals == pytest.approx([87.5, 12.5], abs=0.05)
    page = make_tuning_page(result)
    assert page.headline == "limit=6 is best: 52.5 : 47.5."


def test_the_worse_half_is_dropped_and_the_best_plays_all_matches(monkeypatch):
    judge, asked = fake({f"limit={value}": 5 * value for value in range(20)})
    monkeypatch.setattr("veil.review.tuner.judge_variant", judge)
    result = tune(planted("limit=0..19"), TuneConfig(aim=read_aim("fair"), matches=64))
    assert result.best is not None
    assert 8 <= int(result.best.setting[0]) <= 12
    assert result.best.matches == 64
    assert sum(variant.dropped for variant in result.variants) >= 12
    assert sum(last - first for _, first, last in asked) < 20 * 64 / 2
    assert len(set(asked)) == len(asked)  # no match is played twice
    assert [variant.setting for variant in result.variants] == [(str(value),) for value in range(20)]


def test_a_store_goes_on_and_serves_more_values(monkeypatch, tmp_path):
    judge, asked = fake({f"limit={value}": 50 for value in range(9)})
    monkeypatch.setattr("veil.review.tuner.judge_variant", judge)
    config = TuneConfig(aim=read_aim("fair"), matches=8)
    with TuningStore(str(tmp_path / "kept.db")) as store:
        first = tune(planted("limit=1..4"), config, store)
        assert len(asked) == 4
    with TuningStore(str(tmp_path / "kept.db")) as store:
        again = tune(planted("limit=1..4"), config, store)
        assert len(asked) == 4
        assert [variant.score for variant in again.variants] == [variant.score for variant in first.variants]
        tune(planted("limit=1..6"), config, store)
        assert len(asked) == 6
        tune(planted("limit=1..6"), TuneConfig(aim=read_aim("length=1"), matches=8), store)
        assert len(asked) == 6  # another aim needs no other matches


def test_a_run_that_is_stopped_keeps_what_is_known(monkeypatch):
    judge, asked = fake({f"limit={value}": 50 for value in range(9)})

    def stop(task):
        if len(asked) == 3:
            raise KeyboardInterrupt
        return judge(task)

    monkeypatch.setattr("veil.review.tuner.judge_variant", stop)
    result = tune(planted("limit=1..6"), TuneConfig(aim=read_aim("fair"), matches=8))
    assert result.interrupted
    assert sum(variant.score is not None for variant in result.variants) == 3
    assert "It was stopped" in make_tuning_page(result).notes[-1]


@pytest.mark.compiled("slow as Python")
def test_variants_that_are_no_games_are_named_with_the_reason():
    rules = """
        (role a) (role b) (init (s 1)) (last 2) (<= (legal ?r go) (role ?r)) (<= (next (s 2)) (true (s 1)))
        (<= terminal (true (s ?n)) (last ?n)) (goal a 50) (goal b 50)
    """
    endless = VariedGame(Source("endless.kif", rules), [read_variation("last=2,3")])
    result = tune(endless, TuneConfig(aim=read_aim("fair")))
    assert [bool(facts_of(variant).refused) for variant in result.variants] == [False, True]
    assert "did not end" in result.variants[1].basis
    assert "1 variant cannot be judged" in " ".join(make_tuning_page(result).summary)


@pytest.mark.compiled("slow as Python")
def test_a_variant_that_is_not_solved_is_played_by_strong_players():
    config = VariantConfig(player="random", max_nodes=2, needs_skill=True)
    result = tune(planted("limit=0,14"), TuneConfig(aim=read_aim("skill"), matches=8, variant=config))
    assert [variant.matches for variant in result.variants] == [8, 8]
    assert all(len(match.strong) == 2 for variant in result.variants for match in facts_of(variant).played)
    told = []
    workers = TuneWorkers(progress=lambda done, total, note: told.append((done, total)))
    tune(planted("limit=0,14"), TuneConfig(aim=read_aim("fair"), matches=8, variant=config), None, workers)
    assert told[-1] == (2, 2)
