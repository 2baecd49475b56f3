"""OpenSpiel: games and players of Veil there; games, bots and policies of OpenSpiel here.

`register` makes any game a game of OpenSpiel. The steps: `serial` (the game with one mover at a time) with `facts`
(facts about the whole game) -> `states` with `observer` and `resampler` (in OpenSpiel's interface). `load` is the way
back: `tabulation` writes the tree of an OpenSpiel game as text. `bots` are our players there, `bot_player` their bots
here, `policies` convert both ways. Needs the extra `peers`.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
