"""An experiment that is performed: its run says what ran, with which versions, how long."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.games import game
from tests.support.runs import make_report
from veil._version import __version__
from veil.report import Report
from veil_lab.result_cache import keep_pieces
from veil_lab.results import performance
from veil_lab.results.performance import perform
from veil_lab.series import play_series


def experiment(seed: int = 0, quick: bool = False, matches: int = 3) -> Report:
    specs = {"first": "hyperplay:models=5,playouts=3", "second": "random"}
    for _ in range(2):
        play_series(game("kuhn_poker"), specs, matches, seed)
    return make_report([(seed,)], ("seed",))


def test_a_run_says_who_played_and_what_gave_the_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(performance, "find_experiment", lambda name: experiment)
    report, run = perform("its-fig5", 7, True, {"matches": 4})
    assert report.rows == [(7,)]
    assert (run.experiment, run.seed, run.quick, run.given) == ("its-fig5", 7, True, {"matches": 4})
    (entry,) = run.ran
    assert entry["matches"] == 8
    assert entry["players"] == "first hyperplay:models=5,playouts=3, second random"
    assert entry["worlds"] == "first: exact 100 %"
    assert run.versions["veil"] == __version__
    assert run.processor_seconds is not None
    assert run.processor_seconds >= 0


def test_a_run_that_was_ended_goes_on_from_its_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ended = [True]

    def interrupted(seed: int = 0, quick: bool = False) -> Report:
        report = experiment(seed, quick)
        if ended.pop() if ended else False:
            raise KeyboardInterrupt
        return report

    monkeypatch.setattr(performance, "find_experiment", lambda name: interrupted)
    store = str(tmp_path / "pieces.db")
    with pytest.raises(KeyboardInterrupt), keep_pieces(store):
        perform("its-fig5", 7, True, {})
    with keep_pieces(store):
        report, run = perform("its-fig5", 7, True, {})
    assert run.reused == 6
    assert report.rows == perform("its-fig5", 7, True, {})[0].rows
