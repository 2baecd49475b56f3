"""The commands as a user meets them: words in; text, JSON and an exit code out.

Every command runs once in a process of its own, well and refused; the rest in this one, where a traceback is an error.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import inside, refusal_of, veil
from tests.support.corpus import MISSING, ROOT, playthrough

GAMES = ["monty_hall", "exploding_bomb", "krieg_tictactoe", "blind_breakthrough", "tic_tac_toe", "breakthrough"]
CHECK_KEYS = ["ok", "name", "roles", "fluents", "moves", "percepts", "ground_rules", "warnings", "errors"]
PROBLEM_KEYS = ["code", "message", "where", "hint"]
X_WINS = [("xplayer", "(mark 1 1)"), ("oplayer", "(mark 2 1)"), ("xplayer", "(mark 1 2)"), ("oplayer", "(mark 2 2)")]
X_WINS += [("xplayer", "(mark 1 3)")]


@pytest.fixture
def repairable(tmp_path: Path) -> Path:
    """Two warnings: ?r is bound nowhere, and red has no goal."""
    path = tmp_path / "repairable.kif"
    path.write_text("(role red)\n(<= (legal ?r go))\n(<= (next done) (does red go))\n(<= terminal (true done))\n")
    return path


def moves_file(folder: Path, value: object) -> Path:
    path = folder / "moves.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


# --- veil, veil games


@pytest.mark.parametrize("words", [[], ["-h"]])
def test_help_lists_every_command(words: list[str]) -> None:
    outcome = veil(*words)
    assert outcome.code == 0
    assert outcome.err == ""
    assert {line.split()[0] for line in outcome.out.splitlines() if line.startswith("  ")} >= {
        "games",
        "check",
        "trace",
    }


def test_version_is_one_line() -> None:
    outcome = veil("--version")
    assert outcome.code == 0
    assert outcome.out.startswith("veil ")
    assert outcome.out.count("\n") == 1


def test_games_lists_every_game_with_its_parameters() -> None:
    outcome = veil("games")
    assert outcome.code == 0
    assert outcome.err == ""
    assert all(any(line.startswith(name) for line in outcome.out.splitlines()) for name in GAMES)
    assert "krieg_tictactoe(size=3), size 3.." in outcome.out


def test_games_as_json_has_names_and_parameters() -> None:
    outcome = inside("games", "--json")
    assert outcome.code == 0
    assert list(outcome.json) == ["games"]
    games = {game["name"]: game for game in outcome.json["games"]}
    assert set(GAMES) < set(games)
    for game in games.values():
        assert {"name", "parameters", "roles", "players", "chance", "moves", "nodes", "source"} <= game.keys()
        for parameter in game["parameters"]:
            if parameter["choices"]:
                assert parameter["default"] in parameter["choices"]
            else:
                assert parameter["low"] <= parameter["default"] <= parameter["high"]
    assert [entry["name"] for entry in games["breakthrough"]["parameters"]] == ["width", "height"]
    assert games["tic_tac_toe"]["parameters"] == []


def test_one_game_is_shown_in_full() -> None:
    outcome = inside("games", "monty_hall")
    assert outcome.code == 0
    assert "contestant" in outcome.out
    assert "JAIR" in outcome.out
    assert "exploding_bomb" not in outcome.out


def test_one_game_as_json_is_the_same_object_as_in_the_list() -> None:
    one, every = inside("games", "monty_hall", "--json"), inside("games", "--json")
    assert one.json["games"] == [entry for entry in every.json["games"] if entry["name"] == "monty_hall"]


def test_a_slip_in_a_name_gets_a_suggestion() -> None:
    message = refusal_of(veil("games", "monty_hal"))
    assert "no game and no file called monty_hal" in message
    assert "did you mean monty_hall?" in message


# --- veil check


def test_check_says_what_a_game_is_made_of(race: Path) -> None:
    outcome = veil("check", race)
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.out.startswith("race: a sound game\n")
    assert "2 moves, 4 percepts, goals 0, 100" in outcome.out
    assert "8 fluents" in outcome.out


def test_check_as_json_has_the_promised_keys_and_counts(race: Path) -> None:
    outcome = inside("check", race, "--json")
    assert outcome.code == 0
    assert outcome.err == ""
    found = outcome.json
    assert list(found)[: len(CHECK_KEYS)] == CHECK_KEYS
    assert found["ok"] is True
    assert found["name"] == "race"
    assert found["roles"] == ["red", "blue"]
    assert found["fluents"] == 8
    assert found["moves"] == {"red": 2, "blue": 2}
    # Positions 0 to 3: the grounder may or may not see that nobody is ever told the last one.
    assert found["percepts"] == {"red": 4, "blue": 4}
    assert found["ground_rules"] > 0
    assert found["warnings"] == found["errors"] == []


def test_check_as_json_of_a_broken_file_has_the_same_keys_and_the_errors(tmp_path: Path) -> None:
    path = tmp_path / "broken.kif"
    path.write_text("(role x)\n(legal x")
    outcome = veil("check", path, "--json")
    assert outcome.code == 2
    found = outcome.json
    assert list(found)[: len(CHECK_KEYS)] == CHECK_KEYS
    assert found["ok"] is False
    assert [list(entry) for entry in found["errors"]] == [PROBLEM_KEYS]
    assert found["errors"][0]["code"] == "unclosed-parenthesis"
    assert found["errors"][0]["where"] == {"file": "broken.kif", "line": 2, "column": 1}


def test_check_as_json_of_an_unknown_game_is_one_object_too() -> None:
    outcome = inside("check", "chess_on_mars", "--json")
    assert outcome.code == 2
    assert outcome.json["ok"] is False
    assert outcome.json["errors"][0]["code"] == "unknown-game"


def test_warnings_go_to_standard_error_and_leave_the_game_sound(repairable: Path) -> None:
    outcome = veil("check", repairable)
    assert outcome.code == 0
    assert "warning: repairable.kif:2:12: unsafe rule: ?r is bound nowhere" in outcome.err
    assert "warning: red has no goal" in outcome.err
    assert "error:" not in outcome.err
    assert "a sound game" in outcome.out


def test_strict_turns_warnings_into_errors(repairable: Path) -> None:
    outcome = inside("check", repairable, "--strict")
    message = refusal_of(outcome)
    assert "error: repairable.kif:2:12: unsafe rule: ?r is bound nowhere" in message
    assert "error: red has no goal" in message
    assert "warning" not in message
    assert outcome.out == ""


def test_strict_turns_warnings_into_errors_in_json(repairable: Path) -> None:
    plain, strict = inside("check", repairable, "--json"), inside("check", repairable, "--json", "--strict")
    assert (plain.code, strict.code) == (0, 2)
    assert (plain.json["ok"], strict.json["ok"]) == (True, False)
    assert plain.json["errors"] == strict.json["warnings"] == []
    assert plain.json["warnings"] == strict.json["errors"] != []


def test_strict_accepts_a_game_without_warnings() -> None:
    assert inside("check", "tic_tac_toe", "--strict").code == 0


# --- veil trace


def test_a_random_game_is_repeatable_and_depends_on_the_seed() -> None:
    first, again, other = (inside("trace", "krieg_tictactoe", "--json", "--seed", seed) for seed in "778")
    assert first.code == 0
    assert first.out == again.out
    assert first.out != other.out


def test_the_text_of_a_trace_shows_every_round_and_the_goals(race: Path) -> None:
    outcome = veil("trace", race, "--seed", "1")
    assert outcome.code == 0
    assert outcome.err == ""
    lines = outcome.out.splitlines()
    assert lines[:2] == ["round 1", "  state   (at blue 0) (at red 0)"]
    assert "  legal   red: rest step" in lines
    assert "end" in lines
    assert lines[-1].split()[0] == "goals"


def check_shape(trace: dict[str, Any]) -> None:
    """The shape of the playthroughs in the corpus: see its README."""
    assert set(trace) == {"rounds", "roles", "terminal"} | ({"goals"} if trace["terminal"] else set())
    roles = trace["roles"]
    for entry in trace["rounds"][:-1]:
        assert set(entry) == {"state", "legal", "sees", "joint"}
        assert entry["state"] == sorted(entry["state"])
        assert list(entry["legal"]) == list(entry["sees"]) == list(entry["joint"]) == roles
        for role in roles:
            assert entry["legal"][role] == sorted(entry["legal"][role])
            assert entry["sees"][role] == sorted(entry["sees"][role])
            assert entry["joint"][role] in entry["legal"][role]
    assert set(trace["rounds"][-1]) == {"state", "legal", "sees"}
    assert trace["rounds"][-1]["legal"] == trace["rounds"][-1]["sees"] == {}
    if trace["terminal"]:
        assert list(trace["goals"]) == roles
        assert all(goal is None or isinstance(goal, int) for goal in trace["goals"].values())


@pytest.mark.parametrize("game", ["monty_hall(doors=4)", "exploding_bomb", "breakthrough(width=3, height=4)"])
def test_replaying_the_joint_moves_of_a_trace_gives_the_same_trace(game: str, tmp_path: Path) -> None:
    played = inside("trace", game, "--json", "--seed", "3")
    check_shape(played.json)
    joint = [entry["joint"] for entry in played.json["rounds"] if "joint" in entry]
    replayed = inside("trace", game, "--json", "--moves", moves_file(tmp_path, joint))
    assert replayed == played


def test_the_trace_of_a_trace_is_a_fixpoint(tmp_path: Path) -> None:
    played = inside("trace", "krieg_tictactoe", "--json", "--seed", "5")
    from_file = inside("trace", "krieg_tictactoe", "--json", "--moves", moves_file(tmp_path, played.out))
    from_input = veil("trace", "krieg_tictactoe", "--json", "--moves", "-", text=from_file.out)
    assert from_input == from_file == played


def test_a_random_game_stops_after_the_rounds_it_may_play(race: Path) -> None:
    outcome = inside("trace", race, "--rounds", "2", "--json")
    check_shape(outcome.json)
    assert outcome.json["terminal"] is False
    assert len(outcome.json["rounds"]) == 3
    assert inside("trace", race, "--rounds", "2").out.splitlines()[-1] == "  not terminal"


@MISSING
@pytest.mark.parametrize("name", ["gdl2/ggpcpp-blindtictactoe", "gdl1/ggporg-connect4"])
def test_a_playthrough_of_the_corpus_replays_to_itself(name: str) -> None:
    path = ROOT / f"{name}.kif"
    outcome = inside("trace", path, "--json", "--moves", path.with_suffix(".json"))
    assert outcome.code == 0
    expected = playthrough(path)
    found = outcome.json
    assert found["roles"] == expected["roles"]
    assert found["rounds"] == expected["rounds"]
    assert found["terminal"] == expected["terminal"]
    assert found.get("goals") == expected.get("goals")


def test_a_role_with_a_single_move_may_be_left_out(tmp_path: Path) -> None:
    moves = moves_file(tmp_path, [{role: move} for role, move in X_WINS])
    outcome = inside("trace", "tic_tac_toe", "--moves", moves, "--json")
    assert outcome.code == 0
    assert outcome.json["terminal"] is True
    assert outcome.json["goals"] == {"xplayer": 100, "oplayer": 0}
    assert outcome.json["rounds"][0]["joint"] == {"xplayer": "(mark 1 1)", "oplayer": "noop"}


def test_moves_are_read_in_any_spelling_and_shown_as_the_rules_spell_them(tmp_path: Path) -> None:
    moves = moves_file(tmp_path, [{"XPlayer": "(MARK 2 3)"}])
    outcome = inside("trace", "tic_tac_toe", "--moves", moves, "--json")
    assert outcome.json["rounds"][0]["joint"] == {"xplayer": "(mark 2 3)", "oplayer": "noop"}


def test_no_moves_at_all_show_the_first_state(tmp_path: Path) -> None:
    outcome = inside("trace", "tic_tac_toe", "--moves", moves_file(tmp_path, []), "--json")
    assert outcome.json["rounds"] == [{"state": ["(control xplayer)"], "legal": {}, "sees": {}}]
    assert outcome.json["terminal"] is False


# --- moves that cannot be played


def test_an_illegal_move_is_named_with_its_round_its_role_and_the_legal_ones(tmp_path: Path) -> None:
    moves = moves_file(tmp_path, [{"xplayer": "(mark 1 1)"}, {"oplayer": "(mark 1 1)"}])
    outcome = veil("trace", "tic_tac_toe", "--moves", moves)
    message = refusal_of(outcome)
    assert message.startswith("error: round 2: (mark 1 1) is not legal for oplayer\n")
    hint = message.splitlines()[1]
    cells = [f"(mark {x} {y})" for x, y in itertools.product("123", "123")]
    assert [cell for cell in cells if cell in hint] == cells[1:]
    assert outcome.out == ""


def test_an_illegal_move_in_json_is_one_object(tmp_path: Path) -> None:
    moves = moves_file(tmp_path, [{"xplayer": "(mark 4 4)"}])
    outcome = inside("trace", "tic_tac_toe", "--moves", moves, "--json")
    assert outcome.code == 2
    assert outcome.json["ok"] is False
    assert [entry["code"] for entry in outcome.json["errors"]] == ["illegal-move"]


def test_a_missing_move_is_named_with_its_round_and_the_legal_ones(tmp_path: Path, race: Path) -> None:
    moves = moves_file(tmp_path, [{"red": "step", "blue": "step"}, {"red": "step"}])
    message = refusal_of(inside("trace", race, "--moves", moves))
    assert message.startswith("error: round 2: no move for blue\n")
    assert "rest, step" in message


def test_a_move_after_the_end_is_refused(tmp_path: Path) -> None:
    moves = moves_file(tmp_path, [*({role: move} for role, move in X_WINS), {"oplayer": "(mark 3 3)"}])
    message = refusal_of(inside("trace", "tic_tac_toe", "--moves", moves))
    assert "round 6: the game is over" in message


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        pytest.param('[{"xplayer": ', "not JSON: Expecting value: line 1 column 14", id="broken"),
        pytest.param("", "not JSON", id="empty"),
        pytest.param("[" * 100_000, "nested too deep", id="deep"),
        pytest.param('{"xplayer": "noop"}', "not a list of rounds", id="no list"),
        pytest.param('[{}, ["noop"]]', "round 2 is not an object of role: move", id="no object"),
        pytest.param('[{"xplayer": 5}]', "round 1 is not an object of role: move", id="no text"),
        pytest.param(
            '[{"nobody": "noop"}]', "there is no role nobody\n  hint: the roles are xplayer, oplayer", id="role"
        ),
        pytest.param('[{"xplayer": "(mark 1"}]', "`(mark 1` is not a term", id="half a term"),
        pytest.param('[{"xplayer": "(mark ?x 1)"}]', "`(mark ?x 1)` is not a term", id="variable"),
    ],
)
def test_a_moves_file_that_makes_no_sense_is_refused(moves: str, words: str, tmp_path: Path) -> None:
    outcome = inside("trace", "tic_tac_toe", "--moves", moves_file(tmp_path, moves))
    assert words in refusal_of(outcome)
    assert outcome.out == ""


def test_a_moves_file_must_be_there_and_be_a_text_file(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x01")
    assert "No such file" in refusal_of(inside("trace", "tic_tac_toe", "--moves", tmp_path / "nowhere.json"))
    assert "directory" in refusal_of(inside("trace", "tic_tac_toe", "--moves", tmp_path))
    assert "not a text file" in refusal_of(inside("trace", "tic_tac_toe", "--moves", tmp_path / "binary"))


# --- words that make no sense


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "chess_on_mars"], "no game and no file called chess_on_mars"),
        (["check", "krieg_tictactoe(size=99)"], "size must be a whole number from 3 to "),
        (["check", "krieg_tictactoe(colour=3)"], "there is no parameter colour"),
        (["check", "tic_tac_toe(size=4)"], "it has no parameters"),
        (["check", "monty_hall("], "not a name with one pair of parentheses"),
        (["check", ""], "no game and no file"),
        (["check"], "Missing argument 'GAME...'"),
        (["check", "tic_tac_toe", "monty_hall"], "there is no file called tic_tac_toe"),
        (["check", "tic_tac_toe", "--colour"], "No such option: --colour"),
        (["chekc", "tic_tac_toe"], "No such command 'chekc'"),
        (["trace", "tic_tac_toe", "--seed", "lucky"], "'--seed'"),
        (["trace", "tic_tac_toe", "--rounds", "many"], "--rounds"),
    ],
)
def test_words_that_make_no_sense_are_refused(words: list[str], message: str) -> None:
    outcome = inside(*words)
    assert message in refusal_of(outcome)
    assert "hint:" in outcome.err
    assert outcome.out == ""


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    message = refusal_of(inside("check", tmp_path / "nowhere.kif"))
    assert "nowhere.kif: No such file" in message


def test_a_directory_is_no_game(tmp_path: Path) -> None:
    assert "directory" in refusal_of(inside("check", tmp_path))
    assert inside("check", tmp_path, "--json").json["errors"][0]["code"] == "unreadable-file"


# --- limits


def test_a_game_with_too_many_ground_rules_is_checked_from_its_rules() -> None:
    outcome = inside("check", "tic_tac_toe", "--max-rules", "10")
    assert outcome.code == 0
    assert outcome.err == "warning: too large to ground within the limits; played from its rules, not ground\n"
    assert "a sound game" in outcome.out
    assert "states per second" in outcome.out


def test_too_many_ground_rules_of_a_game_without_end_end_a_check_with_the_way_out(endless: Path) -> None:
    message = refusal_of(inside("check", endless, "--max-rules", "1000"))
    assert "more than 1,000 ground rules: terms of s contain terms of s, without end" in message
    assert "hint: give the counter an end" in message


def test_beyond_a_limit_a_game_still_plays_and_plays_the_same() -> None:
    slow = inside("trace", "krieg_tictactoe", "--json", "--seed", "2", "--max-rules", "10")
    assert slow.code == 0
    assert "warning: too large to ground within the limits; played from its rules, not ground" in slow.err
    assert slow.out == inside("trace", "krieg_tictactoe", "--json", "--seed", "2").out


def test_a_game_that_counts_for_ever_can_be_traced_a_few_rounds(endless: Path) -> None:
    outcome = inside("trace", endless, "--rounds", "3", "--max-seconds", "1", "--json")
    assert outcome.code == 0
    assert outcome.json["rounds"][-1]["state"] == ["(n (s (s (s 0))))"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--max-seconds", "0.001"], "grounding did not end within 0.001 seconds"),
        (["--max-memory", "0.005"], "grounding needs more than"),
        (["--max-rules", "0"], "--max-rules must be a number"),
        (["--max-seconds", "-1"], "--max-seconds must be a number"),
        (["--max-memory", "0"], "--max-memory must be a number"),
    ],
)
def test_a_limit_that_is_reached_or_makes_no_sense_is_said(words: list[str], message: str) -> None:
    outcome = inside("check", "breakthrough", *words)
    assert message in refusal_of(outcome)
    assert outcome.out == ""
