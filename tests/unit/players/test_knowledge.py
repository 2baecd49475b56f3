"""What a player knows after what it was told."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import NOTHING, game
from tests.support.refusals import refused
from tests.support.seats import JACK, QUIET, seat
from veil.belief.bag import Bag
from veil.belief.contract import NothingExplains
from veil.players.contract import Observation
from veil.players.knowledge import Knowledge

MARKED = Observation("(mark 1 1)", frozenset({"marked"}))
YOURS = Observation("noop", frozenset({"your_turn"}))


def test_before_the_first_round_nothing_is_heard() -> None:
    knowledge = Knowledge(seat("kuhn_poker", "first"), worlds=10)
    knowledge.hear(None)
    assert knowledge.record.rounds == ()
    assert knowledge.legal() == ["noop"]


def test_the_record_grows_with_every_round() -> None:
    knowledge = Knowledge(seat("kuhn_poker", "first"), worlds=10)
    for told in JACK:
        knowledge.hear(told)
    assert knowledge.record.rounds == JACK
    assert str(knowledge.record) == "noop: (card jack); noop"
    assert knowledge.belief.rounds == 2


def test_legal_moves_are_those_of_the_true_state_sorted() -> None:
    krieg = game("krieg_tictactoe")
    knowledge = Knowledge(seat("krieg_tictactoe", "xplayer"), worlds=5)
    state = krieg.initial_state()
    for moves in ({"xplayer": "(mark 1 1)"}, {"oplayer": "(mark 3 2)"}):
        assert knowledge.legal() == state.legal("xplayer")
        state, percepts = state.play(moves)
        knowledge.hear(Observation(moves.get("xplayer", "noop"), frozenset(percepts["xplayer"])))
    assert knowledge.legal() == state.legal("xplayer")
    assert len(knowledge.legal()) == 8  # all but the own cell


def test_worlds_are_all_there_are_or_as_many_as_wanted() -> None:
    few = Knowledge(seat("krieg_tictactoe", "xplayer"), worlds=3)
    many = Knowledge(seat("krieg_tictactoe", "xplayer"), worlds=100)
    for knowledge in (few, many):
        knowledge.hear(MARKED)
        knowledge.hear(YOURS)
    rng = np.random.default_rng(0)
    assert 1 <= len(few.bag(rng)) <= 3
    whole = many.bag(rng)
    assert (len(whole), whole.exact) == (8, True)
    assert whole.weights.sum() == pytest.approx(1.0)


def test_beyond_what_is_kept_exactly_somebody_else_goes_on() -> None:
    knowledge = Knowledge(seat("krieg_tictactoe", "xplayer"), worlds=9, sampler="auto:max_worlds=2")
    knowledge.hear(MARKED)
    knowledge.hear(YOURS)
    bag = knowledge.bag(np.random.default_rng(0))
    assert not bag.exact
    assert bag.sampler != "exact"
    assert 1 <= len(bag) <= 9
    assert len(knowledge.legal()) == 8


def test_a_move_is_shown_as_the_rules_spell_it() -> None:
    knowledge = Knowledge(seat("krieg_tictactoe", "xplayer"), worlds=1)
    shown = [knowledge.show(move) for move in range(len(game("krieg_tictactoe").program.moves[0]))]
    assert set(knowledge.legal()) <= set(shown)
    assert len(set(shown)) == len(shown)


def test_what_no_game_could_tell_is_refused() -> None:
    knowledge = Knowledge(seat("kuhn_poker", "first"), worlds=10)
    refused("unexplained", lambda: knowledge.hear(Observation("noop", frozenset({"(card ace)"}))))


def test_what_contradicts_the_rules_is_noticed() -> None:
    knowledge = Knowledge(seat("kuhn_poker", "first"), worlds=10)
    with pytest.raises(NothingExplains):
        knowledge.hear(QUIET)  # the first card is always seen
    assert QUIET == ("noop", NOTHING)


def test_where_no_world_was_found_in_time_it_plays_on_from_an_earlier_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guess has the own moves, and it is the right one's turn; what the other did is anybody's guess."""
    knowledge = Knowledge(seat("krieg_tictactoe", "xplayer"), worlds=5)
    rng = np.random.default_rng(0)
    assert knowledge.bag(rng).sampler == "exact"

    def lost(count: int | None, rng: np.random.Generator) -> Bag:
        raise NothingExplains(knowledge.belief.rounds, proved=False)

    knowledge.hear(MARKED)
    monkeypatch.setattr(knowledge.belief, "worlds", lost)
    assert knowledge.legal() == ["noop"]
    knowledge.hear(YOURS)
    assert "(mark 1 1)" not in knowledge.legal()
    assert "noop" not in knowledge.legal()
    guess = knowledge.bag(rng)
    assert (guess.sampler, guess.exact) == ("guess", False)
    assert guess.histories.shape[1] == 2
    shown = game("krieg_tictactoe").rules.show
    moves = game("krieg_tictactoe").program.moves[0]
    assert shown(moves[guess.histories[0, 0, 0]]) == "(mark 1 1)"


def test_what_cannot_be_is_not_guessed_at() -> None:
    knowledge = Knowledge(seat("monty_hall", "contestant"), worlds=5)
    knowledge.legal()
    with pytest.raises(NothingExplains):
        knowledge.hear(Observation("(choose 1)", frozenset({"1"})))
