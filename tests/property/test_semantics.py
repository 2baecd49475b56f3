"""Random rule sets and random games: every evaluator means the same by the same rules.

The naive evaluator in `tests/reference` is the yardstick. Beside it: the interpreter, the ground program, the ground
program without shrinking, and rules that were split and restricted wherever that is possible at all.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.reference.naive import NaiveGame
from tests.support.rule_sets import rule_sets
from veil.engine.datalog import demand
from veil.engine.datalog.interpreter import RuleReasoner
from veil.engine.game import Game
from veil.engine.grounding import shrink
from veil.engine.grounding.evaluate import GroundReasoner
from veil.engine.grounding.grounder import GroundLimits, ground
from veil.engine.joins import RulesMachine, RulesReasoner
from veil.engine.reasoner import Reasoner
from veil.lang import Rule, Rules, RuleSet, read_rules

ROUNDS = 6
relaxed = settings(max_examples=40, suppress_health_check=list(HealthCheck))


def interpreter(rules: Rules) -> Reasoner:
    return RuleReasoner(rules)


def ground_program(rules: Rules) -> Reasoner:
    return GroundReasoner(ground(rules))


def plain_ground_program(rules: Rules) -> Reasoner:
    return GroundReasoner(ground(rules, shrinking=False))


def split_everywhere(rules: Rules) -> Reasoner:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shrink, "WORTH_A_LOOK", 0.0)
        patch.setattr(shrink, "EXPENSIVE", 0.0)
        patch.setattr(shrink, "GAIN", 1e9)
        return RuleReasoner(_with_rules(rules, shrink.shrink(rules.rule_set)))


def restricted_everywhere(rules: Rules) -> Reasoner:
    return RuleReasoner(_with_rules(rules, demand.restrict(rules.rule_set, lambda _: True)))


def restricted_for_state_everywhere(rules: Rules) -> Reasoner:
    return RuleReasoner(_with_rules(rules, demand.restrict_for_state(rules.rule_set, lambda _: True)))


def _with_rules(rules: Rules, changed: Iterable[Rule]) -> Rules:
    return replace(rules, rule_set=RuleSet(changed))


def plain(terms: list[str]) -> set[str]:
    """Veil prints `(lit)` where the rules first spell it so; the naive evaluator always says `lit`."""
    return {re.sub(r"\(([^\s()]+)\)", r"\1", term) for term in terms}


def assert_agrees(text: str, seed: int, build: Callable[[Rules], Reasoner]) -> None:
    """Play a random game in the naive evaluator and ask the other about every state on the way."""
    naive = NaiveGame(text)
    game = Game("random rules", read_rules(text))
    game.reasoner = build(game.rules)
    rng = random.Random(seed)
    expected, state = naive.initial(), game.initial_state()
    assert game.roles == naive.roles
    for _ in range(ROUNDS):
        legal = naive.legal(expected)
        assert plain(state.fluents) == expected
        assert {role: plain(state.legal(role)) for role in game.roles} == legal
        assert state.is_terminal == naive.terminal(expected)
        goals = {role: {int(value) for value in values} for role, values in naive.goals(expected).items()}
        assert {role: set(values) for role, values in state.goal_values.items()} == goals
        if state.is_terminal:
            break
        joint = {role: rng.choice(sorted(moves)) for role, moves in legal.items()}
        sees = naive.sees(expected, joint)
        state, percepts = state.play(joint)
        assert {role: plain(seen) for role, seen in percepts.items()} == sees
        expected = naive.next(expected, joint)


@pytest.mark.parametrize(
    "build",
    [
        interpreter,
        pytest.param(split_everywhere, marks=pytest.mark.slow),
        pytest.param(restricted_everywhere, marks=pytest.mark.nightly),
        pytest.param(restricted_for_state_everywhere, marks=pytest.mark.nightly),
    ],
    ids=lambda b: b.__name__,
)
@relaxed
@given(text=rule_sets(), seed=st.integers(0, 2**32 - 1))
def test_rules_mean_the_same_to_everyone(build: Callable[[Rules], Reasoner], text: str, seed: int) -> None:
    assert_agrees(text, seed, build)


@pytest.mark.parametrize(
    "build",
    [ground_program, pytest.param(plain_ground_program, marks=pytest.mark.nightly)],
    ids=lambda b: b.__name__,
)
@settings(relaxed, max_examples=12)  # every example starts a process
@given(text=rule_sets(), seed=st.integers(0, 2**32 - 1))
def test_ground_programs_mean_what_the_rules_mean(build: Callable[[Rules], Reasoner], text: str, seed: int) -> None:
    assert_agrees(text, seed, build)


def played_from_rules(rules: Rules) -> Reasoner:
    return RulesReasoner(RulesMachine(rules, GroundLimits()))


@pytest.mark.compiled("a machine is compiled for every example")
@pytest.mark.parametrize("local", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_games_played_from_their_rules_are_what_the_rules_mean(local: bool) -> None:
    @settings(relaxed, max_examples=150 if local else 8)  # every example starts a process
    @given(text=rule_sets(local_negation=local), seed=st.integers(0, 2**32 - 1))
    def check(text: str, seed: int) -> None:
        assert_agrees(text, seed, played_from_rules)

    check()


def test_what_the_initial_state_needs_is_not_left_to_a_state_to_ask_for() -> None:
    """`path` serves `init` and, with a value from the state, `legal`: found by the test above."""
    text = """
        (role ann) (num 0) (succ 1 2)
        (<= (path ?a ?b) (succ ?a ?c) (path ?c ?b))
        (init (step 0))
        (<= (init (cell 0 a)) (num 0) (not (path 0 0)))
        (<= (legal ann stay) (true (cell ?a a)) (not (path ?a 0)))
        (<= terminal (not (true (step 0))))
    """
    assert_agrees(text, 0, restricted_for_state_everywhere)


@pytest.mark.compiled("a machine is compiled for it")
def test_a_state_in_which_nothing_is_true_has_moves_and_percepts_too() -> None:
    """Found by the test above: a machine that plays from the rules took such a lane for one that is not used."""
    text = """
        (role ann) (succ 0 1)
        (init (step 0))
        (<= (next (step ?b)) (true (step ?a)) (succ ?a ?b))
        (<= (next lit) (does ann press))
        (legal ann noop) (legal ann press)
        (<= (sees ann (saw ?move)) (does ann ?move))
        (<= empty (not (true (step 0))) (not (true (step 1))) (not (true lit)))
        (<= (goal ann 30) empty) (<= (goal ann 60) (not empty))
        (<= terminal (true lit) (true (step 1)))
    """
    for seed in range(4):
        assert_agrees(text, seed, played_from_rules)
