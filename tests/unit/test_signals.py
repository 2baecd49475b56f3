"""The end of a command: signals are noted, heard at safe points, and end at once what does not come to one."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import PATIENCE
from tests.support.processes import WITH_CTRL_C
from veil import signals

NAMES = ("SIGTERM", "SIGHUP", "SIGINT")
BEGIN = """
import os, signal, sys, threading, time
from veil import signals
signals.listen()
signals.set_last_words(lambda number: signals.LastWords(128 + number, "the end\\n"))
kill = lambda: os.kill(os.getpid(), getattr(signal, sys.argv[1]))
def is_ending():
    try:
        signals.check_signals()
    except KeyboardInterrupt:
        return True
    return False
"""


def run(code: str, name: str = "SIGTERM") -> subprocess.CompletedProcess[bytes]:
    """Run code in a process that listens; `kill()` sends it the signal of this name."""
    words = [sys.executable, "-c", WITH_CTRL_C, sys.executable, "-c", BEGIN + code, name]
    return subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False)


def code_of(name: str) -> int:
    return 128 + int(getattr(signal, name))


@pytest.mark.parametrize("name", NAMES)
def test_a_signal_is_heard_at_the_next_safe_point_and_not_before(name: str) -> None:
    done = run(
        """
kill()
time.sleep(0.1)
print("goes on", flush=True)
try:
    signals.check_signals()
except KeyboardInterrupt:
    print("safe point", flush=True)
    time.sleep(1.5 * signals.PATIENCE)  # to end in order may take its time
    signals.finish(130)
""",
        name,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code_of(name), b"goes on\nsafe point\n", b"")


@pytest.mark.parametrize("name", NAMES)
def test_a_command_without_a_safe_point_is_ended_at_once(name: str) -> None:
    done = run("kill()\ntime.sleep(60)", name)
    assert (done.returncode, done.stderr) == (code_of(name), b"the end\n")


def test_machine_code_that_never_comes_back_is_ended_too() -> None:
    done = run(
        """
from veil.engine.lanes.jit import kernel

@kernel
def loop(wanted):
    total = 0
    while total < wanted:
        total += 1 if total % 7 else 0
        total -= 1 if total > 1_000_000 else 0
    return total

threading.Timer(2.0, kill).start()
loop(1 << 60)
"""
    )
    assert done.returncode == code_of("SIGTERM")


def test_a_second_signal_ends_what_ends_in_order() -> None:
    done = run(
        """
kill()
time.sleep(0.1)
assert is_ending()
time.sleep(2 * signals.ECHO)
kill()
time.sleep(60)
"""
    )
    assert done.returncode == code_of("SIGTERM")


def test_a_signal_that_is_sent_twice_at_once_is_one() -> None:
    """As `timeout` does it: to the command, and to its group."""
    done = run(
        """
kill()
kill()
time.sleep(0.1)
assert is_ending()
time.sleep(1.5 * signals.PATIENCE)
print("in order", flush=True)
signals.finish(130)
"""
    )
    assert (done.returncode, done.stdout) == (code_of("SIGTERM"), b"in order\n")


@pytest.mark.parametrize("name", NAMES)
def test_code_that_waits_may_be_left_anywhere(name: str) -> None:
    done = run(
        """
threading.Timer(0.3, kill).start()
try:
    with signals.interruptible():
        time.sleep(60)
except KeyboardInterrupt:
    print("left", flush=True)
    signals.finish(130)
""",
        name,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code_of(name), b"left\n", b"")


def test_another_thread_that_waits_does_not_let_the_main_thread_be_interrupted() -> None:
    done = run(
        """
def wait():
    with signals.interruptible():
        time.sleep(60)

threading.Thread(target=wait, daemon=True).start()
time.sleep(0.2)
kill()
for _ in range(20):
    time.sleep(0.01)
    signals._ending.number
print("no exception", flush=True)
assert is_ending()
signals.finish(130)
"""
    )
    assert (done.returncode, done.stdout) == (code_of("SIGTERM"), b"no exception\n")


def test_only_the_main_thread_comes_to_safe_points() -> None:
    done = run(
        """
kill()
time.sleep(0.1)
came_back = []
thread = threading.Thread(target=lambda: came_back.append(signals.check_signals()))
thread.start()
thread.join()
assert came_back == [None]
assert is_ending()
signals.finish(130)
"""
    )
    assert done.returncode == code_of("SIGTERM"), done.stderr


def test_last_steps_are_taken_from_the_last_to_the_first_whatever_they_raise() -> None:
    done = run(
        """
signals.at_sudden_end(lambda: os.write(1, b"first "))
signals.at_sudden_end(lambda: 1 / 0)
taken_back = signals.at_sudden_end(lambda: os.write(1, b"never "))
signals.at_sudden_end(lambda: os.write(1, b"last "))
signals.forget_sudden_end(taken_back)
kill()
time.sleep(60)
"""
    )
    assert (done.returncode, done.stdout) == (code_of("SIGTERM"), b"last first ")


def test_threads_at_work_do_not_hold_up_a_command_that_was_ended() -> None:
    done = run(
        """
threading.Thread(target=time.sleep, args=(60,)).start()  # Python would wait for it
kill()
time.sleep(0.1)
assert is_ending()
signals.finish(130)
"""
    )
    assert done.returncode == code_of("SIGTERM")


def test_the_last_words_are_not_waited_for_where_nobody_reads() -> None:
    code = """
os.set_blocking(2, False)
try:
    while True:
        os.write(2, b"x" * 4096)
except BlockingIOError:
    os.set_blocking(2, True)
kill()
time.sleep(60)
"""
    words = [sys.executable, "-c", WITH_CTRL_C, sys.executable, "-c", BEGIN + code, "SIGTERM"]
    with subprocess.Popen(words, stderr=subprocess.PIPE) as process:
        assert process.wait(PATIENCE) == code_of("SIGTERM")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_ignored_stays_ignored(name: str) -> None:
    """As under `nohup`."""
    code = (
        "import os, signal, sys; number = getattr(signal, sys.argv[1]); signal.signal(number, signal.SIG_IGN)\n"
        "from veil import signals; signals.listen(); os.kill(os.getpid(), number); signals.check_signals()\n"
        "assert signal.getsignal(number) is signal.SIG_IGN; print('goes on')"
    )
    words = [sys.executable, "-c", WITH_CTRL_C, sys.executable, "-c", code, name]
    done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (0, b"goes on\n"), done.stderr


@pytest.mark.parametrize(("code", "sent", "expected"), [(0, True, 0), (2, True, 143), (2, False, 2), (0, False, 0)])
def test_a_command_that_fails_after_a_signal_was_ended_by_it(code: int, sent: bool, expected: int) -> None:
    done = run(f"{'kill(); time.sleep(0.1)' if sent else ''}\nsignals.finish({code})")
    assert done.returncode == expected, done.stderr


def test_a_signal_in_an_import_that_takes_exceptions_for_missing_modules_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "greedy.py").write_text(
        "import os, signal\ntry:\n    os.kill(os.getpid(), signal.SIGTERM)\nexcept BaseException:\n    pass\n"
    )
    done = run(f"sys.path.insert(0, {str(tmp_path)!r})\nimport greedy\ntime.sleep(60)")
    assert done.returncode == code_of("SIGTERM")


def test_a_process_that_is_started_while_signals_are_blocked_does_not_hear_them() -> None:
    code = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    with signals.block_signals(signal.SIGINT):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
