"""Signals that end a command: the same way out for all of them, and none in between."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

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
    start = "import signal, os, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", start, sys.executable, "-c", ENDED, name], timeout=60, check=False)
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


def test_without_a_signal_the_exit_code_is_that_of_the_command() -> None:
    assert [exit_code(code) for code in (0, 2, 130)] == [0, 2, 130]
