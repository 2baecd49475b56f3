"""`veil tune` as a process: killed and continued, in one process or two, stopped with Ctrl-C."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import COMMAND, PATIENCE, inside, refusal_of, veil
from tests.support.planted_game import PLANTED
from tests.support.processes import WITH_CTRL_C, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.compiled("slow as Python")]
VARIANTS = 5
WORDS = ["tune", "boxes.kif", "--vary", f"limit=0..{VARIANTS - 1}", "--json"]
WORDS += ["--max-nodes", "2", "--player", "random", "--matches", "16"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "boxes.kif").write_text(PLANTED)
    return tmp_path


def count_judged(store: Path) -> int:
    """How many results the store holds, looked at from outside."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as base:
        return int(base.execute("SELECT count(*) FROM variant").fetchone()[0])
    return 0


def end_in_the_middle(folder: Path, number: signal.Signals) -> tuple[int, bytes]:
    """Start tuning with a store, end it with a signal when a few variants are judged; exit code and output."""
    with subprocess.Popen(
        [sys.executable, "-c", WITH_CTRL_C, *COMMAND, *WORDS, "--store", "kept.db"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            wait_until(lambda: count_judged(folder / "kept.db") >= 1)
            process.send_signal(number)
            output, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return process.returncode, output


def without_time(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name in ("aim", "best", "variants", "interrupted")}


@pytest.mark.nightly
def test_a_killed_run_goes_on_and_two_processes_find_the_same(folder: Path) -> None:
    code, _ = end_in_the_middle(folder, signal.SIGKILL)
    assert code == -signal.SIGKILL
    kept = count_judged(folder / "kept.db")
    assert 1 <= kept <= VARIANTS
    resumed = veil(*WORDS, "--store", "kept.db", cwd=folder)
    assert resumed.code == 0, resumed.err
    assert count_judged(folder / "kept.db") > kept
    fresh = veil(*WORDS, "--jobs", "2", cwd=folder)
    assert without_time(resumed.json) == without_time(fresh.json)
    assert len(fresh.json["variants"]) == VARIANTS


@pytest.mark.nightly
def test_ctrl_c_shows_what_is_known(folder: Path) -> None:
    code, output = end_in_the_middle(folder, signal.SIGINT)
    assert code == 130
    told = json.loads(output)
    judged = [entry for entry in told["variants"] if entry["score"] is not None]
    assert told["interrupted"]
    assert 1 <= len(judged) < VARIANTS
    assert told["best"] is not None


def test_a_review_that_fails_says_first_what_may_be_the_cause(folder: Path) -> None:
    rules = """(role a) (init s) (legal a go) (<= (next done) (does b go)) (<= terminal (true done))
               (<= (goal a 100) (true done)) (goal a 0)"""
    (folder / "endless.kif").write_text(rules)
    message = inside("review", folder / "endless.kif", "--playouts", "4", "--matches", "1", "--max-seconds", "1")
    assert message.code == 2
    cause, _, error = message.err.partition("error: ")
    assert "b is no role" in cause
    assert "error: " in refusal_of(message._replace(err="error: " + error))
