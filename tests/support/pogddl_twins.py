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
from veil.lang import Source, prefix, read_rules
from veil.lang.pogddl.notation import Plan, plan
from veil.vocabulary import Term

SEATS = {"chance": "random"}


@cache
def both(*texts: str, transfer: bool = False) -> tuple[oracle.Game, Game]:
    source = Source("game.pog", "\n".join(texts), transfer=transfer)
    return oracle.read(*texts), Game("game", read_rules(source))


@cache
def plan_of(source: Source) -> Plan:
    return plan(source, prefix.read_nodes(source)[0])


def shorten(game: Game, action: Any) -> Term:
    """The move for an action: all its parameters, or the chosen ones of a wide action."""
    found = plan_of(game.rules.source)
    name, *args = action
    [schema] = [schema for schema in found.forms.actions if schema.name == name]
    choice = found.choices.get(name)
    if choice is not None:
        args = [arg for arg, variable in zip(args, schema.variables, strict=True) if variable in choice.chosen]
    return term((name, *args))


def part(game: Game, what: Any) -> set[Term]:
    """The percepts for an observation: itself, or its words one by one."""
    name, *args = what
    if (name, len(args)) not in plan_of(game.rules.source).parted:
        return {term(what)}
    return {(name, *(word if i == j else "_" for j, word in enumerate(args))) for i in range(len(args))}


def bundled(name: str) -> str:
    return (GAMES / f"{name}.pog").read_text(encoding="utf-8")


def corpus(name: str) -> str:
    path = ROOT / "pogddl" / name
    if not path.exists():
        pytest.skip(f"no {path.name} in the corpus at {ROOT}; set VEIL_CORPUS")
    return path.read_text(encoding="utf-8")


def term(form: tuple[str, ...]) -> Term:
    return form[0] if len(form) == 1 else form


def fluents(game: oracle.Game, state: oracle.State, veils: Game) -> set[Term]:
    """The state as Veil has it: without what no action changes, and without the numbers that are left out."""
    atoms, functions = changed_names(game)
    functions &= plan_of(veils.rules.source).changing
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
    assert state.terms == fluents(slow, here, state.game)
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
        is_acting = role == SEATS.get(who, who)
        expected = {shorten(state.game, action) for action in actions} if is_acting else {"noop"}
        assert set(legal) == expected
        assert len(legal) == (len(actions) if is_acting else 1)  # no two actions share a move
    return choices


def step(state: State, slow: oracle.Game, here: oracle.State, who: str, action: Any) -> tuple[State, oracle.State]:
    rules = state.game.rules
    joint = dict.fromkeys(rules.roles, "noop") | {SEATS.get(who, who): shorten(state.game, action)}
    after, told = oracle.apply(slow, here, action)
    following, percepts = state.game.reasoner.step(state.terms, joint)
    for player, seen in told.items():
        assert set(percepts[player]) == set[Term]().union(*(part(state.game, what) for what in seen))
    assert not percepts.get("random")
    return State(state.game, following), after


def assert_same_playout(slow: oracle.Game, game: Game, seed: int, transfer: bool = False, most: int = 10_000) -> int:
    rng = random.Random(seed)
    here, state, rounds = oracle.initial(slow), game.initial_state(), 0
    while rounds < most and (choices := assert_same_state(slow, here, state, transfer)):
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
