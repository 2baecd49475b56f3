"""Signals that end a command: the same way out for all of them, and none in between."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import WITH_CTRL_C
from veil import signals
from veil.signals import TerminatedError, defer_signals, exit_code

ENDED = """
import os, signal, sys
from veil import signals
signals.listen()
try:
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
    signal.pause()
except KeyboardInterrupt as error:
    sys.exit(signals.exit_code(130))
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_is_raised_and_gives_the_exit_code(name: str) -> None:
    words = [sys.executable, "-c", WITH_CTRL_C, sys.executable, "-c", ENDED, name]
    done = subprocess.run(words, timeout=60, check=False)
    assert done.returncode == 128 + getattr(signal, name)


def test_what_is_ignored_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under `nohup`."""
    heard: list[int] = []
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)
    monkeypatch.setattr(signal, "signal", lambda number, handler: heard.append(number))
    signals.listen()
    assert heard == []


def test_signals_wait_for_the_end_of_the_block() -> None:
    before = signal.signal(signal.SIGTERM, signals._raise)
    inside = []

    def work() -> None:
        with defer_signals():
            signal.raise_signal(signal.SIGTERM)
            inside.append("to its end")

    try:
        with pytest.raises(TerminatedError):
            work()
    finally:
        signal.signal(signal.SIGTERM, before)
        signals._heard.clear()
    assert inside == ["to its end"]


THREADS = """
import os, signal, sys, threading, time
from veil.signals import defer_signals
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread(target=time.sleep, args=(5,), daemon=True).start()  # takes the signal that the main thread blocks
inside = False
try:
    with defer_signals():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        inside = True
except KeyboardInterrupt:
    sys.exit(0 if inside else 1)
"""


def test_another_thread_that_takes_the_signal_changes_nothing() -> None:
    assert subprocess.run([sys.executable, "-c", THREADS], timeout=60, check=False).returncode == 0


IMPORTED = """
import sys, time
from veil import signals
signals.listen()
signals.LONGEST = 0.5
try:
    import module_of_the_test
    time.sleep(30)
except KeyboardInterrupt:
    sys.exit(signals.exit_code(130))
"""
SWALLOWS = """
import os, signal
try:
    os.kill(os.getpid(), signal.{name})
except BaseException:
    pass  # as C extensions do that look for something optional
"""
TURNS = """
import os, signal
try:
    os.kill(os.getpid(), signal.{name})
except BaseException:
    raise ImportError("something is missing") from None
"""
HANGS = """
import os, signal, time
os.kill(os.getpid(), signal.{name})
time.sleep(30)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("body", [SWALLOWS, TURNS, HANGS])
def test_a_signal_is_not_lost_in_an_import(name: str, body: str, tmp_path: Path) -> None:
    (tmp_path / "module_of_the_test.py").write_text(body.format(name=name))
    (tmp_path / "command.py").write_text(IMPORTED)
    words = [sys.executable, "-c", WITH_CTRL_C, sys.executable, str(tmp_path / "command.py")]
    done = subprocess.run(words, timeout=25, check=False)
    assert done.returncode == 128 + getattr(signal, name)


FREES = """
import os, signal, sys, time, types
from llvmlite.binding import ffi
from veil import signals
signals.listen()
freed = []
def free(pointer):
    os.kill(os.getpid(), signal.SIGTERM)
    freed.append(pointer)
ffi.lib = types.SimpleNamespace(LLVMPY_DisposeString=free)
try:
    string = ffi.OutputString()
    string.close()
    time.sleep(30)
except KeyboardInterrupt:
    del string
    sys.exit(signals.exit_code(130) if len(freed) == 1 else 1)
"""


def test_what_llvm_frees_when_the_signal_comes_is_freed_once() -> None:
    assert subprocess.run([sys.executable, "-c", FREES], timeout=25, check=False).returncode == 128 + signal.SIGTERM


@pytest.mark.parametrize(("code", "expected"), [(0, 0), (2, 143), (130, 143)])
def test_a_command_that_fails_while_a_signal_waits_was_ended_by_it(
    code: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(signals._waiting, signal.SIGTERM, 0.0)
    assert exit_code(code) == expected


def test_without_a_signal_the_exit_code_is_that_of_the_command() -> None:
    assert [exit_code(code) for code in (0, 2, 130)] == [0, 2, 130]
