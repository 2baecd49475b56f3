"""OpenSpiel: games and players of Veil there, games, bots and policies of OpenSpiel here.

`register` makes any game one of OpenSpiel's. The line: `serial` (the game one mover at a time) with `facts` (what is
known of it as a whole) -> `states` with `observing` and `resampling` (as OpenSpiel asks for them). `load` is the way
back: `tabulating` writes the tree of a game of OpenSpiel down. `bots` are our players there, `bot_player` their bots
here, `policies` go both ways. Needs the extra `peers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.interop.openspiel.bots import make_bot as make_bot
    from veil.interop.openspiel.policies import from_openspiel as from_openspiel, to_openspiel as to_openspiel
    from veil.interop.openspiel.registering import register as register
    from veil.interop.openspiel.tabulating import load as load
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "bots": "make_bot",
            "policies": "from_openspiel to_openspiel",
            "registering": "register",
            "tabulating": "load",
        },
    )
