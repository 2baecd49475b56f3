"""Veil plays, analyses and solves any game with hidden information, from its rules alone.

>>> import veil
>>> game = veil.load("monty_hall")
>>> game.roles
['random', 'contestant']
>>> state = game.initial_state()
>>> state.legal("contestant")
['(choose 1)', '(choose 2)', '(choose 3)']

What a user types is here; everything else may change. A name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil._version import __version__ as __version__
from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.belief import Bag as Bag, believe as believe
    from veil.engine import (
        Game as Game,
        GroundLimits as GroundLimits,
        Record as Record,
        State as State,
        load as load,
    )
    from veil.equilibrium import Policy as Policy, Solution as Solution, evaluate as evaluate, solve as solve
    from veil.errors import VeilError as VeilError
    from veil.match import (
        MatchLog as MatchLog,
        OnlineEvaluation as OnlineEvaluation,
        exploit as exploit,
        open_cluster as open_cluster,
        run_match as run_match,
        run_tournament as run_tournament,
    )
    from veil.players import make_player as make_player
    from veil.report import (
        Review as Review,
        ReviewConfig as ReviewConfig,
        fill_belief as fill_belief,
        fill_state as fill_state,
        place_moves as place_moves,
        plan_views as plan_views,
        render_scene_text as render_scene_text,
        render_svg as render_svg,
        review_game as review_game,
    )
    from veil.server.ggp import serve_player as serve_player
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "belief": "Bag believe",
            "engine": "Game GroundLimits Record State load",
            "equilibrium": "Policy Solution evaluate solve",
            "errors": "VeilError",
            "match": "MatchLog OnlineEvaluation exploit open_cluster run_match run_tournament",
            "players": "make_player",
            "report": "Review ReviewConfig fill_belief fill_state place_moves plan_views render_scene_text render_svg "
            "review_game",
            "server.ggp": "serve_player",
        },
    )
