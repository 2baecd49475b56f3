"""What HyperPlay-II may leave out or count differently (section 7.3 of the HyperPlay article; Cazenave et al. 2016).

1. Discount: a goal that is reached after n rounds counts discount^n, in simulations and inside the nested players.
2. Cut on Win: the moves are simulated one after the other, in random order. Once the mean goal of one, over all
   worlds, has reached the best score under optimal play, it is taken; the moves that follow are not simulated.
3. Pruning on Depth: again one move after the other. A simulation that lasts longer than the shortest win so far in the
   same world ends there and counts as lost: it could not win sooner. If all games have the same length, no simulation
   lasts longer than a win, and nothing is pruned.

The best score under optimal play is a number, the highest goal in the rules (`goals`), or the value of the game
(`solved`), which a solver computes before the match. A win is a simulation that ends with at least that score, or with
the highest goal if no cut is asked for.

Cuts 2 and 3 act on the simulations of the player itself. The players inside value their moves by plain playouts
and are not pruned.
"""

from __future__ import annotations

from dataclasses import dataclass

from veil.engine import Game
from veil.equilibrium import Budget, SolveOrder, solve_value_cached
from veil.errors import fail
from veil.limits import check_limit
from veil.registry import check_options, option

GOALS, SOLVED = "goals", "solved"
CUTS = f"{GOALS}, {SOLVED} or a number"
NEAR = 0.01  # points by which a solved value may be wrong
ITERATIONS = 5000  # of the solver, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruning:
    """What is left out or counted differently; by default nothing."""

    discount: float = option(1.0, "of a goal per round until it is reached", limit="share")
    cut_at: float | None = option(None, "a move whose mean goal has reached this is taken", limit="payoff")
    win_at: float | None = option(None, "a goal that is a win; simulations end at its depth", limit="payoff")

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def takes_turns(self) -> bool:
        """Whether moves are simulated one after the other: results of one move can save simulations of another."""
        return self.cut_at is not None or self.win_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class PruningSpec:
    """Pruning as a spec asks for it, before the game is known."""

    discount: float = 1.0
    cut_on_win: str | None = None
    prune_on_depth: bool = False

    def of_game(self, game: Game, role_id: int) -> Pruning:
        """Return the pruning for a role of a game; a game that has to be solved is solved now."""
        cut_at = None if self.cut_on_win is None else find_best_score(game, role_id, self.cut_on_win)
        highest = float(max(game.program.goals[role_id]))
        win_at = (highest if cut_at is None else min(cut_at, highest)) if self.prune_on_depth else None
        return Pruning(discount=self.discount, cut_at=cut_at, win_at=win_at)


def check_cut(text: str | None) -> None:
    """Raise an error unless the text is a number or one of the words."""
    if text is None or text in (GOALS, SOLVED):
        return
    try:
        number = float(text)
    except ValueError:
        raise fail("bad-option", what=f"cut_on_win must be {CUTS}, not {text}") from None
    check_limit("goal", number, "cut_on_win")


def find_best_score(game: Game, role_id: int, text: str) -> float:
    """Return the best score of a role under optimal play, as the text says: a number, `goals`, `solved`."""
    if text == GOALS:
        return float(max(game.program.goals[role_id]))
    return _solve_value(game, role_id) if text == SOLVED else float(text)


def _solve_value(game: Game, role_id: int) -> float:
    """Return the value of the whole game for a role, in goals, minus the tolerance of the solver."""
    order = SolveOrder(budget=Budget(iterations=ITERATIONS, target=NEAR))
    utility = solve_value_cached(game, order)[game.roles[role_id]]
    return max(NEAR, utility * game.utility.scale + game.utility.zero - NEAR)
