"""Records: from JSON, as JSON, as numbers."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.reference import beliefs
from tests.support.games import NOTHING, game
from tests.support.refusals import refused
from veil.engine.lanes.machine import unpack
from veil.engine.record import Record, bad_record, encode, parse_record, read_record, unexplained
from veil.engine.replay import record_of
from veil.errors import VeilError

CHOSEN = {"random": "(hide_car 2)", "contestant": "(choose 1)"}
OPENED = {"random": "(open_door 3)", "contestant": "noop"}
SWITCHED = {"random": "noop", "contestant": "switch"}


# From JSON


def test_json_becomes_own_moves_and_percepts() -> None:
    value = [{"move": "(choose 1)", "sees": []}, {"move": "noop", "sees": ["3"]}]
    record = read_record(game("monty_hall"), "contestant", json.dumps(value))
    assert record == Record("contestant", (("(choose 1)", NOTHING), ("noop", frozenset({"3"}))))
    assert record.as_json() == value
    assert str(record) == "(choose 1); noop: 3"
    assert not record.over


def test_no_rounds_are_the_start() -> None:
    record = read_record(game("monty_hall"), "contestant", "[]")
    assert record.rounds == ()
    assert str(record) == "start"
    assert encode(game("monty_hall"), record) == []


def test_percepts_may_be_left_out_and_a_role_may_be_spelled_otherwise() -> None:
    record = read_record(game("monty_hall"), " CONTESTANT ", '[{"move": "(choose 1)"}]')
    assert record == Record("contestant", (("(choose 1)", NOTHING),))


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (None, "not a list of rounds"),
        (7, "not a list of rounds"),
        ("[]", "not a list of rounds"),
        ({}, "not a list of rounds"),
        ({"move": "noop"}, "not a list of rounds"),
        ({"rounds": None}, "not a list of rounds"),
        ({"rounds": {"move": "noop"}, "over": True}, "not a list of rounds"),
        ({"rounds": [], "over": "yes"}, '"over" must be true or false'),
        ({"rounds": [], "over": None}, '"over" must be true or false'),
        ({"rounds": [7], "over": True}, "round 1 is not an object"),
        ([None], "round 1 is not an object"),
        (["noop"], "round 1 is not an object"),
        ([["noop", []]], "round 1 is not an object"),
        ([{}], 'with a "move"'),
        ([{"sees": []}], 'with a "move"'),
        ([{"move": None}], 'with a "move"'),
        ([{"move": 1}], 'with a "move"'),
        ([{"move": ["noop"]}], 'with a "move"'),
        ([{"move": "noop", "sees": None}], '"sees" is not a list'),
        ([{"move": "noop", "sees": "2"}], '"sees" is not a list'),
        ([{"move": "noop", "sees": {"2": True}}], '"sees" is not a list'),
        ([{"move": "noop", "sees": [2]}], '"sees" is not a list'),
        ([{"move": "noop", "sees": ["2", None]}], '"sees" is not a list'),
        ([{"move": "noop", "sees": [["2"]]}], '"sees" is not a list'),
        ([{"move": "noop"}, {"move": 2}], "round 2 is not an object"),
        ([{"move": "noop"}, {"move": "noop", "sees": 0}], "round 2"),
    ],
    ids=str,
)
def test_what_is_no_record_is_refused(value: Any, what: str) -> None:
    message = refused(
        "bad-record", lambda: read_record(game("monty_hall"), "contestant", json.dumps(value), "told.json")
    )
    assert message.startswith("error: told.json: ")
    assert what in message


@pytest.mark.parametrize("role", ["nobody", "", "((", "random contestant", "?r"])
def test_an_unknown_role_is_refused(role: str) -> None:
    with pytest.raises(VeilError) as caught:
        read_record(game("monty_hall"), role, "[]")
    assert len(caught.value.problems) == 1
    with pytest.raises(VeilError):
        game("monty_hall").record(role)


def test_an_unknown_role_is_told_the_roles_there_are() -> None:
    message = refused("unknown-role", lambda: read_record(game("monty_hall"), "nobody", "[]"))
    assert "random, contestant" in message


@pytest.mark.parametrize("text", ["", "[", "[{'move': 'noop'}]", "[] []", "[" * 100_000, b"\xff[]", "noop"])
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    message = refused("bad-record", lambda: read_record(game("monty_hall"), "contestant", text, "told.json"))
    assert message.startswith("error: told.json: not JSON: ")


def test_what_a_round_does_not_have_is_named() -> None:
    value = json.dumps([{"move": "noop"}, {"move": "noop", "seen": ["2"]}])
    message = refused("bad-record", lambda: read_record(game("monty_hall"), "contestant", value, "told.json"))
    assert message.startswith("error: told.json: round 2: seen is not move or sees")


# As JSON and back


def test_a_record_survives_json() -> None:
    record = record_of(game("monty_hall"), "contestant", [CHOSEN, OPENED])
    text = json.dumps(record.as_json())
    assert read_record(game("monty_hall"), "contestant", text) == record


def test_a_record_of_a_finished_game_survives_json() -> None:
    record = record_of(game("monty_hall"), "contestant", [CHOSEN, OPENED, SWITCHED])
    assert read_record(game("monty_hall"), "contestant", json.dumps(record.as_json())) == record


def test_a_record_says_whether_the_game_is_over_only_where_it_is() -> None:
    rounds = [{"move": "(choose 1)", "sees": []}]
    for value, over in [
        (rounds, False),
        ({"rounds": rounds}, False),
        ({"rounds": rounds, "over": False}, False),
        ({"rounds": rounds, "over": True}, True),
    ]:
        record = read_record(game("monty_hall"), "contestant", json.dumps(value))
        assert record == Record("contestant", (("(choose 1)", NOTHING),), over)
        assert record.as_json() == (value if over else rounds)


def test_percepts_are_written_in_order() -> None:
    record = Record("x").then("noop", ["b", "a", "c", "a"])
    assert record.as_json() == [{"move": "noop", "sees": ["a", "b", "c"]}]
    assert str(record.then("go", [])) == "noop: a b c; go"


def test_a_single_percept_may_be_given_as_it_is() -> None:
    record = game("monty_hall").record("CONTESTANT").then("(choose 1)").then("noop", "3")
    assert record == Record("contestant", (("(choose 1)", NOTHING), ("noop", frozenset({"3"}))))


def test_moves_of_a_record_in_words_may_lack_their_parentheses() -> None:
    plain = parse_record("contestant", "(choose 1); noop: 2")
    assert parse_record("contestant", " choose  1 ;noop: 2") == plain
    assert parse_record("contestant", str(plain)) == plain


def test_then_keeps_what_is_known_about_the_end() -> None:
    assert Record("x", over=True).then("noop", []).over


# As numbers


def test_numbers_stand_for_the_moves_and_percepts_of_the_program() -> None:
    monty_hall = game("monty_hall")
    record = record_of(monty_hall, "contestant", [CHOSEN, OPENED, SWITCHED])
    moves, percepts = monty_hall.program.moves[1], monty_hall.program.percepts[1]
    rounds = encode(monty_hall, record)
    assert [monty_hall.rules.show(moves[told.own_move]) for told in rounds] == ["(choose 1)", "noop", "switch"]
    seen = [np.flatnonzero(unpack(told.percepts[None, :], len(percepts))[0]).tolist() for told in rounds]
    assert [[monty_hall.rules.show(percepts[bit]) for bit in bits] for bits in seen] == [[], ["3"], ["2"]]


def test_spelling_does_not_matter() -> None:
    written = Record("contestant", ((" ( CHOOSE   1 ) ", NOTHING), ("NOOP", frozenset({" 3 "}))))
    plain = Record("contestant", (("(choose 1)", NOTHING), ("noop", frozenset({"3"}))))
    for ours, theirs in zip(encode(game("monty_hall"), written), encode(game("monty_hall"), plain), strict=True):
        assert ours.own_move == theirs.own_move
        assert (ours.percepts == theirs.percepts).all()


@pytest.mark.parametrize(
    ("rounds", "number"),
    [
        ((("(choose 4)", NOTHING),), 1),  # no such move
        ((("(choose 1)", frozenset({"4"})),), 1),  # no such percept
        ((("(choose 1)", NOTHING), ("noop", frozenset({"3", "goat"}))), 2),
        ((("(choose 1)", NOTHING), ("noop", frozenset({"3"})), ("(switch 1)", NOTHING)), 3),
    ],
    ids=["a move that is none", "a percept that is none", "one percept of two", "a later move"],
)
def test_what_no_game_could_tell_is_refused_with_its_round(rounds: beliefs.Record, number: int) -> None:
    message = refused("unexplained", lambda: encode(game("monty_hall"), Record("contestant", rounds)))
    assert f"explains round {number}: contestant cannot be told" in message


def encode_rounds(rounds: Any) -> None:
    encode(game("monty_hall"), Record("contestant", rounds))


@pytest.mark.parametrize(
    "text", ["", " ", "(", ")", "(choose 1", "(choose 1) x", "()", "?x", "(choose ?x)", "(" * 9999]
)
def test_what_is_no_term_is_refused(text: str) -> None:
    for rounds in (((text, NOTHING),), (("(choose 1)", frozenset({text})),)):
        message = refused("bad-record", partial(encode_rounds, rounds))
        assert "round 1" in message


def test_errors_say_what_was_told() -> None:
    record = Record("ann", (("noop", NOTHING), ("(go 1)", frozenset({"b", "a"}))))
    assert "round 2: ann cannot be told `(go 1): a b` there" in str(unexplained(record, 2))
    assert "told.json: it is odd" in str(bad_record("told.json", "it is odd"))
