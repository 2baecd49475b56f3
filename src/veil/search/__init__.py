"""Online search: from what a role knows to a mixed strategy over its moves, with values and cost.

Every searcher keeps to one contract (`protocol.Searcher`); its config makes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.search.fleet import FleetWalker as FleetWalker, make_fleet_walker as make_fleet_walker
    from veil.search.hyperplay2 import (
        HyperPlay2Config as HyperPlay2Config,
        HyperPlay2Search as HyperPlay2Search,
        Simulations as Simulations,
        simulate_moves as simulate_moves,
    )
    from veil.search.mmd import MmdConfig as MmdConfig, MmdSearch as MmdSearch
    from veil.search.montecarlo import (
        HyperPlayConfig as HyperPlayConfig,
        MonteCarloConfig as MonteCarloConfig,
        MonteCarloSearch as MonteCarloSearch,
        MoveTally as MoveTally,
        per_world as per_world,
    )
    from veil.search.nested import NestedPlayers as NestedPlayers
    from veil.search.online import (
        IsmctsConfig as IsmctsConfig,
        OosConfig as OosConfig,
        SmoothUctConfig as SmoothUctConfig,
        WalkSearch as WalkSearch,
        make_walker as make_walker,
    )
    from veil.search.opponents import (
        OPPONENTS as OPPONENTS,
        UNIFORM as UNIFORM,
        OpponentTask as OpponentTask,
        file_of_opponents as file_of_opponents,
        make_opponents as make_opponents,
    )
    from veil.search.pimc import Forest as Forest, PimcConfig as PimcConfig, PimcSearch as PimcSearch
    from veil.search.protocol import (
        Answer as Answer,
        SearchBudget as SearchBudget,
        SearchConfig as SearchConfig,
        Searcher as Searcher,
        SearchQuestion as SearchQuestion,
        SearchTask as SearchTask,
        Worlds as Worlds,
        answer_by_values as answer_by_values,
    )
    from veil.search.pruning import Pruning as Pruning
    from veil.search.single_point import SinglePointConfig as SinglePointConfig, SinglePointSearch as SinglePointSearch
    from veil.search.tree_walks import MatchWalker as MatchWalker, make_tree_walker as make_tree_walker
    from veil.search.walker import (
        BanditRule as BanditRule,
        InfosetView as InfosetView,
        OosRule as OosRule,
        Target as Target,
        Walker as Walker,
        WalkRule as WalkRule,
        find_record_key as find_record_key,
    )
    from veil.search.warm import warm_up as warm_up
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "fleet": "FleetWalker make_fleet_walker",
            "hyperplay2": "HyperPlay2Config HyperPlay2Search Simulations simulate_moves",
            "mmd": "MmdConfig MmdSearch",
            "montecarlo": "HyperPlayConfig MonteCarloConfig MonteCarloSearch MoveTally per_world",
            "nested": "NestedPlayers",
            "online": "IsmctsConfig OosConfig SmoothUctConfig WalkSearch make_walker",
            "opponents": "OPPONENTS OpponentTask UNIFORM file_of_opponents make_opponents",
            "pimc": "Forest PimcConfig PimcSearch",
            "protocol": "Answer SearchBudget SearchConfig SearchQuestion SearchTask Searcher Worlds answer_by_values",
            "pruning": "Pruning",
            "single_point": "SinglePointConfig SinglePointSearch",
            "tree_walks": "MatchWalker make_tree_walker",
            "walker": "BanditRule InfosetView OosRule Target WalkRule Walker find_record_key",
            "warm": "warm_up",
        },
    )
