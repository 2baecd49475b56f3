"""The players inside HyperPlay-II: what they think depends on the record alone, and is worked out once."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import NOTHING, game
from tests.support.search_games import ASKED, BOMB, MONTY, QUIET, WAITED, heard, in_words
from veil.engine.lanes.keys import START_KEY
from veil.search.hyperplay2.move_values import MoveValues
from veil.search.hyperplay2.nested import NestedPlayers

DEALT = (("noop", frozenset({"(card queen)"})), QUIET)  # first has a queen, and is about to bet or to pass
PASSED = (*DEALT, ("pass", NOTHING), ("noop", frozenset({"(played second bet)"})))


def players_of(spec: str, models: int = 20, playouts: int = 20, seed: int = 3) -> NestedPlayers:
    return NestedPlayers(game(spec).machine, models=models, playouts=playouts, seed=seed)


def thought(players: NestedPlayers, role: int, key: int) -> MoveValues:
    """What is thought of the moves after one record."""
    (values,) = players.values(role, [key])
    assert values is not None
    return values


def test_who_has_seen_the_wire_cuts_it_and_who_has_not_is_undecided() -> None:
    bomb, players = game("exploding_bomb"), players_of("exploding_bomb")
    known = thought(players, 1, heard(players, bomb, "agent", ASKED))
    assert in_words(bomb, "agent", known) == {"(cut red)": 90, "(cut blue)": 0}
    unknown = thought(players, 1, heard(players, bomb, "agent", WAITED))
    assert in_words(bomb, "agent", unknown) == {"(cut red)": 50, "(cut blue)": 50}


def test_a_nested_contestant_weighs_its_worlds() -> None:
    monty_hall, players = game("monty_hall"), players_of("monty_hall")
    values = thought(players, 1, heard(players, monty_hall, "contestant", MONTY))
    assert in_words(monty_hall, "contestant", values) == pytest.approx({"noop": 100 / 3, "switch": 200 / 3})


def test_before_anything_is_heard_there_is_the_record_of_the_start() -> None:
    players = players_of("monty_hall")
    assert len(thought(players, 1, int(START_KEY)).moves) == 3


def test_the_same_questions_get_the_same_answers() -> None:
    kuhn = game("kuhn_poker")
    found = []
    for _ in range(2):
        players = players_of("kuhn_poker")
        keys = [heard(players, kuhn, "first", record) for record in (DEALT, PASSED)]
        found.append([(each.moves.tolist(), each.values.tolist()) for each in players.values(1, keys) if each])
    assert len(found[0]) == 2
    assert found[0] == found[1]


@pytest.mark.compiled("slow as Python")
def test_a_question_is_answered_alike_alone_and_among_others() -> None:
    """Values of moves are means of payoffs from 0 to 100: 8,000 playouts each, 5 deviations of two of them."""
    kuhn = game("kuhn_poker")
    players = players_of("kuhn_poker", models=20, playouts=400)
    alone = thought(players, 1, heard(players, kuhn, "first", DEALT))
    others = players_of("kuhn_poker", models=20, playouts=400, seed=4)
    keys = [heard(others, kuhn, "first", record) for record in (PASSED, DEALT)]
    among = others.values(1, keys)[1]
    assert among is not None
    assert alone.moves.tolist() == among.moves.tolist()
    assert alone.visits.tolist() == among.visits.tolist() == [8000, 8000]
    assert alone.values == pytest.approx(among.values, abs=5 * 50 * np.sqrt(2 / 8000))


def test_another_seed_gives_other_values() -> None:
    kuhn, found = game("kuhn_poker"), []
    for seed in (3, 4):
        players = players_of("kuhn_poker", playouts=3, seed=seed)
        found.append(thought(players, 1, heard(players, kuhn, "first", DEALT)).values.tolist())
    assert found[0] != found[1]


def test_a_record_is_thought_about_once() -> None:
    bomb, players = game("exploding_bomb"), players_of("exploding_bomb")
    known, unknown = (heard(players, bomb, "agent", record) for record in (ASKED, WAITED))
    players.values(1, [known, unknown] * 50)
    visited = players.states_visited
    players.values(1, [unknown, known])
    assert players.decisions == 2
    assert players.states_visited == visited > 0


def test_what_was_heard_first_stays() -> None:
    """A record is known by its key; to hear of it again, from another world, changes nothing."""
    bomb, players = game("exploding_bomb"), players_of("exploding_bomb")
    for record in (BOMB, ASKED, BOMB, (QUIET,), ASKED):
        key = heard(players, bomb, "agent", record)
    assert in_words(bomb, "agent", thought(players, 1, key)) == {"(cut red)": 90, "(cut blue)": 0}
