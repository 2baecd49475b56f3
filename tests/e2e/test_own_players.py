"""Players that users write, from outside: whatever they raise, print or wait for, the command does its work."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.command import COMMAND, Outcome, inside, veil
from veil.match import MatchConfig, run_match
from veil.match.config import GRACE

PLAYER = """
import os, sys, time
{top}

class Player:
    def start(self, seat):
        {start}
    def offer(self, legal):
        self.legal = legal
    def play(self, observation):
        {play}
        return self.legal[0]
    def stop(self, observation):
        {stop}
    def report(self):
        return {{}}
"""
WHEREVER = {"top": "pass", "start": "pass", "play": "pass", "stop": "pass"}
EVERYWHERE = pytest.mark.parametrize("isolated", [False, True], ids=["in this process", "isolated"])


def write_player(folder: Path, **parts: str) -> str:
    path = folder / "mine.py"
    path.write_text(PLAYER.format(**WHEREVER | parts))
    return f"own:file={path}"


def play(spec: str, isolated: bool, *words: str) -> Outcome:
    """Two matches in a process of their own, so that all that it prints is seen."""
    where = ["--isolated"] if isolated else []
    return veil("match", "exploding_bomb", "--player", f"agent={spec}", "--games", "2", "--json", *where, *words)


ODD = {
    "an exit": ("raise SystemExit(7)", "SystemExit: 7"),
    "what no except clause expects": ("raise BaseException('odd')", "BaseException: odd"),
    "the end of a generator": ("raise GeneratorExit", "GeneratorExit: "),
    "what cannot be put into words": (
        "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})",
        "Mute: (it cannot be put into words)",
    ),
}


@pytest.mark.parametrize("odd", ODD)
@EVERYWHERE
def test_whatever_a_player_raises_is_its_error(odd: str, isolated: bool, tmp_path: Path) -> None:
    statement, said = ODD[odd]
    spec = write_player(tmp_path, play=statement)
    log = run_match("exploding_bomb", {"agent": spec}, 0, MatchConfig(isolated=isolated))
    assert log.finished
    assert log.errors == {"agent": 3}
    assert said in log.rounds[0].errors["agent"]


def test_reasons_of_errors_are_in_the_json(tmp_path: Path) -> None:
    spec = write_player(tmp_path, play="raise BaseException('odd')")
    whole = inside("match", "exploding_bomb", "--player", f"agent={spec}", "--games", "2", "--json").json
    assert (whole["game"], whole["players"], whole["seed"]) == ("exploding_bomb", {"agent": spec}, 0)
    assert whole["errors"] == {"agent": 6}
    assert whole["reasons"] == {"agent": {"BaseException: odd": 6}}


@pytest.mark.parametrize("odd", ["raise BaseException('odd')", "raise GeneratorExit"])
def test_a_file_that_raises_is_refused(odd: str, tmp_path: Path) -> None:
    spec = write_player(tmp_path, top=odd)
    outcome = inside("match", "exploding_bomb", "--player", f"agent={spec}")
    assert (outcome.code, "mine.py cannot be run: " in outcome.err) == (2, True)


@EVERYWHERE
def test_what_a_player_prints_is_on_standard_error(isolated: bool, tmp_path: Path) -> None:
    noise = "print('noise')"
    outcome = play(write_player(tmp_path, top=noise, start=noise, play=noise, stop=noise), isolated)
    assert outcome.code == 0
    assert outcome.json["errors"] == {"agent": 0}
    assert outcome.err.count("noise\n") == 2 * (1 + 1 + 3 + 1)


def test_not_even_the_descriptor_of_standard_output_is_a_players(tmp_path: Path) -> None:
    outcome = play(write_player(tmp_path, play="os.write(1, b'noise\\n')"), True)
    assert outcome.json["errors"] == {"agent": 0}
    assert "noise" in outcome.err


def test_a_file_that_sleeps_is_on_the_start_clock(tmp_path: Path) -> None:
    spec = write_player(tmp_path, top="time.sleep(3600)")
    clock = time.perf_counter()
    log = run_match("exploding_bomb", {"agent": spec}, 0, MatchConfig(isolated=True, start_seconds=0.5))
    assert time.perf_counter() - clock < 45  # a process is up within seconds; it was given a minute, and another
    assert log.rounds[0].errors["agent"].startswith("it started late, after ")
    assert log.finished


def test_a_file_that_takes_its_time_is_late_in_this_process_too(tmp_path: Path) -> None:
    spec = write_player(tmp_path, top="time.sleep(0.5)")
    log = run_match("exploding_bomb", {"agent": spec}, 0, MatchConfig(start_seconds=0.2))
    assert log.rounds[0].errors["agent"].startswith("it started late, after 0.5")
    assert run_match("exploding_bomb", {"agent": spec}, 0, MatchConfig(start_seconds=20.0)).errors == {"agent": 0}


def test_the_help_says_how_late_an_answer_may_be() -> None:
    told = " ".join(inside("match", "--help").out.split())
    assert "--grace more are no error" in told
    assert f"Seconds by which an answer may be late without an error. [default: {GRACE:g}]" in told


SPY = """
import ctypes, os, select, sys

def look_for(secret):
    block, place, found = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ"), 0, []
    while block[place]:
        found.append(block[place])
        place += 1
    return secret in ctypes.string_at(min(found) - 4000, max(found) - min(found) + 4000)

def say(name, call):
    try:
        print(name, call(), flush=True)
    except OSError as error:
        print(name, type(error).__name__, flush=True)

class Player:
    def start(self, seat):
        say("named:", lambda: os.environ.get("SECRET"))
        say("in memory:", lambda: look_for(b"sword" + b"fish"))
        say("typed:", lambda: os.read(2, 100) if select.select([2], [], [], 1)[0] else "nothing")
        print("escape \\x1b]0;title\\x07", flush=True)
    def offer(self, legal): self.legal = legal
    def play(self, observation): return self.legal[0]
    def stop(self, observation): pass
    def report(self): return {}
"""


def read_terminal(ours: int) -> str:
    """All that is shown on a terminal that is closed at its other end."""
    parts = []
    with suppress(OSError):  # so does Linux say that it is closed
        while part := os.read(ours, 65536):
            parts.append(part)
    return b"".join(parts).decode()


@pytest.mark.slow
def test_an_isolated_player_gets_neither_the_environment_nor_the_terminal(tmp_path: Path) -> None:
    """It sees no variable of the command, reads no keys that a person presses, and sends the terminal no commands."""
    path = tmp_path / "spy.py"
    path.write_text(SPY)
    ours, theirs = os.openpty()
    words = ["match", "exploding_bomb", "--player", f"agent=own:file={path}", "--games", "1", "--isolated", "--json"]
    environment = os.environ | {"SECRET": "swordfish"}
    os.write(ours, b"fold\n")  # which a person has typed
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = read_terminal(ours)
    assert process.returncode == 0
    assert "named: None" in shown
    assert "in memory: False" in shown
    assert "typed: nothing" in shown
    assert "\x1b]0;title" not in shown
    assert "escape ␛]0;title␇" in shown


def test_an_isolated_player_that_prints_without_end_is_cut_short(tmp_path: Path) -> None:
    spec = write_player(tmp_path, play="print('noise ' * 100_000)")
    outcome = play(spec, True)
    assert outcome.code == 0
    assert outcome.err.count("noise ") < 2 * 200_000
    assert outcome.err.count("a player has printed more than 1 MB") == 2
