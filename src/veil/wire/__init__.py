"""The GGP protocol as text and bytes: what game managers and players say to each other over HTTP.

`expressions` (lists in parentheses, taken apart) <- `messages` (what a manager sends, read); `dialects` (the same,
written); `http` (heads and bounded reading) <- `client` (one question over a socket); `scrambling` (other words for
those of a game). Texts go in and out: this room knows no game. Our player on the network is in `server.ggp`, a player
elsewhere in `players`.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
