"""`solve_cached`: what a solver finds for a game, worked out once per process for all matches that want the same.

1. A solution depends on the game (rules, utility and limits), the method, the budget, the seed where the method draws
   anything, and how large the tree may be. All of it is in the key.
2. A solution that came to its end is the same with any clock, and is kept for all of them: all iterations were made, or
   the method is exact, or the target was met without a clock. Any other is kept for the same clock only.
3. A solution that Ctrl-C ended, or that a clock ended which nobody has set, is not kept.

Only the policy or the value that was asked for is kept, never the tree. `MAX_SOLUTIONS` of them are kept; the one that
nobody has asked for longest goes first.
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

MAX_SOLUTIONS = 16  # policies and values that a process keeps

Checkpoint = Literal["best", "last"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOrder:
    """How a game is to be solved; the words are those of `solve`."""

    method: str = DEFAULT_METHOD
    budget: Budget = field(default_factory=Budget)
    seed: int = 0
    max_nodes: int = MAX_NODES
    limit_name: str = field(default="max_nodes", compare=False)  # only a message has it

    def without_clock(self) -> SolveOrder:
        """Return the order with no limit of seconds."""
        return replace(self, budget=replace(self.budget, seconds=None))


_solved: BoundedCache[tuple[Any, ...], Any] = BoundedCache(MAX_SOLUTIONS)


def solve_cached(game: Game, order: SolveOrder, checkpoint: Checkpoint = "best") -> Policy:
    """Return the policy that is kept for a game and an order, or else the one that a solver works out now.

    It is the least exploitable average policy, or the one after the last iteration. Callers share it, and must not
    change it.
    """
    policy: Policy = _find_part(game, order, "last_policy" if checkpoint == "last" else "policy")
    return policy


def solve_value_cached(game: Game, order: SolveOrder) -> Mapping[str, float]:
    """Return the expected utility per role: what is kept for a game and an order, or what a solver works out now."""
    value: Mapping[str, float] = _find_part(game, order, "value")
    return value


def _find_part(game: Game, order: SolveOrder, part: str) -> Any:
    """An attribute of the `Solution` of a game, kept by steps 1 to 3."""
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
    )


def _depends_on_clock(solution: Solution) -> bool:
    """Whether a longer clock might have given another solution.

    A clock that runs out on the way to a target adds an evaluation, and that one may meet the target.
    """
    if solution.stopped_by == "target":
        return solution.budget.seconds is not None
    return solution.stopped_by not in ("iterations", "exact")
