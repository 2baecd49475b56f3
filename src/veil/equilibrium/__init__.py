"""The whole game in memory: the explicit tree, its sequences, equilibrium, best response, exploitability."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.equilibrium.cfr import ItsSolver as ItsSolver
    from veil.equilibrium.histories import records_in_words as records_in_words, slot_moves as slot_moves
    from veil.equilibrium.policy import Policy as Policy, check_rules as check_rules, slots_of as slots_of
    from veil.equilibrium.response import Evaluation as Evaluation, evaluate as evaluate, uniform as uniform
    from veil.equilibrium.solvers import (
        METHODS as METHODS,
        SOLVERS as SOLVERS,
        Budget as Budget,
        Point as Point,
        Solution as Solution,
        Whole as Whole,
        check_method as check_method,
        prepare as prepare,
        run as run,
        solve as solve,
    )
    from veil.equilibrium.tree import GameTree as GameTree, expand as expand, level_sizes as level_sizes
    from veil.equilibrium.warm import warm_up as warm_up

__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "cfr": "ItsSolver",
        "histories": "records_in_words slot_moves",
        "policy": "Policy check_rules slots_of",
        "response": "Evaluation evaluate uniform",
        "solvers": "Budget METHODS Point SOLVERS Solution Whole check_method prepare run solve",
        "tree": "GameTree expand level_sizes",
        "warm": "warm_up",
    },
)
