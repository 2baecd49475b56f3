"""What a command is doing, while it does it: one line on standard error, gone when the work is done.

Where standard error is no terminal nothing is shown, and nothing is imported.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from veil.terminal import error_console, is_watched

if TYPE_CHECKING:
    from rich.progress import Progress as Display, ProgressColumn


class Progress:
    """A line with what is being done, a note, and, where the amount is known, a bar, counts and the time left.

    with Progress("playing") as progress:
        progress.count(3, 10)
        progress.say("kuhn_poker")
    """

    def __init__(self, task: str, total: int | None = None) -> None:
        self._task, self._total = task, total
        self._display: Display | None = None

    def __enter__(self) -> Progress:
        if is_watched():
            from rich.progress import Progress as Display

            self._display = Display(console=error_console(), transient=True)  # shared with the bar of kernels
            self._display.start()
            self.begin(self._task, self._total)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._display is not None:
            self._display.stop()
            self._display = None

    def begin(self, task: str, total: int | None = None) -> None:
        """Something else is done from now on; `total` is how much of it there is, None where nobody knows."""
        if self._display is not None:
            for number in self._display.task_ids:
                self._display.remove_task(number)
            self._display.columns = _columns(counted=total is not None)
            self._display.add_task(task, total=total, note="")

    def say(self, note: str) -> None:
        """Show this beside what is being done."""
        if self._display is not None:
            self._display.update(self._display.task_ids[0], note=note)

    def count(self, done: int, total: int) -> None:
        """`done` of `total` are done; a bar and the time left are shown from now on."""
        if self._display is not None:
            self._display.columns = _columns(counted=True)
            self._display.update(self._display.task_ids[0], completed=done, total=total)

    def advance(self, more: int) -> None:
        """`more` is added to what is done; begin with a total first."""
        if self._display is not None:
            self._display.update(self._display.task_ids[0], advance=more)


def _columns(counted: bool) -> tuple[ProgressColumn, ...]:
    """The parts of the line, with or without counts."""
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    texts = (TextColumn("{task.description}", markup=False), TextColumn("{task.fields[note]}", markup=False))
    if not counted:
        return SpinnerColumn(), *texts, TimeElapsedColumn()
    counts = TextColumn("{task.completed:,.0f} of {task.total:,.0f}", markup=False)
    return texts[0], BarColumn(bar_width=20), counts, texts[1], TimeRemainingColumn()
