from __future__ import annotations

import numpy as np
import pytest

from tests.support.archetypes import archetypes_of
from veil import VeilError, load
from veil.engine.datalog.interpreter import RuleReasoner
from veil.engine.grounding import GroundingError, GroundLimits
from veil.engine.joins import RulesMachine, RulesReasoner
from veil.engine.lanes import unpack
from veil.games import FAMILIES
from veil.lang import read_rules
from veil.vocabulary import show

pytestmark = pytest.mark.compiled("a machine is machine code")
LIMITS = GroundLimits()
FRAME = """(role r) (init p) (init (at 0)) (legal r go) (legal r (set 0)) (legal r (set 1)) (legal r (set 2))
(<= (next p) (true p)) (<= (next (at ?x)) (does r (set ?x))) (<= (next (at ?x)) (true (at ?x)) (does r go)) (goal r 1)
"""
RECURSIONS = {
    "a circle": """(edge 0 1) (edge 1 2) (edge 2 0) (edge 2 3)
        (<= (path ?x ?y) (true p) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= (sees r (path ?x ?y)) (does r ?m) (path ?x ?y)) (<= terminal (path 3 0))""",
    "a test inside a circle": """(edge 0 1) (edge 1 2) (edge 2 1) (edge 2 3)
        (<= (path ?x ?y) (true (at ?x)) (edge ?x ?y)) (<= (path ?x ?z) (true p) (edge ?x ?y) (path ?y ?z))
        (<= (path ?x ?y) (edge ?x ?y) (not (true (at ?x))))
        (<= terminal (path 1 3) (not (path 3 1)))""",
    "tests of each other, one with another way": """
        (<= a b) (<= a c) (<= a (true p)) (<= b a) (<= c a) (<= d (not c)) (<= terminal a b c (not d))""",
    "tests of each other that fail": """
        (<= a b) (<= b c) (<= c a) (<= c (true (at 2))) (<= terminal (not b)) (<= (sees r yes) (does r ?m) b)""",
    "terms that shrink": """(<= (in ?x (l ?x ?r)) (list (l ?x ?r)) (true p))
        (<= (in ?x (l ?y ?r)) (list (l ?y ?r)) (in ?x ?r))
        (list (l 0 (l 1 nil))) (list (l 1 nil)) (list nil)
        (<= terminal (true (at ?x)) (in ?x (l 0 (l 1 nil))) (not (in 2 (l 0 (l 1 nil)))))""",
    "terms made in a state": """(<= (pair (f ?x ?y)) (true (at ?x)) (next_to ?x ?y)) (next_to 0 1) (next_to 1 2)
        (<= (sees r (f ?x ?y)) (does r ?m) (pair (f ?x ?y))) (<= terminal (pair (f 1 ?y)))""",
    "equal variables": """(<= (twice ?x ?x) (true (at ?x))) (<= (sees r (g ?x ?y)) (does r ?m) (twice ?x ?y))
        (<= terminal (twice ?x ?y) (distinct ?x ?y))""",
}


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("text", RECURSIONS.values(), ids=RECURSIONS.keys())
def test_recursive_relations_are_those_of_the_interpreter(text: str) -> None:
    rules = read_rules(FRAME + text)
    ours, theirs = RulesReasoner(RulesMachine(rules, LIMITS)), RuleReasoner(rules)
    state = ours.initial()
    for move in (("set", "1"), "go", ("set", "2"), ("set", "0")):
        assert ours.judge(state) == theirs.judge(state)
        step = ours.step(state, {"r": move})
        assert step == theirs.step(state, {"r": move})
        state = step[0]


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("family", archetypes_of(FAMILIES))
def test_bundled_games_are_the_same_from_their_rules_as_ground(family: str) -> None:
    game = load(family)
    ground, ours = game.machine, RulesMachine(game.rules, LIMITS)
    rng, states = np.random.default_rng(4), [machine.initial_states(40) for machine in (ground, ours)]
    for _ in range(8):
        judged = [machine.judge(rows) for machine, rows in zip((ground, ours), states, strict=True)]
        assert words_of(ground, states[0], judged[0]) == words_of(ours, states[1], judged[1])
        legal = ground.legal_bits(judged[0])
        rows = np.flatnonzero(~judged[0].terminal & np.all([bits.any(axis=1) for bits in legal], axis=0))
        if not len(rows):
            break
        joint = [[rng.choice(np.flatnonzero(bits[row])) for bits in legal] for row in rows]
        names = [[moves[move] for moves, move in zip(ground.program.moves, one, strict=True)] for one in joint]
        twin = [[moves.index(name) for moves, name in zip(ours.program.moves, one, strict=True)] for one in names]
        stepped = [
            machine.step(part[rows], np.array(moves))
            for machine, part, moves in zip((ground, ours), states, (joint, twin), strict=True)
        ]
        assert percepts_of(ground, stepped[0].percepts) == percepts_of(ours, stepped[1].percepts)
        states = [part.states for part in stepped]


def words_of(machine, states, judged):
    program = machine.program
    fluents = [{show(program.fluents[i]) for i in np.flatnonzero(row)} for row in unpack(states, len(program.fluents))]
    legal = [
        [{show(own[i]) for i in np.flatnonzero(row)} for row in bits]
        for own, bits in zip(program.moves, machine.legal_bits(judged), strict=True)
    ]
    return fluents, legal, judged.terminal.tolist(), judged.goals.tolist()


def percepts_of(machine, percepts):
    return [
        [{show(own[i]) for i in np.flatnonzero(row)} for row in unpack(part, len(own))]
        for own, part in zip(machine.program.percepts, percepts, strict=True)
    ]


def test_equal_seeds_play_equal_games_on_any_number_of_threads() -> None:
    game = load("tic_tac_toe")
    machine = RulesMachine(game.rules, LIMITS)
    one, two = (machine.playouts(machine.initial_states(), 200, 3, threads=threads) for threads in (1, 2))
    assert (one.goal_count == two.goal_count).all()
    assert (one.steps, one.playouts.tolist(), one.stuck, one.cut) == (two.steps, [200], 0, 0)


def test_a_game_beyond_the_limits_is_played_from_its_rules_and_says_so() -> None:
    game = load("tic_tac_toe", GroundLimits(max_rules=50))
    assert not game.program.is_ground
    assert [entry.code for entry in game.notes] == ["plays-from-rules"]
    state = game.initial_state()
    assert state.legal("xplayer") == load("tic_tac_toe").initial_state().legal("xplayer")
    with pytest.raises(VeilError) as caught:
        _ = game.machine.circuit
    assert caught.value.problems[0].code == "needs-ground-rules"


def test_a_game_without_a_bound_is_refused_with_the_reason_of_grounding() -> None:
    text = "(role r) (init (n 0)) (legal r go) (goal r 0)\n(<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true no))"
    game = load(text, GroundLimits(max_rules=1000, max_seconds=2))
    with pytest.raises(GroundingError) as caught:
        _ = game.machine
    assert caught.value.problems[0].code.startswith("ground-")
