"""Advice: the move that a player would play in a role and its reasons, from the record of the role alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from veil.engine import Record
from veil.players.contract import LEGAL_MOVES, Observation, ObservesRounds, Seat, TakesLegalMoves
from veil.players.roster import make_player, needs_of_spec


class Advice(NamedTuple):
    """The move that a player would play, and its report about the move."""

    move: str
    report: Any  # a dict; a player written by a user may return anything


def ask_advice(spec: str, seat: Seat, record: Record, legal: Sequence[str] = ()) -> Advice:
    """Return what the player of a spec would do at this seat after a record.

    `legal` is offered to players that take legal moves. A player that cannot observe rounds without answering is asked
    about every earlier round, and its answers are ignored.
    """
    player = make_player(spec)
    player.start(seat)
    observations: list[Observation | None] = [None, *(Observation(*entry) for entry in record.rounds)]
    if LEGAL_MOVES not in needs_of_spec(spec):  # the others need only the current legal moves
        for observation in observations[:-1]:
            (player.observe if isinstance(player, ObservesRounds) else player.play)(observation)
    if legal and isinstance(player, TakesLegalMoves):
        player.offer(list(legal))
    return Advice(player.play(observations[-1]), player.report())
