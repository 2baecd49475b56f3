"""Games in the shapes that solvers want."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.equilibrium_games import GUESS, NO_PLAYERS
from tests.support.refusals import refused
from veil import load
from veil.engine import as_game
from veil.equilibrium.form import fold_tree
from veil.equilibrium.prepared_game import prepare


def test_a_prepared_game_knows_its_game_and_its_roles() -> None:
    game = load("kuhn_poker")
    entry = prepare(game)
    assert entry.game is game
    assert entry.roles == entry.tree.roles == ("first", "second")
    assert entry.total == 0.0
    folded = fold_tree(entry.tree.flat)
    assert all(np.array_equal(one, other) for one, other in zip(entry.form, folded, strict=True))


def test_the_total_is_none_where_the_sum_varies() -> None:
    assert prepare("prisoners_dilemma").total is None


def test_a_game_may_be_given_by_its_name_its_path_or_its_text(tmp_path: Path) -> None:
    path = tmp_path / "guess.kif"
    path.write_text(GUESS)
    assert as_game("kuhn_poker").name == prepare("kuhn_poker").game.name == "kuhn_poker"
    assert as_game(path).fingerprint == as_game(str(path)).fingerprint == as_game(GUESS).fingerprint


def test_a_game_of_chance_alone_is_refused() -> None:
    assert "no role besides random" in refused("no-players", lambda: prepare(NO_PLAYERS))


@pytest.mark.parametrize("nodes", [1, 57])
def test_a_game_too_large_is_refused(nodes: int) -> None:
    refused("tree-too-large", lambda: prepare("kuhn_poker", nodes))
