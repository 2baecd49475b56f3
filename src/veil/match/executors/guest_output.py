"""What a guest prints: copied to standard error as visible text, and no more than `MAX_OUTPUT` bytes of a process.

It is copied in whole lines. Where a progress bar is on the terminal, each piece that is written becomes a line.

A guest is not given our standard error itself. If that is a terminal, a process can read from it what a person types,
and can send it escape sequences that make it do things.
"""

from __future__ import annotations

import codecs
import os
import sys
import threading
from contextlib import suppress

from veil.match.executors.processes import FORK_SERVER
from veil.sanitize import make_visible

MAX_OUTPUT = 1 << 20  # bytes that a guest may print in a match; after that it can print no more
PORTION = 1 << 16
LONGEST_LINE = 1 << 12  # characters that wait for the end of their line
LAST_SECONDS = 1.0  # to copy what was printed before the process ended
TOO_MUCH = "note: a player has printed more than {megabytes} MB; the rest is left out\n"


class GuestOutput:
    """A pipe from a guest, and the thread that copies from it."""

    def __init__(self) -> None:
        self._reader, self.writer = FORK_SERVER.Pipe(duplex=False)
        self._thread = threading.Thread(target=self._copy, name="prints for a guest", daemon=True)

    def begin(self) -> None:
        """Start to copy; the process has the other end now."""
        self.writer.close()
        self._thread.start()

    def end(self) -> None:
        """Copy the rest. The process has ended."""
        if self._thread.ident is not None:
            self._thread.join(LAST_SECONDS)
        else:
            self.writer.close()
            self._reader.close()

    def _copy(self) -> None:
        decoder, left, begun = codecs.getincrementaldecoder("utf-8")("replace"), MAX_OUTPUT, ""
        with self._reader as reader, suppress(OSError, ValueError):  # nobody reads standard error any more
            while left >= 0 and (part := os.read(reader.fileno(), PORTION)):
                lines, end, begun = (begun + decoder.decode(part[:left])).rpartition("\n")
                if len(begun) > LONGEST_LINE:
                    end, begun = end + begun, ""
                _show(lines + end)
                left -= len(part)
            _show(begun)
            if left < 0:
                _show(TOO_MUCH.format(megabytes=MAX_OUTPUT >> 20))


def _show(text: str) -> None:
    if text and sys.stderr is not None:
        sys.stderr.write(make_visible(text))
        sys.stderr.flush()
