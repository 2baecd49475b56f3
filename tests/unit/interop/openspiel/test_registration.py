"""Names of registered games, and what comes back from a pickle."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

import veil
from veil.interop import openspiel
from veil.interop.openspiel.registration import find_node

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")

PENNIES = """\
(role a)
(role b)
(init go)
(<= (legal ?p heads) (role ?p))
(<= (legal ?p tails) (role ?p))
(<= (next over) (true go))
(<= terminal (true over))
(<= (next same) (does a ?x) (does b ?x))
(<= (goal a {a}) (true same))
(<= (goal b {b}) (true same))
(<= (goal a 0) (not (true same)))
(<= (goal b 100) (not (true same)))
"""


def test_a_name_a_path_a_text_and_a_game_can_be_registered(tmp_path: Path) -> None:
    path = tmp_path / "my_pennies.kif"
    path.write_text(PENNIES.format(a=100, b=0))
    assert openspiel.register("monty_hall(4)") == "veil_monty_hall_doors_4"
    assert openspiel.register(path) == "veil_my_pennies"
    assert openspiel.register(veil.load("monty_hall(4)")) == "veil_monty_hall_doors_4"
    name = openspiel.register(PENNIES.format(a=100, b=0))
    assert pyspiel.load_game(name).num_players() == 2


def test_other_rules_of_the_same_name_get_a_name_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "twice.kif"
    path.write_text(PENNIES.format(a=100, b=0))
    first = openspiel.register(path)
    path.write_text(PENNIES.format(a=80, b=20))
    second = openspiel.register(path)
    assert first == "veil_twice"
    assert second.startswith("veil_twice_")
    assert [pyspiel.load_game(name).max_utility() for name in (first, second)] == [100.0, 100.0]
    assert openspiel.register(path) == second


def test_a_state_is_pickled_as_the_way_to_it() -> None:
    game = pyspiel.load_game(openspiel.register("kuhn_poker"))
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    again = pickle.loads(pickle.dumps(state))
    assert again.node is state.node
    assert again.history() == state.history()
    _, other = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(other) == str(state)


def test_a_pickle_of_a_game_that_is_not_registered_is_refused() -> None:
    with pytest.raises(veil.VeilError, match="not registered in this process"):
        find_node("veil_nothing", "", ())


def test_without_openspiel_there_is_a_word_about_it() -> None:
    with patch.dict(sys.modules, {"pyspiel": None}), pytest.raises(veil.VeilError, match="peers"):
        openspiel.register("kuhn_poker")


def test_a_process_that_has_registered_a_game_ends_as_any_other() -> None:
    """OpenSpiel lets go of what makes a game when Python has ended already."""
    code = (
        "import pyspiel; from veil.interop import openspiel; pyspiel.load_game(openspiel.register('matching_pennies'))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0
