"""Single-point decisions (figure 3): by hand on a game of three moves, and against the oracle on small games."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any

import numpy as np
import pytest

from tests.reference import beliefs, single_point as oracle
from tests.support.belief_games import played, tell
from tests.support.games import game, remembering_naive
from tests.support.opponent_games import LEFT, THREE_MOVES
from tests.support.search_games import MONTY, in_words
from veil.belief import ExactBelief, Opponents
from veil.engine import Record
from veil.search import Answer, SearchBudget, SearchQuestion, SearchTask, SinglePointConfig, make_opponents
from veil.search.playouts import single_point


def decide(spec: str, role: str, record: Any, opponents: Opponents | None = None, **options: Any) -> Answer:
    of = game(spec)
    role_id = of.roles.index(role)
    belief = tell(ExactBelief(of.machine, role_id, opponents=opponents), of, role, record)
    searcher = SinglePointConfig(**options).searcher(SearchTask(of, role_id, 1))
    question = SearchQuestion(Record(role, record), belief, (1, 2))
    return searcher.search(question, SearchBudget(), np.random.default_rng(0))


def test_a_guess_is_worth_the_probability_that_the_opponent_model_gives_it() -> None:
    """Bob gains 80 or 20 with the good card, 30 or 60 with the bad one; he has gone left."""
    spec = "hyperplay:temperature=0.4,mix=0.1"
    good, bad = (0.9 / (1 + exp(gain / 40)) + 0.05 for gain in (-60, 30))
    for evaluation in ("goal", "one_step", "playouts"):  # the guess ends the game: all see the end
        read = decide(THREE_MOVES, "ann", LEFT["heads"], make_opponents(spec, game(THREE_MOVES)), evaluation=evaluation)
        assert in_words(game(THREE_MOVES), "ann", read) == pytest.approx(
            {"(guess good)": 100 * good / (good + bad), "(guess bad)": 100 * bad / (good + bad)}
        )
        assert read.strategy.tolist() == [float(move == read.moves[read.values.argmax()]) for move in read.moves]
        uniform = decide(THREE_MOVES, "ann", LEFT["heads"], evaluation=evaluation)
        assert in_words(game(THREE_MOVES), "ann", uniform) == {"(guess good)": 50, "(guess bad)": 50}
        assert uniform.strategy.tolist() == [0.5, 0.5]


def test_histories_count_by_their_probability_or_all_alike() -> None:
    posterior = decide("monty_hall", "contestant", MONTY, evaluation="one_step")
    assert in_words(game("monty_hall"), "contestant", posterior) == pytest.approx({"noop": 100 / 3, "switch": 200 / 3})
    uniform = decide("monty_hall", "contestant", MONTY, evaluation="one_step", weights="uniform")
    assert in_words(game("monty_hall"), "contestant", uniform) == pytest.approx({"noop": 50, "switch": 50})


def rounds_to_decide(spec: str, role: str) -> list[beliefs.Record]:
    """What the role was told before those of its rounds in which it had a choice, in three random games."""
    slow, found = remembering_naive(spec), []
    for seed in range(3):
        history, state = played(spec, seed, most=5), slow.initial()
        for rounds, joint in enumerate(history):
            if len(slow.legal(state)[role]) > 1:
                found.append(beliefs.record_of(slow, history[:rounds], role))
            state = beliefs.play_round(slow, state, joint)[1]
    return list(dict.fromkeys(found))


SMALL = [("kuhn_poker", "first"), ("leduc_poker", "second"), ("ii_goofspiel(3)", "first"), ("exploding_bomb", "agent")]


@pytest.mark.parametrize(("spec", "role"), SMALL)
@pytest.mark.parametrize("evaluation", ["goal", "one_step"])
def test_values_are_those_of_the_oracle(spec: str, role: str, evaluation: str) -> None:
    slow, of = remembering_naive(spec), game(spec)
    middle = Fraction(max(of.program.goals[of.roles.index(role)]), 2)
    by_name: dict[str, oracle.Eval] = {
        "goal": oracle.goal,
        "one_step": lambda slow, role, state: oracle.look_ahead(slow, role, state, middle),
    }
    records = rounds_to_decide(spec, role)
    assert records
    for record in records:
        expected = oracle.choose_move(slow, role, record, by_name[evaluation])
        found = in_words(of, role, decide(spec, role, record, worlds=10_000, evaluation=evaluation))
        assert found == pytest.approx({move: float(value) for move, value in expected.items()}, abs=1e-9)


@pytest.mark.parametrize(("spec", "role"), SMALL[:1] + SMALL[2:])
def test_playouts_come_near_the_expectation_of_the_oracle(spec: str, role: str) -> None:
    """At least 4,000 playouts per move, with goals from 0 to 100: 5.3 standard deviations, false alarms 1e-7 each."""
    slow, of = remembering_naive(spec), game(spec)
    for record in rounds_to_decide(spec, role)[:2]:
        expected = oracle.choose_move(slow, role, record, oracle.expect)
        answer = decide(spec, role, record, worlds=1000, playouts=4000)
        assert in_words(of, role, answer) == pytest.approx(
            {move: float(value) for move, value in expected.items()}, abs=5.3 * 50 / np.sqrt(4000)
        )
        assert answer.playouts >= 4000 * len(expected)


def test_the_table_of_evaluations_is_what_the_option_takes() -> None:
    assert list(single_point.EVALUATIONS) == ["playouts", "goal", "one_step"]


def test_worlds_are_evaluated_in_portions_and_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    record = rounds_to_decide("leduc_poker", "second")[0]
    whole = decide("leduc_poker", "second", record, evaluation="one_step")
    monkeypatch.setattr(single_point, "AT_ONCE", 1)
    portions = decide("leduc_poker", "second", record, evaluation="one_step")
    assert portions.values.tolist() == pytest.approx(whole.values.tolist())
    assert portions.states_visited == whole.states_visited
