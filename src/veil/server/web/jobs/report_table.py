"""A player's report about its move as a table for a page: moves with values and chances."""

from __future__ import annotations

from typing import Any, Literal

from veil.boards import Wording
from veil.players import list_reported


def tell_moves(report: Any, first: Literal["value", "chance"], wording: Wording) -> list[dict[str, Any]]:
    """Return the moves that a report gives a value or a chance, those with the highest value, or chance, first."""
    return [entry._asdict() | {"words": wording.move(entry.move)} for entry in list_reported(report, first)]
