from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import veil
from veil.engine import as_game, game as game_module
from veil.engine.grounding.grounder import GroundingError, GroundLimits, ground
from veil.engine.grounding.program import GroundProgram
from veil.errors import VeilError
from veil.lang import Rules
from veil.review.playability import judge_soundness

TWO_COINS = """
(Role Alice) (role Bob)
(init (Coins 0))
(<= (legal ?p (Show ?c)) (role ?p) (coin ?c))
(coin 1) (coin 2)
(<= (next (Coins ?a)) (does Alice (show ?a)))
(<= (sees Bob (paid ?c)) (does alice (show ?c)))
(<= terminal (true (coins ?c)) (distinct ?c 0))
(<= (goal ?p ?c) (role ?p) (true (coins ?c)))
"""


def test_values_print_as_the_rules_first_spell_them() -> None:
    game = veil.load(TWO_COINS)
    state = game.initial_state()
    assert game.roles == ["Alice", "Bob"]
    assert state.fluents == ["(Coins 0)"]
    assert state.legal("alice") == ["(Show 1)", "(Show 2)"]


def test_moves_and_roles_are_read_in_any_spelling() -> None:
    state = veil.load(TWO_COINS).initial_state()
    after, percepts = state.play({"ALICE": "(SHOW 2)", "bob": "show(1)"})
    assert percepts == {"Alice": [], "Bob": ["(paid 2)"]}
    assert after.is_terminal
    assert after.goals == {"Alice": 2, "Bob": 2}
    assert str(after) == "(Coins 2)"


def test_a_state_does_not_change_when_it_is_played() -> None:
    state = veil.load(TWO_COINS).initial_state()
    state.play({"alice": "(show 1)", "bob": "(show 1)"})
    assert state.fluents == ["(Coins 0)"]


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        ({"alice": "(show 1)"}, r"no move for Bob\n  hint: its legal moves are \(Show 1\), \(Show 2\)"),
        ({"alice": "(show 3)", "bob": "(show 1)"}, r"\(show 3\) is not legal for Alice"),
        ({"alice": "(show 1", "bob": "(show 1)"}, r"`\(show 1` is not a term"),
        ({"alice": "?x", "bob": "(show 1)"}, r"`\?x` is not a term"),
        ({"carol": "(show 1)"}, r"there is no role carol\n  hint: the roles are Alice, Bob"),
    ],
)
def test_wrong_moves_are_refused_with_the_way_out(joint: dict[str, str], message: str) -> None:
    with pytest.raises(VeilError, match=message):
        veil.load(TWO_COINS).initial_state().play(joint)


def test_nobody_moves_after_the_end() -> None:
    state, _ = veil.load(TWO_COINS).initial_state().play({"alice": "(show 1)", "bob": "(show 1)"})
    with pytest.raises(VeilError, match="the game is over"):
        state.play({"alice": "(show 1)", "bob": "(show 1)"})


def test_games_come_from_names_paths_and_texts(tmp_path: Path) -> None:
    path = tmp_path / "coins.kif"
    path.write_text(TWO_COINS, encoding="utf-8")
    assert veil.load("krieg_tictactoe(size=4)").name == "krieg_tictactoe(size=4)"
    assert veil.load(str(path)).name == veil.load(path).name == "coins"
    assert veil.load("role(x). init(p). legal(x, go). next(p). terminal :- true(p). goal(x, 1).").roles == ["x"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tic_tak_toe", "there is no game and no file called tic_tak_toe\n  hint: did you mean tic_tac_toe"),
        ("nowhere/rules.kif", "cannot read nowhere/rules.kif: No such file or directory"),
        (".", "cannot read .: Is a directory"),
        ("monty_hall(doors=many)", "doors must be a whole number"),
        ("x" * 5000, "there is no game"),
        ("bad\0name", "there is no game"),
        ("", "there is no game"),
        (" ", "there is no game"),
    ],
)
def test_what_is_no_game_is_refused(name: str, message: str) -> None:
    with pytest.raises(VeilError, match=message):
        veil.load(name)


@pytest.mark.compiled("a machine is machine code")
def test_a_game_beyond_the_limits_is_played_from_its_rules_and_says_so() -> None:
    game = veil.load("tic_tac_toe", veil.GroundLimits(max_rules=10))
    state, _ = game.initial_state().play({"xplayer": "(mark 1 1)"})
    assert "(mark 1 1)" not in state.legal("oplayer")
    assert [note.code for note in game.notes] == ["plays-from-rules"]


def test_errors_survive_pickling() -> None:
    with pytest.raises(VeilError) as caught:
        veil.load("(role x")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)


def test_random_joint_moves_repeat_with_their_seed() -> None:
    state = veil.load("tic_tac_toe").initial_state()
    moves = [state.random_joint_move(np.random.default_rng(seed)) for seed in (1, 1, 2, 3, 4)]
    assert moves[0] == moves[1]
    assert len({str(move) for move in moves}) > 1


def test_flaws_of_the_rules_are_found_in_random_games() -> None:
    text = """(role a) (role b) (role c) (init (step 1)) (succ 1 2) (succ 2 3)
    (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (<= terminal (true (step 3)))
    (legal a go) (legal b go) (legal c go)
    (goal a 1) (goal a 2) (<= (goal b 5) (true (step 1)))"""
    found = {entry.code: entry.message for entry in judge_soundness(veil.load(text)).flaws}
    assert found == {
        "no-goal": "c has no goal; its value counts as 0",
        "goal-ambiguous": "a game ended with the goal values 1 and 2 for a; the highest counts",
        "goal-missing": "a game ended without a goal value for b; it counts as 0",
    }


def test_roles_that_get_stuck_are_found_in_random_games() -> None:
    text = """(role a) (init (step 1)) (<= (legal a go) (true (step 1))) (<= (next (step 2)) (true (step 1)))
    (<= terminal (true (step 9))) (goal a 0)"""
    (flaw,) = judge_soundness(veil.load(text)).flaws
    assert flaw.code == "stuck-later"
    assert "a has no legal move in round 2" in flaw.message


# Grounding, once


@pytest.fixture
def groundings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the games that are ground from now on."""
    names: list[str] = []

    def count(rules: Rules, limits: GroundLimits) -> GroundProgram:
        names.append(rules.source.name)
        return ground(rules, limits)

    monkeypatch.setattr(game_module, "ground", count)
    return names


COUNTS_FOR_EVER = """(role white) (init (n 0)) (legal white noop) (goal white 0)
(<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n none)))"""


def test_notes_do_not_ground(groundings: list[str]) -> None:
    game = veil.load(TWO_COINS + "(sees_xml bob coin)")
    assert [note.code for note in game.notes] == ["sees-xml"]
    assert veil.load("tic_tac_toe", veil.GroundLimits(max_rules=10)).notes == []
    assert groundings == []


def test_a_grounding_that_failed_is_remembered(groundings: list[str]) -> None:
    game = veil.load(COUNTS_FOR_EVER, veil.GroundLimits(max_rules=1000, max_seconds=1.0))
    texts = []
    for ask in (lambda: game.program, lambda: game.machine, lambda: game.program, lambda: game.names):
        with pytest.raises(GroundingError) as caught:
            ask()
        texts.append(str(caught.value))
    assert len(set(texts)) == 1
    assert game.initial_state().legal("white") == ["noop"]
    assert [note.code for note in game.notes] == ["plays-slowly"]
    assert len(groundings) == 1


def test_a_doubt_that_grounding_confirms_is_remembered(groundings: list[str]) -> None:
    game = veil.load(
        "(role r) (init p) (legal r go) (<= a (true p) (not b)) (<= b (true p) (not a)) (<= terminal a) (goal r 1)"
    )
    for _ in range(2):
        with pytest.raises(VeilError, match="unstratified negation"):
            _ = game.reasoner
    assert len(groundings) == 1


# Games that travel


def test_a_game_survives_pickling_without_what_was_made_of_it(groundings: list[str]) -> None:
    game = veil.load("kuhn_poker", veil.GroundLimits(max_rules=5000))
    state, _ = game.initial_state().play({"random": game.initial_state().legal("random")[0]})
    _ = game.machine, game.names.moves, game.fingerprint
    data = pickle.dumps(game)
    assert len(data) < 2 * len(game.rules.source.text)
    copy = pickle.loads(data)
    assert sorted(vars(copy)) == ["limits", "name", "rules", "utility"]
    assert (copy.name, copy.limits, copy.utility) == (game.name, game.limits, game.utility)
    assert (copy.fingerprint, copy.roles, copy.rules.problems) == (game.fingerprint, game.roles, game.rules.problems)
    assert groundings == ["kuhn_poker.kif"]
    assert pickle.loads(pickle.dumps(state)).fluents == state.fluents


def test_a_game_from_a_file_needs_no_file_where_it_arrives(tmp_path: Path) -> None:
    path = tmp_path / "coins.kif"
    path.write_text(TWO_COINS, encoding="utf-8")
    data = pickle.dumps(veil.load(path))
    path.unlink()
    game = pickle.loads(data)
    assert (game.name, game.rules.source.name) == ("coins", "coins.kif")
    assert game.initial_state().legal("alice") == ["(Show 1)", "(Show 2)"]


@pytest.mark.compiled("a machine is machine code")
def test_a_game_that_was_too_large_is_tried_again_where_it_arrives(groundings: list[str]) -> None:
    game = veil.load("tic_tac_toe", veil.GroundLimits(max_rules=10))
    game.initial_state()
    copy = pickle.loads(pickle.dumps(game))
    assert copy.notes == []
    assert copy.reasoner.kind == "rules"
    assert len(groundings) == 2


def play_out(game: veil.Game) -> tuple[str, list[int], list[str]]:
    """What another process says about a game: its fingerprint, the goals of random games, one game in words."""
    playouts = game.machine.playouts(game.machine.initial_states(), 200, 7)
    state, rng = game.initial_state(), np.random.default_rng(3)
    while not state.is_terminal:
        state, _ = state.play(state.random_joint_move(rng))
    return game.fingerprint, playouts.goal_sum[0].tolist(), state.fluents


@pytest.mark.gate_cases(1)
@pytest.mark.slow
@pytest.mark.parametrize("spec", ["kuhn_poker", TWO_COINS])
def test_a_game_plays_the_same_in_another_process(spec: str) -> None:
    game = veil.load(spec)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(play_out, game).result() == play_out(game)


# Whatever names a game


def test_a_game_is_a_game_and_everything_else_is_loaded(tmp_path: Path) -> None:
    game = veil.load(TWO_COINS)
    assert as_game(game) is game
    path = tmp_path / "coins.kif"
    path.write_text(TWO_COINS, encoding="utf-8")
    assert as_game(path).fingerprint == as_game(str(path)).fingerprint == as_game(TWO_COINS).fingerprint
    assert as_game("monty_hall").name == "monty_hall(doors=3)"
    with pytest.raises(VeilError, match="there is no game"):
        as_game("nothing_of_the_kind")
