"""A bot of OpenSpiel as a user writes one."""

from __future__ import annotations

from typing import Any


def make_first_bot(game: Any, player: int, rng: Any) -> Any:
    """It takes the first legal action."""
    import pyspiel

    class FirstBot(pyspiel.Bot):  # type: ignore[misc]
        def step(self, state: Any) -> int:
            return int(state.legal_actions()[0])

    return FirstBot()
