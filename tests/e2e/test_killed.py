"""A signal at any moment of any command leaves finished results behind and nothing else."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.archetypes import nightly_but
from tests.support.command import PATIENCE
from tests.support.every_command import COMMANDS
from tests.support.kills import SIGNALS, Kill, kill_and_look
from tests.support.processes import NEEDS_PROC, WITH_CTRL_C

LATEST = 3.0  # seconds after the start: Python starts, the game is made ready, work is under way
IN_GATE = ("solve", "exploit", "export", "match", "tournament", "serve-player", "studio", "reproduce")
KILLS = int(os.environ.get("VEIL_KILLS", "200"))  # per command, in the nightly run


def draw_kills(command: str, count: int) -> list[Kill]:
    """Kills of a command at random moments; the signals take turns."""
    rng = random.Random(f"{command} {count}")
    first = rng.randrange(len(SIGNALS))
    return [
        Kill(command, round(rng.uniform(0.0, LATEST), 3), SIGNALS[(first + number) % len(SIGNALS)])
        for number in range(count)
    ]


@pytest.mark.gate_cases(4)
@NEEDS_PROC
@pytest.mark.parametrize("command", nightly_but(IN_GATE, COMMANDS))
def test_what_is_ended_leaves_finished_results_only(command: str, tmp_path: Path) -> None:
    kill_and_look(draw_kills(command, 1)[0], tmp_path)


@NEEDS_PROC
@pytest.mark.nightly
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_ended_at_many_moments_leaves_finished_results_only(command: str, tmp_path: Path) -> None:
    for number, kill in enumerate(draw_kills(command, KILLS)):
        folder = tmp_path / str(number)
        folder.mkdir()
        kill_and_look(kill, folder)


# Numba's machine code calls this function back, and does not look whether an exception comes out of it: a signal that
# was raised there was a segmentation fault or a SystemError.
IN_THE_UNPICKLER = """
import os, signal, sys
from numba.core import serialize

unpickle, calls = serialize._numba_unpickle, 0

def unpickle_and_kill(*values):
    global calls
    calls += 1
    if calls == {call}:
        os.kill(os.getpid(), signal.{name})
    return unpickle(*values)

serialize._numba_unpickle = unpickle_and_kill
sys.argv = ["veil", "export", "leduc_poker", "--out", "{file}"]
from veil.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("call", "name"),
    nightly_but([(2, "SIGTERM"), (4, "SIGHUP")], [(2, "SIGTERM"), (3, "SIGINT"), (4, "SIGHUP"), (5, "SIGTERM")]),
)
def test_a_signal_inside_the_unpickler_of_numba_ends_the_command_in_order(call: int, name: str, tmp_path: Path) -> None:
    code = IN_THE_UNPICKLER.format(call=call, name=name, file=tmp_path / "leduc.efg")
    words = [sys.executable, "-c", WITH_CTRL_C, sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 128 + getattr(signal, name), done.stderr
    assert done.stdout == b""
    assert done.stderr.splitlines()[-1:] == [b"interrupted"]
    assert b"Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
