from veil.equilibrium.cached_solutions import (
    SolveOrder as SolveOrder,
    solve_cached as solve_cached,
    solve_value_cached as solve_value_cached,
)
from veil.equilibrium.cfr import CfrSolver as CfrSolver
from veil.equilibrium.configs import (
    CfrPlusConfig as CfrPlusConfig,
    NoOptions as NoOptions,
    PcfrPlusConfig as PcfrPlusConfig,
)
from veil.equilibrium.entered_cfr import (
    STOPPED as STOPPED,
    EnteredCfrSolver as EnteredCfrSolver,
    Entries as Entries,
    warm_up_entries as warm_up_entries,
)
from veil.equilibrium.evaluation import (
    UNIFORM as UNIFORM,
    PolicyEvaluation as PolicyEvaluation,
    evaluate as evaluate,
    judge_policy as judge_policy,
    judge_slots as judge_slots,
    read_policy as read_policy,
)
from veil.equilibrium.form import Form as Form, fold_tree as fold_tree
from veil.equilibrium.growing_tree import (
    Crown as Crown,
    GrowingTree as GrowingTree,
    Worlds as Worlds,
    chance_nodes as chance_nodes,
    make_plain_crown as make_plain_crown,
    root_nodes as root_nodes,
)
from veil.equilibrium.growth_kernels import reach_nodes as reach_nodes, value_nodes as value_nodes
from veil.equilibrium.histories import (
    list_infoset_histories as list_infoset_histories,
    records_in_words as records_in_words,
    slot_moves as slot_moves,
)
from veil.equilibrium.information import (
    MoveInformation as MoveInformation,
    find_information_values as find_information_values,
    find_reach as find_reach,
)
from veil.equilibrium.infosets import Infoset as Infoset
from veil.equilibrium.mccfr import link as link
from veil.equilibrium.online_players import (
    UNREACHED as UNREACHED,
    OnlineJudgement as OnlineJudgement,
    SearchedInfosets as SearchedInfosets,
    SlotWeights as SlotWeights,
    StrategyTable as StrategyTable,
    Unreached as Unreached,
    add_up as add_up,
    drop_seldom_visited as drop_seldom_visited,
    make_strategy_table as make_strategy_table,
    weigh_by_sums as weigh_by_sums,
)
from veil.equilibrium.policy import (
    Policy as Policy,
    check_rules as check_rules,
    policy_of as policy_of,
    slots_of as slots_of,
)
from veil.equilibrium.precompile import warm_up as warm_up
from veil.equilibrium.prepared_game import PreparedGame as PreparedGame, prepare as prepare
from veil.equilibrium.questions import (
    AnyPolicy as AnyPolicy,
    BestResponse as BestResponse,
    best_response as best_response,
    information_values as information_values,
)
from veil.equilibrium.response import (
    Evaluation as Evaluation,
    evaluate_profile as evaluate_profile,
    find_best_response as find_best_response,
    find_counterfactual_values as find_counterfactual_values,
    to_behaviour as to_behaviour,
    to_realization as to_realization,
    uniform_policy as uniform_policy,
)
from veil.equilibrium.solver_run import (
    DEFAULT_METHOD as DEFAULT_METHOD,
    DEFAULT_PRECISION as DEFAULT_PRECISION,
    DEFAULT_SECONDS as DEFAULT_SECONDS,
    Budget as Budget,
    Point as Point,
    Solution as Solution,
    WalkListener as WalkListener,
    is_walked as is_walked,
    solve as solve,
    solve_prepared as solve_prepared,
)
from veil.equilibrium.solvers import SOLVERS as SOLVERS, Solver as Solver
from veil.equilibrium.streaming.choice import (
    count_whole_game as count_whole_game,
    is_too_large as is_too_large,
    prepare_or_walk as prepare_or_walk,
)
from veil.equilibrium.streaming.size_estimate import (
    EstimatedNumber as EstimatedNumber,
    estimate_size as estimate_size,
)
from veil.equilibrium.streaming.walk import Walk as Walk, prepare_walk as prepare_walk
from veil.equilibrium.streaming.walk_estimate import WalkEstimate as WalkEstimate
from veil.equilibrium.streaming.walk_policy import walk_policy_of as walk_policy_of
from veil.equilibrium.tree import (
    GameTree as GameTree,
    count_levels as count_levels,
    expand as expand,
    find_constant_sum as find_constant_sum,
    measure_depth as measure_depth,
)
from veil.equilibrium.tree_builder import GrownNodes as GrownNodes, NewInfosets as NewInfosets
from veil.equilibrium.tree_records import (
    CHANCE as CHANCE,
    ExpandedRound as ExpandedRound,
    Tree as Tree,
    TreeBounds as TreeBounds,
)
from veil.equilibrium.tree_size import estimate_tree as estimate_tree
