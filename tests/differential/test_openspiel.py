"""Our games against the same ones of OpenSpiel: trees, infosets, payoffs, policies and what they are worth."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, cast

import numpy as np
import pytest

from tests.support.archetypes import nightly_but
from tests.support.openspiel_twins import (
    CHANCE,
    END,
    KRIEG,
    KUHN,
    LEDUC,
    PHANTOM,
    TIC_TAC_TOE,
    Explicit,
    MismatchError,
    Playouts,
    Taste,
    TreePoint,
    Twin,
    Walk,
    all_texts,
    as_wins,
    battleship,
    breakthrough,
    connect_four,
    dark_hex,
    goofspiel,
    hex_action,
    kuhn_action,
    liars_dice,
    playouts,
    start_of,
    start_there,
    walk,
)
from veil import load
from veil.equilibrium.form import Form, fold_tree
from veil.equilibrium.histories import slot_moves
from veil.equilibrium.response import evaluate_profile, uniform_policy
from veil.equilibrium.tree import GameTree, expand

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")

WHOLE = [
    KUHN,
    LEDUC,
    *(liars_dice(1, faces) for faces in (2, 3, 4, 5, 6)),
    liars_dice(2, 2),
    *(goofspiel(cards, order) for cards in (2, 3, 4, 5) for order in ("ascending", "descending")),
    dark_hex(2),
    battleship(2, (2,)),
    breakthrough(2, 4),
    connect_four(4, 2),
    connect_four(2, 4),
]
HIDDEN = [  # too large, with something hidden
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
ALL_MOVES = [Taste(seed=0, width=None)]
FEW_MOVES = [Taste(seed, width) for seed, width in enumerate((2, 2, 2, 3))]


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


def played(twin: Twin, tastes: list[Taste], count: int, finer: bool = False) -> Playouts:
    return playouts(twin, load(twin.ours), peer(twin), tastes, count, finer)


# Whole trees

# Seconds each, in the nightly run; a smaller game of each family stays.
LARGE = ("liars_dice(1,1,6)", "ii_goofspiel(13,descending)", "dark_hex(4)", "battleship(4,1)", "liars_dice(2,2,6)")


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("twin", nightly_but([twin for twin in WHOLE if str(twin) not in LARGE], WHOLE), ids=str)
def test_a_whole_tree_has_the_moves_chances_infosets_and_payoffs_of_openspiel(twin: Twin) -> None:
    seen, counts = walked(twin), tree(twin).counts()
    assert [seen.nodes, seen.terminals] == [counts["nodes"], counts["terminals"]]
    assert seen.chance_nodes == counts["chance_nodes"]
    assert seen.match.sizes() == list(cast("dict[str, int]", counts["infosets"]).values())


@pytest.mark.parametrize("twin", [KUHN, liars_dice(1, 3), goofspiel(3, "descending"), dark_hex(2)], ids=str)
def test_slow_play_goes_through_the_same_tree(twin: Twin) -> None:
    seen = walk(twin, start_of(load(twin.ours)), start_there(twin, peer(twin)))
    fast = walked(twin)
    assert [seen.nodes, seen.terminals, seen.chance_nodes] == [fast.nodes, fast.terminals, fast.chance_nodes]
    assert seen.match.sizes() == fast.match.sizes()


KNOWN_COUNTS = {  # histories with those of chance, terminals, chance nodes, infosets per player
    KUHN: (58, 30, 4, [6, 6]),
    LEDUC: (9457, 5520, 157, [468, 468]),
    liars_dice(1, 4): (6133, 4080, 5, [256, 256]),
    goofspiel(4, "ascending"): (1077, 576, 0, [81, 81]),
    battleship(2, (2,)): (10069, 5568, 0, [1413, 1873]),
}


@pytest.mark.parametrize(("twin", "known"), KNOWN_COUNTS.items(), ids=map(str, KNOWN_COUNTS))
def test_openspiel_alone_counts_what_our_tree_has(twin: Twin, known: tuple[int, int, int, list[int]]) -> None:
    players, texts = list[int](), set[tuple[int, str]]()
    waiting = [start_there(twin, peer(twin))]
    while waiting:
        point = waiting.pop()
        players.append(point.player)
        if point.player >= 0:
            texts.add((point.player, point.state.information_state_string(point.player)))
        waiting += [point.child(action) for action in point.actions]
    infosets = [sum(owner == player for owner, _ in texts) for player in (0, 1)]
    assert (len(players), players.count(END), players.count(CHANCE), infosets) == known
    counts = tree(twin).counts()
    infosets = [*cast("dict[str, int]", counts["infosets"]).values()]
    assert (counts["nodes"], counts["terminals"], counts["chance_nodes"], infosets) == known


# Games too large for that


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("twin", [*HIDDEN, *OPEN], ids=str)
def test_random_games_have_the_moves_and_payoffs_of_openspiel(twin: Twin) -> None:
    assert len(played(twin, ALL_MOVES, 25).payoffs) > 1


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("twin", nightly_but([twin for twin in HIDDEN if str(twin) not in LARGE], HIDDEN), ids=str)
def test_what_looks_the_same_in_openspiel_looks_the_same_here_and_nothing_else(twin: Twin) -> None:
    met = played(twin, FEW_MOVES, 40)
    assert sum(len(histories) > 1 for histories in met.histories.values()) > 40  # or nothing has been compared


@pytest.mark.parametrize(("size", "lengths"), nightly_but([(3, (3, 2))], [(3, (3, 2)), (4, (3, 3, 2))]))
def test_with_more_ships_moves_and_winners_are_those_of_openspiel_but_only_we_tell_which_ship_was_hit(
    size: int, lengths: tuple[int, ...]
) -> None:
    match = played(battleship(size, lengths, payoff=as_wins), FEW_MOVES, 25, finer=True).match
    assert len(match.theirs_of) > len(match.ours_of)


def test_dark_hex_that_reveals_nothing_is_ours_if_players_remember_all_they_were_told() -> None:
    assert walked(dark_hex(2, "reveal-nothing")).match.sizes() == walked(dark_hex(2)).match.sizes()
    met = played(dark_hex(3, "reveal-nothing", infoset=all_texts), FEW_MOVES, 40)
    assert sum(len(histories) > 1 for histories in met.histories.values()) > 40


def test_dark_hex_that_reveals_nothing_forgets_in_which_turn_a_try_failed_and_we_do_not() -> None:
    """White fails in its first turn, or in its second: black is told the same after both, but not before."""
    twin, records, texts = dark_hex(3, "reveal-nothing"), [], []
    for cells in (("a1", "a1", "b1", "c1", "a2"), ("a1", "b1", "c1", "a1", "a2")):
        ours, theirs = start_of(load(twin.ours)), start_there(twin, peer(twin))
        for cell in cells:
            ours = ours.child(f"(place {'abc'.index(cell[0]) + 1} {cell[1]})")
            theirs = theirs.child(theirs.state.string_to_action(theirs.player, cell))
        records.append(ours.infoset)
        texts.append(theirs.texts[0])
    assert texts[0][-1] == texts[1][-1]
    assert texts[0] != texts[1]
    assert records[0] != records[1]


# A comparison that finds nothing must be able to find something


def with_jack_for_queen(player: int, word: str, card: str = "") -> str:
    return kuhn_action(player, word, {"jack": "queen", "queen": "jack"}.get(card, card))


def mirrored(player: int, word: str, x: str, y: str) -> str:
    """Rows for columns, so that the players have exchanged their sides."""
    return hex_action(player, word, y, x)


DIFFERENT = {
    "two cards are exchanged": (replace(KUHN, action=with_jack_for_queen), "worth"),
    "prizes come the other way round": (
        replace(goofspiel(4, "ascending"), theirs=goofspiel(4, "descending").theirs),
        "worth",
    ),
    "rows are columns": (replace(dark_hex(3), action=mirrored), "moves here"),
    "bids are ordered differently": (
        replace(liars_dice(1, 4), theirs="liars_dice(dice_sides=4,bidding_rule=reset-quantity)"),
        "the moves are",
    ),
    "there are fewer columns": (replace(connect_four(7, 6), theirs=connect_four(6, 6).theirs), "the moves are"),
    "OpenSpiel has one row of pieces": (breakthrough(3, 5), "the moves are"),
    "only we count failed tries": (replace(KRIEG, theirs=PHANTOM.theirs), "one infoset there, two here"),
    "only OpenSpiel counts failed tries": (replace(PHANTOM, theirs=KRIEG.theirs), "one infoset here, two there"),
    "only OpenSpiel shows bids": (
        replace(
            goofspiel(4, "ascending"),
            theirs=goofspiel(4, "ascending").theirs.replace("imp_info=true", "imp_info=false"),
        ),
        "one infoset here, two there",
    ),
    "OpenSpiel forgets when a try failed": (dark_hex(3, "reveal-nothing"), "one infoset there, two here"),
}


@pytest.mark.gate_cases(5)
@pytest.mark.parametrize(("twin", "message"), DIFFERENT.values(), ids=DIFFERENT)
def test_the_comparison_notices_a_game_that_is_not_the_same(twin: Twin, message: str) -> None:
    with pytest.raises(MismatchError, match=message):
        played(twin, FEW_MOVES, 40)


# Policies


SOLVED = [KUHN, LEDUC, liars_dice(1, 6), goofspiel(4, "ascending")]


def random_policy(form: Form, seed: int) -> np.ndarray:
    """[S]"""
    weight = np.random.default_rng(seed).exponential(size=form.num_slots)
    return weight / np.repeat(np.add.reduceat(weight, form.slot_start[:-1]), np.diff(form.slot_start))


def carried_over(twin: Twin, policy: np.ndarray) -> Any:
    """A policy [S] as one of OpenSpiel, infoset by infoset; what is left there must be forced."""
    table = pyspiel.UniformRandomPolicy(peer(twin)).policy_table()
    match, moves, slot_start = walked(twin).match, slot_moves(tree(twin)), tree(twin).flat.slot_start
    forced = dict(table)
    for ours, (_, their_text) in match.theirs_of.items():
        _, infoset = ours
        slots = range(slot_start[infoset], slot_start[infoset + 1])
        del forced[their_text]
        table[their_text] = [(match.actions[ours][moves[slot]], policy[slot]) for slot in slots]
    assert all(len(actions) == 1 for actions in forced.values())
    return pyspiel.TabularPolicy(table)


@pytest.mark.parametrize("twin", nightly_but((KUHN, LEDUC), SOLVED), ids=str)
def test_policies_and_their_best_responses_are_worth_the_same_in_openspiel(twin: Twin) -> None:
    form, game = fold_tree(tree(twin).flat), peer(twin)
    best = [pyspiel.TabularBestResponse(game, player, pyspiel.UniformRandomPolicy(game)) for player in (0, 1)]
    for policy in (uniform_policy(form), random_policy(form, seed=1)):
        ours, theirs, start = evaluate_profile(form, policy), carried_over(twin, policy), game.new_initial_state()
        value = pyspiel.expected_returns(start, theirs, -1, True)
        for response in best:
            response.set_policy(theirs)
        best_value = [response.value_from_state(start) for response in best]
        assert ours.value == pytest.approx(value, abs=1e-9)
        assert ours.best_value == pytest.approx(best_value, abs=1e-9)
        assert ours.nash_conv == pytest.approx(sum(best_value) - sum(value), abs=1e-9)


PUBLISHED = {KUHN: 0.4583, LEDUC: 2.3736, liars_dice(1, 6): 0.7807}  # by pyspiel.nash_conv, halved


@pytest.mark.parametrize(("twin", "exploitability"), PUBLISHED.items(), ids=map(str, PUBLISHED))
def test_uniform_play_is_as_exploitable_as_openspiel_says(twin: Twin, exploitability: float) -> None:
    form = fold_tree(tree(twin).flat)
    assert evaluate_profile(form, uniform_policy(form)).exploitability == pytest.approx(exploitability, abs=5e-5)
