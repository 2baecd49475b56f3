"""What OpenSpiel wants to know about a game before it is played: length, payoffs, what kind of game it is.

Of a game whose tree fits, all of it is exact. Of a larger one, the bounds of payoffs follow from the goals in the
rules; the longest game is taken to be `MARGIN` times the longest of many random ones, and payoffs that add up to the
same sum in all of them are taken to do so always. Nothing is taken to be open to all then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from veil.engine import Game
from veil.equilibrium import Tree, expand
from veil.errors import VeilError, fail
from veil.limits import check_limit
from veil.review import tally_random_games
from veil.vocabulary import RANDOM

if TYPE_CHECKING:
    from veil.equilibrium import ExpandedRound

MAX_NODES = 2_000_000  # of a tree that is looked at as a whole
GAMES, MAX_ROUNDS, SEED = 4096, 1000, 0  # of random games, where the tree is too large
MARGIN = 4
TOLERANCE = 1e-9
TOO_LARGE = ("tree-too-large", "tree-too-many-bytes", "tree-too-slow")

PayoffKind = Literal["zero", "constant", "identical", "general"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """What is known of a game as a whole."""

    is_exact: bool  # all of this is so; otherwise it is what random games show
    rounds: int  # of the longest game
    decisions: int  # of players, in the longest game
    chance_nodes: int  # in one game, at most
    is_open: bool  # every player always knows the state
    low: float  # payoff of a player
    high: float
    kind: PayoffKind
    total: float | None  # what all payoffs add up to, if always the same


def find_facts(game: Game, max_rounds: int | None = None) -> GameFacts:
    """Look at a game as a whole, or play it at random where it is too large; `max_rounds` is then its longest game.

    A game that may go on for ever is refused where nobody says how long it lasts.
    """
    if max_rounds is not None:
        check_limit("rounds", max_rounds, "max_rounds")
    if [role for role in game.roles if role != RANDOM] == []:
        raise fail("no-players", game=game.name)
    sizes: list[int] = []  # of the rounds: how many histories have them

    def count(played: ExpandedRound) -> None:
        sizes.append(len(played.node))

    try:
        tree = expand(game, MAX_NODES, watch=count).flat
    except VeilError as error:
        is_told = error.problems[0].code == "endless-game" and max_rounds is not None
        if error.problems[0].code not in TOO_LARGE and not is_told:
            raise
        return _sample(game, max_rounds)
    return _look(tree, max(1, len(sizes)))


def _look(tree: Tree, rounds: int) -> GameFacts:
    """What a whole tree shows."""
    children = tree.num_children
    ends = np.flatnonzero(children == 0)
    decisions, chances, node = np.zeros(len(ends), np.int64), np.zeros(len(ends), np.int64), ends.copy()
    while node.any():
        decisions += (node > 0) & (tree.slot[node] >= 0)
        chances += (node > 0) & (tree.slot[node] < 0)
        node = tree.parent[node]
    of_players = np.unique(tree.parent[1:][tree.slot[1:] >= 0])
    kind, total = _judge_payoffs(tree.utility[ends])
    return GameFacts(
        is_exact=True,
        rounds=rounds,
        decisions=max(1, int(decisions.max())),
        chance_nodes=int(chances.max()),
        is_open=len(of_players) == len(tree.infoset_node),
        low=float(tree.utility[ends].min()),
        high=float(tree.utility[ends].max()),
        kind=kind,
        total=total,
    )


def _sample(game: Game, max_rounds: int | None) -> GameFacts:
    """What random games show."""
    tally = tally_random_games(game, GAMES, SEED, max_rounds or MAX_ROUNDS)
    if max_rounds is None and tally.ended < tally.games:
        raise fail("openspiel-endless", count=tally.games - tally.ended, games=tally.games, rounds=MAX_ROUNDS)
    rounds = max_rounds or MARGIN * max(tally.lengths)
    program = game.program
    players = [role for role in program.serial_order if role != program.chance]
    values = np.array([value for role in players for value in (*program.goals[role], 0)])
    payoffs = game.utility.of(np.array(tally.goals).reshape(-1, len(program.roles))[:, players])
    kind, total = _judge_payoffs(payoffs)
    return GameFacts(
        is_exact=False,
        rounds=rounds,
        decisions=rounds * len(players),
        chance_nodes=0 if program.chance is None else rounds,
        is_open=False,
        low=float(game.utility.of(values).min()),
        high=float(game.utility.of(values).max()),
        kind=kind,
        total=total,
    )


def _judge_payoffs(payoffs: np.ndarray) -> tuple[PayoffKind, float | None]:
    """What kind of game has these payoffs [T, P] at its ends, and what they add up to if that is always the same."""
    if payoffs.shape[1] == 1 or not len(payoffs):
        return "general", None
    sums = payoffs.sum(axis=1)
    if np.ptp(sums) <= TOLERANCE * max(1.0, float(np.abs(sums).max())):
        total = float(sums[0])
        return ("zero", 0.0) if abs(total) <= TOLERANCE else ("constant", total)
    return ("identical" if (np.ptp(payoffs, axis=1) == 0).all() else "general"), None
