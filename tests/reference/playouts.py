"""The value of moves by random playouts, without any randomness: every way to go on is followed and weighed.

1. The worlds of an infoset and their probabilities come from `beliefs.infoset`.
2. In a world, after the own move, everybody moves uniformly: the expected goal is the mean over all joint moves,
   round after round, to the end (equation 12 of the HyperPlay article with infinitely many playouts).
3. The value of a move is the mean over the worlds; a world in which the move is not legal adds nothing (equation 13).

A goal that is reached after n rounds counts `discount` to the power of n.

With foresight, a role does not keep every move it draws (`decide`). The others' moves are as drawn: 1, it takes a move
that ends the game with its highest goal, if it has one; 2, it also draws again, among the safe moves, where the drawn
one is not safe. A move is safe where it does not end the game with the role's lowest goal, and no other role has a move
in the next round that ends it with that role's highest goal and not with this role's; the moves of everybody else in
that round are drawn for the purpose, anew for every move that is tried.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from tests.reference.beliefs import History, Joint, Record, State, infoset, play_round
from tests.reference.naive import NaiveGame


def class_utilities(
    game: NaiveGame, role: str, record: Record, discount: Fraction = Fraction(1), foresight: Foresight | None = None
) -> dict[str, Fraction]:
    """The value of every move that is legal in some world of the infoset."""
    values: dict[str, Fraction] = {}
    for history, chance in infoset(game, role, record).items():
        state = state_after(game, history)
        for move in game.legal(state)[role]:
            values[move] = values.get(move, Fraction(0)) + chance * utility(
                game, state, role, move, discount, foresight
            )
    return values


def utility(
    game: NaiveGame,
    state: State,
    role: str,
    move: str | None,
    discount: Fraction,
    foresight: Foresight | None = None,
) -> Fraction:
    """The expected goal of a role that makes this move, or draws one (None); everything after is drawn.

    In the round of the move nobody looks ahead.
    """
    if game.terminal(state):
        return Fraction(goal_of(game, state, role))
    legal = game.legal(state)
    choices = [[move] if who == role and move is not None else sorted(legal[who]) for who in game.roles]
    joints = list(product(*choices))
    later = Fraction(0)
    for drawn in joints:
        for joint, chance in decide_all(game, state, drawn, foresight if move is None else None):
            later += chance * utility(game, play_round(game, state, joint)[1], role, None, discount, foresight)
    return discount * later / len(joints)


# Foresight


class Foresight(NamedTuple):
    """How far everybody but `random` looks ahead, and which goals a role can have."""

    depth: int
    goals: dict[str, list[int]]  # of every role, ascending


def goal_of(game: NaiveGame, state: State, role: str) -> int:
    return max((int(goal) for goal in game.goals(state)[role]), default=0)


def decide_all(
    game: NaiveGame, state: State, drawn: Joint, foresight: Foresight | None
) -> list[tuple[Joint, Fraction]]:
    """What is played where these moves were drawn, with its probability: every role decides for itself."""
    if foresight is None:
        return [(drawn, Fraction(1))]
    each = [decide(game, state, drawn, role, foresight) for role in game.roles]
    return [
        (joint, prod((own[move] for own, move in zip(each, joint, strict=True)), start=Fraction(1)))
        for joint in product(*each)
    ]


def decide(game: NaiveGame, state: State, drawn: Joint, role: str, foresight: Foresight) -> dict[str, Fraction]:
    """What a role plays instead of its drawn move, with probabilities."""
    place, legal = game.roles.index(role), sorted(game.legal(state)[role])
    if role == "random" or len(legal) < 2 or len(foresight.goals[role]) < 2:
        return {drawn[place]: Fraction(1)}
    others = {move: (*drawn[:place], move, *drawn[place + 1 :]) for move in legal}
    wins = [
        move for move, joint in others.items() if is_best_end(game, play_round(game, state, joint)[1], role, foresight)
    ]
    if wins:
        return {wins[0]: Fraction(1)}
    if foresight.depth < 2:
        return {drawn[place]: Fraction(1)}
    safe = {move: chance_of_safety(game, state, joint, role, foresight) for move, joint in others.items()}
    kept = {drawn[place]: safe[drawn[place]]}
    for subset in product(*([True, False] if 0 < safe[move] < 1 else [safe[move] == 1] for move in legal)):
        chance = (1 - safe[drawn[place]]) * prod(
            safe[move] if is_safe else 1 - safe[move] for move, is_safe in zip(legal, subset, strict=True)
        )
        among = [move for move, is_safe in zip(legal, subset, strict=True) if is_safe] or [drawn[place]]
        for move in among:
            kept[move] = kept.get(move, Fraction(0)) + chance / len(among)
    return {move: chance for move, chance in kept.items() if chance}


def is_best_end(game: NaiveGame, state: State, role: str, foresight: Foresight) -> bool:
    return game.terminal(state) and goal_of(game, state, role) == foresight.goals[role][-1]


def chance_of_safety(game: NaiveGame, state: State, joint: Joint, role: str, foresight: Foresight) -> Fraction:
    """How likely nothing bad is seen after this joint move, over the draws of the next round."""
    following = play_round(game, state, joint)[1]
    if game.terminal(following):
        return Fraction(goal_of(game, following, role) != foresight.goals[role][0])
    legal = game.legal(following)
    draws = list(product(*(sorted(legal[who]) for who in game.roles)))
    return Fraction(sum(not is_threat(game, following, drawn, role, foresight) for drawn in draws), len(draws))


def is_threat(game: NaiveGame, state: State, drawn: Joint, role: str, foresight: Foresight) -> bool:
    """Whether another role can win at once, the others' moves being as drawn."""
    for place, other in enumerate(game.roles):
        legal = game.legal(state)[other]
        if other in (role, "random") or len(legal) < 2 or len(foresight.goals[other]) < 2:
            continue
        for move in legal:
            end = play_round(game, state, (*drawn[:place], move, *drawn[place + 1 :]))[1]
            if is_best_end(game, end, other, foresight) and not is_best_end(game, end, role, foresight):
                return True
    return False


def state_after(game: NaiveGame, history: History) -> State:
    state = game.initial()
    for joint in history:
        state = play_round(game, state, joint)[1]
    return state
