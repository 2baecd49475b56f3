"""Players in processes of their own: whatever they do, the match ends right and their process is gone."""

from __future__ import annotations

import os
import pickle
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.support.games import game
from tests.support.matches import DICE, assert_played_by_the_rules, moves_of
from tests.support.rogues import ROWS, RogueSpec
from veil import load
from veil.engine.game import Game
from veil.errors import VeilError
from veil.lang import read_rules
from veil.match.config import MatchConfig
from veil.match.executors import isolated, processes as workers
from veil.match.executors.isolated import PlayerProcess
from veil.match.referee import run_match
from veil.players.contract import LEGAL_MOVES, Request, Seat
from veil.players.files import Files
from veil.players.roster import PLAYERS

BOMB = "exploding_bomb"


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that the referee starts in this test; the rogues are on the list of players for its duration."""
    started: list[int] = []

    class Listed(PlayerProcess):
        def __init__(self, spec: str, files: Files, max_memory: float) -> None:
            super().__init__(spec, files, max_memory)
            assert self._process.pid is not None
            started.append(self._process.pid)

    monkeypatch.setattr(isolated, "PlayerProcess", Listed)
    for name, row in ROWS.items():
        monkeypatch.setitem(PLAYERS.rows, name, row)
    return started


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


CLOCK = {"play_seconds": 0.3}
NO_START = "it could not start:"
# rogue -> (settings, what is said of its first error, errors, whether it forfeits)
CASES: dict[str, tuple[dict[str, Any], str, int, bool]] = {
    "sleeper": (CLOCK, "PlayerGoneError: no answer within 0.60 s", 3, False),
    "leaver": ({}, "PlayerGoneError: its process has ended", 3, False),
    "exiter": ({}, "RuntimeError: SystemExit: ", 3, False),
    "start_sleeper": ({"start_seconds": 0.5}, "it started late, after ", 3, False),
    "start_leaver": ({"max_errors": 1}, f"{NO_START} PlayerGoneError: its process has ended", 2, True),
    "start_raiser": ({}, f"{NO_START} RuntimeError: ValueError: not today", 3, False),
    "unspeakable": ({}, "RuntimeError: ", 3, False),
    "hoarder": ({"max_memory": 2.0, "max_errors": 0}, "RuntimeError: MemoryError: ", 1, True),
    "report_sleeper": ({"reports": True, **CLOCK}, "report: PlayerGoneError: no answer within 0.60 s", 3, False),
}


@pytest.mark.slow
@pytest.mark.parametrize("rogue", CASES)
def test_whatever_a_player_does_the_match_ends_and_its_process_too(rogue: str, processes: list[int]) -> None:
    """exploding_bomb has three rounds. It is the first error that tells; a dead process cannot answer later."""
    options, said, errors, forfeits = CASES[rogue]
    log = run_match(game(BOMB), {"agent": RogueSpec(rogue)}, 1, MatchConfig(isolated=True, **options))
    assert log.rounds[0].errors["agent"].startswith(said)
    assert log.errors == {"agent": errors}
    assert log.forfeited == (["agent"] if forfeits else [])
    assert_played_by_the_rules(BOMB, log)
    assert len(processes) == 1
    assert is_gone(processes[0])


@pytest.mark.slow
def test_a_player_that_hangs_later_keeps_the_moves_it_made(processes: list[int]) -> None:
    """The other player, in its own process, is not disturbed. A move takes no time of its second."""
    seats = {"ann": RogueSpec("late_sleeper"), "bob": RogueSpec("thrower")}
    log = run_match(game(DICE), seats, 1, MatchConfig(isolated=True, play_seconds=1.0))
    assert [set(entry.errors) for entry in log.rounds] == [set(), {"ann"}, {"ann"}]
    assert moves_of(log, "ann")[0] == "(throw 3)"
    assert moves_of(log, "bob") == ["(throw 3)"] * 3
    assert all(map(is_gone, processes))
    assert len(processes) == 2


def test_in_its_own_process_a_player_plays_as_it_would_in_this_one(processes: list[int]) -> None:
    seats = {"first": "hyperplay:models=5,playouts=3", "second": "solve:iterations=3"}
    here = run_match(game("kuhn_poker"), seats, 3, MatchConfig(reports=True))
    there = run_match(game("kuhn_poker"), seats, 3, MatchConfig(reports=True, isolated=True))
    assert there.rounds == here.rounds
    assert there.goals == here.goals
    assert all(map(is_gone, processes))


def test_a_process_without_memory_loses_its_match_only(processes: list[int]) -> None:
    """In 50 MB nothing can be loaded that is not there already."""
    log = run_match(game(BOMB), {"agent": "hyperplay"}, 1, MatchConfig(isolated=True, max_memory=0.05))
    assert log.errors == {"agent": 3}
    assert log.finished
    assert is_gone(processes[0])


@pytest.mark.parametrize(
    "there",
    [
        game("kuhn_poker"),
        game("ii_goofspiel(cards=3)"),
        game(DICE),
        Game("kuhn_poker", read_rules(DICE, "kuhn_poker.kif")),  # a file with the name of a bundled game
    ],
    ids=["bundled", "with parameters", "a text", "a namesake"],
)
def test_a_process_gets_the_game_that_is_played(there: Game) -> None:
    sent = Seat(game=there, role=there.roles[-1], seed=5, start_seconds=1.0, play_seconds=2.0)
    arrived = pickle.loads(pickle.dumps(sent))
    assert arrived.game.fingerprint == there.fingerprint
    assert (arrived.role, arrived.seed, arrived.start_seconds, arrived.play_seconds) == (sent.role, 5, 1.0, 2.0)


def test_a_process_ends_itself_when_its_parent_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    theirs, ours = os.pipe()
    watch = threading.Thread(target=workers._watch, args=(theirs,))
    watch.start()
    watch.join(0.1)
    assert watch.is_alive()
    os.close(ours)  # as the system does when the parent dies
    watch.join(10)
    assert ended == [1]
    os.close(theirs)


def test_what_the_user_can_repair_is_refused_as_it_is_in_this_process(tmp_path: Path) -> None:
    seats = {"first": f"policy:file={tmp_path / 'missing.json'}", "second": "random"}
    for elsewhere in (False, True):
        with pytest.raises(VeilError) as caught:
            run_match(load("kuhn_poker"), seats, 0, MatchConfig(isolated=elsewhere))
        assert "missing.json" in str(caught.value)


def test_loading_the_game_is_not_on_the_start_clock() -> None:
    """A process takes a second or two to import, load and compile; the player itself starts in no time."""
    config = MatchConfig(isolated=True, start_seconds=0.3)
    log = run_match(load("kuhn_poker"), {"first": "random", "second": "random"}, 0, config)
    assert log.errors == {"first": 0, "second": 0}


def test_all_players_of_a_round_are_asked_at_the_same_time(tmp_path: Path, processes: list[int]) -> None:
    spec = RogueSpec(f"meeting:folder={tmp_path}")
    log = run_match(game(DICE), dict.fromkeys(("ann", "bob"), spec), 1, MatchConfig(isolated=True))
    assert log.errors == {"ann": 0, "bob": 0}
    assert len(list(tmp_path.iterdir())) == 2 * 3
    assert all(map(is_gone, processes))


WITNESS = """
import os

class Player:
    def start(self, seat): pass
    def offer(self, legal): self.legal = legal
    def play(self, observation):
        return self.legal[0]
    def stop(self, observation): pass
    def report(self):
        import sys
        return {"parent": os.getppid(), "numba": "numba" in sys.modules}
"""


def test_players_are_forked_from_one_process_that_has_everything_imported(tmp_path: Path) -> None:
    """Seconds per match are saved by that; each has a process of its own all the same."""
    file = tmp_path / "witness.py"
    file.write_text(WITNESS)
    config = MatchConfig(isolated=True, reports=True)
    logs = [run_match(game(DICE), dict.fromkeys(("ann", "bob"), f"own:file={file}"), 1, config) for _ in range(2)]
    reports = [entry.reports[role] for log in logs for entry in log.rounds for role in ("ann", "bob")]
    assert len({report["parent"] for report in reports}) == 1
    assert reports[0]["parent"] != os.getpid()
    assert all(report["numba"] for report in reports)


def test_only_what_a_player_needs_is_sent(processes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Request] = []
    send = PlayerProcess.send

    def listen(self: PlayerProcess, what: str, value: object) -> None:
        if isinstance(value, Request):
            sent.append(value)
        send(self, what, value)

    monkeypatch.setattr(PlayerProcess, "send", listen)
    seats = {"ann": "random", "bob": RogueSpec("thrower")}
    assert run_match(game(DICE), seats, 1, MatchConfig(isolated=True)).errors == {"ann": 0, "bob": 0}
    assert PLAYERS["random"].needs == {LEGAL_MOVES}
    assert [request.legal is not None for request in sent] == [True, False] * 3
    assert all(request.state is None for request in sent)
    assert all(map(is_gone, processes))


def test_when_a_player_cannot_be_made_no_process_is_left(processes: list[int], tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("1 / 0")
    seats = {"ann": RogueSpec("thrower"), "bob": f"own:file={file}"}
    with pytest.raises(VeilError, match="ZeroDivisionError"):
        run_match(game(DICE), seats, 1, MatchConfig(isolated=True))
    assert len(processes) == 2
    assert all(map(is_gone, processes))
