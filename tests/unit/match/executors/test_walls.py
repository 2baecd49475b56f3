"""Walls around guests: what a player of somebody else tries in its process does not reach anything outside it."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.games import game
from tests.support.kernel_walls import find_missing, needs_walls
from tests.support.processes import wait_until
from veil import solve
from veil.errors import VeilError
from veil.match import MatchConfig, MatchLog, run_match
from veil.match.executors import isolated, walls
from veil.match.executors.syscalls import make_filter
from veil.match.executors.walls import WALLS, list_missing
from veil.match.tasks import Task, play_task
from veil.players import read_player_files

SHARED = b"the cards"

ATTEMPTS = """
import ctypes, fcntl, os, resource, signal, socket, subprocess, threading
{top}
tried = {{}}
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p

def attempt(name, call):
    try:
        call()
        tried[name] = "done"
    except BaseException as error:
        tried[name] = type(error).__name__

def check(result):
    if result in (-1, 2**64 - 1):
        raise OSError(ctypes.get_errno(), "refused")
    return result

def name_owner(command, number):
    ours, _ = socket.socketpair()
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC)
    command(ours, number)

def send_datagram():
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.sendto(b"hello", {folder!r} + "/post")

def read_shared():
    if ctypes.string_at(check(libc.shmat({shared}, None, 0)), 9) != {text!r}:
        raise OSError

def lock(command, value):
    with open(os.__file__) as file:
        command(file, value)

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
attempt("memory raised", lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)))
attempt("mode of a file", lambda: os.chmod({folder!r} + "/secret", 0o666))
attempt("mode of a package", lambda: os.chmod(os.__file__, os.stat(os.__file__).st_mode))
attempt("times of a file", lambda: os.utime({folder!r} + "/secret", (1, 1)))
attempt("attribute of a file", lambda: os.setxattr({folder!r} + "/secret", "user.x", b"1"))
attempt("end of a file", lambda: os.truncate({folder!r} + "/secret", 0))
attempt("what others do with files", lambda: check(libc.inotify_init()))
attempt("lock", lambda: lock(fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB))
attempt("lock of a part", lambda: lock(fcntl.lockf, fcntl.LOCK_SH | fcntl.LOCK_NB))
attempt("lease", lambda: lock(lambda file, value: fcntl.fcntl(file, 1024, value), fcntl.F_RDLCK))
attempt("signal by a file", lambda: name_owner(lambda file, pid: fcntl.fcntl(file, fcntl.F_SETOWN, pid), {pid}))
attempt("signal by a socket", lambda: name_owner(lambda file, pid: fcntl.ioctl(file, 0x8901, b"    "), {pid}))
attempt("datagram", send_datagram)
attempt("name of a socket", lambda: socket.socketpair()[0].bind("\\0veil"))
attempt("shared memory", read_shared)
attempt("keys of the terminal", lambda: fcntl.ioctl(2, 0x5412, b"x"))
attempt("thread", lambda: threading.Thread(target=int).start())
attempt("package", lambda: __import__("msgspec.toml"))
attempt("loop of events", lambda: __import__("asyncio").new_event_loop().close())
attempt("is it a terminal", lambda: os.isatty(2))

class Player:
    def start(self, seat): {start}
    def offer(self, legal): self.legal = legal
    def play(self, observation):
        {play}
        return self.legal[0]
    def stop(self, observation): pass
    def report(self): return tried
"""
ALLOWED = {"thread", "package", "loop of events", "is it a terminal"}


def play_guest(folder: Path, shared: int = -1, **config: Any) -> MatchLog:
    parts: dict[str, Any] = {"top": "", "start": "pass", "play": "pass"} | {
        name: config.pop(name) for name in ("top", "start", "play") if name in config
    }
    parts |= {"shared": shared, "text": SHARED}
    (folder / "secret").write_text("cards")
    (folder / "guest.py").write_text(ATTEMPTS.format(folder=str(folder), pid=os.getpid(), **parts))
    spec = f"own:file={folder / 'guest.py'}"
    return run_match(game("exploding_bomb"), {"agent": spec}, 1, MatchConfig(isolated=True, reports=True, **config))


@contextmanager
def shared_memory() -> Iterator[int]:
    """The number of memory that processes of this user can share, with the cards in it."""
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    number = libc.shmget(0, 4096, 0o1600)
    try:
        ctypes.memmove(libc.shmat(number, None, 0), SHARED, len(SHARED))
        yield number
    finally:
        libc.shmctl(number, 0, None)


@needs_walls
def test_what_a_guest_tries_stays_inside_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket is short
    with shared_memory() as shared, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as post:
        post.bind("post")
        post.setblocking(False)
        log = play_guest(tmp_path, shared)
        with pytest.raises(BlockingIOError):
            post.recv(100)
    tried = log.rounds[0].reports["agent"]
    assert log.errors == {"agent": 0}
    done = {name for name, outcome in tried.items() if outcome == "done"}
    assert done == ALLOWED, tried
    assert len(tried) == 34
    assert not (tmp_path / "new").exists()
    assert (tmp_path / "secret").read_text() == "cards"
    assert (tmp_path / "secret").stat().st_mode & 0o777 != 0o666


@needs_walls
def test_a_guest_takes_no_more_memory_than_it_is_given(tmp_path: Path) -> None:
    raised = "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))"
    log = play_guest(tmp_path, play=f"attempt('raised', lambda: {raised}); bytearray(2 << 30)", max_memory=1.0)
    assert "MemoryError" in log.rounds[0].errors["agent"]


LOOKS = """
import gc
from veil.players.files import FileContents

class Player:
    def start(self, seat):
        found = [entry.name for entry in gc.get_objects() if isinstance(entry, FileContents)]
        self.found = {"names": sorted(found)}
    def offer(self, legal): self.legal = legal
    def play(self, observation): return self.legal[0]
    def stop(self, observation): pass
    def report(self): return self.found
"""


def test_a_guest_is_not_handed_the_files_of_other_players(tmp_path: Path) -> None:
    """Its process gets its own file. Those of others, such as the policy of its opponent, are not in its memory."""
    mine, policy = tmp_path / "mine.py", tmp_path / "policy.json"
    mine.write_text(LOOKS)
    solve(game("kuhn_poker"), iterations=10).policy.save(policy)
    specs = {"first": f"own:file={mine}", "second": f"policy:file={policy}"}
    task = Task(
        game=game("kuhn_poker"),
        name="kuhn_poker",
        specs=specs,
        number=0,
        seed=1,
        config=MatchConfig(isolated=True, reports=True),
        files=read_player_files(specs.values()),
    )
    played = play_task(task)
    assert played.log.errors == {"first": 0, "second": 0}
    reports = [entry.reports["first"] for entry in played.log.rounds if "first" in entry.reports]
    assert reports[0]["names"] == [str(mine)]


STRANGE = {
    "its file cannot be run": ("raise SystemError('odd')", "pass"),
    "it raises an error of ours": ("", "__import__('veil.errors').errors.check_kind('x', 1, str)"),
}


@pytest.mark.parametrize("kind", STRANGE)
@needs_walls
def test_a_stranger_ends_no_match(kind: str, tmp_path: Path) -> None:
    """A tournament of a class goes on, whatever the code of one of its players raises."""
    top, start = STRANGE[kind]
    log = play_guest(tmp_path, top=top, start=start, strangers=True, max_errors=0)
    assert log.forfeited == ["agent"]
    assert "could not start" in log.rounds[0].errors["agent"]
    with pytest.raises(VeilError):
        play_guest(tmp_path, top=top, start=start)


def test_a_stranger_is_not_let_in_without_all_walls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "list_missing", lambda built: ["files"])
    log = play_guest(tmp_path, strangers=True, max_errors=0)
    assert log.forfeited == ["agent"]
    assert "this system has no walls for: files" in log.rounds[0].errors["agent"]


def test_the_log_says_which_walls_there_are(tmp_path: Path) -> None:
    built = play_guest(tmp_path).settings["walls"]["agent"]
    assert set(built) <= set(WALLS)
    assert "limits" in built
    if not find_missing():
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
    "a number of many digits": (b'{"value": ' + b"9" * 5000 + b"}\n", "its answer is not understood"),
    "half a sign": (b'{"value": "\\ud800"}\n', "its answer is not understood"),
    "a number beyond all": (b'{"value": 1e999}\n', "its answer is not understood"),
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


def test_a_system_has_all_walls_if_its_machine_is_known_and_has_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    assert walls.has_all_walls() == (not find_missing())
    monkeypatch.setattr(platform, "machine", lambda: "vax")
    assert not walls.has_all_walls()


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
