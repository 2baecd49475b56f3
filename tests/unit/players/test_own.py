"""Players from a file of the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.games import game
from tests.support.refusals import refused
from veil.match.config import MatchConfig
from veil.match.referee import run_match
from veil.players.roster import make_player

LAST = """
from veil.players import make_belief

class Player:
    def start(self, seat):
        self.belief = make_belief(seat, worlds=20)
    def play(self, told):
        self.belief.observe(told)
        return self.belief.legal()[-1]
    def stop(self, told):
        pass
    def report(self):
        return {}
"""


@pytest.mark.parametrize("name", ["last.py", "no suffix", "a,b=c.txt"])
@pytest.mark.parametrize("isolated", [False, True])
def test_a_file_of_any_name_can_play(name: str, isolated: bool, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(LAST)
    seats = {"contestant": f"own:file={path}"}
    record = run_match(game("monty_hall"), seats, 3, MatchConfig(isolated=isolated))
    assert [entry.moves["contestant"] for entry in record.rounds] == ["(choose 3)", "noop", "switch"]
    assert record.errors == {"contestant": 0}


def test_every_match_has_a_player_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "last.py"
    path.write_text(LAST)
    assert make_player(f"own:file={path}") is not make_player(f"own:file={path}")


BAD = {
    "syntax": ("class Player(:", "SyntaxError"),
    "an exception": ("1 / 0", "ZeroDivisionError"),
    "an exit": ("raise SystemExit(3)", "SystemExit"),
    "nothing": ("", "needs a class Player"),
    "half of it": ("class Player:\n    def start(self, seat): pass", "needs a class Player with start, play"),
    "options": ("class Player:\n    def __init__(self, options): pass", "TypeError"),
    "no text": ("\0", "cannot be run"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_file_that_is_no_player_is_refused_with_one_message(case: str, tmp_path: Path) -> None:
    text, shown = BAD[case]
    path = tmp_path / "mine.py"
    path.write_text(text)
    message = refused("bad-option", lambda: make_player(f"own:file={path}"))
    assert shown in message
    assert "mine.py" in message


@pytest.mark.parametrize("isolated", [False, True])
def test_what_is_wrong_with_a_file_is_said_before_the_match(isolated: bool, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("1 / 0")
    seats = {"contestant": f"own:file={path}"}
    refused("bad-option", lambda: run_match(game("monty_hall"), seats, 0, MatchConfig(isolated=isolated)))


def test_a_missing_file_is_refused() -> None:
    refused("unreadable-file", lambda: make_player("own:file=nowhere.py"))
    refused("bad-option", lambda: make_player("own"))
