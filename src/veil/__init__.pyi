from veil._version import __version__ as __version__
from veil.belief import Bag as Bag, believe as believe
from veil.boards import (
    fill_belief as fill_belief,
    fill_state as fill_state,
    place_moves as place_moves,
    plan_views as plan_views,
    render_scene_text as render_scene_text,
    render_svg as render_svg,
)
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
from veil.review import Review as Review, ReviewConfig as ReviewConfig, review_game as review_game
from veil.server.ggp import serve_player as serve_player
