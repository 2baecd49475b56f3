"""One round forward, and the probabilities of the others' moves."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.reference import beliefs
from tests.support.belief_games import KRIEG, in_oracle_words, infoset, key_of, monty, played, seeded_policies
from tests.support.games import game, remembering_naive
from veil.belief.branches import branch, log_weights, policy_log_probs
from veil.engine import grow_keys
from veil.engine.lanes.keys import start_keys
from veil.engine.record import Record, encode

MONTY = "monty_hall"


def one_round(spec: str, role: str, record: beliefs.Record, limit: int = 1 << 20):
    """The first round of a record, from three copies of the start."""
    machine = game(spec).machine
    told = encode(game(spec), Record(role, record))[0]
    states = machine.initial_states(3)
    own, seen = np.full(3, told.own_move), np.repeat(told.percepts[None, :], 3, axis=0)
    rng = np.arange(3, dtype=np.uint64)
    return branch(machine, game(spec).roles.index(role), states, machine.judge(states), own, seen, limit, rng)


def test_every_world_branches_into_all_that_agrees() -> None:
    found = one_round(MONTY, "contestant", monty(3))
    assert found.row.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert found.tested.tolist() == [3, 3, 3]
    assert found.log_prob == pytest.approx(np.full(9, -np.log(3)))
    words = in_oracle_words(game(MONTY), found.joint[:3, None, :])
    assert words == [((f"(hide_car {door})", "(choose 1)"),) for door in (1, 2, 3)]
    assert [part.shape for part in found.percepts] == [(9, 1), (9, 1)]


def test_an_own_move_that_is_not_legal_leads_nowhere() -> None:
    found = one_round(MONTY, "contestant", (("switch", frozenset()),))
    assert len(found.row) == len(found.joint) == len(found.states) == 0
    assert found.tested.tolist() == [0, 0, 0]


def test_percepts_that_do_not_agree_are_tested_and_left_out() -> None:
    found = one_round(MONTY, "contestant", (("(choose 1)", frozenset({"1"})),))
    assert len(found.row) == 0
    assert found.tested.tolist() == [3, 3, 3]


def test_ended_worlds_do_not_go_on() -> None:
    machine = game(MONTY).machine
    found = one_round(MONTY, "contestant", monty(3))
    states = found.states[:3]
    judged = machine.judge(states)
    ended = judged._replace(terminal=np.array([True, False, True]))
    told = encode(game(MONTY), Record("contestant", monty(3)))[1]
    seen = np.repeat(told.percepts[None, :], 3, axis=0)
    again = branch(machine, 1, states, ended, np.full(3, told.own_move), seen)
    assert set(again.row.tolist()) == {1}  # the car behind 2: only door 3 may be opened
    assert again.tested.tolist() == [0, 1, 0]


def test_each_world_may_have_been_told_something_else() -> None:
    machine = game(MONTY).machine
    start = one_round(MONTY, "contestant", monty(3)).states[:3]  # the car behind 1, 2, 3
    two, three = (encode(game(MONTY), Record("contestant", monty(3, [door])))[1] for door in (2, 3))
    seen = np.stack([two.percepts, three.percepts, three.percepts])
    found = branch(machine, 1, start, machine.judge(start), np.full(3, two.own_move), seen)
    assert found.row.tolist() == [0, 1]
    assert found.log_prob == pytest.approx([-np.log(2), 0.0])


def test_beyond_the_limit_so_many_are_drawn() -> None:
    found = one_round(MONTY, "contestant", monty(3), limit=2)
    assert found.tested.tolist() == [2, 2, 2]
    assert found.log_prob == pytest.approx(np.full(6, -np.log(3)))  # the chance of a move, not of its being drawn


@pytest.mark.parametrize(
    ("spec", "role", "record"),
    [(MONTY, "contestant", monty(3)), ("krieg_tictactoe", "oplayer", KRIEG)],
    ids=["monty_hall", "krieg_tictactoe"],
)
def test_log_weights_are_the_products_of_equation_5(spec: str, role: str, record: beliefs.Record) -> None:
    number = game(spec).roles.index(role)
    members = infoset(spec, role, record)
    shown = [[game(spec).rules.show(move) for move in moves] for moves in game(spec).program.moves]
    histories = np.array(
        [[[shown[who].index(move) for who, move in enumerate(joint)] for joint in history] for history in members]
    )
    ours = np.exp(log_weights(game(spec).machine, number, histories))
    theirs = np.array([float(share) for share in members.values()])
    assert ours / ours.sum() == pytest.approx(theirs, abs=1e-12)


def test_log_weights_of_monty_hall_by_hand() -> None:
    """The car behind 1: 1/3 for the place and 1/2 for the door; behind 2: 1/3, and door 3 must open."""
    moves = [[game(MONTY).rules.show(move) for move in own] for own in game(MONTY).program.moves]
    histories = np.array(
        [
            [
                [moves[0].index(f"(hide_car {door})"), moves[1].index("(choose 1)")],
                [moves[0].index("(open_door 3)"), moves[1].index("noop")],
            ]
            for door in (1, 2)
        ]
    )
    assert np.exp(log_weights(game(MONTY).machine, 1, histories)) == pytest.approx([1 / 6, 1 / 3])
    assert np.exp(log_weights(game(MONTY).machine, 0, histories)) == pytest.approx([1 / 3, 1 / 3])  # as seen by random
    assert log_weights(game(MONTY).machine, 1, histories[:, :0]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("seed", range(3))
def test_keys_grow_to_those_of_the_records_of_all_roles(seed: int) -> None:
    spec = "krieg_tictactoe(size=3)"
    machine, history = game(spec).machine, played(spec, seed, 5)
    moves = [[game(spec).rules.show(move) for move in own] for own in game(spec).program.moves]
    keys, states = np.column_stack([start_keys(1)] * 2), machine.initial_states()
    for joint in history:
        numbers = np.array([[moves[who].index(move) for who, move in enumerate(joint)]])
        stepped = machine.step(states, numbers)
        keys, states = grow_keys(keys, np.zeros(1, np.int64), numbers, stepped.percepts), stepped.states
    for number, role in enumerate(game(spec).roles):
        assert keys[0, number] == key_of(game(spec), role, beliefs.record_of(remembering_naive(spec), history, role))


def test_policies_multiply_over_the_other_roles_and_zero_is_minus_infinity() -> None:
    spec = "kuhn_poker"
    kuhn, machine = game(spec), game(spec).machine
    judged = machine.judge(machine.initial_states())
    found = machine.candidates(judged.legal, np.ones(1, np.bool_))
    sizes = [len(own) for own in kuhn.program.moves]
    keys = np.column_stack([start_keys(1)] * 3)

    def only_the_first(role: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        assert keys.shape == (1,)
        assert legal.shape == (1, sizes[role])
        chance = np.zeros(legal.shape)
        chance[np.arange(len(legal)), legal.argmax(axis=1)] = 1.0
        return chance

    logs = policy_log_probs(1, judged, found.joints, found.rows, keys, sizes, only_the_first)
    assert sorted(logs.tolist()) == [-np.inf, -np.inf, 0.0]
    arrays, _ = seeded_policies(kuhn, 1)
    even = policy_log_probs(1, judged, found.joints, found.rows, keys, sizes, arrays)
    assert np.exp(even) == pytest.approx(np.full(3, float(Fraction(1, 3))))  # random deals, the others wait
