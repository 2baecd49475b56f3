"""Every family at its small size, solved: linear program, CFR+ and exact best responses agree on the value."""

import numpy as np
import pytest

import veil
from tests.support.archetypes import archetypes_of
from veil.equilibrium.prepared_game import prepare
from veil.equilibrium.solver_run import Budget, solve_prepared
from veil.games import FAMILIES, Family

TOO_LARGE = {"krieg_tictactoe", "phantom_tictactoe"}  # their smallest games have more than two million nodes
NO_PROGRAM = {"tic_tac_toe", "hold_em_mini"}  # linear programs of minutes; CFR+ alone
SMALL = [family for name, family in FAMILIES.items() if name not in TOO_LARGE]
CONSTANT_SUM = {
    *("matching_pennies", "biased_rock_paper_scissors", "non_locality", "frank_basin", "guess_who", "tic_tac_toe"),
    *("breakthrough", "blind_breakthrough", "connect_four", "dark_hex", "hidden_connect", "battleships_in_fog"),
    *("border_protection", "transit", "battleship", "ii_goofspiel", "gops", "racko", "kuhn_poker", "leduc_poker"),
    *("simple_poker", "generic_poker", "hold_em_mini", "liars_dice", "simultaneous_krieg_tictactoe"),
}


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("family", archetypes_of(SMALL), ids=lambda family: family.name)
def test_the_exploitability_of_what_is_found_is_certified(family: Family) -> None:
    """Two roles with a constant sum: LP and CFR+ differ in value by no more than could be won against the latter."""
    entry = prepare(family.sizes()["small"])
    span = float(np.ptp(entry.tree.flat.utility)) or 1.0
    rough = solve_prepared(entry, "cfr+", Budget(iterations=30 if family.name in NO_PROGRAM else 300))
    assert 0.0 <= rough.exploitability <= 0.5 * span
    two = len(entry.roles) == 2 and entry.total is not None
    assert two == (family.name in CONSTANT_SUM)
    if family.name in NO_PROGRAM or not (two or len(entry.roles) == 1):
        return
    exact = solve_prepared(entry, "lp", Budget())
    assert exact.exploitability < 1e-8 * span
    for role, value in exact.value.items():
        assert abs(value - rough.value[role]) <= rough.nash_conv + 1e-8 * span
    best = dict(zip(entry.roles, rough.evaluation.best_value, strict=True))
    assert all(best[role] >= value - 1e-8 * span for role, value in exact.value.items())  # bounds from best responses


def test_the_games_left_out_here_are_those_without_a_small_size() -> None:
    for name in TOO_LARGE:
        with pytest.raises(veil.VeilError, match="more than 2,000,000 nodes"):
            prepare(veil.load(FAMILIES[name].sizes()["small"]), max_nodes=2_000_000)
