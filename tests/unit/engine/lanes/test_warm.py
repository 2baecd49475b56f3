from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from veil.engine.lanes import cache, warm


@pytest.fixture
def restored() -> Iterator[None]:
    yield
    os.environ.pop("VEIL_KERNEL_CACHE", None)
    importlib.reload(importlib.import_module("veil.engine.lanes.kernels"))


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("cannot cache function")])
def test_where_no_kernel_can_be_kept_they_are_compiled_in_memory(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[str] = []

    def exercise(module: ModuleType) -> None:
        calls.append(type(module.run_static._cache).__name__)
        if len(calls) == 1:
            raise error

    monkeypatch.setenv("VEIL_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "_said", set())
    monkeypatch.setattr(warm, "exercise", exercise)
    warm.kernels.__wrapped__()
    assert calls == ["FunctionCache", "NullCache"]
    assert "cannot keep compiled kernels" in capsys.readouterr().err


def test_the_wait_for_compilation_is_announced_once_per_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VEIL_CACHE", str(tmp_path))
    notes = []
    for _ in range(2):
        monkeypatch.setattr(cache, "_said", set())
        warm.kernels.__wrapped__()
        notes.append(capsys.readouterr().err)
    assert notes == [warm.NOTE + "\n", ""]
