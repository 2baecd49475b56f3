"""The GGP protocol as text and bytes: what game managers and players say to each other over HTTP.

`expressions` (lists in parentheses, taken apart) <- `messages` (what a manager sends, read); `dialects` (the same,
written); `http` (heads and bounded reading) <- `client` (one question over a socket); `scrambling` (other words for
those of a game). Texts go in and out: this room knows no game. Our player on the network is in `server.ggp`, a player
elsewhere in `players`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.wire.client import (
        Address as Address,
        UnreachableError as UnreachableError,
        WireAnswer as WireAnswer,
        ask as ask,
    )
    from veil.wire.dialects import DIALECTS as DIALECTS, Dialect as Dialect, Told as Told, shout as shout
    from veil.wire.expressions import MessageError as MessageError, split_list as split_list
    from veil.wire.http import (
        WireError as WireError,
        read_request as read_request,
        write_reply as write_reply,
    )
    from veil.wire.messages import (
        AbortMessage as AbortMessage,
        InfoMessage as InfoMessage,
        Message as Message,
        PreviewMessage as PreviewMessage,
        RoundMessage as RoundMessage,
        StartMessage as StartMessage,
        read_message as read_message,
    )
    from veil.wire.scrambling import Scrambler as Scrambler
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "client": "Address UnreachableError WireAnswer ask",
            "dialects": "DIALECTS Dialect Told shout",
            "expressions": "MessageError split_list",
            "http": "WireError read_request write_reply",
            "messages": "AbortMessage InfoMessage Message PreviewMessage RoundMessage StartMessage read_message",
            "scrambling": "Scrambler",
        },
    )
