"""How moves are weighed, against derivatives that are taken by moving every probability a little."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from tests.support.belief_games import KRIEG
from tests.support.games import game
from veil.belief.csp.guide_kernels import LEAST
from veil.belief.csp.stage_graph import StageGraph
from veil.belief.csp.stage_records import FALSE, TRUE, UNKNOWN
from veil.engine import observe_history
from veil.engine.record import Record, encode

# Three of five cards are dealt; ann is told at the end that the first two of them were.
DEALT = """
(role random) (role ann) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(card 1) (card 2) (card 3) (card 4) (card 5)
(deals 1) (deals 2) (deals 3)
(<= dealing (true (step ?n)) (deals ?n))
(<= (legal random (deal ?c)) (card ?c) dealing)
(<= (legal random noop) (not dealing))
(legal ann noop)
(<= (next (dealt ?c)) (does random (deal ?c)))
(<= (next (dealt ?c)) (true (dealt ?c)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (sees ann one) (true (step 4)) (true (dealt 1)))
(<= (sees ann two) (true (step 4)) (true (dealt 2)))
(<= terminal (true (step 6)))
(goal ann 100) (goal random 0)
"""


def graph_of(spec: str, role: str, record: tuple, guided: bool = True) -> StageGraph:
    graph = StageGraph(game(spec).machine, game(spec).roles.index(role), guided=guided)
    for told in encode(game(spec), Record(role, record)):
        assert graph.observe(told.own_move, told.percepts)
    graph._prune(ignore_termination=False)
    return graph


def find_log_evidence(graph: StageGraph, chances: np.ndarray) -> float:
    """Log of the product of the chances of all gates that are known for another reason than their inputs.

    chances [T, M] are those of the moves; every other literal is taken as independent.
    """
    wiring, stages, total = graph.wiring, graph._stages, 0.0
    before: dict[int, float] = {}
    for row in range(graph.rounds + 1):
        prob = {wiring.fluents + fluent: before.get(wiring.next + fluent, 0.0) for fluent in range(wiring.num_fluents)}
        if row < graph.rounds:
            prob |= {wiring.moves + move: float(chance) for move, chance in enumerate(chances[row])}

        def holds(literal: int, row: int = row, prob: dict[int, float] = prob) -> float:
            value = stages.value[row, literal >> 1]
            chance = prob.get(literal >> 1, 0.0) if value == UNKNOWN else float(value == TRUE)
            return 1.0 - chance if literal & 1 else chance

        for gate, slot in enumerate(wiring.gate_slot.tolist()):
            none = 1.0
            for term in range(wiring.gate_start[gate], wiring.gate_start[gate + 1]):
                literals = wiring.literals[wiring.term_start[term] : wiring.term_start[term + 1]].tolist()
                none *= 1.0 - float(np.prod([holds(literal) for literal in literals]))
            prob[slot] = 1.0 - none
            if stages.live[row, slot] and stages.value[row, slot] != UNKNOWN:
                total += log(prob[slot] if stages.value[row, slot] == TRUE else none)
        before = prob
    return total


@pytest.mark.parametrize(
    ("spec", "role", "record"),
    [
        (DEALT, "ann", (("noop", frozenset()),) * 3 + (("noop", frozenset({"one", "two"})),)),
        (DEALT, "ann", (("noop", frozenset()),) * 3 + (("noop", frozenset({"two"})),)),
        ("krieg_tictactoe", "oplayer", KRIEG),
    ],
)
def test_weights_are_the_posterior_to_first_order(spec: str, role: str, record: tuple) -> None:
    graph = graph_of(spec, role, record)
    wiring, stages, checked = graph.wiring, graph._stages, 0
    kept = stages.value[: graph.rounds, wiring.moves : wiring.legal] != FALSE
    chances = kept / stages.plausible[: graph.rounds][:, wiring.move_role]
    slope = np.zeros(chances.shape)
    for place in zip(*np.nonzero(kept), strict=True):
        higher, lower = chances.copy(), chances.copy()
        higher[place] += 1e-6
        lower[place] -= 1e-6
        slope[place] = (find_log_evidence(graph, higher) - find_log_evidence(graph, lower)) / 2e-6
    for row, who in zip(*np.nonzero(stages.plausible[: graph.rounds] > 1), strict=True):
        moves = np.flatnonzero(kept[row] & (wiring.move_role == who))
        expected = np.maximum(LEAST, 1.0 + slope[row, moves] - slope[row, moves].mean())
        assert graph._weights[row, moves] == pytest.approx(expected, rel=1e-3, abs=1e-6)
        checked += len(moves)
    assert checked > 1


def test_a_card_that_must_have_been_dealt_is_drawn_more_often() -> None:
    """Card 1 came in one of three rounds, with 1/4 in each: chance 37/64, slope (9/16) / (37/64) = 36/37.

    Card 2 did not come. So the weights are 1 + 36/37 * 3/4 and 1 - 36/37 * 1/4.
    """
    graph = graph_of(DEALT, "ann", (("noop", frozenset()),) * 3 + (("noop", frozenset({"one"})),))
    names = [game(DEALT).rules.show(move) for move in game(DEALT).program.moves[0]]
    weights = {name: float(graph._weights[0, move]) for move, name in enumerate(names) if graph.plausible(0, 0)[move]}
    assert weights == pytest.approx({"(deal 1)": 1 + 27 / 37, **{f"(deal {c})": 1 - 9 / 37 for c in (3, 4, 5)}})


@pytest.mark.compiled("slow as Python")
def test_guided_attempts_get_through_where_others_run_out_of_rounds() -> None:
    """The last bids of a game in which prizes were laid face down: four cards are known, and not when they came."""
    spec = "gops(bids=6, extra=10, deal=early)"
    machine, rng = game(spec).machine, np.random.default_rng(1)
    state, joints = machine.initial_states(), []
    for _ in range(26):
        legal = machine.legal_bits(machine.judge(state))
        joints.append([int(rng.choice(np.flatnonzero(bits[0]))) for bits in legal])
        state = machine.step(state, np.array(joints[-1:])).states
    found = []
    for guided in (True, False):
        graph = StageGraph(machine, 1, guided=guided)
        for entry in observe_history(machine, np.array(joints), 1):
            assert graph.observe(*entry[:2])
        found.append(len(graph.sample(200).histories))
    assert found[0] > 50
    assert found[0] > 3 * found[1]


def test_kernels_get_contiguous_arrays_however_many_variables_are_open() -> None:
    """Otherwise they would be compiled a second time, when a clock runs."""
    for rounds in range(1, 5):
        choices, _ = graph_of("krieg_tictactoe", "oplayer", KRIEG[:rounds])._choices(ignore_termination=True)
        assert choices.round.flags.c_contiguous
        assert choices.role.flags.c_contiguous
