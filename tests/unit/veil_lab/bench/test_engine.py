from __future__ import annotations

import os
from pathlib import Path

import pytest

from veil_lab.bench import engine as bench_engine


def test_a_run_measures_every_game_and_prints_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEIL_CACHE", str(tmp_path))
    monkeypatch.setattr(bench_engine, "GAMES", {"tic_tac_toe": "tic_tac_toe"})
    monkeypatch.setattr(bench_engine, "SCALING", (4,))
    monkeypatch.setattr(bench_engine, "peer_speeds", lambda *_: (1000.0, 100.0))
    result = bench_engine.measure_all(0.01)
    assert set(result) >= {"games", "geomean_cpp", "geomean_python", "machine", "commit"}
    (row,) = result["games"]
    assert row["ratio_cpp"] == row["veil"] / 1000
    assert row["ratio_python"] == row["veil"] / 100
    assert row["seconds_cached"] > 0
    assert row["seconds_cold"] > 0
    assert os.environ["VEIL_CACHE"] == str(tmp_path)  # the benchmark used another one and put this back
    assert result["geomean_cpp"] == pytest.approx(row["ratio_cpp"])
    table = bench_engine.as_table(result)
    assert "tic_tac_toe" in table
    assert "geometric mean" in table


def test_without_openspiel_the_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_engine, "GAMES", {"tic_tac_toe": "tic_tac_toe"})
    monkeypatch.setattr(bench_engine, "SCALING", ())
    monkeypatch.setattr(bench_engine, "peer_speeds", lambda *_: (None, None))
    result = bench_engine.measure_all(0.01)
    assert result["geomean_cpp"] is None
    assert "OpenSpiel is not installed" in bench_engine.as_table(result)


def test_a_geometric_mean_leaves_out_what_was_not_measured() -> None:
    assert bench_engine.geometric_mean([4.0, None, 9.0]) == pytest.approx(6.0)
    assert bench_engine.geometric_mean([None]) is None


def test_openspiel_is_driven_in_c_and_from_python() -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")
    cpp, python = bench_engine.peer_speeds("tic_tac_toe", 0.05)
    assert cpp is not None
    assert python is not None
    assert cpp > python


def test_the_peer_is_not_asked_for_what_crashes_it() -> None:
    """OpenSpiel's search dies at a root where chance moves; nothing could catch that."""
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    assert bench_engine.peer_speeds("kuhn_poker", 0.01)[0] is None
    speed = bench_engine._cpp_speed(pyspiel, pyspiel.load_game("tic_tac_toe"), 0.01)
    assert speed is not None
    assert speed > 0
