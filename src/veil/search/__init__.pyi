from veil.search.contract import (
    Answer as Answer,
    KeepsInfosets as KeepsInfosets,
    SearchBudget as SearchBudget,
    SearchConfig as SearchConfig,
    Searcher as Searcher,
    SearchQuestion as SearchQuestion,
    SearchTask as SearchTask,
    WorldSource as WorldSource,
    answer_by_values as answer_by_values,
)
from veil.search.hyperplay2.nested import NestedPlayers as NestedPlayers
from veil.search.hyperplay2.pruning_spec import Pruning as Pruning
from veil.search.hyperplay2.simulations import (
    HyperPlay2Config as HyperPlay2Config,
    HyperPlay2Search as HyperPlay2Search,
    Simulations as Simulations,
    simulate_moves as simulate_moves,
)
from veil.search.opponents.table import (
    OPPONENTS as OPPONENTS,
    UNIFORM as UNIFORM,
    OpponentTask as OpponentTask,
    file_of_opponents as file_of_opponents,
    make_opponents as make_opponents,
)
from veil.search.playouts.mmd import MmdConfig as MmdConfig, MmdSearch as MmdSearch
from veil.search.playouts.montecarlo import (
    HyperPlayConfig as HyperPlayConfig,
    MonteCarloConfig as MonteCarloConfig,
    MonteCarloSearch as MonteCarloSearch,
    MoveTally as MoveTally,
    playouts_per_world as playouts_per_world,
)
from veil.search.playouts.pimc import Forest as Forest, PimcConfig as PimcConfig, PimcSearch as PimcSearch
from veil.search.playouts.single_point import (
    SinglePointConfig as SinglePointConfig,
    SinglePointSearch as SinglePointSearch,
)
from veil.search.precompile import warm_up as warm_up
from veil.search.walks.configs import (
    IsmctsConfig as IsmctsConfig,
    OosConfig as OosConfig,
    SmoothUctConfig as SmoothUctConfig,
)
from veil.search.walks.contract import (
    BanditRule as BanditRule,
    InfosetView as InfosetView,
    OosRule as OosRule,
    SearchRoot as SearchRoot,
    Walker as Walker,
    WalkRule as WalkRule,
    find_record_key as find_record_key,
)
from veil.search.walks.lanes.walker import LaneWalker as LaneWalker, make_lane_walker as make_lane_walker
from veil.search.walks.search import WalkSearch as WalkSearch, make_walker as make_walker
from veil.search.walks.tree.walkers import MatchWalker as MatchWalker, make_tree_walker as make_tree_walker
