"""The person at the terminal: told what the role was told, and asked for a move, by lines of text."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from veil.cli.output import print_text
from veil.errors import fail

if TYPE_CHECKING:
    from veil.players import Request

MAX_DIGITS = 9  # of a number in the list; more is no number of ours


class TerminalPerson:
    """Asks for moves by lines of text: called with a request, it prints what was seen and returns a legal move.

    A role with one legal move is not asked. Streams are those of the process where none are given.
    """

    def __init__(self, source: TextIO | None = None, sink: TextIO | None = None) -> None:
        self._source, self._sink = source, sink

    def __call__(self, request: Request) -> str:
        """The move; raises `VeilError` where the input has ended."""
        legal = request.legal or ()
        if request.observation is not None:
            self.show_percepts(request.role, request.observation.percepts)
        if len(legal) == 1:
            return legal[0]
        for number, move in enumerate(legal, 1):
            self._print(f"  {number:3} {move}\n")
        while True:
            self._print(f"{request.role}> ")
            named = find_move(self._read_line(request.role), legal)
            if named is not None:
                return named
            self._print("a number from the list, or the move as it is written there\n")

    def show_percepts(self, role: str, percepts: frozenset[str]) -> None:
        """Print what a role has seen, if anything."""
        if percepts:
            self._print(f"{role} sees {' '.join(sorted(percepts))}\n")

    def _read_line(self, role: str) -> str:
        source = self._source or sys.stdin
        line = source.readline() if source is not None else ""
        if not line:
            raise fail("input-ended", role=role)
        return line.strip()

    def _print(self, text: str) -> None:
        print_text(text, end="", sink=self._sink)


def find_move(word: str, legal: Sequence[str]) -> str | None:
    """The move that a word names: its number in the list, from 1, or the move itself. None where it names none."""
    if word.isdecimal() and len(word) <= MAX_DIGITS and 1 <= int(word) <= len(legal):
        return legal[int(word) - 1]
    return word if word in legal else None
