"""`PreparedGame`: a game in the forms that solvers use."""

from __future__ import annotations

import os
from typing import NamedTuple

from veil.engine import Game, as_game
from veil.equilibrium.form import Form, fold_tree
from veil.equilibrium.tree import MAX_NODES, GameTree, expand, find_constant_sum
from veil.equilibrium.tree_records import DEFAULT_BOUNDS, TreeBounds
from veil.errors import fail


class PreparedGame(NamedTuple):
    """A game, expanded and folded. Solvers may share it, because none changes it."""

    tree: GameTree
    form: Form
    total: float | None  # sum of the payoffs of all roles; None if it varies

    @property
    def game(self) -> Game:
        return self.tree.game

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles without `random`."""
        return self.tree.roles

    @property
    def role_ids(self) -> tuple[int, ...]:
        """The numbers of the roles in the ground program."""
        return self.tree.role_ids


def prepare(
    game: Game | str | os.PathLike[str], max_nodes: int = MAX_NODES, *, bounds: TreeBounds = DEFAULT_BOUNDS
) -> PreparedGame:
    """Expand a game and fold it into its sequence form. Raises `VeilError` if the game has no role but `random`."""
    game = as_game(game)
    tree = expand(game, max_nodes, bounds=bounds)
    if not tree.roles:
        raise fail("no-players", game=game.name)
    return PreparedGame(tree, fold_tree(tree.flat), find_constant_sum(tree.flat))
