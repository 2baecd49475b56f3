"""Progress: a line on a terminal, nothing elsewhere, and nothing left behind."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from veil.report import progress as progress_module
from veil.report.progress import Progress

SILENT = """
import sys
from veil.report import Progress
with Progress("working", 3) as progress:
    progress.begin("more", 5)
    progress.say("note")
    progress.count(1, 5)
    progress.advance(1)
sys.exit("rich" in sys.modules)
"""


class Terminal(io.StringIO):
    """Standard error that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    def shown(self) -> str:
        """All that was on it, without the signs that move the cursor."""
        return re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", self.getvalue())


def open_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Called by the tests themselves: pytest puts its own standard error in place after fixtures."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return stream


def test_without_a_terminal_nothing_is_shown_and_nothing_imported() -> None:
    done = subprocess.run([sys.executable, "-c", SILENT], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


class Seconds:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_without_a_terminal_a_line_comes_now_and_then_with_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, clock = io.StringIO(), Seconds()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress_module, "perf_counter", clock)
    with Progress("playing \x1b matches") as progress:
        for second in range(1001):
            clock.now = float(second)
            progress.count(500 + second, 2500)  # 500 were there before
    lines = stream.getvalue().splitlines()
    assert lines[0] == "playing \u241b matches: 515 of 2,500, about 33 min left"
    assert [int(line.split()[3].replace(",", "")) - 500 for line in lines] == [15, 45, 105, 225, 465, 765]


def test_the_time_for_compiling_is_not_expected_again(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, clock = io.StringIO(), Seconds()
    prepared = SimpleNamespace(PREPARATION=SimpleNamespace(seconds=7.0))  # 7 s before the task began
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress_module, "perf_counter", clock)
    monkeypatch.setitem(sys.modules, progress_module.PREPARATION, prepared)
    with Progress("playing matches", 50) as progress:
        prepared.PREPARATION.seconds, clock.now = 97.0, 100.0
        progress.advance(1)
    assert stream.getvalue() == "playing matches: 1 of 50, about 8 min left\n"


def test_without_a_terminal_what_is_soon_done_is_not_mentioned(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, clock = io.StringIO(), Seconds()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress_module, "perf_counter", clock)
    with Progress("playing", 3) as progress:
        for second in (5.0, 14.0, 40.0):
            clock.now = second
            progress.advance(1)
    assert stream.getvalue() == ""


def test_standard_error_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    with Progress("working") as progress:
        progress.say("note")


def test_what_is_done_is_shown_with_a_note_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    with Progress("expanding [bold]kuhn[/bold]") as progress:
        progress.say("12 nodes")
    assert "expanding [bold]kuhn[/bold] 12 nodes" in terminal.shown()
    assert " of " not in terminal.shown()
    assert terminal.getvalue().endswith("\x1b[1A\x1b[2K")  # the line is taken back


def test_counts_come_with_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    with Progress("playing", 2000) as progress:
        progress.advance(500)
        progress.advance(500)
    assert "1,000 of 2,000" in terminal.shown()
    assert re.search(r"1,000 of 2,000 +(-:--:--|\d:\d\d:\d\d)", terminal.shown())


def test_the_amount_may_become_known_later(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    with Progress("playing") as progress:
        progress.count(3, 7)
        progress.say("kuhn_poker")
    assert "3 of 7 kuhn_poker" in terminal.shown()


def test_another_task_takes_the_place_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    with Progress("expanding") as progress:
        progress.begin("solving", 10)
        progress.count(4, 10)
    last = terminal.shown().rstrip("\r\n").splitlines()[-1]
    assert "solving" in last
    assert "expanding" not in last


def test_an_error_leaves_the_line_to_the_message(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)

    def fail() -> None:
        with Progress("working"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert terminal.getvalue().endswith("\x1b[1A\x1b[2K")
