"""OpenSpiel: games and players of Veil there, games, bots and policies of OpenSpiel here.

`register` makes any game one of OpenSpiel's. The line: `serial` (the game one mover at a time) with `facts` (what is
known of it as a whole) -> `states` with `observing` and `resampling` (as OpenSpiel asks for them). `load` is the way
back: `tabulating` writes the tree of a game of OpenSpiel down. `bots` are our players there, `bot_player` their bots
here, `policies` go both ways. Needs the extra `peers`.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
