"""Perfect-information search in kernels, against the same in plain objects."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_ind

from tests.reference.forest import SlowForest
from tests.support.games import game
from tests.support.search_games import BOMB, bag_after
from veil.search.playouts import pimc
from veil.search.playouts.pimc import Forest

CASES = [
    ("krieg_tictactoe", "xplayer", (), 40),
    ("exploding_bomb", "agent", BOMB, 30),
    ("ii_goofspiel(cards=4)", "first", (), 60),  # both choose at once
    ("kuhn_poker", "first", (("noop", frozenset({"(card queen)"})), ("noop", frozenset())), 25),
]
SEEDS = 60
FALSE_ALARM = 1e-4  # for all moves of a case together


@pytest.mark.parametrize(("spec", "role", "record", "iterations"), CASES, ids=lambda value: str(value)[:24])
def test_values_are_distributed_as_those_of_the_slow_forest(
    spec: str, role: str, record: tuple, iterations: int
) -> None:
    """The mean value of every move over seeds, by a t-test."""
    of, bag = game(spec), bag_after(spec, role, record)
    role_id = of.roles.index(role)
    fast, slow = [], []
    for seed in range(SEEDS):
        forest = Forest(of.machine, role_id, bag, np.random.default_rng(seed))
        forest.grow(iterations)
        answer = forest.answer()
        fast.append(dict(zip(answer.moves.tolist(), answer.values.tolist(), strict=True)))
        plain = SlowForest(of.machine, role_id, bag, of.program.chance, np.random.default_rng(1000 + seed))
        plain.grow(iterations)
        slow.append(plain.values())
        assert forest.visits().tolist() == [root.visits for root in plain.roots]
    moves = sorted(slow[0])
    assert all(sorted(values) == moves for values in fast)
    for move in moves:
        ours, theirs = [each[move] for each in fast], [each[move] for each in slow]
        if np.ptp(ours + theirs) > 1e-9:
            assert ttest_ind(ours, theirs, equal_var=False).pvalue > FALSE_ALARM / len(moves)


def test_trees_that_outgrow_their_room_keep_what_they_know(monkeypatch: pytest.MonkeyPatch) -> None:
    """Growing by one and growing at once visit the same nodes: the random numbers are those of the trees."""
    of, bag = game("krieg_tictactoe"), bag_after("krieg_tictactoe", "xplayer")
    answers = []
    for portion, room in ((1, 1), (7, 1), (140, 1), (140, 1000)):
        monkeypatch.setattr(pimc, "FIRST_ITERATIONS", room)
        monkeypatch.setattr(pimc, "FIRST_MOVES", room)
        forest = Forest(of.machine, 0, bag, np.random.default_rng(3))
        for _ in range(140 // portion):
            forest.grow(portion)
        answers.append(forest.answer())
    for other in answers[1:]:
        assert other.values.tolist() == answers[0].values.tolist()
        assert other.visits.sum() == answers[0].visits.sum() == 140
