"""How playouts are played and counted: the option `playout` of every searcher that plays games to their end.

`uniform` is the article's: all roles move at random. In the other two all roles look ahead (`foresight_kernels`), so
that a value counts threats that random replies miss: `decisive` players win at once if they can, `careful` players
also prevent others from winning at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Playout = Literal["uniform", "decisive", "careful"]
FORESIGHT: Mapping[Playout, int] = {"uniform": 0, "decisive": 1, "careful": 2}  # as in `Machine.playouts`
PLAYOUT = "how all move in playouts: at random; winning at once where they can; also not letting others win"


class PlayoutStyle(NamedTuple):
    """How playouts are played and counted."""

    discount: float = 1.0  # of a goal per round until it is reached
    foresight: int = 0  # of all roles

    @classmethod
    def of(cls, playout: Playout, discount: float = 1.0) -> PlayoutStyle:
        """Return the style that these options name."""
        return cls(discount, FORESIGHT[playout])


UNIFORM_STYLE = PlayoutStyle()
