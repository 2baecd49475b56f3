"""Limits of numbers, and what the system allows a process."""

from __future__ import annotations

import dataclasses
import resource
import subprocess
import sys
from errno import ENOMEM
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

from tests.support.command import PATIENCE
from veil import limits
from veil.belief import SAMPLERS
from veil.engine import load
from veil.equilibrium import SOLVERS
from veil.errors import VeilError
from veil.limits import LIMITS, Limit, allowed_bytes, allowed_cpu_seconds, check_limit, is_out_of_memory, show_number
from veil.players import PLAYERS
from veil.registry import Registry

ABSURD = (10**30, -(10**30), float("nan"), float("inf"), -1.0)
TABLES: tuple[Registry[Any], ...] = (PLAYERS, SAMPLERS, SOLVERS)
NUMBERS = [
    (table, name, entry.name)
    for table in TABLES
    for name in table
    for entry in dataclasses.fields(table[name].config_class())
    if {int, float} & {kind := get_type_hints(table[name].config_class())[entry.name], *get_args(kind)}
]


def test_too_little_address_space_is_told_before_a_library_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (400 << 20, resource.RLIM_INFINITY))
    with pytest.raises(VeilError, match=r"allows this process 0\.4 GB"):
        limits.check_address_space()


def refusal(limit: str, value: float) -> str:
    with pytest.raises(VeilError) as caught:
        check_limit(limit, value, "it")
    assert caught.value.problems[0].code == "bad-limit"
    return caught.value.problems[0].message


@pytest.mark.parametrize("kind", LIMITS)
def test_a_number_at_a_limit_is_taken_and_one_beyond_it_refused(kind: str) -> None:
    limit = LIMITS[kind]
    check_limit(kind, limit.high, "it")
    check_limit(kind, limit.low + (1e-9 if limit.open else 0), "it")
    refusal(kind, limit.high * 1.01 + 1)
    refusal(kind, limit.low - (0 if limit.open else 1))
    refusal(kind, float("nan"))


def test_the_message_says_what_would_do() -> None:
    assert refusal("rounds", 2**63) == "it must be a number from 1 to 1,000,000,000, not 9,223,372,036,854,775,808"
    assert refusal("seconds", float("inf")) == "it must be a number above 0 and up to 1,000,000, not inf"
    assert "not one of more than 30 digits" in refusal("seed", 10**5000)


def test_numbers_are_shown_as_people_write_them() -> None:
    assert [show_number(value) for value in (1_000, 0.25, 1e18, 2.0)] == ["1,000", "0.25", "1e+18", "2"]


@pytest.mark.parametrize(
    ("table", "name", "option"), NUMBERS, ids=[f"{table.kind} {name}:{option}" for table, name, option in NUMBERS]
)
def test_every_number_of_every_row_of_every_table_has_a_limit(table: Registry[Any], name: str, option: str) -> None:
    config = table[name].config_class()
    for value in ABSURD[:-1]:
        with pytest.raises(VeilError) as caught:
            config(**{option: value})
        assert caught.value.problems[0].code == "bad-limit"
        assert option in caught.value.problems[0].message


@pytest.mark.parametrize("count", [0, -1, 10**10])
def test_playouts_without_reason_are_refused(count: int) -> None:
    machine = load("kuhn_poker").machine
    for options in ({"count": count}, {"count": 1, "max_rounds": count}):
        with pytest.raises(VeilError, match="must be a number from 1"):
            machine.playouts(machine.initial_states(), seed=0, **options)  # type: ignore[arg-type]


def test_many_playouts_from_many_states_count_together() -> None:
    machine = load("kuhn_poker").machine
    with pytest.raises(VeilError, match="playouts from all states"):
        machine.playouts(machine.initial_states(1000), 10**7, seed=0)
    assert machine.playouts(np.zeros((0, machine.state_words), np.uint64), 5, seed=0).steps == 0


def test_a_limit_of_its_own_may_be_open() -> None:
    assert not Limit(0, 1, open=True).holds(0)
    assert Limit(0, 1).holds(0)


@pytest.mark.parametrize(("kind", "allowed"), [("AS", allowed_bytes), ("CPU", allowed_cpu_seconds)])
def test_what_the_system_allows_is_never_exceeded(kind: str, allowed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda which: (1, 100))
    assert (allowed(50), allowed(200)) == (50, 100)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (1, resource.RLIM_INFINITY))
    assert allowed(200) == 200


def test_memory_errors_are_known_by_their_kind() -> None:
    assert is_out_of_memory(MemoryError())
    assert is_out_of_memory(OSError(ENOMEM, "no"))
    assert is_out_of_memory(ImportError("x.so: failed to map segment from shared object"))
    assert is_out_of_memory(RuntimeError("can't start new thread"))
    assert not is_out_of_memory(OSError(2, "no"))
    assert not is_out_of_memory(ImportError("no module"))


@pytest.mark.compiled("slow as Python")
@pytest.mark.slow
def test_a_process_says_so_before_its_processor_time_is_used_up() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (3, 3))\n"
        "from veil.limits import *; from veil.signals import *; catch_end_of_processor_time()\n"
        "try:\n    while True: sum(range(99)); check_signals()\n"
        "except OutOfProcessorTime: print(out_of_time())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert "the processor time that the system allows this process is used up" in done.stdout
