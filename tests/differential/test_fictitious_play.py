"""Section 4.3 of the ITS paper: in games of one joint move, two players and a constant sum, ITS is fictitious play."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.naive import NaiveGame
from tests.support.equilibrium_games import prepared
from tests.support.games import naive
from veil.equilibrium import SOLVERS, slot_moves


def payoffs(game: NaiveGame, roles: tuple[str, str], moves: tuple[list[str], list[str]]) -> np.ndarray:
    """[2, moves, moves] goals of both for every pair of moves, from the rules."""
    table = np.zeros((2, len(moves[0]), len(moves[1])))
    for row, own in enumerate(moves[0]):
        for column, other in enumerate(moves[1]):
            joint = {roles[0]: own, roles[1]: other}
            goals = game.goals(game.next(game.initial(), joint))
            table[:, row, column] = [float(next(iter(goals[role]))) for role in roles]
    return table


@pytest.mark.parametrize("name", ["matching_pennies", "biased_rock_paper_scissors", "biased_penalty_kick"])
@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_its_is_a_step_of_fictitious_play(name: str, seed: int) -> None:
    """Brown (1951): each best responds to the mean of what the other has played, the uniform start counting once.

    Ties may be broken either way, so the oracle takes over the choice and checks that it is a best response.
    """
    game = prepared(name)
    roles, words = game.roles, slot_moves(game.tree)
    slots = [[slot for i in game.tree.infosets_of(role) for slot in game.tree.slots_in(i)] for role in range(2)]
    table = payoffs(naive(name), (roles[0], roles[1]), ([words[s] for s in slots[0]], [words[s] for s in slots[1]]))
    solver = SOLVERS.make("its", game, seed)
    believed = [np.full(len(own), 1 / len(own)) for own in slots]
    for step in range(1, 201):
        values = table[0] @ believed[1], believed[0] @ table[1]
        solver.run(1)
        policy = solver.average()
        for role in range(2):
            played = policy[slots[role]] * (step + 1) - believed[role] * step
            chosen = int(played.argmax())
            assert played == pytest.approx(np.eye(len(played))[chosen], abs=1e-9)  # equations (8) and (9) are (1)
            assert values[role][chosen] == pytest.approx(values[role].max())  # (12) and (13) are (2)
            believed[role] = (believed[role] * step + np.eye(len(played))[chosen]) / (step + 1)
