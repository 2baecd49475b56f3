"""The person at the terminal: what is printed, what is understood, what ends it."""

from __future__ import annotations

import io

import pytest

from veil.cli.terminal import ANSWERS, TerminalPerson, find_move, has_colours
from veil.errors import VeilError, fail
from veil.players import Observation
from veil.players.contract import Request

MOVES = ["(mark 1 1)", "(mark 1 2)", "noop"]
LIST = "    1 (mark 1 1)\n    2 (mark 1 2)\n    3 noop\n"


def asked(legal: list[str], observation: Observation | None = None) -> Request:
    """A question, as a match asks it."""
    return Request("white", observation, tuple(legal))


def ask(question: Request, typed: str) -> tuple[str, str]:
    """(the move, what was printed) when this is typed."""
    sink = io.StringIO()
    return TerminalPerson(io.StringIO(typed), sink)(question), sink.getvalue()


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("2\n", "(mark 1 2)"),
        (" 3 \n", "noop"),
        ("noop\n", "noop"),
        ("(mark 1 1)\n", "(mark 1 1)"),
        ("mark 1 2\n", "(mark 1 2)"),
        ("2", "(mark 1 2)"),
    ],
)
def test_a_move_is_its_number_or_itself(typed: str, move: str) -> None:
    assert ask(asked(MOVES), typed) == (move, f"{LIST}white> ")


@pytest.mark.parametrize("word", ["0", "4", "-1", "1.0", "", "mark 3 1", "(noop)", "1" * 30, "\N{SUPERSCRIPT TWO}"])
def test_anything_else_is_refused_and_asked_again(word: str) -> None:
    move, shown = ask(asked(MOVES), f"{word}\n1\n")
    assert move == "(mark 1 1)"
    assert shown == f"{LIST}white> {ANSWERS}\nwhite> "
    assert find_move(word, MOVES) is None


def test_help_says_what_is_understood_and_lists_the_moves_again() -> None:
    assert ask(asked(MOVES), "Help\n1\n") == ("(mark 1 1)", f"{LIST}white> {ANSWERS}\n{LIST}white> ")


def test_who_quits_is_not_asked_again() -> None:
    with pytest.raises(VeilError, match="white has left the game"):
        ask(asked(MOVES), "quit\n1\n")


def test_moves_that_are_called_quit_or_help_are_moves() -> None:
    assert ask(asked(["help", "quit"]), "quit\n")[0] == "quit"
    assert ask(asked(["help", "quit"]), "help\n")[0] == "help"


def test_escape_sequences_in_moves_and_percepts_are_made_visible() -> None:
    _, shown = ask(asked(["\x1b[2Jmove", "noop"], Observation("noop", frozenset({"\x1b]0;title\x07"}))), "1\n")
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\u241b[2Jmove" in shown


def test_what_was_seen_is_shown_first_in_order() -> None:
    _, shown = ask(asked(MOVES, Observation("noop", frozenset({"b", "(a 1)"}))), "1\n")
    assert shown.startswith(f"white sees (a 1) b\n{LIST}")


def test_who_saw_nothing_is_told_nothing() -> None:
    assert ask(asked(MOVES, Observation("noop", frozenset())), "1\n")[1] == f"{LIST}white> "


def test_a_forced_move_is_not_asked_for_but_what_was_seen_is_shown() -> None:
    assert ask(asked(["noop"], Observation("noop", frozenset({"3"}))), "") == ("noop", "white sees 3\n")


@pytest.mark.parametrize("typed", ["", "what?\n"])
def test_the_end_of_the_input_ends_the_match(typed: str) -> None:
    with pytest.raises(VeilError, match="nobody answers for white"):
        ask(asked(MOVES), typed)


def test_the_streams_of_the_process_are_used_where_none_are_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    person = TerminalPerson()
    monkeypatch.setattr("sys.stdin", io.StringIO("3\n"))
    assert person(asked(MOVES)) == "noop"
    assert capsys.readouterr().out == f"{LIST}white> "
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(VeilError, match="nobody answers"):
        person(asked(MOVES))


def test_a_move_that_is_a_number_is_understood_as_the_place_in_the_list() -> None:
    """As it always was: numbers come first, so that the list can be trusted."""
    assert find_move("2", ["2", "7"]) == "7"
    assert find_move("7", ["2", "7"]) == "7"


def test_further_words_are_understood_unless_a_move_is_called_so() -> None:
    commands = {"hint": lambda request, rest: f"{request.role} may {rest or 'do anything'}"}
    sink = io.StringIO()
    person = TerminalPerson(io.StringIO("Hint\nhint think\nhelp\nnoop\n"), sink, commands=commands)
    assert person(asked(MOVES)) == "noop"
    assert "white> white may do anything\nwhite> white may think\n" in sink.getvalue()
    assert f"{ANSWERS}; also `hint`" in sink.getvalue()
    assert TerminalPerson(io.StringIO("hint\n"), io.StringIO(), commands=commands)(asked(["hint", "noop"])) == "hint"


def test_what_goes_wrong_with_a_word_is_told_and_the_question_stays() -> None:
    def trip(request: Request, rest: str) -> str:
        raise fail("bad-saved-game", name="x", what="it is gone")

    sink = io.StringIO()
    person = TerminalPerson(io.StringIO("save x\nnoop\n"), sink, commands={"save": trip})
    assert person(asked(MOVES)) == "noop"
    assert "error: x: it is gone" in sink.getvalue()


def test_many_moves_stand_side_by_side_with_their_numbers() -> None:
    moves = [f"(mark {x} {y})" for x in range(5) for y in range(5)]
    _, shown = ask(asked(moves), "25\n")
    lines = shown.splitlines()
    assert len(lines) < len(moves)
    assert all(f"{number} {move}" in shown for number, move in enumerate(moves, 1))


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert has_colours(Screen())
    assert not has_colours(io.StringIO())
    assert not has_colours(None)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colours(Screen())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colours(Screen())
