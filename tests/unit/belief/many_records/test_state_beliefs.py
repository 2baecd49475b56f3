"""Beliefs of many records together: against the exact belief of each, merged by state."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from tests.support.games import game
from veil.belief.exact import ExactBelief
from veil.belief.many_records import state_beliefs
from veil.belief.many_records.state_beliefs import RecordBeliefs
from veil.engine import observe_history
from veil.engine.lanes.keys import extend_keys, percept_keys, start_keys
from veil.engine.record import Record, encode
from veil.engine.replay import replay_histories
from veil.search.hyperplay2.nested import OutOfTime

GAMES = {  # rounds that are played
    "krieg_tictactoe": 4,
    "kuhn_poker": 3,
    "monty_hall(doors=4)": 2,
    "battleships_in_fog(size=3)": 4,
    "blind_breakthrough(width=4, height=5)": 4,
    "ii_goofspiel(cards=4)": 2,
    "hidden_connect(size=4, line=3)": 4,
}
MANY = 1_000_000  # worlds: all of them are kept


def never() -> None:
    """There is time."""


def tell(beliefs: RecordBeliefs, histories: np.ndarray) -> list[list[int]]:
    """The beliefs hear of every round of these histories [N, T, R]; the keys of the records, round by round."""
    keys = []
    for entry in replay_histories(beliefs.machine, histories):
        role = beliefs.role
        beliefs.observe(entry.keys[:, role], entry.joint[:, role], entry.percepts[role], entry.next_keys[:, role])
        keys.append(entry.next_keys[:, role].tolist())
    return keys


def some_histories(spec: str, rounds: int) -> np.ndarray:
    """[N, T, R] random games as far as all of them go on."""
    machine, rng = game(spec).machine, np.random.default_rng(7)
    states, histories = machine.initial_states(20), np.zeros((20, 0, len(machine.program.roles)), np.int32)
    for _ in range(rounds):
        judged = machine.judge(states)
        words = rng.integers(0, 2**64, len(states), np.uint64)
        joint = machine.candidates(judged.legal, np.ones(len(states), bool), limit=1, rng=words).joints
        states = machine.step(states, joint).states
        histories = np.concatenate([histories, joint[:, None, :].astype(np.int32)], axis=1)
        going = ~machine.terminal(states)
        states, histories = states[going], histories[going]
    return histories


def by_state(states: np.ndarray, weights: np.ndarray) -> dict[bytes, float]:
    """state -> weight; equal states together."""
    total: defaultdict[bytes, float] = defaultdict(float)
    for state, weight in zip(states, weights.tolist(), strict=True):
        total[state.tobytes()] += weight
    return dict(total)


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("spec", GAMES)
def test_worlds_of_many_records_are_those_of_exact_beliefs(spec: str) -> None:
    of, histories = game(spec), some_histories(spec, GAMES[spec])
    assert len(histories) > 3
    for role_id in range(len(of.roles)):
        if of.roles[role_id] == "random":
            continue
        beliefs = RecordBeliefs(of.machine, role_id, models=MANY, seed=0)
        last = tell(beliefs, histories)[-1]
        together = beliefs.after(last, never)
        for history, found in zip(histories, together, strict=True):
            exact = ExactBelief(of.machine, role_id)
            for entry in observe_history(of.machine, history, role_id):
                exact.observe(*entry)
            bag = exact.worlds(None, np.random.default_rng(0))
            assert by_state(found.states, found.weights) == pytest.approx(by_state(bag.states, bag.weights))
            assert len(by_state(found.states, found.weights)) == len(found.weights)  # merged


@pytest.mark.compiled("slow as Python")
@pytest.mark.slow
def test_a_sample_is_unbiased(monkeypatch: pytest.MonkeyPatch) -> None:
    """Krieg-TicTacToe, at most 5 states kept: the mean weight of a state over 2,000 seeds, 5 deviations of at most
    0.5 / sqrt(2,000) each; for some 70 states a false alarm in 25,000.
    """
    monkeypatch.setattr(state_beliefs, "MIN_WORLDS", 5)
    of, histories = game("krieg_tictactoe"), some_histories("krieg_tictactoe", 4)[:1]
    exact = RecordBeliefs(of.machine, 0, models=MANY, seed=0)
    (whole,) = exact.after(tell(exact, histories)[-1], never)
    expected = by_state(whole.states, whole.weights)
    assert len(expected) > 5
    mean: defaultdict[bytes, float] = defaultdict(float)
    for seed in range(2000):
        beliefs = RecordBeliefs(of.machine, 0, models=1, seed=seed)
        beliefs.max_worlds = 5
        (found,) = beliefs.after(tell(beliefs, histories)[-1], never)
        assert len(found.weights) <= 5
        assert found.weights.sum() == pytest.approx(1)
        for state, weight in by_state(found.states, found.weights).items():
            mean[state] += weight / 2000
    assert set(mean) <= set(expected)
    for state, weight in expected.items():
        assert mean[state] == pytest.approx(weight, abs=5 * 0.5 / np.sqrt(2000))


def test_a_sample_that_died_out_goes_back_and_finds_a_world() -> None:
    """A single world guesses which cell o has taken, and is right once in eight."""
    of = game("krieg_tictactoe")
    record = [("(mark 2 2)", {"marked"}), ("noop", {"your_turn"}), ("(mark 1 1)", {"taken"})]
    died = 0
    for seed in range(12):  # none of them wrong: 1 in 7 * 10^10
        beliefs = RecordBeliefs(of.machine, 0, models=1, seed=seed)
        beliefs.max_worlds = 1
        key = observe_words(beliefs, "krieg_tictactoe", "xplayer", record)
        number = beliefs.records.find(0, np.array([key], np.uint64))
        before = beliefs.after([key_before(beliefs, key)], never)[0]
        died += len(beliefs._grow_portion(number, 0)[1])
        (found,) = beliefs.after([key], never)
        assert len(before.weights) == len(found.weights) == 1
        assert of.machine.legal_bits(of.machine.judge(found.states))[0].sum() == 7
    assert died


def test_a_record_that_nothing_explains_has_no_world_and_neither_has_what_follows() -> None:
    beliefs = RecordBeliefs(game("krieg_tictactoe").machine, 0, models=4, seed=0)
    record = [("(mark 2 2)", {"taken"}), ("(mark 1 1)", {"marked"})]
    key = observe_words(beliefs, "krieg_tictactoe", "xplayer", record)
    assert [len(found.weights) for found in beliefs.after([key, key_before(beliefs, key)], never)] == [0, 0]


def test_what_is_known_when_time_is_up_is_kept() -> None:
    of, histories = game("krieg_tictactoe"), some_histories("krieg_tictactoe", 4)[:1]
    beliefs = RecordBeliefs(of.machine, 0, models=4, seed=0)
    passes: list[None] = []

    def stop_third() -> None:
        passes.append(None)
        if len(passes) == 3:
            raise OutOfTime

    keys = [each[0] for each in tell(beliefs, histories)]
    with pytest.raises(OutOfTime):
        beliefs.after(keys[-1:], stop_third)
    tested = beliefs.tested
    beliefs.after(keys[:2], never)
    assert beliefs.tested == tested > 0


def test_what_was_forgotten_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    of, histories = game("krieg_tictactoe"), some_histories("krieg_tictactoe", 4)
    beliefs = RecordBeliefs(of.machine, 0, models=4, seed=0)
    last = tell(beliefs, histories)[-1]
    first = beliefs.after(last, never)
    monkeypatch.setattr(state_beliefs, "MAX_TOTAL", 0)
    again = beliefs.after(last, never)
    for one, other in zip(first, again, strict=True):
        assert by_state(one.states, one.weights) == by_state(other.states, other.weights)


def test_a_sample_that_died_out_is_not_taken_for_known_when_time_is_up_on_the_way_back() -> None:
    """The record is asked about again, and its world is found."""
    of, interrupted = game("krieg_tictactoe"), 0
    record = [("(mark 2 2)", {"marked"}), ("noop", {"your_turn"}), ("(mark 1 1)", {"taken"})]
    for seed in range(12):
        beliefs = RecordBeliefs(of.machine, 0, models=1, seed=seed)
        beliefs.max_worlds = 1
        key = observe_words(beliefs, "krieg_tictactoe", "xplayer", record)
        calls: list[None] = []

        def stop_fourth(calls: list[None] = calls) -> None:
            calls.append(None)
            if len(calls) == 4:  # three rounds, then the way back
                raise OutOfTime

        try:
            beliefs.after([key], stop_fourth)
        except OutOfTime:
            interrupted += 1
        assert len(beliefs.after([key], never)[0].weights) == 1
    assert interrupted


def key_before(beliefs: RecordBeliefs, key: int) -> int:
    """The key of the record a round earlier."""
    table = beliefs.records.arrays
    (number,) = beliefs.records.find(beliefs.role, np.array([key], np.uint64))
    return int(table.key[table.before[number]])


def observe_words(beliefs: RecordBeliefs, spec: str, role: str, record: list[tuple[str, set[str]]]) -> int:
    """The key of a record, after the beliefs have heard of every round of it."""
    of, key = game(spec), start_keys(1)
    for told in encode(of, Record(role, tuple((move, frozenset(seen)) for move, seen in record))):
        own, seen = np.array([told.own_move]), told.percepts[None, :]
        grown = extend_keys(key, own, percept_keys(seen))
        beliefs.observe(key, own, seen, grown)
        key = grown
    return int(key[0])
