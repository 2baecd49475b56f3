"""A match driven by hand: what it waits for, what it makes of the answers, and what it writes down."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.games import game
from tests.support.matches import DICE, assert_played_by_the_rules, moves_of
from tests.support.refusals import refused
from veil.match.config import MatchConfig
from veil.match.referee import run_match
from veil.match.table import MatchTable, Reply
from veil.players.contract import LEGAL_MOVES, PERSON, TRUE_STATE, Observation
from veil.streams import chance_of_match, repairs_of_match

SEATS = {"ann": "hand", "bob": "hand"}
THROWS = tuple(f"(throw {face})" for face in range(1, 5))


def start_dice(seed: int = 0, needs: dict[str, frozenset[str]] | None = None, **options: Any) -> MatchTable:
    return MatchTable(game(DICE), SEATS, seed, MatchConfig(**options), needs)


def answer(match: MatchTable, **moves: object) -> None:
    """Advance by these moves; whoever is not named throws a two."""
    match.advance({role: Reply(moves.get(role, "(throw 2)")) for role in match.requests()})


def test_a_match_is_played_by_answering_its_requests() -> None:
    match = start_dice()
    seen = []
    while not match.is_over:
        requests = match.requests()
        seen.append({role: request.observation for role, request in requests.items()})
        assert all(request.role == role for role, request in requests.items())
        match.advance({"ann": Reply("(throw 3)"), "bob": Reply("(throw 2)")})
    three, two = Observation("(throw 3)", frozenset({"(own 3)"})), Observation("(throw 2)", frozenset({"(own 2)"}))
    assert seen == [{"ann": None, "bob": None}, *[{"ann": three, "bob": two}] * 2]
    assert match.observations() == {"ann": three, "bob": two}
    assert match.requests() == {}
    assert match.log.goals == {"ann": 100, "bob": 20}
    assert (match.log.finished, match.log.forfeited, len(match.log.rounds)) == (True, [], 3)
    assert_played_by_the_rules(DICE, match.log)


def test_requests_may_be_asked_for_again_and_change_nothing() -> None:
    match = start_dice()
    assert match.requests() == match.requests()
    assert match.log.rounds == []


def test_only_what_a_role_needs_is_in_its_request() -> None:
    needs = {"ann": frozenset({LEGAL_MOVES}), "bob": frozenset()}
    requests = start_dice(needs=needs).requests()
    assert requests["ann"].legal == THROWS
    assert requests["bob"].legal is None
    assert requests["ann"].state is requests["bob"].state is None
    assert start_dice(needs={"bob": frozenset({PERSON})}).requests()["bob"].legal == THROWS


def test_the_true_state_is_shown_only_where_the_match_allows_it_and_cannot_be_changed() -> None:
    needs = {"ann": frozenset({TRUE_STATE})}
    assert start_dice(needs=needs).requests()["ann"].state is None
    match = start_dice(needs=needs, allow_cheat=True)
    state = match.requests()["ann"].state
    assert state is not None
    assert np.array_equal(state, game(DICE).machine.initial_states()[0])
    state[:] = 0
    answer(match)
    assert len(match.log.rounds) == 1
    assert match.requests()["bob"].state is None


def test_every_requested_role_is_answered_and_nobody_else() -> None:
    match = start_dice()
    for answers in ({}, {"ann": Reply("(throw 1)")}, dict.fromkeys(("ann", "bob", "eve"), Reply("(throw 1)"))):
        with pytest.raises(ValueError, match="waits for"):
            match.advance(answers)
    assert match.log.rounds == []
    for _ in range(3):
        answer(match)
    with pytest.raises(ValueError, match="waits for"):
        match.advance({"ann": Reply("(throw 1)"), "bob": Reply("(throw 1)")})


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply("(throw 9)"), "(throw 9) is not legal"),
        (Reply(None), "NoneType is no move"),
        (Reply(error="ValueError: no idea"), "ValueError: no idea"),
        (Reply("(throw 4)", error="ValueError: no idea"), "ValueError: no idea"),
        (Reply("(throw 4)", seconds=1.06), "late: 1.06 s"),
        (Reply(error="x" * 1000), "x" * 200),
    ],
    ids=str,
)
def test_an_error_is_replaced_by_a_move_of_the_matches_own_stream(reply: Reply, error: str) -> None:
    match = start_dice(seed=5, play_seconds=1.0)
    match.advance({"ann": reply, "bob": Reply("(throw 2)", seconds=1.04)})
    (entry,) = match.log.rounds
    assert entry.errors == {"ann": error}
    assert entry.moves == {"ann": THROWS[repairs_of_match(5).integers(4)], "bob": "(throw 2)"}
    told = match.requests()["ann"].observation
    assert told is not None
    assert told.own_move == entry.moves["ann"]  # it is told what was played


def test_times_are_kept_where_a_clock_runs_and_persons_are_never_late() -> None:
    match = start_dice(play_seconds=1.0, needs={"bob": frozenset({PERSON})})
    match.advance({role: Reply("(throw 2)", seconds=30.00001) for role in SEATS})
    assert match.log.rounds[0].seconds == {"ann": 30.0, "bob": 30.0}
    assert set(match.log.rounds[0].errors) == {"ann"}
    timeless = start_dice()
    timeless.advance({role: Reply("(throw 2)", seconds=30.0) for role in SEATS})
    assert (timeless.log.rounds[0].seconds, timeless.log.rounds[0].errors) == ({}, {})


def test_who_forfeits_is_not_requested_again_and_has_goal_0() -> None:
    match = start_dice(max_errors=0)
    answer(match, ann="nonsense")
    assert list(match.requests()) == ["bob"]
    while not match.is_over:
        answer(match)
    assert match.log.forfeited == ["ann"]
    assert match.log.goals["ann"] == 0
    assert match.log.errors == {"ann": 1, "bob": 0}
    assert list(match.observations()) == ["bob"]
    assert_played_by_the_rules(DICE, match.log)


def test_a_match_goes_on_when_everybody_has_forfeited() -> None:
    match = start_dice(max_errors=0)
    answer(match, ann=None, bob=None)
    while not match.is_over:
        assert match.requests() == {}
        match.advance({})
    assert (len(match.log.rounds), match.log.goals) == (3, {"ann": 0, "bob": 0})


def test_errors_of_the_start_are_counted_with_the_first_round() -> None:
    match = start_dice(start_seconds=1.0)
    match.note_start({"ann": Reply(seconds=1.06), "bob": Reply(error="it could not start", seconds=0.1)})
    assert match.requests() == {}
    match.advance({})
    assert match.log.rounds[0].errors == {"ann": "it started late, after 1.06 s", "bob": "it could not start"}
    assert list(match.requests()) == ["ann", "bob"]
    strict = start_dice(start_seconds=1.0, max_errors=0)
    strict.note_start({"ann": Reply(seconds=1.04), "bob": Reply(seconds=9.0)})
    assert list(strict.requests()) == ["ann"]
    answer(strict)
    assert list(strict.requests()) == ["ann"]


def test_errors_of_the_end_are_written_down_and_change_nothing() -> None:
    match = start_dice()
    while not match.is_over:
        answer(match)
    match.note_stop({"ann": Reply(error="RuntimeError"), "bob": Reply()})
    assert match.log.rounds[-1].errors == {"ann": "stop: RuntimeError"}
    assert match.log.goals == {"ann": 100, "bob": 100}


def test_reports_are_kept_where_they_are_wanted() -> None:
    for reports, kept in ((True, {"ann": {"why": 1}}), (False, {})):
        match = start_dice(reports=reports)
        match.advance({"ann": Reply("(throw 1)", report={"why": 1}), "bob": Reply("(throw 1)")})
        assert match.log.rounds[0].reports == kept


def test_a_match_that_is_too_long_is_over_and_not_finished() -> None:
    match = start_dice(max_rounds=2)
    answer(match, ann="(throw 4)")
    over = [match.is_over]
    answer(match, ann="(throw 4)")
    assert [*over, match.is_over] == [False, True]
    assert (match.log.finished, match.log.goals) == (False, {"ann": 100, "bob": 20})


def test_a_role_without_a_legal_move_is_refused_when_it_is_asked() -> None:
    stuck = """
    (role ann) (init start) (<= (legal ann go) (true start)) (<= (next lost) (does ann go))
    (<= terminal (true over)) (<= (next over) (true over)) (goal ann 0)
    """
    match = MatchTable(game(stuck), {"ann": "hand"})
    match.advance({"ann": Reply("go")})
    assert not match.is_over
    assert "round 2: ann has no legal move" in refused("stuck", match.requests)
    refused("stuck", lambda: match.advance({"ann": Reply("go")}))


def test_chance_is_drawn_once_per_round_from_its_own_stream() -> None:
    gops = game("gops")
    match = MatchTable(gops, {"first": "hand", "second": "hand"}, seed=3)
    stream, state = chance_of_match(3), gops.initial_state()
    while not match.is_over:
        legal = [move for move in gops.names.moves[gops.roles.index("random")] if move in state.legal("random")]
        expected = legal[int(stream.integers(len(legal)))]
        match.advance({role: Reply("nonsense") for role in match.requests()})
        assert match.log.rounds[-1].moves["random"] == expected
        state, _ = state.play(match.log.rounds[-1].moves)


def test_seats_say_what_a_player_needs_to_start_and_have_different_seeds() -> None:
    seats = start_dice(seed=7, start_seconds=9.0, play_seconds=8.0).seats()
    assert list(seats) == ["ann", "bob"]
    assert all(seat.role == role and seat.game is game(DICE) for role, seat in seats.items())
    assert {(seat.start_seconds, seat.play_seconds) for seat in seats.values()} == {(9.0, 8.0)}
    assert seats["ann"].seed != seats["bob"].seed
    assert start_dice(seed=7).seats()["bob"].seed == seats["bob"].seed


@pytest.mark.parametrize(
    ("players", "code"),
    [
        ({"ann": "x"}, "bad-seat"),
        ({"ann": "x", "bob": "x", "eve": "x"}, "unknown-role"),
        ({"ann": "x", "ANN": "y", "bob": "x"}, "bad-seat"),
    ],
)
def test_seats_that_do_not_fit_the_game_are_refused(players: dict[str, str], code: str) -> None:
    refused(code, lambda: MatchTable(game(DICE), players))


def test_a_match_by_hand_is_the_match_of_run_match() -> None:
    class Thrower:
        def start(self, seat: object) -> None: ...
        def stop(self, observation: object) -> None: ...
        def play(self, observation: Observation | None) -> str:
            return "(throw 1)" if observation is None else "what"

        def report(self) -> dict[str, Any]:
            return {}

    match = start_dice(seed=9)
    while not match.is_over:
        move = "what" if match.log.rounds else "(throw 1)"
        match.advance({role: Reply(move) for role in match.requests()})
    log = run_match(game(DICE), SEATS, 9, players={"ann": Thrower(), "bob": Thrower()})
    assert log == match.log
    assert moves_of(log, "ann") != moves_of(log, "bob")
