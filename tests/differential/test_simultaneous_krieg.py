"""Simultaneous Krieg-TicTacToe in our words, against the public files of the authors' group, in random games."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.corpus import MISSING, ROOT
from tests.support.games import game

TWINS = {  # our game: the public file. In CHEAT files oplayer is shown xplayer's tries; xplayer is told as usual.
    "simultaneous_krieg_tictactoe(size=4, line=3)": "uwa-kriegTTT_4x4.kif",
    "simultaneous_krieg_tictactoe(size=5, line=4)": "uwa-kriegTTT_5x5_CHEAT.kif",
}
GAMES = 40


def tell_success(seen: list[str]) -> bool | None:
    """Whether somebody who sees this is told that the try has succeeded; None if told neither or both."""
    heads = {percept.strip("()").split()[0] for percept in seen}
    good, bad = bool(heads & {"marked", "yougotit"}), bool(heads & {"failed", "mark"})
    return good if good != bad else None


@MISSING
@pytest.mark.parametrize("spec", TWINS)
def test_random_games_have_the_same_moves_percepts_ends_and_goals(spec: str) -> None:
    ours, theirs = game(spec), game(str(ROOT / "gdl2" / TWINS[spec]))
    assert ours.roles == theirs.roles == ["xplayer", "oplayer"]
    told = ours.roles[:1] if "CHEAT" in TWINS[spec] else ours.roles
    rng, rounds, collisions, failures, ends = np.random.default_rng(0), 0, 0, 0, set()
    for _ in range(GAMES):
        mine, other = ours.initial_state(), theirs.initial_state()
        while not mine.is_terminal:
            assert not other.is_terminal
            legal = {role: sorted(mine.legal(role)) for role in ours.roles}
            assert legal == {role: sorted(other.legal(role)) for role in ours.roles}
            joint = {role: str(rng.choice(moves)) for role, moves in legal.items()}
            (mine, seen), (other, seen_there) = mine.play(joint), other.play(joint)
            for role in told:
                success = tell_success(seen[role])
                assert success is not None
                assert success == tell_success(seen_there[role])
                failures += not success
            rounds, collisions = rounds + 1, collisions + (joint["xplayer"] == joint["oplayer"])
        assert other.is_terminal
        goals = {role: list(values) for role, values in other.goal_values.items()}
        if len(goals["xplayer"]) > 1:  # both have a line
            assert {role: sorted(values) for role, values in goals.items()} == {key: [0, 50, 100] for key in ours.roles}
            goals = {key: [50] for key in ours.roles}
        assert {role: list(values) for role, values in mine.goal_values.items()} == goals
        ends.add(tuple(mine.goals[role] for role in ours.roles))
    assert rounds > 5 * GAMES
    assert failures > collisions > 0
    assert ends >= {(100, 0), (0, 100)}
