"""Small games for tests of beliefs, and the bridge between arrays and the words of the oracle."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import TypeVar

import numpy as np
import pytest

from tests.reference import beliefs
from tests.support.games import NOTHING, game, remembering_naive
from veil.belief.bag import Bag
from veil.belief.cascade import Cascade, make_auto
from veil.belief.configs import AutoConfig
from veil.belief.contract import Opponents, Sampler, SamplerContext
from veil.engine import Machine
from veil.engine.game import Game
from veil.engine.lanes.keys import extend_keys, percept_keys, start_keys
from veil.engine.lanes.machine import unpack
from veil.engine.record import Record, encode

Belief = TypeVar("Belief", bound=Sampler)

# random goes on or stops the game, and nobody is told by a percept. Three ways to go on and one to stop.
STOP = """
(role random) (role ann) (init start) (go 1) (go 2) (go 3)
(<= (legal random (go ?n)) (go ?n) (not (true two)))
(<= (legal random stop) (not (true two)))
(<= (legal random noop) (true two))
(legal ann noop)
(<= (next one) (true start) (not (does random stop)))
(<= (next two) (true one) (not (does random stop)))
(<= (next over) (does random stop))
(<= (next over) (true two))
(<= terminal (true over))
(goal ann 100) (goal random 0)
"""
# random hides a, b or c; a round later ann is told whether it was a. Then nothing happens for two rounds.
PICK = """
(role random) (role ann) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (box a) (box b) (box c)
(<= (legal random (hide ?b)) (box ?b) (true (round 1)))
(<= (legal random noop) (not (true (round 1))))
(legal ann noop)
(<= (sees ann found) (true (round 2)) (true (hidden a)))
(<= (next (hidden ?b)) (or (does random (hide ?b)) (true (hidden ?b))))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= terminal (true (round 5)))
(goal ann 100) (goal random 0)
"""
# random goes left, where there is one way on, or right, where there are nine. ann is told nothing.
SILOS = """
(role random) (role ann) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(way 1) (way 2) (way 3) (way 4) (way 5) (way 6) (way 7) (way 8) (way 9) (side left) (side right)
(<= (legal random ?s) (true (round 1)) (side ?s))
(<= (legal random (go ?n)) (true (round 2)) (true right) (way ?n))
(<= (legal random noop) (true (round 2)) (true left))
(<= (legal random noop) (true (round 3)))
(legal ann noop)
(<= (next ?s) (does random ?s) (side ?s))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= terminal (true (round 4)))
(goal ann 0) (goal random 0)
"""
# random hides something behind one of three doors, then makes a silent choice of 1, 2 or 4 ways. ann is told nothing.
SILENT_CHOICE = """
(role random) (role ann) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4) (door 1) (door 2) (door 3)
(way 1 1) (way 2 1) (way 2 2) (way 3 1) (way 3 2) (way 3 3) (way 3 4)
(<= (legal random (hide ?d)) (true (round 1)) (door ?d))
(<= (legal random (go ?n)) (true (round 2)) (true (at ?d)) (way ?d ?n))
(<= (legal random noop) (true (round 3)))
(legal ann noop)
(<= (next (at ?d)) (or (does random (hide ?d)) (true (at ?d))))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= terminal (true (round 4)))
(goal ann 0) (goal random 0)
"""
# random hides edges of a square one by one; ann sees whether b can be reached from a. Reaching is truly recursive.
REACH = """
(role random) (role ann) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(edge a c) (edge c d) (edge d c) (edge d b) (edge c b)
(<= (legal random (lay ?x ?y)) (edge ?x ?y) (not (true (laid ?x ?y))))
(legal ann noop)
(<= (reach a) (true (round ?n)))
(<= (reach ?y) (reach ?x) (true (laid ?x ?y)))
(<= (sees ann there) (reach b))
(<= (sees ann halfway) (reach d))
(<= (next (laid ?x ?y)) (or (does random (lay ?x ?y)) (true (laid ?x ?y))))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= terminal (true (round 5)))
(goal ann 100) (goal random 0)
"""
# Three roles pick one of 30 numbers each, 27,000 joint moves; ann is told whether all three are the same.
CROWD = (
    "(role ann) (role bob) (role cid) (role dan) (init (round 1)) (succ 1 2) (succ 2 3)"
    + "".join(f"(num {number})" for number in range(30))
    + """
(legal ann noop)
(<= (legal ?p (pick ?n)) (role ?p) (distinct ?p ann) (num ?n))
(<= (sees ann low) (does bob (pick 0)) (does cid (pick ?n)) (does dan (pick ?n)))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= (next (held ?p ?n)) (does ?p (pick ?n)))
(<= terminal (true (round 3)))
(<= (goal ?p 0) (role ?p))
"""
)


def played(spec: str, seed: int, most: int = 1000) -> beliefs.History:
    """The history of a random game, or its first rounds."""
    slow, rng = remembering_naive(spec), random.Random(seed)
    history: list[tuple[str, ...]] = []
    state = slow.initial()
    while not slow.terminal(state) and len(history) < most:
        legal = slow.legal(state)
        history.append(tuple(rng.choice(sorted(legal[role])) for role in slow.roles))
        state = beliefs.play_round(slow, state, history[-1])[1]
    return tuple(history)


def is_over(spec: str, history: beliefs.History) -> bool:
    return remembering_naive(spec).terminal(last_state(spec, history))


def last_state(spec: str, history: beliefs.History) -> frozenset[str]:
    """Where a history leads, by the slow way."""
    slow = remembering_naive(spec)
    state = slow.initial()
    for joint in history:
        state = beliefs.play_round(slow, state, joint)[1]
    return state


@cache
def infoset(spec: str, role: str, record: beliefs.Record, over: bool = False) -> dict[beliefs.History, Fraction]:
    """All that explains a record, by the oracle."""
    return beliefs.infoset(remembering_naive(spec), role, record, over)


def evidence(spec: str, role: str, record: beliefs.Record, over: bool = False, policy: beliefs.Policy | None = None):
    """The probability that the others play so that the role is told this: what the oracle divides by."""
    slow = remembering_naive(spec)
    history, share = max(beliefs.infoset(slow, role, record, over, policy).items(), key=lambda entry: entry[1])
    state, chance = slow.initial(), Fraction(1)
    records: dict[str, beliefs.Record] = dict.fromkeys(slow.roles, ())
    for joint in history:
        legal = slow.legal(state)
        percepts, state = beliefs.play_round(slow, state, joint)
        for who, move in zip(slow.roles, joint, strict=True):
            if who != role:
                chance *= beliefs.probability(who, records[who], sorted(legal[who]), move, policy)
            records[who] = (*records[who], (move, percepts[who]))
    return chance / share


def tell(belief: Belief, of: Game, role: str, record: beliefs.Record, over: bool = False) -> Belief:
    """The belief, after it has been told a record."""
    rounds = encode(of, Record(role, record))
    for number, told in enumerate(rounds, 1):
        belief.observe(*told, over and number == len(rounds))
    return belief


def everything(belief: Sampler, seed: int = 0) -> Bag:
    return belief.worlds(None, np.random.default_rng(seed))


def in_oracle_words(of: Game, histories: np.ndarray) -> list[beliefs.History]:
    """Histories [N, T, R] as the oracle writes them."""
    shown = [[of.rules.show(move) for move in moves] for moves in of.program.moves]
    return [
        tuple(tuple(moves[move] for moves, move in zip(shown, joint, strict=True)) for joint in history)
        for history in histories.tolist()
    ]


def weights(of: Game, bag: Bag) -> dict[beliefs.History, float]:
    """The bag as the oracle writes it; its histories must be distinct."""
    found = dict(zip(in_oracle_words(of, bag.histories), bag.weights.tolist(), strict=True))
    assert len(found) == len(bag)
    return found


def fluents(of: Game, bag: Bag) -> list[frozenset[str]]:
    """The states of a bag, each as the fluents that hold."""
    names = [of.rules.show(fluent) for fluent in of.program.fluents]
    bits = unpack(bag.states, len(names))
    return [frozenset(name for name, holds in zip(names, row, strict=True) if holds) for row in bits.tolist()]


def assert_same(found: dict[beliefs.History, float], members: dict[beliefs.History, Fraction]) -> None:
    """The histories of the oracle and no others, each with its probability."""
    assert set(found) == set(members)
    assert all(abs(found[history] - float(share)) <= 1e-12 for history, share in members.items())


def assert_sound(spec: str, role: str, record: beliefs.Record, bag: Bag, over: bool = False) -> None:
    """All of the bag explains the record, leads where it says, and the weights add up to 1."""
    slow, found = remembering_naive(spec), weights(game(spec), bag)
    assert found
    assert bag.weights.sum() == pytest.approx(1.0, abs=1e-12)
    assert set(found) <= set(infoset(spec, role, record, over))
    for history, state in zip(found, fluents(game(spec), bag), strict=True):
        assert beliefs.record_of(slow, history, role) == record
        assert last_state(spec, history) == state


def seeded_policies(of: Game, seed: int, lowest: int = 1) -> tuple[Opponents, beliefs.Policy]:
    """One policy as arrays and as the oracle wants it: shares of `lowest` to lowest + 7 by the key of the record."""

    def shares(keys: np.ndarray, count: int) -> np.ndarray:
        moves = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (keys[:, None] ^ moves[None, :] ^ np.uint64(seed)) * np.uint64(0xD6E8FEB86659FD93)
        return (mixed >> np.uint64(61)).astype(np.int64) + lowest

    def among_legal(keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        weight = shares(keys, legal.shape[1]) * legal
        return np.where(weight.sum(axis=1, keepdims=True) > 0, weight, legal)

    def as_arrays(role: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        weight = legal.astype(np.int64) if of.roles[role] == "random" else among_legal(keys, legal)
        return weight / np.maximum(weight.sum(axis=1, keepdims=True), 1)

    def as_fractions(role: str, record: beliefs.Record, legal: list[str]) -> dict[str, Fraction]:
        return worked_out(role, record, tuple(legal))

    @cache
    def worked_out(role: str, record: beliefs.Record, legal: tuple[str, ...]) -> dict[str, Fraction]:
        names = [of.rules.show(move) for move in of.program.moves[of.roles.index(role)]]
        row = np.array([[name in legal for name in names]])
        weight = among_legal(np.array([key_of(of, role, record)], np.uint64), row)[0].tolist()
        return {name: Fraction(weight[number], sum(weight)) for number, name in enumerate(names) if name in legal}

    return as_arrays, as_fractions


def key_of(of: Game, role: str, record: beliefs.Record) -> np.uint64:
    """The key of what a role was told."""
    key = start_keys(1)
    for told in encode(of, Record(role, record)):
        key = extend_keys(key, np.array([told.own_move]), percept_keys(told.percepts[None, :]))
    return key[0]


def monty(doors: int, opened: Iterable[int] | None = None) -> beliefs.Record:
    """What the contestant was told who chose door 1 and has seen all others but door 2 open."""
    each = range(3, doors + 1) if opened is None else opened
    return (("(choose 1)", NOTHING), *(("noop", frozenset({str(door)})) for door in each))


YOURS = ("noop", frozenset({"your_turn"}))
# o has marked the middle, and then found the corner (1 1) taken: x holds it and one of 7 other cells, in either order.
KRIEG = (YOURS, ("(mark 2 2)", frozenset({"marked"})), YOURS, ("(mark 1 1)", frozenset({"taken"})))


def make_cascade(
    machine: Machine,
    role_id: int,
    *,
    max_worlds: int | None = None,
    particles: int = 1000,
    models: int = 100,
    choices: int = 1000,
    seed: int = 0,
    opponents: Opponents | None = None,
) -> Cascade:
    """Exact, then particles, then constraint satisfaction, then HyperPlay, with these sizes."""
    config = AutoConfig(max_worlds=max_worlds, particles=particles, hypergames=models, choices=choices)
    return make_auto(config, SamplerContext(machine, role_id, seed=seed, opponents=opponents))
