from __future__ import annotations

import fcntl
import os
from io import StringIO
from pathlib import Path
from threading import Timer
from time import sleep
from typing import Any

import pytest
from rich.console import Console

from tests.support.throwaway_kernels import import_as_process, was_compiled
from veil.engine.lanes import cache, preparation
from veil.engine.lanes.preparation import NOTE, PREPARATION, Preparation, Stopwatch


def hold_lock(path: Path) -> int:
    """Take the lock of a kernel, as another process would."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return lock


def test_a_stopwatch_leaves_out_the_preparation_of_kernels() -> None:
    watch = Stopwatch()
    with PREPARATION.run():
        sleep(0.2)
        assert watch.seconds() < 0.1
        with PREPARATION.run():
            sleep(0.2)
    assert watch.seconds() < 0.2
    sleep(0.2)
    assert watch.seconds() >= 0.2


def test_whoever_compiles_waits_for_another_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock, ours = hold_lock(path), Preparation()
    Timer(0.3, os.close, (lock,)).start()
    with ours.run():
        watch = Stopwatch()
        assert ours.wait_for_turn(path)
        assert watch.seconds() > 0.1
        assert not ours.wait_for_turn(path)  # it is our turn already
        with pytest.raises(BlockingIOError):
            hold_lock(path)
    os.close(hold_lock(path))


def test_the_turn_of_a_kernel_inside_of_another_ends_before(tmp_path: Path) -> None:
    ours = Preparation()
    with ours.run():
        assert ours.wait_for_turn(tmp_path / "outer")
        for _ in range(2):
            with ours.run():
                assert ours.wait_for_turn(tmp_path / "inner")
                with pytest.raises(BlockingIOError):
                    hold_lock(tmp_path / "inner")
            os.close(hold_lock(tmp_path / "inner"))
        with pytest.raises(BlockingIOError):
            hold_lock(tmp_path / "outer")


@pytest.mark.compiled("it is about compilation")
def test_a_process_that_compiles_another_kernel_is_not_waited_for(
    kernel_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparation, "sleep", pytest.fail)
    module = import_as_process(kernel_folder)
    lock = hold_lock(module.outer._cache.lock_path)
    assert module.inner(5) == 10
    assert was_compiled(module.inner)
    os.close(lock)


def test_nobody_waits_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "PATIENCE", 0.2)
    lock, ours = hold_lock(tmp_path / "lock"), Preparation()
    with ours.run():
        assert not ours.wait_for_turn(tmp_path / "lock")
    os.close(lock)


def test_a_folder_without_room_for_a_lock_is_no_obstacle(tmp_path: Path) -> None:
    ours = Preparation()
    with ours.run():
        assert not ours.wait_for_turn(tmp_path / "missing" / "lock")


def test_a_failure_ends_the_turn(tmp_path: Path) -> None:
    ours = Preparation()

    def fail() -> None:
        with ours.run():
            assert ours.wait_for_turn(tmp_path / "lock")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    os.close(hold_lock(tmp_path / "lock"))


@pytest.mark.compiled("it is about compilation")
def test_the_wait_for_compilation_is_announced_once_per_machine(
    kernel_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    notes = []
    for _ in range(2):
        monkeypatch.setattr(cache, "_said", set())
        import_as_process(kernel_folder).outer(5)
        notes.append(capsys.readouterr().err)
    assert notes == [NOTE + "\n", ""]


@pytest.mark.compiled("it is about compilation")
def test_a_terminal_shows_a_bar_with_the_kernel_that_is_being_compiled(
    kernel_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    screen = StringIO()
    monkeypatch.setattr(preparation, "is_watched", lambda: True)
    monkeypatch.setattr(
        preparation, "error_console", lambda: Console(file=screen, force_terminal=True, width=120, _environ={})
    )
    bars = []
    open_bar = preparation._open_bar

    def keep(total: int) -> Any:
        bars.append((total, open_bar(total)))
        return bars[-1][1]

    monkeypatch.setattr(preparation, "_open_bar", keep)
    import_as_process(kernel_folder).outer(5)
    ((total, bar),) = bars
    assert bar is not None
    assert total == 2  # the kernel and the one that it calls
    assert bar.tasks[0].completed == 2
    assert "compiling kernels for this machine, once" in screen.getvalue()
    assert "outer" in screen.getvalue()
    assert capsys.readouterr().err == ""
    import_as_process(kernel_folder).outer(5)
    assert len(bars) == 1  # read from disk: nothing to show
