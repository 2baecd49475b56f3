"""The players inside HyperPlay-II: what they think depends on the record alone, and is worked out once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from tests.support.games import NOTHING, game
from tests.support.search_games import ASKED, BOMB, MONTY, QUIET, WAITED, heard, in_words
from veil.belief import ParticleBelief
from veil.belief.csp import CspBelief
from veil.engine.lanes.keys import START_KEY
from veil.search import nested
from veil.search.montecarlo import MoveTally
from veil.search.nested import NestedPlayers

DEALT = (("noop", frozenset({"(card queen)"})), QUIET)  # first has a queen, and is about to bet or to pass
PASSED = (*DEALT, ("pass", NOTHING), ("noop", frozenset({"(played second bet)"})))


def players_of(spec: str, models: int = 20, playouts: int = 20, seed: int = 3) -> NestedPlayers:
    return NestedPlayers(game(spec).machine, models=models, playouts=playouts, seed=seed)


class CountedTally(MoveTally):
    made = 0

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        CountedTally.made += 1


@pytest.fixture
def counted_tally(monkeypatch: pytest.MonkeyPatch) -> type[CountedTally]:
    monkeypatch.setattr(nested, "MoveTally", CountedTally)
    monkeypatch.setattr(CountedTally, "made", 0)
    return CountedTally


def test_who_has_seen_the_wire_cuts_it_and_who_has_not_is_undecided() -> None:
    bomb, players = game("exploding_bomb"), players_of("exploding_bomb")
    known = players.values(1, heard(players, bomb, "agent", ASKED))
    assert in_words(bomb, "agent", known) == {"(cut red)": 90, "(cut blue)": 0}
    unknown = players.values(1, heard(players, bomb, "agent", WAITED))
    assert in_words(bomb, "agent", unknown) == {"(cut red)": 50, "(cut blue)": 50}


def test_a_nested_contestant_weighs_its_worlds() -> None:
    monty_hall, players = game("monty_hall"), players_of("monty_hall")
    values = players.values(1, heard(players, monty_hall, "contestant", MONTY))
    assert in_words(monty_hall, "contestant", values) == pytest.approx({"noop": 100 / 3, "switch": 200 / 3})


def test_before_anything_is_heard_there_is_the_record_of_the_start() -> None:
    players = players_of("monty_hall")
    assert len(players.values(1, int(START_KEY)).moves) == 3


def test_values_depend_on_the_record_only_and_not_on_what_was_asked_before() -> None:
    kuhn = game("kuhn_poker")
    found = []
    for order in ((DEALT, PASSED), (PASSED, DEALT)):
        players = players_of("kuhn_poker")
        values = {record: players.values(1, heard(players, kuhn, "first", record)) for record in order}
        found.append([(values[record].moves.tolist(), values[record].values.tolist()) for record in (DEALT, PASSED)])
    assert found[0] == found[1]


def test_another_seed_gives_other_values() -> None:
    kuhn, found = game("kuhn_poker"), []
    for seed in (3, 4):
        players = players_of("kuhn_poker", playouts=3, seed=seed)
        found.append(players.values(1, heard(players, kuhn, "first", DEALT)).values.tolist())
    assert found[0] != found[1]


def test_a_record_is_thought_about_once(counted_tally: type[CountedTally]) -> None:
    bomb, players = game("exploding_bomb"), players_of("exploding_bomb")
    known, unknown = (heard(players, bomb, "agent", record) for record in (ASKED, WAITED))
    keys = np.array([known, unknown] * 50, np.uint64)
    legal = np.zeros((100, len(bomb.program.moves[1])), bool)
    legal[:, players.values(1, known).moves] = True
    rng = np.random.default_rng(0)
    players.choose(1, keys, legal, rng)
    visited = players.states_visited
    players.choose(1, keys, legal, rng)
    assert counted_tally.made == 2
    assert players.states_visited == visited > 0


def test_equal_records_choose_alike_and_draws_are_among_the_best() -> None:
    """After waiting both wires are equally good: a coin decides. False-alarm rate 1e-6."""
    bomb, players = game("exploding_bomb"), players_of("exploding_bomb")
    known, unknown = (heard(players, bomb, "agent", record) for record in (ASKED, WAITED))
    names = [bomb.rules.show(move) for move in bomb.program.moves[1]]
    legal = np.array([[name.startswith("(cut") for name in names]] * 1000)
    rng = np.random.default_rng(5)
    knowing = players.choose(1, np.full(1000, known, np.uint64), legal, rng)
    assert {names[move] for move in knowing} == {"(cut red)"}
    guessing = [names[move] for move in players.choose(1, np.full(1000, unknown, np.uint64), legal, rng)]
    assert set(guessing) == {"(cut red)", "(cut blue)"}
    assert binomtest(guessing.count("(cut red)"), 1000).pvalue > 1e-6


def test_where_there_is_no_choice_nobody_thinks(counted_tally: type[CountedTally]) -> None:
    players = players_of("exploding_bomb")
    legal = np.array([[False, True, False, False, False]])
    chosen = players.choose(
        1, np.array([12345], np.uint64), legal, np.random.default_rng(0)
    )  # a key nobody has heard of
    assert chosen.tolist() == [1]
    assert counted_tally.made == 0


def test_beliefs_that_grow_too_large_go_on_as_particles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Krieg-TicTacToe: after two rounds x has nine worlds, and none of its particles can die."""
    monkeypatch.setattr(nested, "MAX_WORLDS", 5)
    krieg = game("krieg_tictactoe")
    players = players_of("krieg_tictactoe", models=30, playouts=5)
    record = (("(mark 2 2)", frozenset({"marked"})), ("noop", frozenset({"your_turn"})))
    key = heard(players, krieg, "xplayer", record)
    values = players.values(0, key)
    assert isinstance(players._beliefs[(0, key)].now, ParticleBelief)
    assert len(values.moves) == 8
    assert ((values.values >= 0) & (values.values <= 100)).all()


def test_where_particles_die_out_constraint_satisfaction_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single particle guesses which cell o has taken, and is right once in eight; x then finds one that is."""
    monkeypatch.setattr(nested, "MAX_WORLDS", 2)
    monkeypatch.setattr(nested, "MIN_PARTICLES", 1)
    krieg = game("krieg_tictactoe")
    record = (
        ("(mark 2 2)", frozenset({"marked"})),
        ("noop", frozenset({"your_turn"})),
        ("(mark 1 1)", frozenset({"taken"})),
    )
    kinds = set()
    for seed in range(6):  # all of them right: 1 in 262,144
        players = players_of("krieg_tictactoe", models=1, playouts=2, seed=seed)
        key = heard(players, krieg, "xplayer", record)
        assert len(players.values(0, key).moves) == 7
        kinds.add(type(players._beliefs[(0, key)].now))
    assert CspBelief in kinds


def test_what_was_heard_first_stays() -> None:
    """A record is known by its key; to hear of it again, from another world, changes nothing."""
    bomb, players = game("exploding_bomb"), players_of("exploding_bomb")
    for record in (BOMB, ASKED, BOMB, (QUIET,), ASKED):
        key = heard(players, bomb, "agent", record)
    assert in_words(bomb, "agent", players.values(1, key)) == {"(cut red)": 90, "(cut blue)": 0}
