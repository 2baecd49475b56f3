"""Walls around guests: what a player of somebody else tries in its process does not reach anything outside it."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.games import game
from tests.support.processes import wait_until
from veil.match import MatchConfig, MatchLog, run_match
from veil.match.executors import walls
from veil.match.executors.syscalls import MACHINES, make_filter
from veil.match.executors.walls import WALLS, list_missing

HAS_ALL = sys.platform == "linux" and platform.machine() in MACHINES
needs_walls = pytest.mark.skipif(not HAS_ALL, reason="this system has no such walls")

ATTEMPTS = """
import ctypes, os, resource, signal, socket, subprocess, threading
{top}
tried = {{}}

def attempt(name, call):
    try:
        call()
        tried[name] = "done"
    except BaseException as error:
        tried[name] = type(error).__name__

attempt("fork", lambda: os.fork() or os._exit(0))
attempt("program", lambda: subprocess.run(["/bin/true"]))
attempt("socket", socket.socket)
attempt("unix socket", lambda: socket.socket(socket.AF_UNIX))
attempt("folder of the user", lambda: os.listdir({folder!r}))
attempt("file of the user", lambda: open({folder!r} + "/secret").read())
attempt("new file", lambda: open({folder!r} + "/new", "w"))
attempt("file in the temporary folder", lambda: open("/tmp/veil-new", "w"))
attempt("environment of the referee", lambda: open(f"/proc/{pid}/environ").read())
attempt("memory of the referee", lambda: open(f"/proc/{pid}/mem", "rb"))
attempt("signal", lambda: os.kill({pid}, 0))
attempt("limits of the referee", lambda: resource.prlimit({pid}, resource.RLIMIT_CORE, (0, 0)))
attempt("memory file", lambda: os.memfd_create("x"))
attempt("limits raised", lambda: resource.setrlimit(resource.RLIMIT_CPU, (-1, -1)))
attempt("thread", lambda: threading.Thread(target=int).start())
attempt("package", lambda: __import__("msgspec.toml"))

class Player:
    def start(self, seat): {start}
    def offer(self, legal): self.legal = legal
    def play(self, observation):
        {play}
        return self.legal[0]
    def stop(self, observation): pass
    def report(self): return tried
"""
ALLOWED = {"thread", "package"}


def play_guest(folder: Path, **config: Any) -> MatchLog:
    parts = {"top": "", "start": "pass", "play": "pass"} | {
        name: config.pop(name) for name in ("top", "start", "play") if name in config
    }
    (folder / "secret").write_text("cards")
    (folder / "guest.py").write_text(ATTEMPTS.format(folder=str(folder), pid=os.getpid(), **parts))
    spec = f"own:file={folder / 'guest.py'}"
    return run_match(game("exploding_bomb"), {"agent": spec}, 1, MatchConfig(isolated=True, reports=True, **config))


@needs_walls
def test_what_a_guest_tries_stays_inside_its_process(tmp_path: Path) -> None:
    log = play_guest(tmp_path)
    tried = log.rounds[0].reports["agent"]
    assert log.errors == {"agent": 0}
    done = {name for name, outcome in tried.items() if outcome == "done"}
    assert done == ALLOWED, tried
    assert len(tried) == 16
    assert not (tmp_path / "new").exists()


def test_the_log_says_which_walls_there_are(tmp_path: Path) -> None:
    built = play_guest(tmp_path).settings["walls"]["agent"]
    assert set(built) <= set(WALLS)
    assert "limits" in built
    if HAS_ALL:
        assert list_missing(built) == []


def test_players_of_veil_have_no_walls() -> None:
    log = run_match(game("exploding_bomb"), {"agent": "random"}, 1, MatchConfig(isolated=True))
    assert "walls" not in log.settings


WRITE = """
def write(data):
    for fd in range(3, 40):
        try:
            os.write(fd, data)
        except OSError:
            pass
"""
# What a guest writes to its connection itself -> what is said of its move
FORGED = {
    "a pickle": (b"\x80\x04cos\nsystem\n(S'touch PWNED'\ntR.\n", "its answer is not understood"),
    "deep JSON": (b'{"value":' + b"[" * 100_000 + b"\n", "its answer is not understood"),
    "another shape": (b'{"value": 1, "error": 5}\n', "its answer is not understood"),
    "no end": (b"x" * (1 << 21), "its answer is longer than 1 MB"),
    "a number": (b'{"value": 5}\n', "is no"),
}


@pytest.mark.parametrize("kind", FORGED)
def test_what_a_guest_writes_to_the_referee_is_data(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, said = FORGED[kind]
    monkeypatch.chdir(tmp_path)
    log = play_guest(tmp_path, top=WRITE, play=f"write({data!r})", max_errors=0)
    assert said in log.rounds[0].errors["agent"]
    assert log.forfeited == ["agent"]
    assert not Path("PWNED").exists()


def test_an_answer_that_comes_byte_by_byte_is_late(tmp_path: Path) -> None:
    drip = f"import time{WRITE}def drip():\n    while True: write(b'x'); time.sleep(0.05)"
    clock = time.perf_counter()
    log = play_guest(tmp_path, top=drip, play="drip()", play_seconds=0.3, max_errors=0)
    assert "no answer within 0.60 s" in log.rounds[0].errors["agent"]
    assert time.perf_counter() - clock < 45


def test_a_report_that_is_too_long_is_an_error_of_the_player(tmp_path: Path) -> None:
    log = play_guest(tmp_path, play="tried['long'] = 'x' * (2 << 20)", max_errors=0)
    assert "longer than 1 MB" in log.rounds[0].errors["agent"]


def test_without_a_filter_the_group_of_a_guest_is_killed_with_it(tmp_path: Path) -> None:
    """A process that a player starts ends with the player, where the system cannot forbid starting it."""
    code = (
        "import os, subprocess, sys, time\n"
        "os.setsid()\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as outer:
        assert outer.stdout is not None
        child = int(outer.stdout.readline())
        os.killpg(outer.pid, signal.SIGKILL)
        outer.wait()
        wait_until(lambda: not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text())


def test_a_machine_that_is_not_in_the_tables_has_no_filter() -> None:
    with pytest.raises(OSError, match="no filter for vax"):
        make_filter("vax", 1)


def test_what_a_guest_may_read_holds_neither_the_users_folders_nor_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    readable = walls.find_readable()
    assert not any(tmp_path.is_relative_to(place) for place in readable)
    assert not any(Path.home().is_relative_to(place) for place in readable)
