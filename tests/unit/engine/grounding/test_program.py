"""What a ground program says about itself."""

from __future__ import annotations

import pytest

from tests.support.games import game


@pytest.mark.parametrize(
    ("spec", "chance", "order"),
    [
        ("kuhn_poker", 0, [0, 1, 2]),
        ("tic_tac_toe", None, [0, 1]),
        (
            "(role ann) (role random) (role bob) (init p) (<= (legal ?r go) (role ?r)) (next p) (<= terminal (true p))",
            1,
            [1, 0, 2],
        ),
    ],
    ids=["first", "none", "in the middle"],
)
def test_chance_moves_first_and_the_others_in_the_order_of_the_rules(
    spec: str, chance: int | None, order: list[int]
) -> None:
    program = game(spec).program
    assert program.chance == chance
    assert program.serial_order == order


def test_a_program_prints_in_one_line() -> None:
    program = game("tic_tac_toe").program
    assert (
        repr(program)
        == f"GroundProgram({len(program.fluents)} fluents, {program.num_rules} rules, {program.num_atoms} atoms)"
    )
    assert program.num_rules == len(program.rule_head) == len(program.body_start) - 1
