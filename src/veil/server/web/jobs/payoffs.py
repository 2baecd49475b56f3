"""What goals are worth, in the one unit of a game: points of 100, or chips, as its analysis counts."""

from __future__ import annotations

from typing import Any

from veil.engine import Game
from veil.review import goal_scale


def tell_scale(game: Game) -> dict[str, Any]:
    """Return how a page shows goals: a value is (goal - zero) / scale in `unit`, which is empty for goals themselves.

    `low` and `high` are the lowest and the highest goal of any role. Nothing here depends on what is hidden.
    """
    scale = goal_scale(game)
    ends = {"low": scale.low, "high": scale.high}
    if scale.unit == "goals":
        return ends | {"unit": "", "zero": 0, "scale": 1}
    return ends | {"unit": scale.unit, "zero": scale.utility.zero, "scale": scale.utility.scale}
