"""Players: thin stateful shells around belief, search and solve. `roster.PLAYERS` is the table of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.players.protocol import Player as Player, Seat as Seat, Told as Told
    from veil.players.roster import PLAYERS as PLAYERS, make_player as make_player, parse_player as parse_player
    from veil.players.search_player import CheatPlayer as CheatPlayer
    from veil.players.simple import HumanPlayer as HumanPlayer

__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "protocol": "Player Seat Told",
        "roster": "PLAYERS make_player parse_player",
        "search_player": "CheatPlayer",
        "simple": "HumanPlayer",
    },
)
