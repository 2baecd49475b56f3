from veil._version import __version__ as __version__
from veil.belief import Bag as Bag, GameBag as GameBag
from veil.boards import (
    TreeDrawing as TreeDrawing,
    draw as draw,
    fill_belief as fill_belief,
    fill_state as fill_state,
    place_moves as place_moves,
    plan_views as plan_views,
    render_scene_text as render_scene_text,
    render_svg as render_svg,
)
from veil.display import Plot as Plot
from veil.engine import (
    Game as Game,
    GroundLimits as GroundLimits,
    Record as Record,
    State as State,
    load as load,
)
from veil.equilibrium import (
    BestResponse as BestResponse,
    GameTree as GameTree,
    Infoset as Infoset,
    MoveInformation as MoveInformation,
    Policy as Policy,
    PolicyEvaluation as PolicyEvaluation,
    Solution as Solution,
    best_response as best_response,
    evaluate as evaluate,
    information_values as information_values,
    solve as solve,
)
from veil.equilibrium.questions import tree as tree  # the name of a module in its room
from veil.errors import VeilError as VeilError
from veil.match import (
    Match as Match,
    MatchLog as MatchLog,
    OnlineEvaluation as OnlineEvaluation,
    TournamentResult as TournamentResult,
    exploit as exploit,
    open_cluster as open_cluster,
    run_match as run_match,
    run_tournament as run_tournament,
)
from veil.players import make_player as make_player
from veil.review import Review as Review, ReviewConfig as ReviewConfig, review_game as review_game
from veil.search import believe as believe
from veil.server.ggp import serve_player as serve_player
