"""Opponents that are read: their own infosets, their own values, a soft choice, and what a role concludes from it."""

from __future__ import annotations

import re
from math import exp

import numpy as np
import pytest

from tests.support.belief_games import everything, key_of, tell
from tests.support.fake_clock import FakeClock
from tests.support.games import game
from tests.support.opponent_games import CARD, LEFT, THREE_MOVES, ask, tell_record
from veil.belief import SAMPLERS, HyperPlayBelief, RecordStep, SamplerContext, believe
from veil.engine import Record
from veil.search import make_opponents
from veil.search.hyperplay2 import nested
from veil.search.hyperplay2.nested import NestedPlayers
from veil.search.opponents import modelled
from veil.search.opponents.modelled import ModelledOpponents, ReadConfig, choose_softly

BOB, ANN = 1, 2
SPAN = 100  # between the lowest and the highest goal: temperatures are shares of it
SIDES = ["left", "right"]


def read(spec: str = THREE_MOVES, seed: int = 0, **options: float) -> ModelledOpponents:
    return ModelledOpponents(game(spec).machine, ReadConfig(**options), seed)  # type: ignore[arg-type]


def by_hand(best: float, other: float, temperature: float, mix: float) -> float:
    """The probability of the first of two moves with these values."""
    return (1 - mix) / (1 + exp((other - best) / temperature)) + mix / 2


@pytest.mark.parametrize(("temperature", "mix"), [(10.0, 0.1), (60.0, 0.1), (60.0, 0.5), (1.0, 0.2)])
def test_an_opponent_goes_where_its_own_infoset_says_it_gains_most(temperature: float, mix: float) -> None:
    """Bob does not know the coin: left is worth 80 to him with the good card and 30 with the bad one, right 20, 60."""
    opponents, of = read(temperature=temperature / SPAN, mix=mix, playouts=3), game(THREE_MOVES)
    for card, left, right in (("good", 80, 20), ("bad", 30, 60)):
        tell_record(opponents, of, "bob", CARD[card])
        found = ask(opponents, of, "bob", CARD[card], SIDES)
        assert found["left"] == pytest.approx(by_hand(left, right, temperature, mix), abs=1e-12)
        assert sum(found.values()) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.compiled("slow as Python", only=("random", "hyperplay", "particle"))
@pytest.mark.parametrize("coin", ["heads", "tails"])
@pytest.mark.parametrize("sampler", list(SAMPLERS))
def test_the_posterior_of_a_game_of_three_moves_is_the_one_worked_out_by_hand(coin: str, sampler: str) -> None:
    """Ann knows the coin and bob does not: what she concludes from his move is the same, whatever the coin shows."""
    of, temperature, mix = game(THREE_MOVES), 40.0, 0.1
    opponents = read(temperature=temperature / SPAN, mix=mix)
    belief = SAMPLERS.make(sampler, SamplerContext(of.machine, ANN, count=20_000, opponents=opponents))
    bag = everything(tell(belief, of, "ann", LEFT[coin]))
    good, bad = by_hand(80, 20, temperature, mix), by_hand(30, 60, temperature, mix)
    shares = dict.fromkeys(("good", "bad"), 0.0)
    for world in range(len(bag)):
        card = bag.histories[world][0, 0]
        shares["good" if "good" in of.names.moves[0][card] else "bad"] += float(bag.weights[world])
    # `random`, `particle` and `csp` draw: 20,000 draws, 5 standard deviations of a share are below 0.018.
    tolerance = 0.018 if sampler in ("random", "particle", "csp") else 1e-9
    assert shares["good"] == pytest.approx(good / (good + bad), abs=tolerance)


def test_random_and_roles_without_a_choice_are_not_thought_about() -> None:
    opponents = read()
    legal = np.array([[True, True, False, True], [True, False, False, False]])
    assert opponents(0, np.zeros(2, np.uint64), legal).tolist() == [[1 / 3, 1 / 3, 0, 1 / 3], [1, 0, 0, 0]]
    assert opponents(BOB, np.zeros(1, np.uint64), np.array([[False, True, False]])).tolist() == [[0, 1, 0]]
    assert opponents.players.decisions == opponents.states_visited == 0


def test_a_record_is_worked_out_once() -> None:
    of, opponents = game(THREE_MOVES), read()
    tell_record(opponents, of, "bob", CARD["good"])
    first = ask(opponents, of, "bob", CARD["good"], SIDES)
    visited = opponents.states_visited
    assert ask(opponents, of, "bob", CARD["good"], SIDES) == first
    assert (opponents.players.decisions, opponents.states_visited) == (1, visited)


def test_a_record_that_nobody_told_of_is_a_bug() -> None:
    with pytest.raises(KeyError):
        read()(BOB, np.array([12345], np.uint64), np.array([[True, True, False]]))


def test_whoever_is_out_of_time_takes_opponents_to_play_uniformly_until_there_is_time() -> None:
    of, opponents = game(THREE_MOVES), read(temperature=0.01)
    tell_record(opponents, of, "bob", CARD["good"])
    opponents.allow(0.0)  # of perf_counter: long ago
    assert ask(opponents, of, "bob", CARD["good"], SIDES) == {"left": 0.5, "right": 0.5}
    opponents.allow(None)
    assert ask(opponents, of, "bob", CARD["good"], SIDES)["left"] > 0.9


def test_whoever_has_used_up_the_work_of_a_decision_goes_on_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modelled, "AT_ONCE", 1)
    of, opponents = game(THREE_MOVES), read(work=nested.DECISION // 2)
    for card in CARD:
        tell_record(opponents, of, "bob", CARD[card])
        ask(opponents, of, "bob", CARD[card], SIDES)
    assert opponents.players.decisions == 1  # the first one uses up more than there is
    opponents.allow(None)
    ask(opponents, of, "bob", CARD["bad"], SIDES)
    assert opponents.players.decisions == 2


def test_no_legal_move_is_impossible_and_moves_that_are_not_legal_are() -> None:
    opponents, of = read(temperature=1e-5, mix=0.01), game(THREE_MOVES)
    tell_record(opponents, of, "bob", CARD["good"])
    assert ask(opponents, of, "bob", CARD["good"], SIDES) == pytest.approx({"left": 0.995, "right": 0.005})
    row = np.array([[name != "left" for name in of.names.moves[BOB]]])
    chances = opponents(BOB, np.array([key_of(of, "bob", CARD["good"])], np.uint64), row)[0]
    assert chances[of.names.moves[BOB].index("left")] == 0
    assert chances.sum() == pytest.approx(1.0)


def test_a_temperature_means_the_same_whatever_the_goals() -> None:
    """All goals of bob a tenth of what they are: the same choices."""
    tenths = re.sub(r"(\(pays \w+ \w+ \w+ \d+)0\)", r"\1)", THREE_MOVES)
    assert tenths != THREE_MOVES
    found = []
    for spec in (THREE_MOVES, tenths):
        opponents = read(spec, temperature=0.4)
        tell_record(opponents, game(spec), "bob", CARD["good"])
        found.append(ask(opponents, game(spec), "bob", CARD["good"], SIDES))
    assert found[0] == pytest.approx(found[1])


def test_a_soft_choice_is_uniform_among_equals_and_sure_of_large_differences() -> None:
    assert choose_softly(np.array([5.0, 5.0]), 1.0).tolist() == [0.5, 0.5]
    assert choose_softly(np.array([1e6, 0.0]), 1e-3).tolist() == [1, 0]  # no overflow


def test_the_same_seed_reads_alike_and_another_one_differently() -> None:
    record = Record("oplayer").then("noop", ["your_turn"]).then("(mark 2 2)", ["marked"]).then("noop", ["your_turn"])
    krieg = game("krieg_tictactoe")
    weights = [
        believe(krieg, record, opponents=make_opponents("hyperplay:playouts=2", krieg, seed)).weights.tolist()
        for seed in (1, 1, 2)
    ]
    assert weights[0] == weights[1]
    assert weights[0] != weights[2]


def test_models_of_hyperplay_are_weighed_by_how_opponents_play() -> None:
    of = game(THREE_MOVES)
    belief = HyperPlayBelief(of.machine, ANN, models=40, seed=1, opponents=read(temperature=0.1, mix=0.01))
    bag = everything(tell(belief, of, "ann", LEFT["heads"]))
    assert bag.weights.max() > 0.9


def test_to_hear_of_a_record_again_changes_nothing_and_nobody_listens_to_random() -> None:
    of, opponents = game(THREE_MOVES), read()
    tell_record(opponents, of, "bob", CARD["good"])
    before = ask(opponents, of, "bob", CARD["good"], SIDES)
    tell_record(opponents, of, "bob", CARD["good"])
    opponents.observe(RecordStep(0, np.zeros(1, np.uint64), np.zeros(1, int), np.zeros((1, 1), np.uint64), np.ones(1)))
    assert ask(opponents, of, "bob", CARD["good"], SIDES) == before
    assert opponents.players.decisions == 1


def test_an_opponent_whose_infoset_is_not_found_plays_uniformly() -> None:
    """A record that cannot be: bob is told his card twice."""
    of, opponents = game(THREE_MOVES), read(temperature=0.01)
    record = (*CARD["good"], ("left", frozenset({"good"})))
    tell_record(opponents, of, "bob", record)
    assert ask(opponents, of, "bob", record, SIDES) == {"left": 0.5, "right": 0.5}


def test_records_are_worked_out_as_long_as_there_is_time_by_the_pace_of_those_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A record takes a second here, and there are ten seconds for a hundred of them."""
    fake, sizes = FakeClock(), list[int]()

    def values(self: NestedPlayers, role: int, keys: list[int]) -> list[None]:
        fake.now += len(keys)
        sizes.append(len(keys))
        return [None] * len(keys)

    monkeypatch.setattr(modelled, "perf_counter", fake)
    monkeypatch.setattr(NestedPlayers, "values", values)
    opponents = read()
    begin = fake.now
    opponents.allow(begin + 10)
    found = opponents.work_out(BOB, list(range(100)))
    assert sizes[:3] == [1, 2, 3]  # twice as many, but not more than half of the time that is left
    assert list(found) == list(range(sum(sizes)))
    assert begin + 5 < fake.now <= begin + 10
    for first in (100, 200, 300):
        opponents.work_out(BOB, list(range(first, first + 100)))
    assert fake.now <= begin + 10
    opponents.allow(None)
    assert len(opponents.work_out(BOB, list(range(100, 200)))) == 100
