"""Matches: a match as data, drivers that run its players, logs, series on any executor, tournaments and their stores.

`table` (the match) <- `drivers`, `executors.isolated` (who runs players) <- `referee` (`run_match`), `sitting` (a match
that is taken up again) <- `tasks`,
`playing` (series of matches anywhere) <- `tournament`, with its `store`, `sources` and `standings`; and `exploiting`
(how exploitable a player is), with `questioning` (asking it for strategies) and its `search_store`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.match.config import GRACE as GRACE, MatchConfig as MatchConfig
    from veil.match.drivers import Driver as Driver
    from veil.match.executors import (
        ClusterExecutor as ClusterExecutor,
        Pool as Pool,
        defer_ctrl_c as defer_ctrl_c,
        end_with_parent as end_with_parent,
        open_cluster as open_cluster,
        read_address as read_address,
        watch_parent as watch_parent,
    )
    from veil.match.exploiting import (
        DEFAULT_STRATEGY as DEFAULT_STRATEGY,
        METHODS as METHODS,
        ExploitConfig as ExploitConfig,
        OnlineEvaluation as OnlineEvaluation,
        OnlinePoint as OnlinePoint,
        Workers as Workers,
        exploit as exploit,
        exploit_prepared as exploit_prepared,
    )
    from veil.match.log import LogWriter as LogWriter, MatchLog as MatchLog, Round as Round, read_logs as read_logs
    from veil.match.playing import play_all as play_all
    from veil.match.questioning import STRATEGIES as STRATEGIES
    from veil.match.referee import hold_match as hold_match, make_driver as make_driver, run_match as run_match
    from veil.match.search_store import SearchStore as SearchStore
    from veil.match.seats import Lineup as Lineup, check_seats as check_seats, fit_game as fit_game
    from veil.match.sitting import Sitting as Sitting
    from veil.match.standings import (
        Mean as Mean,
        Standings as Standings,
        compute_standings as compute_standings,
        mean_goal as mean_goal,
        mean_of as mean_of,
    )
    from veil.match.store import Result as Result, Store as Store, StoreKind as StoreKind
    from veil.match.table import Match as Match, Reply as Reply
    from veil.match.tasks import Effort as Effort, PlayedMatch as PlayedMatch, Task as Task
    from veil.match.tournament import (
        TournamentConfig as TournamentConfig,
        TournamentResult as TournamentResult,
        TournamentTables as TournamentTables,
        hold_tournament as hold_tournament,
        play_tournament as play_tournament,
        run_tournament as run_tournament,
        summarise_tournament as summarise_tournament,
    )
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "config": "GRACE MatchConfig",
            "drivers": "Driver",
            "executors": "ClusterExecutor Pool defer_ctrl_c end_with_parent open_cluster read_address watch_parent",
            "exploiting": "DEFAULT_STRATEGY ExploitConfig METHODS OnlineEvaluation OnlinePoint Workers exploit "
            "exploit_prepared",
            "log": "LogWriter MatchLog Round read_logs",
            "playing": "play_all",
            "questioning": "STRATEGIES",
            "referee": "hold_match make_driver run_match",
            "search_store": "SearchStore",
            "sitting": "Sitting",
            "seats": "Lineup check_seats fit_game",
            "standings": "Mean Standings compute_standings mean_goal mean_of",
            "store": "Result Store StoreKind",
            "table": "Match Reply",
            "tasks": "Effort PlayedMatch Task",
            "tournament": "TournamentConfig TournamentResult TournamentTables hold_tournament play_tournament "
            "run_tournament summarise_tournament",
        },
    )
