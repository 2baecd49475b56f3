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
from veil.search.hyperplay2.nested import NestedPlayers as NestedPlayers, NestedSampler as NestedSampler
from veil.search.hyperplay2.pruning_spec import Pruning as Pruning
from veil.search.hyperplay2.simulations import (
    HyperPlay2Config as HyperPlay2Config,
    simulate_moves as simulate_moves,
)
from veil.search.opponents.assumptions import (
    ASSUMPTIONS as ASSUMPTIONS,
    BEST_PLAY as BEST_PLAY,
    RANDOM_PLAY as RANDOM_PLAY,
    assume_opponents as assume_opponents,
    believe as believe,
    choose_assumption as choose_assumption,
    describe_assumption as describe_assumption,
)
from veil.search.opponents.table import (
    OPPONENTS as OPPONENTS,
    UNIFORM as UNIFORM,
    file_of_opponents as file_of_opponents,
    make_opponents as make_opponents,
)
from veil.search.playouts.mmd import MmdConfig as MmdConfig
from veil.search.playouts.montecarlo import (
    HyperPlayConfig as HyperPlayConfig,
    MonteCarloConfig as MonteCarloConfig,
    MonteCarloSearch as MonteCarloSearch,
    MoveTally as MoveTally,
)
from veil.search.playouts.pimc import Forest as Forest, PimcConfig as PimcConfig
from veil.search.playouts.single_point import (
    SinglePointConfig as SinglePointConfig,
)
from veil.search.precompile import warm_up as warm_up
from veil.search.resolve.best import BestConfig as BestConfig
from veil.search.resolve.config import (
    PresumedPayoffConfig as PresumedPayoffConfig,
    ResolveConfig as ResolveConfig,
    VectorMinimaxConfig as VectorMinimaxConfig,
)
from veil.search.walks.configs import (
    IsmctsConfig as IsmctsConfig,
    OosConfig as OosConfig,
    SmoothUctConfig as SmoothUctConfig,
)
from veil.search.walks.contract import (
    BanditRule as BanditRule,
    InfosetView as InfosetView,
    SearchRoot as SearchRoot,
    WalkRule as WalkRule,
)
from veil.search.walks.lanes.walker import LaneWalker as LaneWalker, make_lane_walker as make_lane_walker
from veil.search.walks.norns import NornsConfig as NornsConfig
from veil.search.walks.search import make_walker as make_walker
from veil.search.walks.tree.walkers import make_tree_walker as make_tree_walker
