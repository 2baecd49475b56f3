"""The options of the CFR family. Its iterations are tested in `tests/differential/test_equilibrium.py`."""

from __future__ import annotations

import pytest

from tests.support.equilibrium_games import prepared
from tests.support.refusals import refused
from veil.equilibrium.cfr import CfrSolver, make_cfr
from veil.equilibrium.configs import CfrConfig, CfrPlusConfig, DcfrConfig, PcfrPlusConfig
from veil.equilibrium.records import Scheme

FAMILY = [CfrConfig, CfrPlusConfig, DcfrConfig, PcfrPlusConfig]


def test_the_defaults_are_those_of_the_papers() -> None:
    assert [config().average_power for config in FAMILY] == [0.0, 1.0, 2.0, 2.0]
    assert all(config().alternating for config in FAMILY)
    assert (DcfrConfig().alpha, DcfrConfig().beta) == (1.5, 0.0)


def test_each_member_has_its_rule_for_regrets() -> None:
    assert CfrConfig(alternating=False).scheme == Scheme(False, 0.0)
    assert CfrPlusConfig().scheme == Scheme(True, 1.0, plus=True)
    assert DcfrConfig(alpha=2.0, beta=-1.0).scheme == Scheme(True, 2.0, discounted=True, alpha=2.0, beta=-1.0)
    assert PcfrPlusConfig().scheme == Scheme(True, 2.0, plus=True, predictive=True)


@pytest.mark.parametrize("config", FAMILY)
def test_a_negative_weight_of_averages_is_refused(config: type[CfrConfig]) -> None:
    refused("bad-limit", lambda: config(average_power=-1.0))


@pytest.mark.parametrize("config", FAMILY)
def test_the_seed_changes_nothing(config: type[CfrConfig]) -> None:
    entry = prepared("kuhn_poker")
    one, other = make_cfr(config(), entry, 1), make_cfr(config(), entry, 2)
    for solver in (one, other):
        solver.run(10)
    assert one.average().tolist() == other.average().tolist()


@pytest.mark.parametrize("power", [0.0, 10.0])
def test_the_limits_of_the_weights_give_policies(power: float) -> None:
    solver = CfrSolver(prepared("kuhn_poker").form, CfrConfig(average_power=power))
    solver.run(10_000)
    pairs = solver.average().reshape(12, 2)
    assert pairs.sum(axis=1) == pytest.approx(1)
    assert (pairs >= 0).all()
