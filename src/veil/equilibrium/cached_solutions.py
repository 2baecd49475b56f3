"""`solve_cached`: the solution of a game, computed once per process for all matches that need it.

1. A solution depends on the game (rules, utility and limits), the method, the budget, the seed if the method draws
   anything, and how large the tree may be. All of it is in the key.
2. A solution that was finished is the same with any clock, and is cached for all of them: all iterations were run, or
   the method is exact, or the target was reached without a clock. Any other solution is cached for its clock only.
3. A solution that was ended by Ctrl-C, or by a default clock, is not cached.

Only the requested policy or value is cached, never the tree. The cache holds `MAX_SOLUTIONS` of them; the least
recently used one is dropped first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from veil.caches import BoundedCache
from veil.engine import Game
from veil.equilibrium.policy import Policy
from veil.equilibrium.solver_run import DEFAULT_METHOD, Budget, Solution, solve
from veil.equilibrium.solvers import SEED, SOLVERS
from veil.equilibrium.tree import MAX_NODES

MAX_SOLUTIONS = 16  # policies and values that a process caches

Checkpoint = Literal["best", "last"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOrder:
    """Parameters of a solver run; they have the names of the parameters of `solve`."""

    method: str = DEFAULT_METHOD
    budget: Budget = field(default_factory=Budget)
    seed: int = 0
    max_nodes: int = MAX_NODES
    by_legal: bool = False  # whether records that do not determine the legal moves are split by them; else refused
    limit_name: str = field(default="max_nodes", compare=False)  # only used in messages

    def without_clock(self) -> SolveOrder:
        """Return the order with no limit of seconds."""
        return replace(self, budget=replace(self.budget, seconds=None))


_solved: BoundedCache[tuple[Any, ...], Any] = BoundedCache(MAX_SOLUTIONS)


def solve_cached(game: Game, order: SolveOrder, checkpoint: Checkpoint = "best") -> Policy:
    """Return the policy of a game and an order, from the cache or from a solver.

    It is the least exploitable average policy, or the one after the last iteration. Callers share it and must not
    change it.
    """
    policy: Policy = _find_part(game, order, "last_policy" if checkpoint == "last" else "policy")
    return policy


def solve_value_cached(game: Game, order: SolveOrder) -> Mapping[str, float]:
    """Return the expected utility per role for a game and an order, from the cache or from a solver."""
    value: Mapping[str, float] = _find_part(game, order, "value")
    return value


def _find_part(game: Game, order: SolveOrder, part: str) -> Any:
    """Return an attribute of the `Solution` of a game, cached by steps 1 to 3."""
    if SEED not in SOLVERS[SOLVERS.parse(order.method).name].needs:
        order = replace(order, seed=0)
    keys = [(game.fingerprint, game.utility, game.limits, entry, part) for entry in (order.without_clock(), order)]
    for key in keys:
        kept = _solved.find(key)
        if kept is not None:
            return kept
    solution = _solve(game, order)
    found = getattr(solution, part)
    if not _depends_on_clock(solution):
        return _solved.keep(keys[0], found)
    is_kept = order.budget.seconds is not None and not solution.interrupted
    return _solved.keep(keys[1], found) if is_kept else found


def _solve(game: Game, order: SolveOrder) -> Solution:
    budget = order.budget
    return solve(
        game,
        order.method,
        iterations=budget.iterations,
        seconds=budget.seconds,
        target=budget.target,
        seed=order.seed,
        max_nodes=order.max_nodes,
        limit_name=order.limit_name,
        by_legal=order.by_legal,
    )


def _depends_on_clock(solution: Solution) -> bool:
    """Return whether a longer clock might have given another solution.

    A clock that runs out before the target is reached adds an evaluation, and that one may reach the target.
    """
    if solution.stopped_by == "target":
        return solution.budget.seconds is not None
    return solution.stopped_by not in ("iterations", "exact")
