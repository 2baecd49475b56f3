"""Random, first, and the human at the terminal."""

from __future__ import annotations

import io
import sys

import pytest
from scipy.stats import chisquare

from tests.unit.players.seats import QUEEN, QUIET, game, refused, seat, told_all
from veil.players.roster import make_player
from veil.players.simple import HumanPlayer, NoConfig


def typing(text: str, monkeypatch: pytest.MonkeyPatch) -> HumanPlayer:
    """A human who types this and leaves, about to ask or to wait in exploding_bomb."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    player = HumanPlayer(NoConfig())
    player.start(seat("exploding_bomb", "agent"))
    return player


def test_random_moves_are_uniform() -> None:
    """Nine cells; false-alarm rate 1e-6."""
    player = make_player("random")
    player.start(seat("krieg_tictactoe", "xplayer", 3))
    counts: dict[str, int] = {}
    for _ in range(1800):
        move = player.play(None)  # nothing new is told: the same decision again
        counts[move] = counts.get(move, 0) + 1
    assert sorted(counts) == game("krieg_tictactoe").initial_state().legal("xplayer")
    assert chisquare(list(counts.values())).pvalue > 1e-6


def test_random_moves_come_from_the_seed_of_the_seat() -> None:
    found = []
    for seed in (3, 3, 4):
        player = make_player("random")
        player.start(seat("krieg_tictactoe", "xplayer", seed))
        found.append([player.play(None) for _ in range(20)])
    assert found[0] == found[1] != found[2]


def test_first_plays_the_first_move_in_the_order_of_the_alphabet() -> None:
    player = make_player("first")
    player.start(seat("kuhn_poker", "first"))
    assert told_all(player, QUEEN) == "bet"  # or pass
    player = make_player("first")
    player.start(seat("krieg_tictactoe", "xplayer"))
    assert player.play(None) == "(mark 1 1)"


def test_simple_players_have_nothing_to_explain() -> None:
    for name in ("random", "first"):
        player = make_player(name)
        player.start(seat("monty_hall", "contestant"))
        player.play(None)
        player.stop(None)
        assert player.report() == {}


def test_a_human_chooses_by_number(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    player = typing("2\n", monkeypatch)
    assert told_all(player, (QUIET,)) == "wait"
    shown = capsys.readouterr().out
    assert "1 ask" in shown
    assert "2 wait" in shown
    assert "noop" not in shown  # nobody is asked where there is no choice


def test_a_human_may_type_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told_all(typing("  ask \n", monkeypatch), (QUIET,)) == "ask"


@pytest.mark.parametrize("word", ["", "0", "3", "-1", "1.0", "jump", "(ask", "²", "९", "9" * 400, "ask wait"])
def test_a_human_who_mistypes_is_asked_again(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """² is a digit and no number; ९ is nine in Devanagari, beyond the list."""
    assert told_all(typing(f"{word}\n1\n", monkeypatch), (QUIET,)) == "ask"


def test_a_human_sees_its_own_percepts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    player = typing("1\n2\n", monkeypatch)
    assert told_all(player, (QUIET, ("ask", frozenset({"red"})))) == "(cut red)"
    assert "agent sees red" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "jump\n"], ids=["at once", "after nonsense"])
def test_a_human_who_has_left_is_a_problem_of_the_user(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    player = typing(text, monkeypatch)
    assert player.play(None) == "noop"
    assert "agent" in refused("input-ended", lambda: player.play(QUIET))
