"""Histories played again: what roles were told along them, in words, as numbers and as keys."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference import beliefs
from tests.support.belief_games import key_of, played
from tests.support.games import NOTHING, OVER_AT_THE_START, game, remembering_naive
from tests.support.refusals import refused
from veil.engine.record import Record, encode
from veil.engine.replay import grow_keys, observe_history, record_of, replay_histories, replay_keys, root_keys

CHOSEN = {"random": "(hide_car 2)", "contestant": "(choose 1)"}
OPENED = {"random": "(open_door 3)", "contestant": "noop"}
SWITCHED = {"random": "noop", "contestant": "switch"}
SPECS = ["kuhn_poker", "krieg_tictactoe(size=3)", "transit(width=3, height=3)"]


def histories_of(spec: str, seeds: range, rounds: int) -> tuple[np.ndarray, list[beliefs.History]]:
    """Random games cut to the same length: as numbers [N, T, R] and in the words of the oracle."""
    names = game(spec).names
    words = [played(spec, seed, rounds) for seed in seeds]
    ids = [[[names.move_id(role, move) for role, move in enumerate(joint)] for joint in history] for history in words]
    return np.array(ids), words


# In words


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
    joints = [dict(zip(remembering_naive(spec).roles, joint, strict=True)) for joint in history]
    for role in remembering_naive(spec).roles:
        assert record_of(game(spec), role, joints).rounds == beliefs.record_of(remembering_naive(spec), history, role)


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


# As numbers


@pytest.mark.parametrize("spec", SPECS)
def test_rounds_follow_each_other_and_tell_every_role_what_the_oracle_tells(spec: str) -> None:
    histories, words = histories_of(spec, range(6), 3)
    names, before = game(spec).names, None
    for number, entry in enumerate(replay_histories(game(spec).machine, histories)):
        assert (entry.joint == histories[:, number]).all()
        if before is not None:
            assert (entry.states == before.next_states).all()
            assert (entry.keys == before.next_keys).all()
        for row, history in enumerate(words):
            for role_id, role in enumerate(remembering_naive(spec).roles):
                own_move, percepts = beliefs.record_of(remembering_naive(spec), history, role)[number]
                assert names.moves[role_id][entry.joint[row, role_id]] == own_move
                assert names.percept_words(role_id, entry.percepts[role_id][row]) == percepts
        before = entry
    assert number == 2


def test_a_history_tells_a_role_what_its_record_encodes_and_when_the_game_is_over() -> None:
    monty_hall, joints = game("monty_hall"), [CHOSEN, OPENED, SWITCHED]
    names = monty_hall.names
    history = np.array(
        [[names.move_id(role, joint[name]) for role, name in enumerate(names.roles)] for joint in joints]
    )
    told = observe_history(monty_hall.machine, history, 1)
    encoded = encode(monty_hall, record_of(monty_hall, "contestant", joints))
    assert [own_move for own_move, _, _ in told] == [entry.own_move for entry in encoded]
    assert all((seen == entry.percepts).all() for (_, seen, _), entry in zip(told, encoded, strict=True))
    assert [over for _, _, over in told] == [False, False, True]


# As keys


@pytest.mark.parametrize("spec", SPECS)
def test_keys_are_equal_exactly_where_records_are(spec: str) -> None:
    histories, words = histories_of(spec, range(12), 3)
    keys = replay_keys(game(spec).machine, histories)
    for role_id, role in enumerate(remembering_naive(spec).roles):
        records = [beliefs.record_of(remembering_naive(spec), history, role) for history in words]
        assert [int(key) for key in keys[:, role_id]] == [key_of(game(spec), role, record) for record in records]
        assert len(set(keys[:, role_id].tolist())) == len(set(records))


def test_all_records_begin_with_the_same_key() -> None:
    machine = game("kuhn_poker").machine
    keys = root_keys(machine, 4)
    assert keys.shape == (4, 3)
    assert len(np.unique(keys)) == 1
    assert (replay_keys(machine, np.zeros((4, 0, 3), np.int64)) == keys).all()


def test_a_key_grows_from_the_row_that_a_candidate_comes_from() -> None:
    machine = game("monty_hall").machine
    joint = np.array([[0, 0], [1, 0], [1, 1]])
    stepped = machine.step(machine.initial_states(3), joint)
    keys = np.arange(4, dtype=np.uint64).reshape(2, 2) + root_keys(machine, 2)
    grown = grow_keys(keys, np.array([0, 0, 1]), joint, stepped.percepts)
    assert grown.shape == (3, 2)
    assert grown[0, 1] == grown[1, 1]  # the same record, move and percepts of the second role
    assert len(np.unique(grown)) == 5
