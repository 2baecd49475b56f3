"""Costs of players as games grow: the fit, the figure, and reports with more than one table."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from veil.lab.papers.hyperplay_scaling import HP, HP2, MatchCost, _cost, _draw, fit
from veil.report.experiment import Report


@pytest.mark.parametrize(("power", "exponent", "factor"), [(1, 1.0, 7.0), (2, 0.75, 0.5)])
def test_a_power_law_is_found_again(power: int, exponent: float, factor: float) -> None:
    shapes = [(2.0, 10.0), (5.0, 8.0), (30.0, 4.0), (7.0, 20.0)]
    costs = [MatchCost(bf, d, factor * (bf * d**2) ** (power * exponent)) for bf, d in shapes]
    found = fit(costs, power)
    assert found.exponent == pytest.approx(exponent)
    assert found.factor == pytest.approx(factor)
    assert found.r_squared == pytest.approx(1.0)


def test_what_has_no_law_is_said_to_have_none() -> None:
    costs = [MatchCost(2.0, 2.0, 100.0), MatchCost(4.0, 2.0, 10_000.0), MatchCost(8.0, 2.0, 100.0)]
    assert fit(costs, 1).r_squared == pytest.approx(0.0, abs=1e-9)


def test_the_cost_of_a_match_is_that_of_its_decisions() -> None:
    """exploding_bomb: three rounds, two decisions of two moves each."""
    plain, lifted = (_cost("exploding_bomb", "agent", spec.format(3), 4, 0) for spec in (HP, HP2))
    assert (plain.branching, plain.depth) == (2.0, 3.0)
    assert 0 < plain.states < lifted.states


@pytest.mark.slow
def test_both_players_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    costs = {f"{name}(size={size})": MatchCost(size, size, 10.0 * size**3) for name in "ab" for size in (3.0, 4.0)}
    found = fit(list(costs.values()), 1)
    _draw(tmp_path / "scaling.png", (costs, costs), (found, found))
    assert (tmp_path / "scaling.png").stat().st_size > 10_000


def test_a_report_may_have_parts(tmp_path: Path) -> None:
    part = Report(name="b", title="more", source="there", settings={}, columns=("y",), rows=[(2,)])
    whole = Report(name="a", title="some", source="here", settings={}, columns=("x",), rows=[(1,)], parts=[part])
    assert whole.as_text().index("a: some") < whole.as_text().index("b: more")
    assert whole.as_json()["parts"] == [part.as_json()]
    assert "parts" not in part.as_json()
    assert [path.name for path in whole.write(tmp_path)] == ["a.csv", "b.csv"]
    assert list(csv.reader((tmp_path / "b.csv").open())) == [["y"], ["2"]]
