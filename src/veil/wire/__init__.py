"""The GGP protocol as text and bytes: the messages between game managers and players over HTTP.

`expressions` (lists in parentheses, taken apart) <- `messages` (reads what a manager sends); `dialects` (writes it);
`http` (headers and bounded reading) <- `client` (one question over a socket); `scrambler` (other words for those of a
game). The inputs and outputs are texts: this room knows no game. Our player on the network is in `server.ggp`, a remote
player in `players`.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
