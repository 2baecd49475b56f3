"""Observers: tensors tell the same as strings, and show nothing that the player was not told."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from veil.interop import openspiel
from veil.interop.openspiel import observer

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")


def load(name: str):
    return pyspiel.load_game(openspiel.register(name))


def states_of(game):
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        yield state
        if not state.is_terminal():
            waiting += [state.child(action) for action in state.legal_actions()]


@pytest.mark.parametrize("name", ["kuhn_poker", "ii_goofspiel(cards=3)", "monty_hall"])
def test_information_states_have_one_tensor_each_and_tensors_one_information_state(name: str) -> None:
    game = load(name)
    tensors, strings = defaultdict(set), defaultdict(set)
    for state in states_of(game):
        for player in range(game.num_players()):
            text = state.information_state_string(player)
            tensor = tuple(state.information_state_tensor(player))
            tensors[text].add(tensor)
            strings[tensor].add(text)
    assert {len(found) for found in tensors.values()} == {1}
    assert {len(found) for found in strings.values()} == {1}


def test_players_have_different_information_states_even_at_the_start() -> None:
    state = load("matching_pennies").new_initial_state()
    assert state.information_state_string(0) != state.information_state_string(1)


def test_an_observation_is_the_last_round_and_its_number_is_public() -> None:
    game = load("kuhn_poker")
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    assert state.observation_string(1) == "round 3, second: noop: (played first bet)"
    assert state.information_state_string(1) == "second: noop; noop: (card king); noop: (played first bet)"
    kinds = pyspiel.PrivateInfoType
    for private, wanted in ((kinds.NONE, "round 3"), (kinds.ALL_PLAYERS, "round 3, first: bet, second: noop: ")):
        kind = pyspiel.IIGObservationType(perfect_recall=False, public_info=True, private_info=private)
        assert game.make_py_observer(kind).string_from(state, 0).startswith(wanted)


def test_the_parts_of_a_tensor_are_views_of_it() -> None:
    game = load("kuhn_poker")
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    observer.set_from(state, 0)
    assert sum(part.sum() for part in observer.dict.values()) == observer.tensor.sum()
    assert observer.dict["percepts"][0].sum() == 1  # the card
    assert np.shares_memory(observer.dict["moves"], observer.tensor)


def test_a_record_that_is_too_long_for_a_tensor_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observer, "MAX_TENSOR", 10)
    game = load("banker_and_thief(banks=2, notes=4)")
    assert not game.get_type().provides_information_state_tensor
    assert game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True)).tensor is None
    assert game.new_initial_state().information_state_string(0) == "banker: start"
