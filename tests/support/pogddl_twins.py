"""A POGDDL game as Veil reads it beside the slow reader: states, choices, percepts and payoffs, step by step."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tests.reference import pogddl as oracle
from tests.support.corpus import ROOT
from tests.support.pogddl_play import GAMES
from veil.engine import Game, State
from veil.lang import Source, read_rules
from veil.vocabulary import Term

SEATS = {"chance": "random"}


@cache
def both(*texts: str, transfer: bool = False) -> tuple[oracle.Game, Game]:
    source = Source("game.pog", "\n".join(texts), transfer=transfer)
    return oracle.read(*texts), Game("game", read_rules(source))


def bundled(name: str) -> str:
    return (GAMES / f"{name}.pog").read_text(encoding="utf-8")


def corpus(name: str) -> str:
    path = ROOT / "pogddl" / name
    if not path.exists():
        pytest.skip(f"no {path.name} in the corpus at {ROOT}; set VEIL_CORPUS")
    return path.read_text(encoding="utf-8")


def term(form: tuple[str, ...]) -> Term:
    return form[0] if len(form) == 1 else form


def fluents(game: oracle.Game, state: oracle.State) -> set[Term]:
    """The state as Veil has it: without what no action changes."""
    atoms, functions = changed_names(game)
    numbers = {("=", term(key), str(value)) for key, value in state.numbers.items() if key[0] in functions}
    return {term(atom) for atom in state.atoms if atom[0] in atoms} | numbers


def changed_names(game: oracle.Game) -> tuple[set[str], set[str]]:
    atoms = {atom[0] for action in game.domain.actions for atom in oracle.list_changed_atoms(action.effect)}

    def changed_numbers(effect: Any) -> set[str]:
        if not isinstance(effect, tuple) or not effect:
            return set()
        if effect[0] in ("assign", "increase", "decrease"):
            return {effect[1][0]}
        return set().union(*map(changed_numbers, effect[1:])) if effect[0] != "observe" else set()

    return atoms, set().union(*(changed_numbers(action.effect) for action in game.domain.actions))


def assert_same_state(slow: oracle.Game, here: oracle.State, state: State, transfer: bool) -> dict[str, list[Any]]:
    """Compare a state with the oracle's: fluents, legal moves, the end and payoffs. The choices are returned."""
    rules = state.game.rules
    assert state.terms == fluents(slow, here)
    choices = oracle.applicable(slow, here)
    assert state.is_terminal == (not choices)
    if not choices:
        paid = oracle.payoffs(slow, here, transfer)
        goals = {player: Fraction(state.goals[rules.show(player)], rules.scale) for player in paid}
        assert goals == paid
        assert all(len(values) == 1 for values in state.goal_values.values())
        return {}
    [(who, actions)] = choices.items()
    for role, legal in state.judgement.legal.items():
        expected = {term(action) for action in actions} if role == SEATS.get(who, who) else {"noop"}
        assert set(legal) == expected
    return choices


def step(state: State, slow: oracle.Game, here: oracle.State, who: str, action: Any) -> tuple[State, oracle.State]:
    rules = state.game.rules
    joint = dict.fromkeys(rules.roles, "noop") | {SEATS.get(who, who): term(action)}
    after, told = oracle.apply(slow, here, action)
    following, percepts = state.game.reasoner.step(state.terms, joint)
    for player, seen in told.items():
        assert set(percepts[player]) == {term(what) for what in seen}
    assert not percepts.get("random")
    return State(state.game, following), after


def assert_same_playout(slow: oracle.Game, game: Game, seed: int, transfer: bool = False) -> int:
    rng = random.Random(seed)
    here, state, rounds = oracle.initial(slow), game.initial_state(), 0
    while choices := assert_same_state(slow, here, state, transfer):
        [(who, actions)] = choices.items()
        state, here = step(state, slow, here, who, rng.choice(actions))
        rounds += 1
    return rounds


def assert_same_tree(slow: oracle.Game, game: Game, transfer: bool = False) -> int:
    def visit(here: oracle.State, state: State) -> int:
        choices = assert_same_state(slow, here, state, transfer)
        nodes = 1
        for who, actions in choices.items():
            for action in actions:
                following, after = step(state, slow, here, who, action)
                nodes += visit(after, following)
        return nodes

    return visit(oracle.initial(slow), game.initial_state())
