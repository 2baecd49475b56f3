"""Players: thin stateful shells around search, belief and equilibrium. `PLAYERS` is the table of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.players.knowledge import Knowledge as Knowledge
    from veil.players.protocol import (
        FILE as FILE,
        LEGAL_MOVES as LEGAL_MOVES,
        NETWORK as NETWORK,
        NOTHING as NOTHING,
        PACKAGE as PACKAGE,
        PERSON as PERSON,
        TRUE_STATE as TRUE_STATE,
        Observation as Observation,
        Person as Person,
        Player as Player,
        Request as Request,
        Seat as Seat,
    )
    from veil.players.roster import (
        PLAYERS as PLAYERS,
        file_of as file_of,
        make_player as make_player,
        needs_of as needs_of,
        needs_of_spec as needs_of_spec,
        read_player_files as read_player_files,
    )
    from veil.players.sources import (
        NO_FILES as NO_FILES,
        FileContents as FileContents,
        Files as Files,
    )
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "knowledge": "Knowledge",
            "protocol": "FILE LEGAL_MOVES NETWORK NOTHING Observation PACKAGE PERSON Person Player Request Seat "
            "TRUE_STATE",
            "roster": "PLAYERS file_of make_player needs_of needs_of_spec read_player_files",
            "sources": "FileContents Files NO_FILES",
        },
    )
