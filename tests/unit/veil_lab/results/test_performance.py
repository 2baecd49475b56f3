"""An experiment that is performed: its run says what ran, with which versions, how long."""

from __future__ import annotations

import pytest

from tests.support.games import game
from tests.support.runs import make_report
from veil._version import __version__
from veil.report import Report
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
