"""Matches over the network, from the command line: both sides as processes, and a foreign player of GDL-I."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys

import pytest

from tests.support.command import COMMAND, PATIENCE, inside, refusal_of
from tests.support.processes import WITH_CTRL_C
from tests.support.wire import Peer, body_of, http
from veil.wire import RoundMessage, StartMessage, read_message

CLOCKS = ["--start-clock", "20", "--play-clock", "1", "--grace", "20"]


class ForeignPlayer:
    """Plays tic_tac_toe in dialect A as a player of ggp-base does: it knows the rules of its game, and GDL-I alone.

    It marks the first free cell. A message that it does not understand is never answered.
    """

    def __init__(self) -> None:
        self.free: list[str] = []
        self.joint_moves: list[tuple[str, ...]] = []

    def answer(self, request: bytes) -> bytes | None:
        message = read_message(body_of(request.decode()))
        if isinstance(message, StartMessage):
            self.free, self.role = [f"( mark {x} {y} )" for x in "123" for y in "123"], message.role
            self.turn = 0 if self.role == "xplayer" else 1
            return http("ready")
        if not isinstance(message, RoundMessage) or message.turn is not None:
            return None
        for move in message.told or ():
            if "mark" in move:
                self.free.remove(" ".join(move.split()))
        self.joint_moves += [message.told] if message.told else []
        if message.verb == "stop":
            return http("done")
        is_mine = len(self.joint_moves) % 2 == self.turn
        return http(self.free[0] if is_mine else "noop")


@pytest.mark.parametrize("role", ["xplayer", "oplayer"])
def test_a_foreign_player_of_gdl1_plays_in_our_matches(role: str) -> None:
    foreign = ForeignPlayer()
    other = "oplayer" if role == "xplayer" else "xplayer"
    with Peer(foreign.answer) as peer:
        seats = [f"{role}=remote:port={peer.port},dialect=A,name=Random", f"{other}=hyperplay:models=1,playouts=200"]
        players = [word for seat in seats for word in ("--player", seat)]
        outcome = inside("match", "tic_tac_toe", *players, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json["errors"] == {"xplayer": 0, "oplayer": 0}
    assert outcome.json["goals"][other]["mean"] == 100.0  # who marks the first free cell loses
    assert all(moves[0] == "noop" or moves[1] == "noop" for moves in foreign.joint_moves)


def test_a_tournament_with_a_player_elsewhere_has_its_row() -> None:
    foreign = ForeignPlayer()
    with Peer(foreign.answer) as peer:
        remote = f"remote:port={peer.port},dialect=A"
        outcome = inside("tournament", "tic_tac_toe", "--players", remote, "random", "--games", "2", "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json["matches"] == 4
    assert remote in json.dumps(outcome.json["games"])


def test_nobody_at_the_other_end_is_one_clear_message() -> None:
    message = refusal_of(inside("match", "monty_hall", "--player", "contestant=remote:port=1"))
    assert "no player answers at 127.0.0.1:1" in message


@pytest.mark.slow
def test_two_processes_play_a_match_and_ctrl_c_ends_the_server_cleanly() -> None:
    words = [sys.executable, "-c", WITH_CTRL_C, *COMMAND, "serve-player", "hyperplay", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            told = re.match(r"hyperplay listens at 127\.0\.0\.1:(\d+)", server.stdout.readline())
            assert told
            for dialect in "ABC":
                remote = f"xplayer=remote:port={told[1]},dialect={dialect}"
                outcome = inside(
                    "match", "tic_tac_toe", "--player", remote, "--player", "oplayer=first", *CLOCKS, "--json"
                )
                assert outcome.json["errors"] == {"xplayer": 0, "oplayer": 0}
                assert outcome.json["unfinished"] == 0
            server.send_signal(signal.SIGINT)
            out, err = server.communicate(timeout=PATIENCE)
        finally:
            server.kill()
    assert server.returncode == 130
    assert err.count(": over, rounds: ") == 3
    assert err.endswith("interrupted\n")
    assert "Traceback" not in out + err
