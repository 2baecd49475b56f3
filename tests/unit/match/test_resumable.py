"""A match that is left and taken up again: the same rounds, the same cards, players who have heard everything."""

from __future__ import annotations

import pytest

import veil
from tests.support.refusals import refused
from veil.errors import VeilError, fail
from veil.match import MatchConfig, Sitting
from veil.players import Request

SEATS = {"xplayer": "random", "oplayer": "human"}


class Visitor:
    """Plays its first move, and leaves after so many questions."""

    def __init__(self, patience: int = 10**6) -> None:
        self.patience = patience
        self.heard: list[object] = []
        self.asked: list[object] = []

    def hear(self, role: str, observation: object) -> None:
        self.heard.append(observation)

    def __call__(self, request: Request) -> str:
        if len(self.asked) == self.patience:
            raise fail("person-left", role=request.role)
        self.asked.append(request.observation)
        assert request.legal is not None
        return request.legal[0]


def test_a_match_goes_on_where_it_was_left() -> None:
    game = veil.load("krieg_tictactoe")
    whole = Sitting(game, SEATS, 5, MatchConfig(), person=Visitor()).run()
    visitor = Visitor(patience=4)
    first = Sitting(game, SEATS, 5, MatchConfig(), person=visitor)
    with pytest.raises(VeilError):
        first.run()
    assert first.moves == [entry.moves for entry in whole.rounds[:4]]
    back = Visitor()
    again = Sitting(game, SEATS, 5, MatchConfig(), person=back, played=first.moves).run()
    assert [entry.moves for entry in again.rounds] == [entry.moves for entry in whole.rounds]
    assert again.goals == whole.goals
    assert not any(entry.errors for entry in again.rounds)
    assert back.heard == visitor.asked  # the rounds that were played, without a question


def test_a_searcher_has_heard_the_rounds_that_are_given() -> None:
    game = veil.load("kuhn_poker")
    seats = {"first": "human", "second": "hyperplay:models=4,playouts=2"}
    log = Sitting(game, seats, 3, MatchConfig(), person=Visitor()).run()
    rounds = [entry.moves for entry in log.rounds]
    again = Sitting(game, seats, 3, MatchConfig(), person=Visitor(), played=rounds[:-1]).run()
    assert not any(entry.errors for entry in again.rounds)
    assert [entry.moves for entry in again.rounds[:-1]] == rounds[:-1]


@pytest.mark.parametrize(
    "played",
    [
        [{"xplayer": "(mark 9 9)", "oplayer": "noop"}],
        [{"xplayer": "(mark 1 1)"}],
        [{"xplayer": "(mark 1 1)", "oplayer": "noop"}] * 40,
    ],
)
def test_rounds_that_cannot_have_been_played_are_refused(played: list[dict[str, str]]) -> None:
    sitting = Sitting(veil.load("krieg_tictactoe"), SEATS, 5, MatchConfig(), person=Visitor(), played=played)
    assert "of the saved game cannot be played again" in refused("saved-game-differs", sitting.run)


def test_cards_that_another_seed_deals_are_refused() -> None:
    game = veil.load("kuhn_poker")
    seats = {"first": "human", "second": "first"}
    played = [entry.moves for entry in Sitting(game, seats, 3, MatchConfig(), person=Visitor()).run().rounds]
    texts = []
    for seed in range(10, 20):
        try:
            Sitting(game, seats, seed, MatchConfig(), person=Visitor(), played=played).run()
        except VeilError as error:
            texts.append(error.problems[0].code)
    assert set(texts) == {"saved-game-differs"}
