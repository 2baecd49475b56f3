"""`veil bench scale`: what its rows say; made small."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from veil.match import Store, compute_standings, make_tables
from veil_lab.bench import scale


@pytest.mark.compiled("slow as Python")
def test_a_run_measures_every_way_tasks_and_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("ROWS", 125), ("SINGLE", 7), ("PORTION", 50), ("TASKS", 3), ("WARM", 4)):
        monkeypatch.setattr(scale, name, value)
    ways = [scale.list_ways()[0], scale.Way("threads", 2, partial(ThreadPoolExecutor, 2))]
    monkeypatch.setattr(scale, "list_ways", lambda: ways)
    result = scale.measure_all(0.001)
    assert [(row["contest"], row["way"]) for row in result["matches"]] == [
        (contest, way.name) for way in ways for contest in scale.CONTESTS
    ]
    assert all(row["per_second"] > 0 for row in result["matches"])
    assert [row["overhead_ms"] for row in result["matches"]][:2] == [0.0, 0.0]  # this process is what is compared with
    assert [row["way"] for row in result["tasks"]] == ["threads"]
    assert result["store"]["rows"] == 125
    assert result["store"]["megabytes"] > 0
    text = scale.as_table(result)
    assert "125 results" in text
    assert "written one by one" in text
    assert text.count("random moves") == 2


def test_processes_and_dask_are_measured_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "find_spec", lambda name: None)
    assert [way.name for way in scale.list_ways()] == ["this process", "processes: 1", "processes: 2"]
    monkeypatch.setattr(scale, "find_spec", lambda name: name)
    assert [way.name for way in scale.list_ways()][3:] == ["Dask local:1", "Dask local:2"]


def test_made_up_results_are_those_of_a_tournament() -> None:
    results = list(scale.make_results(20))
    assert len({entry.key for entry in results}) == 20
    assert [entry.number for entry in results] == sorted(entry.number for entry in results)
    with Store() as store:
        store.add(results)
        tables = make_tables(scale.STORED, store)
    assert tables.matches == 20
    assert tables.standings == compute_standings(results, ["kuhn_poker"], scale.STORED.players)
