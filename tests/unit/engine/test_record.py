"""Records: from JSON, from joint moves, as numbers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tests.reference import beliefs
from tests.unit.belief.games import NOTHING, OVER_AT_THE_START, game, naive, played, refused
from veil.engine.lanes.machine import unpack
from veil.engine.record import Record, bad_record, encode, read_record, record_of, unexplained
from veil.errors import VeilError

CHOSEN = {"random": "(hide_car 2)", "contestant": "(choose 1)"}
OPENED = {"random": "(open_door 3)", "contestant": "noop"}
SWITCHED = {"random": "noop", "contestant": "switch"}


# From JSON


def test_json_becomes_own_moves_and_percepts() -> None:
    value = [{"move": "(choose 1)", "sees": []}, {"move": "noop", "sees": ["3"]}]
    record = read_record(game("monty_hall"), "contestant", value)
    assert record == Record("contestant", (("(choose 1)", NOTHING), ("noop", frozenset({"3"}))))
    assert record.as_json() == value
    assert str(record) == "(choose 1); noop: 3"
    assert not record.over


def test_no_rounds_are_the_start() -> None:
    record = read_record(game("monty_hall"), "contestant", [])
    assert record.rounds == ()
    assert str(record) == "start"
    assert encode(game("monty_hall"), record) == []


def test_percepts_may_be_left_out_and_a_role_may_be_spelled_otherwise() -> None:
    record = read_record(game("monty_hall"), " CONTESTANT ", [{"move": "(choose 1)"}])
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
    message = refused("bad-record", lambda: read_record(game("monty_hall"), "contestant", value, "told.json"))
    assert message.startswith("error: told.json: ")
    assert what in message


@pytest.mark.parametrize("role", ["nobody", "", "((", "random contestant", "?r"])
def test_an_unknown_role_is_refused(role: str) -> None:
    with pytest.raises(VeilError) as caught:
        read_record(game("monty_hall"), role, [])
    assert len(caught.value.problems) == 1
    with pytest.raises(VeilError):
        record_of(game("monty_hall"), role, [])


def test_an_unknown_role_is_told_the_roles_there_are() -> None:
    message = refused("unknown-role", lambda: read_record(game("monty_hall"), "nobody", []))
    assert "random, contestant" in message


# From joint moves


def test_joint_moves_tell_a_role_its_own_part() -> None:
    record = record_of(game("monty_hall"), "contestant", [CHOSEN, OPENED])
    assert record == Record("contestant", (("(choose 1)", NOTHING), ("noop", frozenset({"3"}))))
    other = record_of(game("monty_hall"), "random", [CHOSEN, OPENED])
    assert other == Record("random", (("(hide_car 2)", NOTHING), ("(open_door 3)", NOTHING)))


def test_the_end_of_the_game_is_part_of_what_a_role_is_told() -> None:
    assert record_of(game("monty_hall"), "contestant", [CHOSEN, OPENED, SWITCHED]).over
    assert not record_of(game("monty_hall"), "contestant", [CHOSEN, OPENED]).over
    assert not record_of(game("monty_hall"), "contestant", []).over
    assert record_of(game(OVER_AT_THE_START), "ann", []).over


def test_moves_that_are_forced_may_be_left_out_and_spelled_otherwise() -> None:
    short = [CHOSEN, {"random": "(open_door 3)"}, {"contestant": " SWITCH "}]
    assert record_of(game("monty_hall"), "contestant", short) == record_of(
        game("monty_hall"), "contestant", [CHOSEN, OPENED, SWITCHED]
    )


@pytest.mark.parametrize("spec", ["kuhn_poker", "krieg_tictactoe(size=3)", "transit(width=3, height=3)"])
@pytest.mark.parametrize("seed", [0, 1])
def test_records_are_those_of_the_oracle(spec: str, seed: int) -> None:
    history = played(spec, seed)
    joints = [dict(zip(naive(spec).roles, joint, strict=True)) for joint in history]
    for role in naive(spec).roles:
        assert record_of(game(spec), role, joints).rounds == beliefs.record_of(naive(spec), history, role)


@pytest.mark.parametrize(
    ("moves", "code", "where"),
    [
        ([{"random": "(hide_car 4)", "contestant": "(choose 1)"}], "illegal-move", "round 1: "),
        ([CHOSEN, {"random": "(open_door 1)"}], "illegal-move", "round 2: "),
        ([CHOSEN, {"random": "(open_door 3)", "contestant": "switch"}], "illegal-move", "round 2: "),
        ([CHOSEN, OPENED, {}], "missing-move", "round 3: "),
        ([CHOSEN, OPENED, SWITCHED, SWITCHED], "game-over", "round 4: "),
        ([{"nobody": "noop"}], "unknown-role", "nobody"),
    ],
    ids=["no such door", "the chosen door", "too early", "no move", "after the end", "unknown role"],
)
def test_joint_moves_that_cannot_be_are_refused_with_their_round(
    moves: list[dict[str, str]], code: str, where: str
) -> None:
    assert where in refused(code, lambda: record_of(game("monty_hall"), "contestant", moves))


# As JSON and back


def test_a_record_survives_json() -> None:
    record = record_of(game("monty_hall"), "contestant", [CHOSEN, OPENED])
    text = json.dumps(record.as_json())
    assert read_record(game("monty_hall"), "contestant", json.loads(text)) == record


def test_a_record_of_a_finished_game_survives_json() -> None:
    record = record_of(game("monty_hall"), "contestant", [CHOSEN, OPENED, SWITCHED])
    assert read_record(game("monty_hall"), "contestant", json.loads(json.dumps(record.as_json()))) == record


def test_a_record_says_whether_the_game_is_over_only_where_it_is() -> None:
    rounds = [{"move": "(choose 1)", "sees": []}]
    for value, over in [
        (rounds, False),
        ({"rounds": rounds}, False),
        ({"rounds": rounds, "over": False}, False),
        ({"rounds": rounds, "over": True}, True),
    ]:
        record = read_record(game("monty_hall"), "contestant", value)
        assert record == Record("contestant", (("(choose 1)", NOTHING),), over)
        assert record.as_json() == (value if over else rounds)


def test_percepts_are_written_in_order() -> None:
    record = Record("x").then("noop", ["b", "a", "c", "a"])
    assert record.as_json() == [{"move": "noop", "sees": ["a", "b", "c"]}]
    assert str(record.then("go", [])) == "noop: a b c; go"


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


@pytest.mark.parametrize(
    "text", ["", " ", "(", ")", "(choose 1", "(choose 1) x", "()", "?x", "(choose ?x)", "(" * 9999]
)
def test_what_is_no_term_is_refused(text: str) -> None:
    for rounds in (((text, NOTHING),), (("(choose 1)", frozenset({text})),)):
        message = refused("bad-record", lambda rounds=rounds: encode(game("monty_hall"), Record("contestant", rounds)))
        assert "round 1" in message


def test_errors_say_what_was_told() -> None:
    record = Record("ann", (("noop", NOTHING), ("(go 1)", frozenset({"b", "a"}))))
    assert "round 2: ann cannot be told `(go 1): a b` there" in str(unexplained(record, 2))
    assert "told.json: it is odd" in str(bad_record("told.json", "it is odd"))
