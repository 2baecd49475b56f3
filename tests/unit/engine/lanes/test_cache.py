from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from veil import load
from veil.engine.lanes import cache
from veil.engine.lanes.machine import Machine


def test_what_was_saved_is_loaded(code_folder: Path) -> None:
    assert cache.load("a") is None
    assert cache.save("a", b"code")
    assert cache.load("a") == b"code"
    assert [path.name for path in code_folder.iterdir()] == ["a.o"]


@pytest.mark.parametrize("damage", [b"", b"x", b"y" * 500])
def test_a_damaged_entry_is_not_trusted_but_rebuilt(code_folder: Path, damage: bytes) -> None:
    program = load("tic_tac_toe").program
    expected = Machine(program).playouts(np.atleast_2d(Machine(program).initial_states()), 100, seed=1).goal_sum
    (entry,) = code_folder.glob("*.o")
    good = entry.read_bytes()
    entry.write_bytes(damage or good[:-7])
    machine = Machine(program)
    assert (machine.playouts(machine.initial_states(), 100, seed=1).goal_sum == expected).all()
    assert entry.read_bytes() == good


def test_an_unfinished_write_of_another_process_does_no_harm(code_folder: Path) -> None:
    code_folder.mkdir()
    (code_folder / "abc123.part").write_bytes(b"half")
    assert cache.save("abc", b"code")
    assert cache.load("abc") == b"code"


def test_where_nothing_can_be_written_the_code_is_compiled_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder", encoding="utf-8")
    monkeypatch.setenv("VEIL_CACHE", str(blocked / "cache"))
    monkeypatch.setattr(cache, "_said", set())
    machine = Machine(load("tic_tac_toe").program)
    assert machine.playouts(machine.initial_states(), 10, seed=1).playouts[0] == 10
    assert "compiled in memory" in capsys.readouterr().err


def test_a_full_disk_leaves_nothing_behind(code_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert not cache.save("a", b"code")
    assert list(code_folder.iterdir()) == []


def test_keys_depend_on_every_part() -> None:
    assert len({cache.key("a", "b"), cache.key("ab", ""), cache.key("a", "c"), cache.key("a")}) == 4
