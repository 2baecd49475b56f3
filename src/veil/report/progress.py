"""Progress of a command: one line on standard error, which disappears when the work is done.

If standard error is no terminal, a line is written from time to time about work that is counted: after `FIRST_LINE`
seconds, and then more and more rarely. Nothing is imported for that.
"""

from __future__ import annotations

import sys
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING

from veil.clock import show_seconds
from veil.sanitize import show_text
from veil.terminal import error_console, is_watched

if TYPE_CHECKING:
    from rich.progress import Progress as Display, ProgressColumn

FIRST_LINE, MOST_BETWEEN = 15.0, 300.0  # seconds before the first line, and maximal seconds between later ones
PREPARATION = "veil.engine.lanes.preparation"  # the module that counts the time for compiling, if it is used
MAX_NAME = 80  # characters of a shown word: names of games may be long


class Progress:
    """A line with the task, a note, and, if the amount is known, a bar, counts and the time left.

    with Progress("playing") as progress:
        progress.count(3, 10)
        progress.say("kuhn_poker")
    """

    def __init__(self, task: str, total: int | None = None) -> None:
        self._task, self._total = show_text(task, MAX_NAME), total
        self._lines: _Lines | None = None
        self._display: Display | None = None

    def __enter__(self) -> Progress:
        if is_watched():
            from rich.progress import Progress as Display  # takes long to import

            self._display = Display(console=error_console(), transient=True)  # shared with the bar of kernels
            self._display.start()
            self.begin(self._task, self._total)
        elif sys.stderr is not None:
            self._lines = _Lines(self._task, self._total)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._display is not None:
            self._display.stop()
            self._display = None

    def begin(self, task: str, total: int | None = None) -> None:
        """Start another task; `total` is its amount, None if it is unknown."""
        task = show_text(task, MAX_NAME)
        if self._lines is not None:
            self._lines = _Lines(task, total)
        if self._display is not None:
            for number in self._display.task_ids:
                self._display.remove_task(number)
            self._display.columns = _columns(counted=total is not None)
            self._display.add_task(task, total=total, note="")

    def say(self, note: str) -> None:
        """Show a note beside the task."""
        if self._display is not None:
            self._display.update(self._display.task_ids[0], note=show_text(note, MAX_NAME))

    def count(self, done: int, total: int) -> None:
        """Set the progress to `done` of `total`; a bar and the time left are shown from now on."""
        if self._lines is not None:
            self._lines.count(done, total)
        if self._display is not None:
            self._display.columns = _columns(counted=True)
            self._display.update(self._display.task_ids[0], completed=done, total=total)

    def advance(self, more: int) -> None:
        """Add `more` to the progress; call `begin` with a total first."""
        if self._lines is not None:
            self._lines.count(self._lines.done + more, self._lines.total or 0)
        if self._display is not None:
            self._display.update(self._display.task_ids[0], advance=more)


class _Lines:
    """Lines on standard error about one task, for readers of a log."""

    def __init__(self, task: str, total: int | None) -> None:
        self.task, self.total, self.done = task, total, 0
        self._before = None if total is None else 0  # done before this process began; None until the first count
        self._start, self._prepared = perf_counter(), _find_preparation()
        self._pause, self._next = FIRST_LINE, self._start + FIRST_LINE

    def count(self, done: int, total: int) -> None:
        """Set the progress to `done` of `total`, and print a line if it is time to."""
        self.done, self.total = done, total
        if self._before is None:
            self._before = done if done < total else 0
        now = perf_counter()
        if now >= self._next and done < total:
            self._pause = min(2 * self._pause, MOST_BETWEEN)
            self._next = now + self._pause
            print(f"{self.task}: {done:,} of {total:,}{self._time_left(now)}", file=sys.stderr, flush=True)

    def _time_left(self, now: float) -> str:
        here = self.done - (self._before or 0)
        if here < 1 or self.total is None:
            return ""
        worked = max(0.0, now - self._start - (_find_preparation() - self._prepared))
        return f", about {show_seconds((self.total - self.done) * worked / here)} left"


def _find_preparation() -> float:
    """Return the seconds that this process has spent on compiling kernels, which happens once. Nothing is imported."""
    module = sys.modules.get(PREPARATION)
    return float(module.PREPARATION.seconds) if module is not None else 0.0


def _columns(counted: bool) -> tuple[ProgressColumn, ...]:
    """Return the parts of the line, with or without counts."""
    from rich.progress import (  # takes long to import
        BarColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    texts = (TextColumn("{task.description}", markup=False), TextColumn("{task.fields[note]}", markup=False))
    if not counted:
        return SpinnerColumn(), *texts, TimeElapsedColumn()
    counts = TextColumn("{task.completed:,.0f} of {task.total:,.0f}", markup=False)
    return texts[0], BarColumn(bar_width=20), counts, texts[1], TimeRemainingColumn()
