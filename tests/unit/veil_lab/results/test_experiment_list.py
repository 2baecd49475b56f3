"""The list of experiments: costs and dates come from the runs that are kept."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs import make_report, run_of
from veil_lab.papers import EXPERIMENTS
from veil_lab.results.experiment_list import describe, list_experiments, show_cost, show_list
from veil_lab.results.run import RunFile
from veil_lab.results.run_text import spell_run


def test_a_kept_run_gives_cost_and_date_and_the_others_say_that_nothing_is_kept(tmp_path: Path) -> None:
    run = run_of(make_report([(1,)], ("x",)), processor_seconds=90.0)
    RunFile(tmp_path, run.experiment, False).path.write_text(spell_run(run), encoding="utf-8")
    entries = {entry["name"]: entry for entry in list_experiments(tmp_path)}
    assert list(entries) == list(EXPERIMENTS)
    assert entries["its-fig5"]["takes"] == "minutes (1.5 min)"
    assert entries["its-fig5"]["last_run"] == "2026-11-18"
    assert entries["oos-fig4-large"] | {"takes": "hours, not measured", "last_run": None} == entries["oos-fig4-large"]
    shown = show_list(list(entries.values()))
    assert "its-fig5" in shown
    assert "never kept" in shown


def test_a_cost_has_a_class_and_its_measure() -> None:
    assert show_cost(12.34, False) == "seconds (12 s)"
    assert show_cost(7200, True) == "hours (2 h)"
    assert show_cost(2e5, True, partly=True) == "days (more than 2.3 d)"
    assert show_cost(None, False) == "minutes, not measured"


def test_the_cost_of_a_smaller_run_is_not_that_of_the_experiment() -> None:
    run = run_of(make_report([(1,)], ("x",)), "oos-fig4-large", processor_seconds=25.5, given={"matches": 4})
    assert describe("oos-fig4-large", {"oos-fig4-large": run})["takes"] == "hours; a smaller run 26 s"
    stored = run_of(
        make_report([(1,)], ("x",)), "isg-table1", processor_seconds=0.01, reused=45, given={"positions": 1}
    )
    assert describe("isg-table1", {"isg-table1": stored})["takes"] == "hours, not measured"
