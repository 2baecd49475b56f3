"""`veil bench search`: what its rows say, with and without OpenSpiel."""

from __future__ import annotations

from typing import Any

import pytest

from veil_lab.bench import search
from veil_lab.bench.solve import load_peer


def test_a_row_says_how_fast_we_are_and_whose_figure_stands_beside_it() -> None:
    rows = search.measure_game("kuhn_poker", None, 0.01)
    by_method = {row["method"]: row for row in rows}
    assert set(by_method) == set(search.METHODS)
    assert all(row["veil"] > 0 and row["infosets"] > 0 for row in rows)
    oos = by_method["oos"]
    assert (oos["openspiel"], oos["openspiel_is_stated"]) == (300_000, True)
    assert oos["ratio"] == pytest.approx(oos["veil"] / 300_000)
    assert by_method["ismcts"]["openspiel"] is None


def test_openspiel_runs_beside_us_where_it_can() -> None:
    pytest.importorskip("pyspiel")
    kuhn, dice = load_peer(*search.GAMES["kuhn_poker"]), load_peer(*search.GAMES["liars_dice"])
    ran = [search.find_peer(kuhn, "kuhn_poker", method) for method in ("ismcts", "oos:delta=0")]
    for work in ran:
        assert work is not None
        work(10)
    assert search.find_peer(dice, "liars_dice", "ismcts") is None  # no resampler
    assert search.find_peer(kuhn, "kuhn_poker", "oos") is None


def test_the_best_of_several_turns_counts() -> None:
    done: list[int] = []
    rates = search.measure_by_turns([done.append, done.append], 0.0)
    assert len(rates) == 2
    assert len(done) == 2 + 2 * search.TURNS


def test_the_table_names_figures_that_were_not_measured() -> None:
    def row(openspiel: float | None, stated: bool) -> dict[str, Any]:
        ratio = 2e6 / openspiel if openspiel else None
        names = {"game": "chess", "method": "oos", "veil": 2e6, "infosets": 5}
        return names | {"openspiel": openspiel, "openspiel_is_stated": stated, "ratio": ratio}

    lines = search.as_table({"searches": [row(1e6, False), row(5e5, True), row(None, False)]}).splitlines()
    assert ["measured" in line for line in lines[3:6]] == [True, False, False]
    assert ["stated" in line for line in lines[3:6]] == [False, True, False]
    assert "4.0x" in lines[4]


def test_fleets_are_measured_on_games_of_any_size() -> None:
    rows = search.measure_lanes("phantom_tictactoe", 0.001)
    assert {row["method"] for row in rows} == {f"{method}, in lanes" for method in search.IN_LANES}
    assert all(row["veil"] > 0 and row["infosets"] > 0 for row in rows)
    assert next(row for row in rows if row["method"].startswith("oos"))["openspiel"] == 35_000
