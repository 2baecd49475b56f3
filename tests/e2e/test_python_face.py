"""`import veil`: the same games, from Python."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

import veil
from tests.support.command import ENDLESS, RACE


def test_a_game_loads_from_a_name_a_text_and_a_path(race: Path) -> None:
    assert veil.load("tic_tac_toe").roles == ["xplayer", "oplayer"]
    assert [veil.load(source).roles for source in (RACE, race, str(race))] == [["red", "blue"]] * 3
    assert [veil.load(source).name for source in (RACE, race, str(race))] == ["rules", "race", "race"]


@pytest.mark.parametrize("source", [None, 5, 1.5, [], {}, object()])
def test_what_is_neither_text_nor_path_is_a_type_error(source: object) -> None:
    with pytest.raises(TypeError):
        veil.load(source)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("", "unknown-game"),
        ("chess_on_mars", "unknown-game"),
        ("monty_hall\0", "unknown-game"),
        ("nowhere.kif", "unreadable-file"),
        (Path("nowhere.kif"), "unreadable-file"),
        (Path("monty_hall"), "unreadable-file"),
        (Path("/"), "unreadable-file"),
        ("monty_hall(doors=two)", "bad-parameter"),
        ("(role x", "unclosed-parenthesis"),
        ("; nothing\n", "empty-text"),
    ],
)
def test_what_cannot_be_loaded_says_why(source: str | Path, code: str) -> None:
    with pytest.raises(veil.VeilError) as caught:
        veil.load(source)
    assert [entry.code for entry in caught.value.problems] == [code]


def test_errors_survive_pickling_and_copying() -> None:
    with pytest.raises(veil.VeilError) as caught:
        veil.load("(role x)\n(legal x")
    for twin in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value), copy.deepcopy(caught.value)):
        assert type(twin) is type(caught.value)
        assert str(twin) == str(caught.value)
        assert twin.problems == caught.value.problems


def test_the_error_at_a_limit_survives_pickling_too() -> None:
    game = veil.load("breakthrough", veil.GroundLimits(max_seconds=0.001))
    with pytest.raises(veil.VeilError, match=r"did not end within 0\.001 seconds") as caught:
        _ = game.program
    twin = pickle.loads(pickle.dumps(caught.value))
    assert type(twin) is type(caught.value)
    assert str(twin) == str(caught.value)


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ({}, "no move for red"),
        ({"red": "step"}, "no move for blue"),
        ({"red": "step", "green": "step"}, "there is no role green"),
        ({"red": "fly", "blue": "rest"}, "fly is not legal for red"),
        ({"red": "", "blue": "rest"}, "`` is not a term"),
        ({"red": "?x", "blue": "rest"}, "`\\?x` is not a term"),
        ({"red": "(" * 10_000, "blue": "rest"}, "is not a term"),
    ],
)
def test_wrong_joint_moves_are_refused_and_leave_the_state_alone(joint: dict[str, str], message: str) -> None:
    state = veil.load(RACE).initial_state()
    with pytest.raises(veil.VeilError, match=message):
        state.play(joint)
    assert state.fluents == ["(at blue 0)", "(at red 0)"]


def test_a_game_can_be_played_to_its_end() -> None:
    state = veil.load(RACE).initial_state()
    while not state.is_terminal:
        state, percepts = state.play({"red": "step", "blue": "rest"})
    assert percepts == {"red": ["(at red 2)"], "blue": ["(at blue 0)"]}
    assert state.goals == {"red": 100, "blue": 0}
    with pytest.raises(veil.VeilError, match="the game is over"):
        state.play({"red": "step", "blue": "rest"})


def test_equal_states_are_equal_and_can_be_kept_in_a_set() -> None:
    start = veil.load(RACE).initial_state()
    by_red, _ = start.play({"red": "step", "blue": "rest"})
    rested, _ = start.play({"red": "rest", "blue": "rest"})
    assert rested == start != by_red
    assert len({start, rested, by_red}) == 2


def test_a_state_goes_to_another_process_and_plays_on_there() -> None:
    state, _ = veil.load(RACE).initial_state().play({"red": "step", "blue": "rest"})
    twin = pickle.loads(pickle.dumps(state))
    assert twin.fluents == state.fluents
    assert twin.play({"red": "step", "blue": "step"})[1] == state.play({"red": "step", "blue": "step"})[1]


def test_things_print_in_one_short_line() -> None:
    game = veil.load("breakthrough")
    for thing in (game, game.rules, game.program, game.initial_state()):
        assert "\n" not in repr(thing)
        assert len(repr(thing)) < 3000
    assert str(veil.load(RACE).initial_state()) == "(at blue 0) (at red 0)"


def test_a_game_that_counts_for_ever_plays_through_the_interpreter_and_says_so() -> None:
    game = veil.load(ENDLESS, veil.GroundLimits(max_seconds=0.5))
    state = game.initial_state()
    for _ in range(20):
        state, _percepts = state.play({})
    assert str(state) == "(n " + "(s " * 20 + "0" + ")" * 21
    assert [entry.code for entry in game.notes] == ["plays-slowly"]


def test_the_module_tells_what_it_has() -> None:
    assert all(hasattr(veil, name) for name in veil.__dict__["__all__"])
    with pytest.raises(AttributeError, match="no attribute 'solve_everything'"):
        _ = getattr(veil, "solve_everything")  # noqa: B009 - the type checker knows that it is not there
