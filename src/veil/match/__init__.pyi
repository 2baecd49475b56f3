from veil.match.config import GRACE as GRACE, MatchConfig as MatchConfig
from veil.match.drivers import Driver as Driver, LocalDriver as LocalDriver
from veil.match.executors import (
    FORK_SERVER as FORK_SERVER,
    ClusterExecutor as ClusterExecutor,
    Pool as Pool,
    defer_ctrl_c as defer_ctrl_c,
    end_with_parent as end_with_parent,
    find_exposure as find_exposure,
    has_all_walls as has_all_walls,
    open_cluster as open_cluster,
    read_address as read_address,
)
from veil.match.exploitability import (
    DEFAULT_STRATEGY as DEFAULT_STRATEGY,
    METHODS as METHODS,
    ExploitConfig as ExploitConfig,
    OnlineEvaluation as OnlineEvaluation,
    Workers as Workers,
    exploit as exploit,
    exploit_prepared as exploit_prepared,
    prepare_to_exploit as prepare_to_exploit,
)
from veil.match.keys import choose_match_key as choose_match_key, served_seed as served_seed
from veil.match.log import (
    LogWriter as LogWriter,
    MatchLog as MatchLog,
    Round as Round,
    parse_logs as parse_logs,
    read_logs as read_logs,
)
from veil.match.ranking import (
    Estimate as Estimate,
    PairedDifference as PairedDifference,
    Ranking as Ranking,
    rank_players as rank_players,
)
from veil.match.referee import make_driver as make_driver, play_lineup as play_lineup, run_match as run_match
from veil.match.resumable import ResumableMatch as ResumableMatch
from veil.match.search_store import SearchStore as SearchStore
from veil.match.seats import Lineup as Lineup, check_seats as check_seats, fit_game as fit_game
from veil.match.series import play_all as play_all, run_tasks as run_tasks
from veil.match.standings import (
    Mean as Mean,
    Standings as Standings,
    compute_standings as compute_standings,
    mean_goal as mean_goal,
    mean_of as mean_of,
)
from veil.match.steps import Match as Match
from veil.match.store import Result as Result, Store as Store, StoreKind as StoreKind
from veil.match.strategy_probe import STRATEGIES as STRATEGIES, WEIGHTINGS as WEIGHTINGS, Weighting as Weighting
from veil.match.table import MatchTable as MatchTable, Reply as Reply
from veil.match.tasks import PlayedMatch as PlayedMatch, Task as Task, play_task as play_task
from veil.match.tournament import (
    TournamentConfig as TournamentConfig,
    TournamentResult as TournamentResult,
    TournamentTables as TournamentTables,
    make_tables as make_tables,
    play_matches as play_matches,
    run_tournament as run_tournament,
)
from veil.players import Effort as Effort
