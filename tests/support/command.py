"""The command `veil` as a process, for tests that look at it from outside, and in this one where that is enough."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from veil.cli.main import run
from veil.engine.lanes.preparation import NOTE

# Seconds; far beyond what any command needs, kernels on a loaded machine included: a hang fails, slowness does not.
PATIENCE = 300
COMMAND = [sys.executable, "-m", "veil"]
RACE = """
(role red) (role blue)
(init (at red 0)) (init (at blue 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r step) (role ?r))
(<= (legal ?r rest) (role ?r))
(<= (next (at ?r ?y)) (does ?r step) (true (at ?r ?x)) (succ ?x ?y))
(<= (next (at ?r ?x)) (does ?r rest) (true (at ?r ?x)))
(<= (sees ?r (at ?r ?x)) (true (at ?r ?x)))
(<= terminal (true (at ?r 3)))
(<= (goal ?r 100) (true (at ?r 3)))
(<= (goal ?r 0) (role ?r) (not (true (at ?r 3))))
"""
ENDLESS = """
(role x) (legal x count) (goal x 0)
(init (n 0))
(<= (next (n (s ?x))) (true (n ?x)))
"""
VAST = f"""
(role x) (goal x 0)
{" ".join(f"(number {value})" for value in range(200))}
(<= (legal x (set ?a ?b ?c ?d)) (number ?a) (number ?b) (number ?c) (number ?d))
"""


class Outcome(NamedTuple):
    """What a process leaves behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as the one JSON object it has to be."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        assert self.out.count("\n") == 1
        return value


def veil(
    *words: str | Path, text: str | None = None, cwd: Path | None = None, env: dict[str, str] | None = None
) -> Outcome:
    """Run `python -m veil words...` to its end; `text` is its standard input."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        input=(text or "").encode(),
        capture_output=True,
        timeout=PATIENCE,
        cwd=cwd,
        env=env,
        check=False,
    )
    return outcome_of(done.returncode, done.stdout, done.stderr)


def inside(*words: str | Path, text: str | None = None) -> Outcome:
    """The same command in this process, where a test needs no process of its own: that saves two seconds."""
    streams = [TextIOWrapper(BytesIO((text or "").encode()), "utf-8"), *(TextIOWrapper(BytesIO()) for _ in range(2))]
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        with patch("logging._handlerList", []):  # or uvicorn would close those of absl, and that the streams of pytest
            code = run([str(word) for word in words])
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    for stream in streams[1:]:
        stream.flush()
    return outcome_of(code, *(stream.buffer.getvalue() for stream in streams[1:]))


def outcome_of(code: int, out: bytes, err: bytes) -> Outcome:
    """What a process left behind, as text."""
    return Outcome(code, out.decode(), errors_of(err))


def errors_of(err: bytes) -> str:
    """Standard error of a command as text, without what depends on caches and time.

    That is the note that kernels are compiled, and how many matches have been played so far.
    """
    lines = err.decode().splitlines(keepends=True)
    return "".join(line for line in lines if line.rstrip() != NOTE and not line.startswith("playing matches: "))


def refusal_of(outcome: Outcome) -> str:
    """The message of a command that refused its input in the proper way."""
    assert outcome.code == 2, outcome
    assert "Traceback" not in outcome.err
    assert outcome.err.splitlines()[0].startswith("error: ")
    return outcome.err


def count_stored(path: Path) -> int:
    """How many matches the store holds, looked at from outside."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
        return int(base.execute("SELECT count(*) FROM match").fetchone()[0])
    return 0
