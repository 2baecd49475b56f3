"""A match step by step: what may be done, what is seen, what is taken back, and that chance repeats itself."""

from __future__ import annotations

import pytest

import veil
from tests.support.refusals import refused
from veil.engine import record_of

KUHN = veil.load("kuhn_poker")


def start(seed: int = 1) -> veil.Match:
    match = veil.Match(KUHN, seed)
    match.skip()
    return match


def test_a_match_is_played_to_its_goals() -> None:
    match = start()
    assert match.turn == ["first"]
    match.push("bet")
    assert (match.turn, match.legal("second"), match.is_over) == (["second"], ["bet", "pass"], False)
    match.push({"second": "pass"})
    assert match.is_over
    assert (match.turn, match.legal("first"), set(match.goals)) == ([], [], {"first", "second"})
    assert match.goals == {role: match.state.goals[role] for role in ("first", "second")}


@pytest.mark.parametrize("name", ["kuhn_poker", "krieg_tictactoe", "monty_hall", "ii_goofspiel(cards=4)"])
def test_what_a_role_observes_is_its_record(name: str) -> None:
    match = veil.Match(name, seed=3)
    while not match.is_over:
        match.push({role: match.legal(role)[-1] for role in match.turn})
        for role in match.goals:
            told = record_of(match.game, role, match.moves)
            assert match.observe(role).rounds == told.rounds


def test_a_round_that_is_taken_back_draws_the_same_again() -> None:
    match = start()
    before, dealt = match.observe("first"), match.moves
    for _ in range(match.round):
        match.pop()
    assert (match.round, match.moves) == (0, [])
    match.skip()
    assert (match.observe("first"), match.moves) == (before, dealt)


def test_seeds_deal_different_cards() -> None:
    assert len({str(start(seed).observe("first")) for seed in range(20)}) == 3


def test_chance_may_be_given() -> None:
    match = veil.Match(KUHN)
    deal = match.legal("random")[-1]
    match.push({"random": deal})
    assert match.moves[0]["random"] == deal


def test_a_role_believes_what_its_record_leaves_open() -> None:
    match = start()
    bag = match.believe("first")
    assert (len(bag), bag.exact) == (2, True)


def test_a_refused_round_changes_nothing() -> None:
    match = start()
    before = match.moves
    refused("illegal-move", lambda: match.push("raise"))
    refused("unknown-role", lambda: match.push({"third": "bet"}))
    refused("bad-argument", lambda: match.push(3))  # type: ignore[arg-type]
    refused("missing-move", lambda: match.push())
    assert match.moves == before


def test_a_move_alone_needs_one_role_that_chooses() -> None:
    refused("whose-move", lambda: veil.Match("matching_pennies").push("heads"))
    refused("nothing-to-take-back", lambda: veil.Match("matching_pennies").pop())


def test_it_shows_itself_in_one_line() -> None:
    match = start()
    assert repr(match) == "Match('kuhn_poker', round 2, turn=['first'])"
    assert match.round == 2
