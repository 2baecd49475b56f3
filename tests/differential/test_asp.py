"""Answer sets against the slow oracles: they are the infoset, round after round, and draws reach all of it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference import beliefs
from tests.reference.infoset_csp import GdlGame, Puzzle, csp_infoset
from tests.support.belief_games import KRIEG, REACH, STOP, in_oracle_words, infoset, is_over, played
from tests.support.games import game, remembering_naive
from veil.belief.asp.answer_sets import AnswerSets, Until
from veil.belief.exact import ExactBelief
from veil.engine import observe_history
from veil.engine.record import Record, encode
from veil.games import FAMILIES

NO_LIMIT = Until(1_000_000)
ROUNDS = {  # a game, and how many rounds of it are looked at
    "kuhn_poker": 9,
    "krieg_tictactoe(size=3)": 6,
    "blind_breakthrough(width=2, height=4)": 9,
    **{FAMILIES[name].sizes()["small"]: 9 for name in ("transit", "hidden_connect", "mastermind")},
    STOP: 9,
    REACH: 4,
    FAMILIES["battleship"].sizes()["small"]: 5,
    FAMILIES["racko"].sizes()["small"]: 6,
}
every_game = pytest.mark.parametrize("spec", ROUNDS, ids=lambda spec: spec if len(spec) < 60 else "text")


@pytest.mark.gate_cases(6)
@every_game
@pytest.mark.parametrize("seed", [0, 1])
def test_the_answer_sets_are_the_infoset_after_every_round(spec: str, seed: int) -> None:
    history = played(spec, seed, ROUNDS[spec])
    for role in remembering_naive(spec).roles:
        if role == "random":
            continue
        record = beliefs.record_of(remembering_naive(spec), history, role)
        answers = AnswerSets(game(spec).machine, game(spec).roles.index(role))
        for number, told in enumerate(encode(game(spec), Record(role, record)), 1):
            over = number == len(record) and is_over(spec, history)
            answers.observe(*told, over)
            members = infoset(spec, role, record[:number], over)
            found = answers.list_histories(len(members), NO_LIMIT)
            assert found.complete
            assert sorted(in_oracle_words(game(spec), found.histories)) == sorted(members)


@pytest.mark.parametrize("spec", ["kuhn_poker", "krieg_tictactoe(size=3)", REACH])
def test_the_answer_sets_are_what_the_slow_stage_graph_finds(spec: str) -> None:
    history = played(spec, 2, 3)
    for role in remembering_naive(spec).roles:
        if role != "random":
            record = beliefs.record_of(remembering_naive(spec), history, role)
            over = is_over(spec, history)
            answers = AnswerSets(game(spec).machine, game(spec).roles.index(role))
            told = encode(game(spec), Record(role, record))
            for number, entry in enumerate(told, 1):
                answers.observe(*entry, over and number == len(told))
            slow = csp_infoset(Puzzle(GdlGame(remembering_naive(spec)), role, record, over))
            assert set(in_oracle_words(game(spec), answers.list_histories(100_000, NO_LIMIT).histories)) == slow


@pytest.mark.parametrize("spec", ["gops(bids=2, extra=10, deal=early)", "racko(slots=3, cards=12)"])
def test_there_are_as_many_answer_sets_as_exact_worlds(spec: str) -> None:
    """Games of the text in sizes that oracles cannot do."""
    of, rng = game(spec), np.random.default_rng(5)
    machine, state, joints = of.machine, of.machine.initial_states(), list[list[int]]()
    while not machine.terminal(state)[0] and len(joints) < 8:
        legal = machine.legal_bits(machine.judge(state))
        joints.append([int(rng.choice(np.flatnonzero(bits[0]))) for bits in legal])
        state = machine.step(state, np.array(joints[-1:])).states
    exact, answers, most = ExactBelief(machine, 1), AnswerSets(machine, 1), 0
    for told in observe_history(machine, np.array(joints), 1):
        exact.observe(*told)
        answers.observe(*told)
        found = answers.list_histories(exact.size, NO_LIMIT)
        assert found.complete
        assert len(found.histories) == exact.size
        most = max(most, exact.size)
    assert most > 300


def test_random_decisions_reach_every_history() -> None:
    """400 draws of 14 histories: one with a chance of 1/40 is missed once in 25,000 runs, and the seed is fixed."""
    answers = AnswerSets(game("krieg_tictactoe").machine, 1, seed=1)
    for told in encode(game("krieg_tictactoe"), Record("oplayer", KRIEG)):
        answers.observe(*told)
    drawn = [answers.draw_history(NO_LIMIT).histories[0] for _ in range(400)]
    assert set(in_oracle_words(game("krieg_tictactoe"), np.array(drawn))) == set(
        infoset("krieg_tictactoe", "oplayer", KRIEG)
    )
