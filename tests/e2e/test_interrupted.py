"""Ctrl-C, readers that leave, and several commands at once: nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import COMMAND, PATIENCE, errors_of
from tests.support.processes import NEEDS_PROC, WITH_CTRL_C, children, runs, wait_until


@NEEDS_PROC
@pytest.mark.parametrize("target", ["the whole group, as a terminal does", "the command alone, as kill does"])
def test_ctrl_c_ends_a_check_with_130_and_takes_the_grounder_along(target: str, vast: Path) -> None:
    command = [sys.executable, "-c", WITH_CTRL_C, *COMMAND, "check", str(vast), "--json", "--max-rules", "1000000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        try:
            assert wait_until(lambda: children(process.pid))
            grounders = children(process.pid)
            if target.startswith("the whole group"):
                os.killpg(process.pid, signal.SIGINT)
            else:
                process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
    assert wait_until(lambda: not any(map(runs, grounders)), seconds=30)  # left alone, it would go on for longer


@pytest.mark.parametrize("words", [["games"], ["trace", "breakthrough"], ["trace", "breakthrough", "--json"]])
def test_a_reader_that_leaves_early_causes_no_noise(words: list[str]) -> None:
    process = subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()  # before anything is written
    err = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=PATIENCE)
    assert errors_of(err) == ""


def test_two_commands_at_once_do_not_disturb_each_other() -> None:
    words = ["trace", "blind_breakthrough(width=4, height=4)", "--json", "--seed", "4"]
    processes = [subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE) for _ in range(2)]
    outputs = [process.communicate(timeout=PATIENCE)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert outputs[0] == outputs[1] != b""
