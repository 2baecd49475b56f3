from __future__ import annotations

import os
from typing import Any

import pytest

from veil_lab.bench import env as bench_env


@pytest.mark.nightly
def test_a_run_measures_every_form_and_says_who_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(name: str) -> Any:
        raise ImportError(f"no {name}")

    monkeypatch.setattr(bench_env, "GAMES", {"kuhn_poker": bench_env.Peers("kuhn_poker", None)})
    monkeypatch.setattr(bench_env, "BATCH", 64)
    monkeypatch.setattr(bench_env, "pgx_act", nobody)
    monkeypatch.setattr(bench_env, "own_pettingzoo_act", lambda game: lambda: 1)
    before = os.sched_getaffinity(0)
    result = bench_env.measure_all(0.01)
    assert os.sched_getaffinity(0) == before
    (row,) = result["games"]
    speeds = row["steps_per_second"]
    assert set(speeds) == {"packed", "bool", "float", "pettingzoo_veil"}
    assert row["ratio_pgx"] is None
    assert row["ratio_pettingzoo"]["bool"] == speeds["bool"] / speeds["pettingzoo_veil"]
    assert row["bytes_per_step"]["packed"] < row["bytes_per_step"]["bool"] < row["bytes_per_step"]["float"]
    assert result["missing"] == ["pgx is not installed (no kuhn_poker)"]
    assert "pgx is not installed" in bench_env.as_table(result)


def test_competitors_take_turns_and_ratios_are_those_of_bytes() -> None:
    asked: list[str] = []
    acts = {name: lambda name=name: asked.append(name) or 1000 for name in ("one", "two")}  # type: ignore[func-returns-value]
    speeds = bench_env.take_turns(acts, 0.003)  # type: ignore[arg-type]
    assert set(speeds) == {"one", "two"}
    assert asked.index("two", 2) < len(asked) - asked[::-1].index("one") - 1, "the first goes on after the second"
