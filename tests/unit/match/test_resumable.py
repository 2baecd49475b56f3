"""A match that is left and taken up again: the same rounds, the same cards, players who have heard everything."""

from __future__ import annotations

import pytest

import veil
from tests.support.refusals import refused
from veil.errors import VeilError, fail
from veil.match import MatchConfig, ResumableMatch, Round
from veil.players import Request

SEATS = {"xplayer": "random", "oplayer": "human"}


class Visitor:
    """Plays its first move, and leaves after so many questions."""

    def __init__(self, patience: int = 10**6) -> None:
        self.patience = patience
        self.heard: list[object] = []
        self.asked: list[object] = []

    def observe(self, role: str, observation: object) -> None:
        self.heard.append(observation)

    def __call__(self, request: Request) -> str:
        if len(self.asked) == self.patience:
            raise fail("person-left", role=request.role)
        self.asked.append(request.observation)
        assert request.legal is not None
        return request.legal[0]


def rounds_of(moves: list[dict[str, str]]) -> list[Round]:
    """Rounds of which nothing is known but the moves."""
    return [Round(moves=entry, sees={}) for entry in moves]


def test_a_match_goes_on_where_it_was_left() -> None:
    game = veil.load("krieg_tictactoe")
    whole = ResumableMatch(game, SEATS, 5, MatchConfig(), person=Visitor()).run()
    visitor = Visitor(patience=4)
    first = ResumableMatch(game, SEATS, 5, MatchConfig(), person=visitor)
    with pytest.raises(VeilError):
        first.run()
    assert first.moves == [entry.moves for entry in whole.rounds[:4]]
    back = Visitor()
    again = ResumableMatch(game, SEATS, 5, MatchConfig(), person=back, played=rounds_of(first.moves)).run()
    assert [entry.moves for entry in again.rounds] == [entry.moves for entry in whole.rounds]
    assert again.goals == whole.goals
    assert not any(entry.errors for entry in again.rounds)
    assert back.heard == visitor.asked  # the rounds that were played, without a question


def test_a_searcher_has_heard_the_rounds_that_are_given() -> None:
    game = veil.load("kuhn_poker")
    seats = {"first": "human", "second": "hyperplay:models=4,playouts=2"}
    log = ResumableMatch(game, seats, 3, MatchConfig(), person=Visitor()).run()
    rounds = [entry.moves for entry in log.rounds]
    again = ResumableMatch(game, seats, 3, MatchConfig(), person=Visitor(), played=rounds_of(rounds[:-1])).run()
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
    match = ResumableMatch(
        veil.load("krieg_tictactoe"), SEATS, 5, MatchConfig(), person=Visitor(), played=rounds_of(played)
    )
    assert "of the saved game cannot be played again" in refused("saved-game-differs", match.run)


def test_cards_that_another_seed_deals_are_refused() -> None:
    game = veil.load("kuhn_poker")
    seats = {"first": "human", "second": "first"}
    played = [entry.moves for entry in ResumableMatch(game, seats, 3, MatchConfig(), person=Visitor()).run().rounds]
    texts = []
    for seed in range(10, 20):
        try:
            ResumableMatch(game, seats, seed, MatchConfig(), person=Visitor(), played=rounds_of(played)).run()
        except VeilError as error:
            texts.append(error.problems[0].code)
    assert set(texts) == {"saved-game-differs"}


def play_outside(match: ResumableMatch, rounds: int) -> None:
    """Play this many rounds, or to the end: the first legal move of xplayer, who is outside."""
    for _ in range(rounds):
        if not match.match.is_over:
            match.advance({"xplayer": (match.match.requests()["xplayer"].legal or ())[0]})


def test_moves_from_outside_are_given_and_only_the_others_are_asked() -> None:
    game, seats = veil.load("krieg_tictactoe"), {"xplayer": "human", "oplayer": "random"}
    match = ResumableMatch(game, seats, 5, MatchConfig(), outside={"xplayer"})
    assert match.start() is None
    play_outside(match, 100)
    assert match.match.is_over
    whole = ResumableMatch(game, seats, 5, MatchConfig(), person=Visitor()).run()
    assert match.match.log.rounds == whole.rounds
    assert match.match.log.goals == whole.goals


def test_errors_and_reports_of_earlier_rounds_are_those_of_then() -> None:
    """A player that answered nonsense has its errors again, and the moves that took their place."""
    game, seats = veil.load("krieg_tictactoe"), {"xplayer": "human", "oplayer": "human"}
    config = MatchConfig(reports=True)

    def open_match(played: list[Round]) -> ResumableMatch:
        return ResumableMatch(game, seats, 5, config, outside={"xplayer", "oplayer"}, played=played)

    first = open_match([])
    first.start()
    for _ in range(4):
        legal = first.match.requests()["xplayer"].legal or ()
        first.advance({"xplayer": legal[0], "oplayer": "nonsense"})
        first.match.log.rounds[-1].reports["xplayer"] = {"mood": "fine"}
    again = open_match(first.match.log.rounds)
    assert again.start() is None
    assert again.match.log.rounds == first.match.log.rounds
    assert sum(again.match.log.errors.values()) == 4


def test_the_first_round_that_differs_is_named() -> None:
    game, seats = veil.load("krieg_tictactoe"), {"xplayer": "human", "oplayer": "random"}
    match = ResumableMatch(game, seats, 5, MatchConfig(), outside={"xplayer"})
    match.start()
    play_outside(match, 100)
    rounds = match.match.log.rounds
    changed = [*rounds[:2], Round(moves=rounds[2].moves | {"xplayer": "(mark 9 9)"}, sees={}), *rounds[3:]]
    too_many = [*rounds, rounds[0]]
    numbers = [
        ResumableMatch(game, seats, 5, MatchConfig(), outside={"xplayer"}, played=played).start()
        for played in (changed, too_many, rounds)
    ]
    assert numbers == [3, len(rounds) + 1, None]
