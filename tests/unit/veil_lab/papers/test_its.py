"""The four experiments of the ITS paper, with the figures it gives (Chitizadeh & Thielscher 2018, section 4)."""

import csv
from pathlib import Path

import numpy as np
import pytest

from veil.report.experiment import Report
from veil_lab.papers.experiments import find_experiment
from veil_lab.papers.its import ItsCourse, banker_and_thief, cutting_wire, frank_basin, penalty_kick, poker

AT_D = "left; noop: (played second left)"


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_teller_waits_first_and_never_tells_twice(seed: int) -> None:
    run = ItsCourse("extended_cutting_wire", 1000, seed)
    for wire in ("red", "blue"):
        assert run.probabilities("teller", f"noop: {wire}", "tell")[-1] < 0.05
        assert run.probabilities("teller", f"noop: {wire}; tell", "tell")[-1] < 0.01


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_teller_tells_about_one_wire_later_and_silence_comes_to_mean_the_other(seed: int) -> None:
    """The paper expects both to be told, which is worth 90; Algorithm 1 finds 95, see the remark of its-fig2."""
    run = ItsCourse("extended_cutting_wire", 1000, seed)
    told = sorted(run.probabilities("teller", f"noop: {wire}; wait", "tell")[-1] for wire in ("red", "blue"))
    assert told[0] < 0.05
    assert told[1] > 0.95


def test_the_first_player_of_frank_and_basin_goes_left_at_d_within_a_hundred_iterations() -> None:
    run = ItsCourse("frank_basin", 100, seed=0)
    course = run.probabilities("first", AT_D, "left")
    assert course[0] < 0.5  # the trap
    assert course[-1] == pytest.approx(1 - 1.5 / 101)  # 98.5 %; the paper says 99
    for record in ("start", "left; noop: (played second right)"):
        course = run.probabilities("first", record, "left")
        assert (course[1:] > course[:-1]).all()  # chosen in every iteration


@pytest.mark.slow
def test_the_trap_at_d_costs_one_iteration_whatever_the_seed() -> None:
    runs = [ItsCourse("frank_basin", 100, seed) for seed in range(12)]
    finals = {round(float(run.probabilities("first", AT_D, "left")[-1]), 4) for run in runs}
    assert finals == {0.9851}


def test_kicker_and_keeper_find_forty_and_sixty() -> None:
    run = ItsCourse("biased_penalty_kick", 10_000, seed=0)
    assert run.probabilities("kicker", "start", "right")[-1] == pytest.approx(0.4, abs=0.01)
    assert run.probabilities("keeper", "start", "left")[-1] == pytest.approx(0.4, abs=0.01)


@pytest.mark.slow
def test_the_banker_has_286_distributions_and_comes_to_prefer_even_splits_with_the_faulty_bank() -> None:
    """The paper has 94 % after a million iterations; `veil reproduce its-table1` runs them all."""
    run = ItsCourse("banker_and_thief", 30_000, seed=0)
    splits = [f"(split 5 {rest})" for rest in ("5 0 0", "0 5 0", "0 0 5")]
    even = np.sum([run.probabilities("banker", "noop: (faulty 1)", split) for split in splits], axis=0)
    assert len(run.prepared.form.slot_start[run.prepared.form.slot_start <= 286]) == 2
    at = {step: float(even[i]) for i, step in enumerate(run.steps)}
    assert at[30_000] > 0.65
    assert at[30_000] > even[len(even) // 2] > even[len(even) // 4]


@pytest.mark.parametrize("experiment", [cutting_wire, frank_basin, penalty_kick])
def test_a_report_puts_theirs_beside_ours_and_writes_table_series_and_figure(experiment, tmp_path: Path) -> None:
    report: Report = experiment(seed=0, quick=True)
    assert find_experiment(report.name) is experiment
    assert "theirs" in report.columns
    files = report.write(tmp_path)
    parts = {f"{part.name}.csv" for part in report.parts}
    assert {path.name for path in files} - parts == {f"{report.name}{end}" for end in (".csv", "-series.csv", ".png")}
    with (tmp_path / f"{report.name}.csv").open(encoding="utf-8") as file:
        assert [len(row) for row in csv.reader(file)] == [3] * (1 + len(report.rows))
    assert (tmp_path / f"{report.name}.png").read_bytes().startswith(b"\x89PNG")
    assert all(column in report.as_text() for column in report.columns)


@pytest.mark.nightly
@pytest.mark.slow
def test_the_quick_table_of_the_banker_says_that_it_is_quick() -> None:
    report = banker_and_thief(seed=0, quick=True)
    assert report.settings["iterations"] == 50_000
    assert [row[1] for row in report.rows] == ["35.67 %", "27.5 %", "30.88 %", "0.0 %", "5.95 %", "94.05 %"]


def test_its_is_far_behind_in_poker() -> None:
    report = poker(seed=0, quick=True)
    assert report.columns == ("game", "iterations", "its", "xfp", "cfr+")
    *_, its, xfp, cfr = report.rows[-1]
    assert its > 10 * cfr
    assert xfp > 10 * cfr
    assert [row[2] for row in report.rows] == sorted((row[2] for row in report.rows), reverse=True)  # yet it falls
