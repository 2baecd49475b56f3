"""Our players on the network: a player of the table answers game managers that speak the GGP protocol.

`library` (games by the text of their rules) and `worker` (a thread that does one thing after the other) <- `session`
(one match: what the manager says, what the player hears and answers) <- `player_server` (sockets, and which message is
for which session). The other direction, a player elsewhere in our matches, is `veil.players`' `remote`.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
