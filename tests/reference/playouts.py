"""The value of moves by random playouts, without any randomness: every way to go on is followed and weighed.

1. The worlds of an infoset and their probabilities come from `beliefs.infoset`.
2. In a world, after the own move, everybody moves uniformly: the expected goal is the mean over all joint moves,
   round after round, to the end (equation 12 of the HyperPlay article with infinitely many playouts).
3. The value of a move is the mean over the worlds; a world in which the move is not legal adds nothing (equation 13).

A goal that is reached after n rounds counts `discount` to the power of n.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tests.reference.beliefs import History, Record, infoset, play_round
from tests.reference.naive import NaiveGame


def class_utilities(
    game: NaiveGame, role: str, record: Record, discount: Fraction = Fraction(1)
) -> dict[str, Fraction]:
    """The value of every move that is legal in some world of the infoset."""
    values: dict[str, Fraction] = {}
    for history, chance in infoset(game, role, record).items():
        state = state_after(game, history)
        for move in game.legal(state)[role]:
            values[move] = values.get(move, Fraction(0)) + chance * utility(game, state, role, move, discount)
    return values


def utility(game: NaiveGame, state: frozenset[str], role: str, move: str | None, discount: Fraction) -> Fraction:
    """The expected goal of a role that moves like this, or at random (None); everything after is random."""
    if game.terminal(state):
        return Fraction(max((int(goal) for goal in game.goals(state)[role]), default=0))
    legal = game.legal(state)
    choices = [[move] if who == role and move is not None else sorted(legal[who]) for who in game.roles]
    joints = list(product(*choices))
    later = sum(utility(game, play_round(game, state, joint)[1], role, None, discount) for joint in joints)
    return discount * later / len(joints)


def state_after(game: NaiveGame, history: History) -> frozenset[str]:
    state = game.initial()
    for joint in history:
        state = play_round(game, state, joint)[1]
    return state
