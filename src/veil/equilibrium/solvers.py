"""The table of solvers, and the contract of a solver.

A solver is one module and one row of `SOLVERS`: a frozen dataclass of options, and a maker

    make(config, prepared, seed) -> Solver

that starts a run on a `PreparedGame`. `solver_run.solve_prepared` drives the run: it alternates between `run` and exact
evaluations of `average`. A spec names a row and sets its options: `dcfr:alpha=2,beta=-1`.

Nothing here imports the solvers themselves: a row's module is imported when the row is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from veil.registry import Registry, Row

if TYPE_CHECKING:
    import numpy as np

SEED = "a seed"  # the need of a row whose result depends on the seed; the results of other rows do not
SEEDED = frozenset({SEED})
CFR, MCCFR = "veil.equilibrium.cfr", "veil.equilibrium.mccfr"
CONFIGS = "veil.equilibrium.configs:"  # apart from the solvers: their kernels import numba, which a table does not need


class Solver(Protocol):
    """One run of an algorithm on one game. Its average policy gets better with every iteration."""

    iterations: int  # that have been run
    is_exact: bool  # its only iteration gives an equilibrium, and no budget ends the run earlier

    def run(self, iterations: int) -> None:
        """Run `iterations` more iterations."""

    def average(self) -> np.ndarray:
        """Return the average policy [S], one probability per slot; before the first iteration it is uniform."""


SOLVERS: Registry[Solver] = Registry(
    "method",
    {
        "its": Row(
            "veil.equilibrium.its",
            CONFIGS + "NoOptions",
            "make_its",
            "Iterative Tree Search; any number of roles",
            SEEDED,
        ),
        "xfp": Row(
            "veil.equilibrium.xfp", CONFIGS + "NoOptions", "make_xfp", "full-width fictitious play on whole policies"
        ),
        "cfr": Row(CFR, CONFIGS + "CfrConfig", "make_cfr", "counterfactual regret minimisation"),
        "cfr+": Row(CFR, CONFIGS + "CfrPlusConfig", "make_cfr", "CFR that forgets negative regrets; linear averages"),
        "dcfr": Row(CFR, CONFIGS + "DcfrConfig", "make_cfr", "CFR that discounts earlier regrets and policies"),
        "pcfr+": Row(CFR, CONFIGS + "PcfrPlusConfig", "make_cfr", "CFR+ that expects the last instant regret again"),
        "pdcfr+": Row(CFR, CONFIGS + "PdcfrPlusConfig", "make_cfr", "PCFR+ that discounts earlier regrets"),
        "hs-pcfr+": Row(
            CFR, CONFIGS + "HsPcfrPlusConfig", "make_cfr", "PCFR+ that forgets early policies, by a schedule"
        ),
        "es-mccfr": Row(MCCFR, CONFIGS + "NoOptions", "make_external", "Monte Carlo CFR, external sampling", SEEDED),
        "os-mccfr": Row(MCCFR, CONFIGS + "OutcomeConfig", "make_outcome", "Monte Carlo CFR, outcome sampling", SEEDED),
        "lp": Row(
            "veil.equilibrium.lp",
            CONFIGS + "LpConfig",
            "make_lp",
            "exact, by linear programming; two roles with a constant sum, or one role",
        ),
    },
    group="veil.solvers",
)
