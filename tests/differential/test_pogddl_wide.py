"""Wide actions and observations: moves that name what is chosen, percepts word by word, against the slow reader."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.reference import pogddl as oracle
from tests.support.belief_games import everything, in_oracle_words
from tests.support.pogddl_twins import (
    assert_same_playout,
    assert_same_tree,
    both,
    bundled,
    corpus,
    part,
    plan_of,
    shorten,
    step,
)
from veil.belief import SAMPLERS, SamplerContext
from veil.engine import Game
from veil.engine.record import Record, encode
from veil.lang import Source, read_rules
from veil.lang.pogddl import choices

TRACK = """(define (domain track) (:types role place thing) (:constants ann bob chance - role)
    (:predicates (whoseturn ?r - role) (on ?x - place) (after ?y ?x - place) (held ?t - thing)
        (kept ?r - role ?t - thing))
    (:action step :parameters (?r ?o - role ?x ?y - place ?t ?u - thing)
        :precondition (and (whoseturn ?r) (other ?r ?o) (on ?x) (after ?y ?x) (held ?t) (not (kept ann ?u))
            (not (= ?t ?u)))
        :effect (and (not (whoseturn ?r)) (whoseturn ?o) (not (on ?x)) (on ?y) (not (held ?t)) (held ?u)
            (when (end ?y) (kept ?r ?t)) {more}
            (observe (?r (stepped ?x ?y ?t ?u)) (?o (stepped ?x ?y unknown unknown)))))
    (:gain ?r - role 1 (exists (?t - thing) (kept ?r ?t))))
    (define (problem p) (:domain track) (:objects p1 p2 p3 p4 - place t1 t2 t3 - thing)
        (:init (whoseturn ann) (other ann bob) (other bob ann) (on p1) (held t1)
        (after p2 p1) (after p3 p2) (after p4 p3) (end p4)))"""


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything with more than ten bindings is wide, so that small games are written as large ones are."""
    monkeypatch.setattr(choices, "MAX_LISTED", 10)
    both.cache_clear()
    plan_of.cache_clear()
    yield
    both.cache_clear()
    plan_of.cache_clear()


def chosen(game: Game) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(word.split()[0] for word in choice.chosen)
        for name, choice in plan_of(game.rules.source).choices.items()
    }


def test_a_counter_among_the_parameters_is_no_choice() -> None:
    slow, game = both(bundled("rack_counter"))
    assert chosen(game) == {"deal": ("?c",), "draw": ("?c",), "refuse": (), "exchange": ("?s", "?c")}
    assert plan_of(game.rules.source).parted == {("dealt", 2), ("exchanged", 4), ("refused", 2)}
    assert all(assert_same_playout(slow, game, seed) > 8 for seed in range(3))


@pytest.mark.parametrize("name", ["gops2", "simple_poker"])
def test_bundled_games_written_as_large_ones_play_as_the_slow_reader_says(name: str) -> None:
    slow, game = both(bundled(name))
    assert all(assert_same_playout(slow, game, seed) > 2 for seed in range(2))


@pytest.mark.parametrize(
    ("more", "moves"),
    [
        ("", ("?u",)),
        ("(when (on p2) (held t3))", ("?t", "?u")),  # two things may be held at once
        ("(forall (?v - thing) (when (on p3) (held ?v)))", ("?t", "?u")),
        ("(when (on p2) (on p4))", ("?x", "?u")),  # two places at once
    ],
)
def test_a_parameter_is_left_out_only_if_the_state_decides_it(more: str, moves: tuple[str, ...]) -> None:
    slow, game = both(TRACK.format(more=more))
    assert chosen(game) == {"step": moves}
    assert assert_same_tree(slow, game) > 10


def test_observations_that_can_come_in_pairs_stay_whole() -> None:
    for more, is_parted in [
        ("", True),
        ("(forall (?v - thing) (observe (?r (stepped ?x ?y ?v ?u))))", False),
        ("(when (on p2) (observe (all (stepped ?y ?x ?t ?u))))", False),
    ]:
        slow, game = both(TRACK.format(more=more))
        assert (("stepped", 4) in plan_of(game.rules.source).parted) == is_parted
        assert assert_same_tree(slow, game) > 10


@pytest.mark.parametrize("transfer", [False, True])
def test_a_game_that_ends_on_a_gain_is_over_when_the_slow_reader_counts_one(transfer: bool) -> None:
    text = bundled("rack_counter")
    slow, ends = oracle.read(text), Counter[bool]()
    game = Game("game", read_rules(Source("game.pog", text, transfer=transfer, end_on_gain=True)))
    assert "ends-on-gain" in [entry.code for entry in game.readings]
    for seed in range(12):
        rng, here, state = random.Random(seed), oracle.initial(slow), game.initial_state()
        while True:
            gained = oracle.payoffs(slow, here, anywhere=True)
            legal = oracle.applicable(slow, here)
            assert state.is_terminal == (any(gained.values()) or not legal)
            if state.is_terminal:
                break
            [(who, actions)] = legal.items()
            state, here = step(state, slow, here, who, rng.choice(actions))
        ends[any(gained.values())] += 1
        lost = {"p1": gained["p2"], "p2": gained["p1"]} if transfer else {"p1": 0, "p2": 0}
        assert {role: state.goals[role] for role in gained} == {role: gained[role] - lost[role] for role in gained}
    assert min(ends[True], ends[False]) > 0


def list_histories(slow: oracle.Game, role: str, rounds: list[Any], game: Game) -> list[tuple[Any, ...]]:
    """All sequences of actions that agree with what a role did and saw, by brute force."""
    found: list[tuple[Any, ...]] = []

    def extend(here: oracle.State, history: tuple[Any, ...]) -> None:
        if len(history) == len(rounds):
            found.append(history)
            return
        move, percepts = rounds[len(history)]
        for who, actions in oracle.applicable(slow, here).items():
            for action in actions:
                if (shorten(game, action) if who == role else "noop") == move:
                    after, told = oracle.apply(slow, here, action)
                    if set[Any]().union(*(part(game, what) for what in told[role])) == percepts:
                        extend(after, (*history, (who, action)))

    extend(oracle.initial(slow), ())
    return found


def test_infosets_of_a_wide_game_are_those_of_brute_force() -> None:
    slow, game = both(bundled("rack_counter"))
    here, rounds = oracle.initial(slow), []
    for number in range(8):  # four cards are dealt, one is opened; then p1 asks, gets a card and exchanges it
        [(who, actions)] = oracle.applicable(slow, here).items()
        action = [each for each in actions if each[0] != "refuse"][number % 2 if len(actions) > 1 else 0]
        here, told = oracle.apply(slow, here, action)
        percepts = set[Any]().union(*(part(game, what) for what in told["p2"]))
        rounds.append((shorten(game, action) if who == "p2" else "noop", percepts))
    expected = {
        tuple(shorten(game, action) for _, action in history) for history in list_histories(slow, "p2", rounds, game)
    }
    assert len(expected) > 5
    show = game.rules.show
    record = Record("p2", tuple((show(move), frozenset(map(show, percepts))) for move, percepts in rounds))
    for sampler in ("csp:conflict=all", "dfs", "asp:models=list", "exact", "csp"):
        assert sample(game, sampler, record) == {tuple(map(show, history)) for history in expected}


def sample(game: Game, sampler: str, record: Record) -> set[tuple[str, ...]]:
    """The histories that a sampler finds, as the moves of those who act."""
    belief = SAMPLERS.make(sampler, SamplerContext(game.machine, game.names.role_id(record.role), 10_000, 0))
    for told in encode(game, record):
        belief.observe(*told, False)
    found = in_oracle_words(game, everything(belief).histories)
    return {tuple(next(move for move in joint if move != "noop") for joint in history) for history in found}


@pytest.mark.nightly
def test_the_authors_files_are_ready_and_play_as_the_slow_reader_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for domain, problem, atoms in [
        ("authors/Racko.pog", "authors/racko-5.20.pog", 15_000),
        ("authors/LongBattleship.pog", "authors/battleship-1.3.pog", 3_000),
        ("Gops.pog", "authors/gops-2.10.pog", 3_000),
    ]:
        slow, game = both(corpus(domain), corpus(problem))
        assert game.program.num_atoms < atoms
        assert assert_same_playout(slow, game, 0, most=24) > 10
