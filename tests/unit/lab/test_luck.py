"""The luck of matches: nothing on average, and what is left of goals without it varies less."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from veil.equilibrium import evaluate_profile, prepare
from veil.lab.luck import LuckGauge, find_values
from veil.lab.series import play_series
from veil.match import MatchConfig

MATCHES = 150


@pytest.mark.parametrize("spec", ["kuhn_poker", "biased_rock_paper_scissors"])
def test_luck_is_nothing_on_average_and_explains_most_of_what_varies(spec: str) -> None:
    """A mean of luck beyond 5 standard errors has a probability below 1e-6."""
    of = game(spec)
    gauge, roles = LuckGauge(of), [role for role in of.roles if role != "random"]
    series = play_series(of, dict.fromkeys(roles, "oos:iterations=20"), MATCHES, 3, MatchConfig(reports=True))
    for role in roles:
        goals = np.array([log.goals[role] for log in series.logs], float)
        luck = np.array([gauge.measure(log, role) for log in series.logs])
        assert abs(luck.mean()) < 5 * luck.std() / np.sqrt(MATCHES)
        assert (goals - luck).std() < 0.7 * goals.std()


def test_without_reports_only_the_cards_are_luck() -> None:
    of = game("kuhn_poker")
    gauge = LuckGauge(of)
    (log,) = play_series(of, {"first": "first", "second": "first"}, 1, 5).logs
    deal = gauge.measure(log, "first") / of.utility.scale
    assert deal == pytest.approx(-gauge.measure(log, "second") / of.utility.scale)
    value = gauge.values[0, 0]
    assert {round(float(entry - value), 9) for entry in gauge.values[1:60, 0]} >= {round(deal, 9)}


def test_values_of_the_root_are_those_of_the_policy() -> None:
    of = game("leduc_poker")
    gauge, prepared = LuckGauge(of, iterations=2), prepare(of)
    sizes = np.diff(gauge.flat.slot_start)
    policy = 1.0 / np.repeat(sizes, sizes)
    np.testing.assert_allclose(find_values(gauge, policy)[0], evaluate_profile(prepared.form, policy).value)
