"""Opponents that are read, against the slow oracle: what they do at their own infosets, and what follows from it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.reference import beliefs, single_point
from tests.support.belief_games import assert_same, everything, played, tell, weights
from tests.support.games import NOTHING, game, remembering_naive
from tests.support.opponent_games import as_policy, ask, tell_record
from veil.belief import SAMPLERS, SamplerContext
from veil.belief.exact import ExactBelief
from veil.search import make_opponents

GAMES = [
    "kuhn_poker",
    "leduc_poker",
    "krieg_tictactoe",
    "ii_goofspiel(3)",
    "monty_hall",
    "hidden_connect(size=2,line=2)",
]

READ = {"leduc_poker", "krieg_tictactoe"}  # where what somebody did says something about what he knew


def cases(spec: str, games: int, most: int) -> list[tuple[str, beliefs.Record]]:
    """(role, what it was told) after some rounds of random games that are not over."""
    slow, found = remembering_naive(spec), []
    for seed in range(games):
        history = played(spec, seed, most)
        state = slow.initial()
        for joint in history:
            state = beliefs.play_round(slow, state, joint)[1]
        history = history[:-1] if slow.terminal(state) else history
        found += [(role, beliefs.record_of(slow, history, role)) for role in slow.roles if role != "random"]
    return list(dict.fromkeys(found))


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("spec", GAMES)
def test_the_posterior_is_that_of_the_oracle_with_the_same_policy(spec: str) -> None:
    """The opponents' own answers, asked record by record, go into the oracle; the weights must be equal."""
    of, slow = game(spec), remembering_naive(spec)
    opponents = make_opponents("hyperplay:temperature=0.2,models=10,playouts=3", of, 1)
    assert opponents is not None
    differs = False
    for role, record in cases(spec, games=3, most=4):
        belief = tell(ExactBelief(of.machine, of.roles.index(role), opponents=opponents), of, role, record)
        found = weights(of, everything(belief))
        assert_same(found, beliefs.infoset(slow, role, record, policy=as_policy(opponents, of)))
        plain = beliefs.infoset(slow, role, record)
        differs |= any(abs(found[history] - float(share)) > 1e-6 for history, share in plain.items())
    assert differs or spec not in READ


@pytest.mark.parametrize("spec", ["kuhn_poker", "monty_hall", "ii_goofspiel(3)", "hidden_connect(size=2,line=2)"])
def test_what_is_read_at_a_record_is_what_the_oracle_reads(spec: str) -> None:
    """20,000 playouts per move and more: a value is off by 0.0036 of the span of goals (one standard deviation) at
    most, a probability at temperature 0.2 by 0.0036 / 0.2 / 2 of two moves. Five of these: false alarms below 1e-6.
    """
    of, slow = game(spec), remembering_naive(spec)
    opponents = make_opponents("hyperplay:temperature=0.2,mix=0.1,models=1000,playouts=20", of, 1)
    assert opponents is not None
    asked = 0
    for role, record in cases(spec, games=4, most=3):
        history = next(iter(beliefs.infoset(slow, role, record)))
        state = slow.initial()
        for joint in history:
            state = beliefs.play_round(slow, state, joint)[1]
        legal = sorted(slow.legal(state)[role])
        if len(legal) < 2:
            continue
        tell_record(opponents, of, role, record)
        goals = of.program.goals[of.roles.index(role)]
        policy = single_point.read_policy(slow, 0.2 * (max(goals) - min(goals)), 0.1)
        expected = {move: float(chance) for move, chance in policy(role, record, legal).items()}
        assert ask(opponents, of, role, record, legal) == pytest.approx(expected, abs=5 * 0.0036 / 0.2 / 2)
        asked += 1
    assert asked


@pytest.mark.parametrize(
    ("sampler", "name"),
    [
        ("particle:particles=20000", "particle"),
        ("random:samples=20000", "random"),
        ("auto:max_worlds=3,particles=20000", "particle"),
    ],
)
def test_samplers_that_draw_agree_with_the_exact_posterior_of_opponents_that_are_read(sampler: str, name: str) -> None:
    """`auto` has room for three exact worlds, and its filter goes on reading. 20,000 draws; 5 standard deviations of a
    share are below 0.018 (the filter's draws are less spread).
    """
    of = game("krieg_tictactoe")
    opponents = make_opponents("hyperplay:temperature=0.1", of, 1)
    record = (
        ("(mark 2 2)", frozenset({"marked"})),
        ("noop", frozenset({"your_turn"})),
        ("(mark 1 1)", frozenset({"marked"})),
        ("noop", frozenset({"your_turn"})),
    )
    exact = weights(of, everything(tell(ExactBelief(of.machine, 0, opponents=opponents), of, "xplayer", record)))
    drawn = SAMPLERS.make(sampler, SamplerContext(of.machine, 0, opponents=opponents))
    bag = everything(tell(drawn, of, "xplayer", record))
    assert bag.sampler == name
    found = weights(of, bag)
    assert {history: found.get(history, 0.0) for history in exact} == pytest.approx(exact, abs=0.018)
    assert np.ptp(list(exact.values())) > 0.005  # not uniform


def test_the_oracle_reads_a_game_of_chance_as_uniform() -> None:
    """`random` is never read: monty_hall has nobody else."""
    slow = remembering_naive("monty_hall")
    record = (("(choose 1)", NOTHING), ("noop", frozenset({"3"})))
    read = beliefs.infoset(slow, "contestant", record, policy=single_point.read_policy(slow, 1.0, 0.1))
    assert sorted(read.values()) == [Fraction(1, 3), Fraction(2, 3)]
