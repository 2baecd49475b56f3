"""The row of OpenSpiel's bots for the table of players: an entry point of the group `veil.players` names it."""

from __future__ import annotations

from veil.players import PACKAGE
from veil.registry import Row

ROW = Row(
    "veil.interop.openspiel.bot_player",
    "SpielBotConfig",
    "SpielBotPlayer",
    "a bot of OpenSpiel, over a belief",
    frozenset({PACKAGE}),
)
