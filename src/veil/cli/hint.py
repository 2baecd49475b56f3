"""A hint: what a player would do in the place of the person, with its reasons, from what the person was told alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.errors import fail
from veil.report import label_text

if TYPE_CHECKING:
    from veil.engine import Game, Record

PLAYER = "hyperplay:models=100,playouts=30"  # where the person names none
INDENT = 10


def find_hint(game: Game, record: Record, legal: tuple[str, ...], spec: str = "", seed: int = 0) -> list[str]:
    """The move that a player suggests after this record, and why, as lines. Who sees the true state is refused."""
    from veil.players import PERSON, TRUE_STATE, Seat, ask_advice, describe_reasons, needs_of_spec

    spec = spec or PLAYER
    if needs_of_spec(spec) & {TRUE_STATE, PERSON}:
        raise fail("no-hint-by", spec=spec)
    seat = Seat(game=game, role=record.role, seed=seed)  # no clock: the budget of the player decides
    move, report = ask_advice(spec, seat, record, legal)
    reasons = (label_text("", line, INDENT) for line in describe_reasons(report))
    return [label_text("hint", f"{move}, says {spec}", INDENT), *reasons]
