"""The machine against the ground program: every batch operation, compiled and from arrays, W = 1 and W = 4."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.support.ground_walks import Walk, assert_machine_agrees
from tests.support.rule_sets import rule_sets
from veil import load
from veil.engine.grounding.grounder import ground
from veil.engine.lanes.machine import Machine
from veil.lang import read_rules

BUNDLED = [
    "monty_hall",
    "monty_hall(doors=5)",
    "exploding_bomb",
    "krieg_tictactoe",
    "krieg_tictactoe(size=4)",
    "tic_tac_toe",
    "breakthrough(width=5, height=5)",
    "blind_breakthrough(width=4, height=5)",
    "blind_breakthrough",
]
KINDS = [(native, width) for native in (True, False) for width in (1, 4)]


@pytest.mark.gate_cases(12)
@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize(("native", "width"), KINDS)
def test_the_machine_is_the_ground_program_on_bundled_games(name: str, native: bool, width: int) -> None:
    program = load(name).program
    assert_machine_agrees(Machine(program, native, width), Walk(program, seed=3, rounds=30, games=4))


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(text=rule_sets(), seed=st.integers(0, 2**32 - 1))
def test_the_machine_is_the_ground_program_on_random_rules(text: str, seed: int) -> None:
    program = ground(read_rules(text))
    walk = Walk(program, seed, rounds=5, games=4)
    for native, width in KINDS:
        assert_machine_agrees(Machine(program, native, width), walk)
