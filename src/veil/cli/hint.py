"""A hint for a person: the move of a player with its reasons, from the record of the person's role alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.errors import fail
from veil.report import label_text

if TYPE_CHECKING:
    from veil.engine import Game, Record

PLAYER = "best"  # if the person names no player
SEED = 0  # of all hints: that of the match decides what is hidden
INDENT = 10


def find_hint(game: Game, record: Record, legal: tuple[str, ...], spec: str = "") -> list[str]:
    """Return lines with the move that a player suggests after this record, and its reasons.

    Refuse a player that needs the true state or a person.
    """
    from veil.players import (  # help needs none of it
        PERSON,
        TRUE_STATE,
        Seat,
        ask_advice,
        describe_reasons,
        needs_of_spec,
    )

    spec = spec or PLAYER
    if needs_of_spec(spec) & {TRUE_STATE, PERSON}:
        raise fail("no-hint-by", spec=spec)
    seat = Seat(game=game, role=record.role, seed=SEED)  # no clock: the budget of the player decides
    move, report = ask_advice(spec, seat, record, legal)
    reasons = (label_text("", line, INDENT) for line in describe_reasons(report))
    return [label_text("hint", f"{move}, says {spec}", INDENT), *reasons]
