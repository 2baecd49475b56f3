"""How playouts are played and counted: the option `playout` of every searcher that plays games to their end.

`uniform` is the article's: everybody moves at random. In the other two everybody looks ahead (`foresight_kernels`), so
that a value counts threats which random replies pass over: `decisive` players win at once where they can, `careful`
ones also do not let others do so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Playout = Literal["uniform", "decisive", "careful"]
FORESIGHT: Mapping[Playout, int] = {"uniform": 0, "decisive": 1, "careful": 2}  # as `Machine.playouts` has it
PLAYOUT = "how all move in playouts: at random; winning at once where they can; also not letting others win"


class PlayoutStyle(NamedTuple):
    """How playouts are played and counted."""

    discount: float = 1.0  # of a goal per round until it is reached
    foresight: int = 0  # of all roles

    @classmethod
    def of(cls, playout: Playout, discount: float = 1.0) -> PlayoutStyle:
        """The style that these options name."""
        return cls(discount, FORESIGHT[playout])


UNIFORM_STYLE = PlayoutStyle()
