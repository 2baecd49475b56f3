"""The table of solvers, and what a solver is.

A solver is one module and one row of `SOLVERS`: a frozen dataclass of options, and a maker

    make(config, prepared, seed) -> Solver

that starts a run on a `PreparedGame`. `solving.solve_prepared` drives the run: it alternates between `run` and exact
evaluations of `average`. A spec names a row and sets its options: `dcfr:alpha=2,beta=-1`.

Nothing here imports the solvers themselves: a row's module is imported when the row is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from veil.registry import Registry, Row

if TYPE_CHECKING:
    import numpy as np

SEED = "a seed"  # the need of a row whose result depends on the seed; the others make the same whatever it is
SEEDED = frozenset({SEED})
CFR, MCCFR = "veil.equilibrium.cfr", "veil.equilibrium.mccfr"


class Solver(Protocol):
    """One run of an algorithm on one game. Its average policy gets better with every iteration."""

    iterations: int  # that have been run
    is_exact: bool  # one iteration gives an equilibrium; no budget ends the run before, and there is no second one

    def run(self, iterations: int) -> None:
        """Run so many more iterations."""

    def average(self) -> np.ndarray:
        """Return the average policy [S], one probability per slot; before the first iteration it is uniform."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOptions:
    """The config of a solver that has nothing to set."""


SOLVERS: Registry[Solver] = Registry(
    "method",
    {
        "its": Row(
            "veil.equilibrium.its", "NoOptions", "make_its", "Iterative Tree Search; any number of roles", SEEDED
        ),
        "xfp": Row("veil.equilibrium.xfp", "NoOptions", "make_xfp", "full-width fictitious play on whole policies"),
        "cfr": Row(CFR, "CfrConfig", "make_cfr", "counterfactual regret minimisation"),
        "cfr+": Row(CFR, "CfrPlusConfig", "make_cfr", "CFR that forgets negative regrets; linear averages"),
        "dcfr": Row(CFR, "DcfrConfig", "make_cfr", "CFR that discounts earlier regrets and policies"),
        "pcfr+": Row(CFR, "PcfrPlusConfig", "make_cfr", "CFR+ that expects the last instant regret again"),
        "es-mccfr": Row(MCCFR, "NoOptions", "make_external", "Monte Carlo CFR, external sampling", SEEDED),
        "os-mccfr": Row(MCCFR, "OutcomeConfig", "make_outcome", "Monte Carlo CFR, outcome sampling", SEEDED),
        "lp": Row(
            "veil.equilibrium.lp",
            "NoOptions",
            "make_lp",
            "exact, by linear programming; two roles with a constant sum, or one role",
        ),
    },
    group="veil.solvers",
)
