"""Our players on the network: a player of the table answers game managers that use the GGP protocol.

`library` (games by the text of their rules) and `worker` (a thread that runs calls one after the other) <- `session`
(one match: the manager's messages, the player's observations and answers) <- `player_server` (sockets, and which
message belongs to which session). The other direction, a remote player in our matches, is the player `remote` of
`veil.players`.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
