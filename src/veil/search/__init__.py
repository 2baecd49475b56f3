"""Online search: from what a role knows to a mixed strategy over its moves, with values and cost.

Every searcher keeps to one contract (`protocol.Searcher`); its config makes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.search.hyperplay2 import (
        HyperPlay2Config as HyperPlay2Config,
        HyperPlay2Search as HyperPlay2Search,
        Simulations as Simulations,
        simulate_moves as simulate_moves,
    )
    from veil.search.montecarlo import (
        HyperPlayConfig as HyperPlayConfig,
        MonteCarloConfig as MonteCarloConfig,
        MonteCarloSearch as MonteCarloSearch,
        MoveTally as MoveTally,
        per_world as per_world,
    )
    from veil.search.nested import NestedPlayers as NestedPlayers
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
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "hyperplay2": "HyperPlay2Config HyperPlay2Search Simulations simulate_moves",
            "montecarlo": "HyperPlayConfig MonteCarloConfig MonteCarloSearch MoveTally per_world",
            "nested": "NestedPlayers",
            "pimc": "Forest PimcConfig PimcSearch",
            "protocol": "Answer SearchBudget SearchConfig SearchQuestion SearchTask Searcher Worlds answer_by_values",
            "pruning": "Pruning",
        },
    )
