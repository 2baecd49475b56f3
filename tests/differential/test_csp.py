"""Stage graphs and what is chosen in them, against the slow oracles: nothing is lost, and weights are unbiased."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import norm

from tests.reference import beliefs
from tests.reference.infoset_csp import GdlGame, Puzzle, csp_infoset
from tests.support.archetypes import nightly_but
from tests.support.belief_games import (
    KRIEG,
    PICK,
    REACH,
    SILOS,
    STOP,
    evidence,
    in_oracle_words,
    infoset,
    is_over,
    played,
)
from tests.support.games import game, remembering_naive
from veil.belief.configs import CspConfig
from veil.belief.contract import SamplerContext
from veil.belief.csp.sampler import CspBelief
from veil.belief.csp.stage_graph import ROWS, StageGraph
from veil.belief.exact import ExactBelief
from veil.belief.replay_check import ObservedRecord, check_histories
from veil.engine import observe_history
from veil.engine.lanes import unpack
from veil.engine.record import Record, encode
from veil.games import FAMILIES

FALSE_ALARM = 1e-4  # of each test of a distribution, were its seed not fixed
KRIEG_GAME = "krieg_tictactoe(size=3)"
BATTLESHIP, RACKO = (FAMILIES[name].sizes()["small"] for name in ("battleship", "racko"))
SMALL = ["mastermind", "guess_who", "transit", "battleships_in_fog", "hidden_connect"]
ROUNDS = {  # a game, and how many rounds of it are looked at
    "monty_hall(doors=4)": 9,
    "kuhn_poker": 9,
    "leduc_poker": 9,
    "krieg_tictactoe(size=3)": 7,
    "blind_breakthrough(width=2, height=4)": 9,
    **{FAMILIES[name].sizes()["small"]: 9 for name in SMALL},
    STOP: 9,
    REACH: 4,
    BATTLESHIP: 5,
    RACKO: 6,
}
every_game = pytest.mark.parametrize("spec", ROUNDS, ids=lambda spec: spec if len(spec) < 60 else "text")


class Case(NamedTuple):
    """A role, what it was told, and whether it was told that the game is over."""

    role: str
    record: beliefs.Record
    over: bool


def cases(spec: str) -> Iterator[Case]:
    """What every role is told in two random games."""
    for seed in (0, 1):
        history = played(spec, seed, ROUNDS[spec])
        for role in remembering_naive(spec).roles:
            if role != "random":
                record = beliefs.record_of(remembering_naive(spec), history, role)
                yield Case(role, record, is_over(spec, history))


def heard(spec: str, case: Case, record: tuple, over: bool) -> ObservedRecord:
    """A record as samplers hear it."""
    told = encode(game(spec), Record(case.role, record))
    return ObservedRecord(
        game(spec).roles.index(case.role), tuple((entry.own_move, entry.percepts) for entry in told), over
    )


def graph_of(
    spec: str, record: ObservedRecord, *, lanes: bool = True, guided: bool = False, seed: int = 0
) -> StageGraph:
    graph = StageGraph(game(spec).machine, record.role, seed, lanes=lanes, guided=guided)
    for number, told in enumerate(record.rounds, 1):
        assert graph.observe(*told, record.over and number == len(record.rounds))
    return graph


@pytest.mark.parametrize("lanes", [True, False])
@every_game
def test_no_plausible_move_and_no_fact_contradicts_a_history_of_the_infoset(spec: str, lanes: bool) -> None:
    """Every round of the exact belief fits the stages and plausible moves, after every round that is heard."""
    machine, excluded = game(spec).machine, 0
    for case in cases(spec):
        role = game(spec).roles.index(case.role)
        exact, graph = ExactBelief(machine, role), StageGraph(machine, role, lanes=lanes)
        for number, told in enumerate(encode(game(spec), Record(case.role, case.record)), 1):
            over = case.over and number == len(case.record)
            exact.observe(*told, over)
            assert graph.observe(*told, over)
            bag = exact.worlds(None, np.random.default_rng(0))
            states = machine.initial_states(len(bag))
            for row in range(number):
                true, false = graph.stage(row)
                bits = unpack(states, len(true))
                assert bits[:, true].all()
                assert not bits[:, false].any()
                for who in range(bag.histories.shape[2]):
                    assert graph.plausible(row, who)[bag.histories[:, row, who]].all()
                    excluded += int((~graph.plausible(row, who)).sum())
                states = machine.step(states, bag.histories[:, row].astype(np.int64)).states
    assert excluded > 0 or spec == REACH


@pytest.mark.parametrize("spec", nightly_but([STOP, RACKO], [STOP, REACH, RACKO, "krieg_tictactoe(size=3)"]), ids=len)
def test_a_graph_is_as_large_as_its_rounds_and_concludes_each_proposition_once_a_round(spec: str) -> None:
    """The article's bounds, P propositions and T rounds: space O(P T), and at most P T conclusions (Reevaluate)."""
    for case in cases(spec):
        record = heard(spec, case, case.record, case.over)
        for lanes in (False, True):
            graph = graph_of(spec, record, lanes=lanes)
            stages, rounds = graph._stages, len(record.rounds)
            rows, slots = stages.value.shape
            assert rows <= max(ROWS, 2 * (rounds + 1))
            assert all(len(part) in (rows, rows * slots, len(stages.state)) for part in stages)
            assert graph.steps <= slots * (rounds + 1)


@pytest.mark.gate_cases(6)
@every_game
def test_the_search_lists_the_whole_infoset(spec: str) -> None:
    for case in cases(spec):
        for rounds in range(1, len(case.record) + 1):
            record, over = case.record[:rounds], case.over and rounds == len(case.record)
            members = infoset(spec, case.role, record, over)
            for lanes in (True, False):
                found = graph_of(spec, heard(spec, case, record, over), lanes=lanes).search(len(members) + 1, 1_000_000)
                assert found.complete
                assert sorted(in_oracle_words(game(spec), found.histories)) == sorted(members)


def test_no_goods_hold_in_every_history_and_later_searches_still_find_all() -> None:
    """They are learned by searches for one history, after every round, and kept from round to round."""
    learned = 0
    for spec in ("krieg_tictactoe(size=3)", "blind_breakthrough(width=2, height=4)", BATTLESHIP, RACKO, REACH):
        for case in cases(spec):
            graph = StageGraph(game(spec).machine, game(spec).roles.index(case.role), lanes=False)
            for number, told in enumerate(encode(game(spec), Record(case.role, case.record)), 1):
                over = case.over and number == len(case.record)
                assert graph.observe(*told, over)
                for _ in range(5):
                    assert len(graph.search(1, 10_000, constrained=False).histories) == 1
                members = infoset(spec, case.role, case.record[:number], over)
                found = graph.search(len(members) + 1, 1_000_000)
                assert found.complete
                assert sorted(in_oracle_words(game(spec), found.histories)) == sorted(members)
                kept, no_goods = graph._no_goods
                learned += int(kept[0])
                for moves in no_goods[: int(kept[0])]:
                    assert not made_in(graph, found.histories, moves[moves >= 0]).all(axis=0).any()
    assert learned > 0


def made_in(graph: StageGraph, histories: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """[nodes, histories] whether a history has the move of a node of the stage graph."""
    wiring = graph.wiring
    move = nodes % wiring.num_slots - wiring.moves
    role = wiring.move_role[move]
    made: np.ndarray = histories[:, nodes // wiring.num_slots, role] == move - wiring.role_moves[role]
    return made.T


@pytest.mark.parametrize("spec", ["kuhn_poker", "monty_hall(doors=4)", "krieg_tictactoe(size=3)", REACH])
def test_the_infoset_is_that_of_the_slow_stage_graph(spec: str) -> None:
    for case in cases(spec):
        record, slow = case.record[:3], GdlGame(remembering_naive(spec))
        over = case.over and len(record) == len(case.record)
        found = graph_of(spec, heard(spec, case, record, over)).search(100_000, 1_000_000)
        assert set(in_oracle_words(game(spec), found.histories)) == csp_infoset(Puzzle(slow, case.role, record, over))


UNBIASED: dict[str, Case | None] = {
    "kuhn_poker": None,
    "monty_hall(doors=4)": None,
    KRIEG_GAME: Case("oplayer", KRIEG, False),
    "battleships_in_fog(size=2)": None,
    SILOS: Case("ann", (("noop", frozenset()),) * 2, False),
    REACH: None,
    BATTLESHIP: None,
}


WAYS = list(product((True, False), (True, False), ("none", "first", "always")))  # guided, constrained, lanes
CROSSED = [(True, True, "always"), (True, False, "first"), (False, True, "first"), (False, False, "none")]


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize(
    "spec",
    nightly_but(["kuhn_poker", KRIEG_GAME, SILOS], UNBIASED),
    ids=lambda spec: spec if len(spec) < 60 else "text",
)
@pytest.mark.parametrize(("guided", "constrained", "lanes"), nightly_but(CROSSED, WAYS))
def test_weighted_sums_are_unbiased_and_their_mean_is_the_probability_of_the_record(
    spec: str, guided: bool, constrained: bool, lanes: str
) -> None:
    """Attempts as below; every history's mean weight against its probability, a z-test each: 1e-4 for all together."""
    machine = game(spec).machine
    tries = 1500 if spec == KRIEG_GAME else 4000  # its attempts are slow, and none of its 14 histories is rare
    case = UNBIASED[spec] or next(iter(cases(spec)))
    record = heard(spec, case, case.record, case.over)
    graph = graph_of(spec, record, lanes=lanes != "none", guided=guided, seed=3)
    found = graph.sample(tries, constrained=constrained, lanes=lanes == "always", ignore_termination=guided)
    explained = check_histories(machine, record, found.histories)
    assert explained.good.all() or guided  # brief attempts may find histories that end too early
    weight = np.where(explained.good, np.exp(explained.log_prob + found.log_choices), 0.0)
    members = infoset(spec, case.role, case.record, case.over)
    probability = float(evidence(spec, case.role, case.record, case.over))
    sums, squares = defaultdict[tuple, float](float), defaultdict[tuple, float](float)
    for history, each in zip(in_oracle_words(game(spec), found.histories), weight.tolist(), strict=True):
        if each == 0.0:
            continue
        sums[history] += each
        squares[history] += each * each
    bound = norm.isf(FALSE_ALARM / 2 / (len(members) + 1))
    checked = [(sum(sums.values()), sum(squares.values()), probability)]
    checked += [(sums[history], squares[history], float(share) * probability) for history, share in members.items()]
    for total, square, expected in checked:
        if expected * tries < 0.005 * weight.max(initial=0.0) * tries:
            continue  # too rare for a normal distribution
        variance = max(square / tries - (total / tries) ** 2, 1e-18)
        assert abs(total / tries - expected) <= bound * np.sqrt(variance / tries) + 1e-9
    assert set(sums) <= set(members)


def test_with_probability_1_for_all_the_mean_weight_is_the_size_of_the_infoset() -> None:
    """2,500 attempts on 14 histories: 5 deviations, a false alarm in 1.7 million."""
    case = Case("oplayer", KRIEG, False)
    found = graph_of("krieg_tictactoe", heard("krieg_tictactoe", case, KRIEG, False)).sample(2500)
    weight = np.concatenate([np.exp(found.log_choices), np.zeros(2500 - len(found.histories))])
    assert weight.mean() == pytest.approx(14, abs=5 * weight.std() / 50 + 1e-9)


@pytest.mark.parametrize("spec", ["krieg_tictactoe(size=3)", BATTLESHIP, RACKO, REACH])
def test_what_does_not_matter_changes_nothing_and_an_attempt_leaves_no_trace(spec: str) -> None:
    for case in cases(spec):
        record = heard(spec, case, case.record, case.over)
        lean, full = graph_of(spec, record, seed=5), graph_of(spec, record, seed=5)
        full._prune(ignore_termination=False)
        full._stages.live[:] = True
        before = [part.copy() for part in lean._stages[1:8]]
        one, other = lean.sample(50), full.sample(50)
        assert (one.histories == other.histories).all()
        assert one.log_choices == pytest.approx(other.log_choices)
        lean.search(5, 1000)
        for old, new, name in zip(before, lean._stages[1:8], lean._stages._fields[1:8], strict=True):
            if name not in ("reason", "place"):  # of what is unknown again
                assert (old == new).all(), name


def test_a_late_percept_fixes_an_early_move() -> None:
    """The example of the text: a card that is dealt face down and shown later is known, without any search."""
    case = Case("ann", (("noop", frozenset()), ("noop", frozenset({"found"})), ("noop", frozenset())), False)
    graph = graph_of(PICK, heard(PICK, case, case.record, False), lanes=False)
    hidden = game(PICK).program.moves[0]
    names = [game(PICK).rules.show(hidden[move]) for move in np.flatnonzero(graph.plausible(0, 0))]
    assert names == ["(hide a)"]
    assert graph.sample(10).made == 0


def test_the_evidence_of_a_belief_is_that_of_the_oracle() -> None:
    """Door 3 of 3 opens with probability 1/2; 4,000 attempts of 2 choices, 5 deviations of 0.004 at most."""
    record: beliefs.Record = (("(choose 1)", frozenset()), ("noop", frozenset({"3"})))
    belief = CspBelief(CspConfig(samples=4000, listing=False), SamplerContext(game("monty_hall").machine, 1))
    for told in encode(game("monty_hall"), Record("contestant", record)):
        belief.observe(*told)
    belief.worlds(None, np.random.default_rng(0))
    assert belief.attempts >= 4000
    assert np.exp(belief.log_evidence) == pytest.approx(0.5, abs=0.02)
    assert belief.rejected == 0


@pytest.mark.nightly
def test_the_evidence_is_unbiased_where_attempts_end_with_a_success() -> None:
    """Two histories are asked for, of three that explain seven rounds of Racko; 400 seeds.

    False alarm: 6e-5, four deviations of the mean. The mean weight of all attempts is too high by more than that,
    because the attempts end with a success.
    """
    racko = game("racko(slots=2, cards=7)").machine
    moves = np.random.default_rng(4)
    state, history = racko.initial_states(), list[list[int]]()
    for _ in range(7):
        legal = [np.flatnonzero(bits[0]) for bits in racko.legal_bits(racko.judge(state))]
        history.append([int(moves.choice(each)) for each in legal])
        state = racko.step(state, np.array(history[-1:])).states
    record = observe_history(racko, np.array(history), 1)
    exact = ExactBelief(racko, 1)
    for told in record:
        exact.observe(*told)
    assert exact.size == 3
    chance = np.exp(np.logaddexp.reduce(exact.log_weight))
    ratios, means = [], []
    for seed in range(400):
        config = CspConfig(order="random", draw="uniform", lanes="none", listing=False)
        belief = CspBelief(config, SamplerContext(racko, 1, 2, seed))
        for told in record:
            belief.observe(*told)
        belief.worlds(1, np.random.default_rng(0))
        assert np.isnan(belief.log_evidence)  # one history, found by searching until there was one
        belief.worlds(2, np.random.default_rng(0))
        ratios.append(np.exp(belief.log_evidence) / chance)
        means.append(ratios[-1] * 2 * (belief.attempts - 1) / belief.attempts)
    for values, is_unbiased in ((ratios, True), (means, False)):
        assert (abs(np.mean(values) - 1) < 4 * np.std(values) / np.sqrt(len(values))) == is_unbiased
