"""The process that grounds: what it sends for small programs, and how it ends at its limits."""

from __future__ import annotations

import pickle
import subprocess
import sys
from signal import SIGABRT, SIGPROF, SIGSEGV
from typing import Any

import pytest

from tests.support.command import PATIENCE
from veil.engine.grounding.grounder import NO_MEMORY, WORKER

GIGABYTE = 2**30
PROGRAM = "{t(1)}. {t(2)}. l(1) :- t(1), not t(2). l(2) :- t(2). fact. l(3) :- fact. #show. #show t/1. #show l/1."
ENDLESS = "n(0). n(X+1) :- n(X)."


def run(program: str, max_rules: int = 100, max_bytes: int = GIGABYTE, max_seconds: int = 10) -> Any:
    """What the worker sends."""
    command = [sys.executable, "-P", str(WORKER), *map(str, (max_rules, max_bytes, max_seconds))]
    return subprocess.run(command, input=program.encode(), capture_output=True, check=False, timeout=PATIENCE)


def test_rules_come_as_heads_lengths_and_signed_bodies_with_the_names_of_what_is_shown() -> None:
    outcome = run(PROGRAM)
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    result = pickle.loads(outcome.stdout)
    assert sorted(result) == ["atoms", "bodies", "heads", "lengths", "names"]
    atom = dict(zip(result["names"], result["atoms"], strict=True))
    assert sorted(atom) == ["l(1)", "l(2)", "l(3)", "t(1)", "t(2)"]
    assert atom["l(3)"] == 0  # always true
    rules, begin = {}, 0
    for head, length in zip(result["heads"], result["lengths"], strict=True):
        rules[head] = sorted(result["bodies"][begin : begin + length])
        begin += length
    assert begin == len(result["bodies"])
    assert rules[atom["l(1)"]] == [-atom["t(2)"], atom["t(1)"]]
    assert rules[atom["l(2)"]] == [atom["t(2)"]]
    assert atom["t(1)"] not in rules  # a choice makes an atom possible and is no rule


def test_too_many_rules_end_it_with_a_message() -> None:
    outcome = run(ENDLESS, max_rules=50)
    assert (outcome.returncode, pickle.loads(outcome.stdout)) == (0, {"failed": "ground-too-many-rules"})


def test_the_limit_of_rules_may_be_reached_but_not_passed() -> None:
    many = " ".join(f"{{t({i})}}. l({i}) :- t({i})." for i in range(10)) + "#show l/1."
    assert len(pickle.loads(run(many, max_rules=10).stdout)["heads"]) == 10
    assert "failed" in pickle.loads(run(many, max_rules=9).stdout)


def test_too_little_memory_ends_it_with_a_message_or_by_a_signal() -> None:
    wide = "n(1..200). l(A,B,C) :- n(A), n(B), n(C), t(A). {t(1..200)}."
    outcome = run(wide, max_rules=10**9, max_bytes=90 * 2**20)
    if outcome.returncode:
        assert outcome.returncode in (-SIGABRT, -SIGSEGV) or any(text in outcome.stderr for text in NO_MEMORY)
    else:
        assert pickle.loads(outcome.stdout) == {"failed": "ground-out-of-memory"}


@pytest.mark.slow
def test_it_ends_by_itself_should_nobody_stop_it() -> None:
    outcome = run(ENDLESS, max_rules=10**9, max_bytes=8 * GIGABYTE, max_seconds=1)
    assert outcome.returncode == -SIGPROF
    assert outcome.stdout == b""


def test_a_program_that_clingo_refuses_is_a_bug_and_says_so() -> None:
    outcome = run("l(X) :- not t(X).")
    assert outcome.returncode == 1
    assert b"clingo refused the program" in outcome.stderr


@pytest.mark.parametrize("module", ["veil", "numpy"])
def test_it_imports_little(module: str) -> None:
    text = WORKER.read_text(encoding="utf-8")
    assert f"import {module}" not in text
    assert f"from {module}" not in text
