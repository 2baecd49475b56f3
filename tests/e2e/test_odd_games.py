"""Games nobody would write on purpose, and what the commands make of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import RACE, Outcome, inside, refusal_of

# One round, in which nothing matters.
ONE = "(role x) (init (s 0)) (legal x a) (<= (next (s 1)) (true (s 0))) (<= terminal (true (s 1))) (goal x 50)\n"


def check(folder: Path, text: str | bytes, *words: str, command: str = "check") -> Outcome:
    path = folder / "odd.kif"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return inside(command, path, *words)


def test_a_role_without_a_legal_move_is_an_error(tmp_path: Path) -> None:
    message = refusal_of(check(tmp_path, ONE.replace("(legal x a)", "")))
    assert "at the start x has no legal move" in message
    assert "(legal x noop)" in message


def test_a_role_that_gets_stuck_later_is_a_warning_and_ends_a_trace(tmp_path: Path) -> None:
    text = ONE.replace("(legal x a)", "(<= (legal x a) (true (s 0)))").replace(
        "terminal (true (s 1))", "terminal (true (s 2))"
    )
    checked = check(tmp_path, text)
    assert checked.code == 0
    assert "warning: in a random game x has no legal move in round 2" in checked.err
    assert "round 2: x has no legal move" in refusal_of(check(tmp_path, text, command="trace"))


def test_a_game_that_is_over_at_once_is_a_game(tmp_path: Path) -> None:
    outcome = check(tmp_path, "(role x) terminal", "--json", command="trace")
    assert outcome.code == 0
    assert outcome.json == {
        "rounds": [{"state": [], "legal": {}, "sees": {}}], "roles": ["x"], "terminal": True, "goals": {"x": None}
    }  # fmt: skip
    assert check(tmp_path, "(role x) terminal", "--json").json["fluents"] == 0


def test_a_game_without_an_end_is_noted(tmp_path: Path) -> None:
    outcome = check(tmp_path, "(role x) (legal x a) (goal x 0)")
    assert outcome.code == 0
    assert "note: 5 random games did not end" in outcome.err


@pytest.mark.parametrize("value", ["-50", "0", "+7", "007", "100000000000000"])
def test_a_goal_value_may_be_any_whole_number(value: str, tmp_path: Path) -> None:
    outcome = check(tmp_path, ONE.replace("50", value), "--json", command="trace")
    assert outcome.code == 0
    assert outcome.json["goals"] == {"x": int(value)}


@pytest.mark.parametrize(
    "rules", ["(goal x many)", "(worth many) (<= (goal x ?v) (worth ?v))", "(goal x 1.5)", "(goal x (plus 1 1))"]
)
def test_a_goal_value_that_is_no_whole_number_is_refused(rules: str, tmp_path: Path) -> None:
    assert "is not a whole number" in refusal_of(check(tmp_path, ONE.replace("(goal x 50)", rules)))


def test_a_role_may_be_a_term_in_capitals(tmp_path: Path) -> None:
    text = RACE.replace("(role red)", "(role (Player 1))").replace(" red ", " (player 1) ")
    outcome = check(tmp_path, text, "--json", command="trace")
    assert outcome.code == 0
    assert outcome.json["roles"] == ["(Player 1)", "blue"]
    assert set(outcome.json["goals"]) == {"(Player 1)", "blue"}
    moves = tmp_path / "moves.json"
    moves.write_text('[{"(player 1)": "step", "Blue": "REST"}]')
    replayed = inside("trace", tmp_path / "odd.kif", "--json", "--moves", moves)
    assert replayed.json["rounds"][0]["joint"] == {"(Player 1)": "step", "blue": "rest"}


STRANGE_WHITE_SPACE = [("\n", "\r\n"), (" ", "\t"), ("\n", " "), (")", "\v)\f")]


def test_white_space_and_bytes_in_comments_do_not_matter(tmp_path: Path) -> None:
    texts = [RACE.replace(*old_new).encode() for old_new in STRANGE_WHITE_SPACE]
    texts += [b"\xef\xbb\xbf" + RACE.encode(), b"; caf\xe9\n" + RACE.encode()]
    plain = check(tmp_path, RACE, "--json", command="trace")
    assert plain.code == 0
    for text in texts:
        assert check(tmp_path, text, "--json", command="trace") == plain


def test_two_thousand_moves_are_counted_and_the_hint_stays_short(tmp_path: Path) -> None:
    text = ONE.replace("(legal x a)", " ".join(f"(legal x (take {i}))" for i in range(2000)))
    assert check(tmp_path, text, "--json").json["moves"] == {"x": 2000}
    moves = tmp_path / "moves.json"
    moves.write_text('[{"x": "(take 2000)"}]')
    message = refusal_of(inside("trace", tmp_path / "odd.kif", "--moves", moves))
    assert "(2000 in all)" in message
    assert len(message) < 1000


def test_a_long_chain_of_facts_with_its_closure_is_ground(tmp_path: Path) -> None:
    text = ONE + "".join(f"(succ {i} {i + 1})\n" for i in range(300))
    text += "(<= (below ?x ?y) (succ ?x ?y))\n(<= (below ?x ?z) (succ ?x ?y) (below ?y ?z))\n"
    text += "(<= (next (s 2)) (true (s 0)) (below 0 300))\n(<= (next (s 3)) (true (s 0)) (below 300 0))\n"
    outcome = check(tmp_path, text, "--json", command="trace")
    assert outcome.json["rounds"][-1]["state"] == ["(s 1)", "(s 2)"]


def test_mutual_recursion_is_evaluated_to_its_fixpoint(tmp_path: Path) -> None:
    text = ONE + "".join(f"(succ {i} {i + 1})\n" for i in range(9)) + "(<= (even 0))\n"
    text += "(<= (even ?y) (odd ?x) (succ ?x ?y))\n(<= (odd ?y) (even ?x) (succ ?x ?y))\n"
    text += "(<= (next (s (e ?x))) (even ?x) (true (s 0)))\n"
    outcome = check(tmp_path, text, "--json", command="trace")
    assert outcome.json["rounds"][-1]["state"] == ["(s (e 0))", *(f"(s (e {i}))" for i in (2, 4, 6, 8)), "(s 1)"]


def test_deep_nests_of_connectives_are_read(tmp_path: Path) -> None:
    depth = 180  # even, for `not`
    text = ONE
    for number, word in enumerate(["or (true (s 1))", "and (true (s 0))", "not"], 2):
        text += f"(<= (next (s {number})) {f'({word} ' * depth}(true (s 0)){')' * depth})\n"
    outcome = check(tmp_path, text, "--json", command="trace")
    assert outcome.code == 0, outcome.err
    assert outcome.json["rounds"][1]["state"] == ["(s 1)", "(s 2)", "(s 3)", "(s 4)"]


def test_too_many_alternatives_are_refused(tmp_path: Path) -> None:
    text = ONE + f"(<= (next (s 2)) {'(or (true (s 0)) (true (s 1))) ' * 13})\n"
    message = refusal_of(check(tmp_path, text))
    assert "odd.kif:2:1: multiplying out `or` gives more than 4,096 rules" in message
    assert len(message) < 1000


def test_a_long_line_is_shown_as_a_window_around_the_caret(tmp_path: Path) -> None:
    text = " ".join(f"(succ {i} {i + 1})" for i in range(1000)) + " (legal x) " + ONE
    message = refusal_of(check(tmp_path, text))
    source, caret = message.splitlines()[1:3]
    assert len(source) < 200
    assert source[caret.index("^") :].startswith("(legal x)")
