"""Our games against the same ones of OpenSpiel: trees, infosets, payoffs, policies and what they are worth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.differential.openspiel import (
    CHANCE,
    END,
    KRIEG,
    KUHN,
    LEDUC,
    PHANTOM,
    TIC_TAC_TOE,
    Explicit,
    Mismatch,
    Taste,
    TheirPoint,
    TreePoint,
    Twin,
    Walk,
    battleship,
    breakthrough,
    connect_four,
    dark_hex,
    dice_action,
    goofspiel,
    kuhn_action,
    liars_dice,
    playouts,
    start_of,
    start_there,
    text,
    walk,
)
from veil import load
from veil.solve.form import sequence_form
from veil.solve.response import evaluate, uniform
from veil.solve.tree import GameTree, expand

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")

GOOFSPIELS = [goofspiel(cards, order) for cards in (2, 3, 4, 5) for order in ("ascending", "descending")]
WHOLE = [
    KUHN,
    LEDUC,
    *(liars_dice(1, faces) for faces in (2, 3, 4, 5, 6)),
    liars_dice(2, 2),
    *GOOFSPIELS,
    dark_hex(2),
    battleship(2, (2,)),
    breakthrough(2, 4),
    connect_four(4, 2),
    connect_four(2, 4),
]
HIDDEN = [
    PHANTOM,
    KRIEG,
    dark_hex(3),
    dark_hex(4),
    battleship(3, (2,)),
    battleship(4, (2,)),
    liars_dice(2, 3),
    liars_dice(2, 6),
    goofspiel(6, "ascending"),
    goofspiel(13, "descending"),
]
OPEN = [
    TIC_TAC_TOE,
    breakthrough(3, 4),
    breakthrough(4, 6),
    breakthrough(8, 8),
    connect_four(4, 4),
    connect_four(7, 6),
]
SOLVED = [KUHN, LEDUC, liars_dice(1, 6), goofspiel(4, "ascending")]

TASTES = [Taste(seed, width) for seed, width in enumerate((2, 2, 2, 3))]


@cache
def peer(twin: Twin) -> Any:
    """OpenSpiel's game, one mover at a time."""
    game = pyspiel.load_game(twin.theirs)
    return game if twin.in_turn else pyspiel.convert_to_turn_based(game)


@cache
def tree(twin: Twin) -> GameTree:
    return expand(load(twin.ours))


@cache
def walked(twin: Twin) -> Walk:
    return walk(twin, TreePoint(Explicit(tree(twin))), start_there(twin, peer(twin)))


# Whole trees


@pytest.mark.parametrize("twin", WHOLE, ids=str)
def test_a_whole_tree_has_the_moves_chances_infosets_and_payoffs_of_openspiel(twin: Twin) -> None:
    seen, counts = walked(twin), tree(twin).counts()
    assert (seen.nodes, seen.terminals, seen.chance_nodes) == (
        counts["nodes"],
        counts["terminals"],
        counts["chance_nodes"],
    )
    assert seen.match.sizes() == list(counts["infosets"].values())


@pytest.mark.parametrize("twin", [KUHN, liars_dice(1, 3), goofspiel(3, "descending"), dark_hex(2)], ids=str)
def test_slow_play_goes_through_the_same_tree(twin: Twin) -> None:
    seen = walk(twin, start_of(load(twin.ours)), start_there(twin, peer(twin)))
    assert (seen.nodes, seen.terminals, seen.match.sizes()) == (
        walked(twin).nodes,
        walked(twin).terminals,
        walked(twin).match.sizes(),
    )


# Games too large for that


@pytest.mark.parametrize("twin", [*HIDDEN, *OPEN], ids=str)
def test_random_games_have_the_moves_and_payoffs_of_openspiel(twin: Twin) -> None:
    met = playouts(twin, load(twin.ours), peer(twin), [Taste(0, None)], 25)
    assert len(met.payoffs) > 1


@pytest.mark.parametrize("twin", HIDDEN, ids=str)
def test_players_with_few_moves_in_mind_cannot_tell_apart_what_they_cannot_in_openspiel(twin: Twin) -> None:
    met = playouts(twin, load(twin.ours), peer(twin), TASTES, 40)
    sizes=[len(h) for h in met.histories.values()]
    print(twin, len(sizes), sum(x>1 for x in sizes), max(sizes))
    assert sum(len(own) > 1 for own in met.histories.values()) > 20
