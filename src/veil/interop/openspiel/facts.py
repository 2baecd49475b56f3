"""Facts that OpenSpiel needs about a game before it is played: length, payoffs, kind of game.

If the tree of the game fits, all facts are exact. Otherwise the bounds of payoffs follow from the goals in the rules,
the longest game is assumed to be `MARGIN` times the longest of many random ones, and payoffs with the same sum in all
of them are assumed to have a constant sum. The game is then assumed to have hidden information.
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

MAX_NODES = 2_000_000  # of a tree that is expanded as a whole
GAMES, MAX_ROUNDS, SEED = 4096, 1000, 0  # of random games, if the tree is too large
MARGIN = 4
TOLERANCE = 1e-9
TOO_LARGE = ("tree-too-large", "tree-too-many-bytes", "tree-too-slow")

PayoffKind = Literal["zero", "constant", "identical", "general"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """Facts about a whole game."""

    is_exact: bool  # whether all facts are exact; otherwise random games show them
    rounds: int  # of the longest game
    decisions: int  # of players, in the longest game
    chance_nodes: int  # maximal number in one game
    is_open: bool  # whether every player always knows the state
    low: float  # payoff of a player
    high: float
    kind: PayoffKind
    total: float | None  # sum of all payoffs, if it is constant


def find_facts(game: Game, max_rounds: int | None = None) -> GameFacts:
    """Return the facts of a game from its tree, or from random games if it is too large.

    `max_rounds` is then its longest game. Without it, a game that may go on for ever is refused.
    """
    if max_rounds is not None:
        check_limit("rounds", max_rounds, "max_rounds")
    if [role for role in game.roles if role != RANDOM] == []:
        raise fail("no-players", game=game.name)
    sizes: list[int] = []  # number of histories per round

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
    """Return the facts of a whole tree."""
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
    """Return the facts that random games show."""
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
    """Return the kind of a game with payoffs [T, P] at its ends, and their sum if it is constant."""
    if payoffs.shape[1] == 1 or not len(payoffs):
        return "general", None
    sums = payoffs.sum(axis=1)
    if np.ptp(sums) <= TOLERANCE * max(1.0, float(np.abs(sums).max())):
        total = float(sums[0])
        return ("zero", 0.0) if abs(total) <= TOLERANCE else ("constant", total)
    return ("identical" if (np.ptp(payoffs, axis=1) == 0).all() else "general"), None
