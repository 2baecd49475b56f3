"""Translation of a game manager's message after a round into our player's observation: own move and percepts.

Words come in any case and are returned as the rules spell them. Words that the rules do not have are refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from veil.engine import Game
from veil.players import Observation, Seat
from veil.wire import MessageError, RoundMessage

MAX_SHOWN = 60  # characters of a term in a complaint


def can_be_percepts(seat: Seat, told: Sequence[str]) -> bool:
    """Return whether the role can see all of this at once."""
    return all(seat.game.names.percept_id(seat.role_id, text) is not None for text in told)


def can_be_joint_move(game: Game, told: Sequence[str]) -> bool:
    """Return whether this is a move for every role, in their order."""
    if len(told) != len(game.roles):
        return False
    return all(game.names.move_id(role_id, text) is not None for role_id, text in enumerate(told))


def observe(seat: Seat, dialect: str, message: RoundMessage, answered: str | None) -> Observation:
    """Return the observation of a role for a message of a dialect; `answered` is the move that it answered last."""
    told = message.told or ()
    if dialect == "A":
        return observe_joint_move(seat, told)
    percepts = frozenset(find_percept(seat, text) for text in told)
    if dialect == "C" and message.own_move is not None:
        return Observation(find_move(seat.game, seat.role_id, message.own_move), percepts)
    if answered is None:
        raise MessageError("no move was answered that could have been played")
    return Observation(answered, percepts)


def observe_joint_move(seat: Seat, told: Sequence[str]) -> Observation:
    """Return the observation of a joint move in a game where every role sees all moves (`engine.open_moves`)."""
    game = seat.game
    if len(told) != len(game.roles):
        raise MessageError(f"a joint move has {len(game.roles)} moves, not {len(told)}")
    moves = [find_move(game, role_id, text) for role_id, text in enumerate(told)]
    others = [f"(played {role} {move})" for role, move in zip(game.roles, moves, strict=True) if role != seat.role]
    return Observation(moves[seat.role_id], frozenset(find_percept(seat, text) for text in others))


def find_move(game: Game, role_id: int, text: str) -> str:
    """Return the move of a role that a text names, as the rules spell it."""
    move = game.names.move_id(role_id, text)
    if move is None:
        raise MessageError(f"{text[:MAX_SHOWN]} is no move of {game.roles[role_id]}")
    return game.names.moves[role_id][move]


def find_percept(seat: Seat, text: str) -> str:
    """Return the percept that a text names, as the rules spell it."""
    percept = seat.game.names.percept_id(seat.role_id, text)
    if percept is None:
        raise MessageError(f"{seat.role} can never see {text[:MAX_SHOWN]}")
    return seat.game.names.percepts[seat.role_id][percept]
