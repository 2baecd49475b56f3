"""Costs of players as games grow: the fit with its error, the figure, and the report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import linregress, t

from veil_lab.papers.article import HP, HP2, SAMPLER_OF, VARIANT_OF
from veil_lab.papers.hyperplay_scaling import FAMILIES, MatchCost, fit, measure_cost, scaling

SHAPES = [(2.0, 10.0), (5.0, 8.0), (30.0, 4.0), (7.0, 20.0)]


@pytest.mark.parametrize(("power", "exponent", "factor"), [(1, 1.0, 7.0), (2, 0.75, 0.5)])
def test_a_power_law_is_found_again(power: int, exponent: float, factor: float) -> None:
    costs = [MatchCost(bf, d, factor * (bf * d**2) ** (power * exponent)) for bf, d in SHAPES]
    found = fit(costs, power)
    assert found.exponent == pytest.approx(exponent)
    assert found.half == pytest.approx(0.0, abs=1e-9)
    assert found.factor == pytest.approx(factor)
    assert found.r_squared == pytest.approx(1.0)


def test_the_error_of_an_exponent_is_that_of_a_regression() -> None:
    """SciPy's regression says the standard error; a 95 % interval with two degrees of freedom is 4.3 of them."""
    costs = [MatchCost(bf, d, noise * bf * d**2) for (bf, d), noise in zip(SHAPES, (1.0, 1.5, 0.7, 1.1), strict=True)]
    line = linregress(np.log([cost.bound(1) for cost in costs]), np.log([cost.states for cost in costs]))
    found = fit(costs, 1)
    assert found.exponent == pytest.approx(line.slope)
    assert found.half == pytest.approx(line.stderr * t.ppf(0.975, 2))
    assert found.r_squared == pytest.approx(line.rvalue**2)


def test_what_has_no_law_is_said_to_have_none() -> None:
    costs = [MatchCost(2.0, 2.0, 100.0), MatchCost(4.0, 2.0, 10_000.0), MatchCost(8.0, 2.0, 100.0)]
    assert fit(costs, 1).r_squared == pytest.approx(0.0, abs=1e-9)
    assert fit(costs, 1).half > 1


def test_the_cost_of_a_match_is_that_of_its_decisions() -> None:
    """exploding_bomb: three rounds, two decisions of two moves each."""
    plain, lifted = (measure_cost("exploding_bomb", "agent", spec.format(3, 3), 4, 0) for spec in (HP, HP2))
    assert (plain.branching, plain.depth) == (2.0, 3.0)
    assert 0 < plain.states < lifted.states


def test_every_family_is_fitted_over_four_sizes_at_least() -> None:
    assert min(len(sizes.games) for sizes in FAMILIES.values()) >= 4


@pytest.mark.compiled("slow as Python")
@pytest.mark.nightly
def test_costs_grow_with_the_bounds_and_both_settings_are_shown(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    report = scaling(seed=0, quick=True)
    assert len(report.columns) == 4 + len(SAMPLER_OF) + len(VARIANT_OF)
    for row in report.rows:
        columns = row[3:8] if row[0] == "banker_and_thief" else row[3:5]  # HyperPlay-II may guess a number at once
        exponents = [float(str(cell).split(" ±")[0]) for cell in columns]
        assert all(0.3 < exponent < 2 for exponent in exponents), row
    assert any("article's sampler: number_guessing hyperplay 100 %" in remark for remark in report.remarks)
    (sizes,) = report.parts
    assert all(row[-1] > 1 for row in sizes.rows)  # HyperPlay-II visits more
    report.write(tmp_path)
    assert (tmp_path / "hyperplay-scaling.png").stat().st_size > 10_000
