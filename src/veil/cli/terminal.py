"""The person at the terminal: told what the role was told and can be certain of, and asked for a move, line by line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from veil.cli.output import print_text
from veil.cli.own_view import OwnView
from veil.errors import fail

if TYPE_CHECKING:
    from veil.engine import Game
    from veil.players import Request

MAX_DIGITS = 9  # of a number in the list; more is no number of ours
INDENT = 10  # where texts begin
QUIT, HELP = "quit", "help"  # unless a move is called so
ANSWERS = "a number from the list, or the move as it is written there; `quit` leaves the game"


class TerminalPerson:
    """Asks for moves by lines of text: called with a request, it prints what was seen and returns a legal move.

    A role with one legal move is not asked. Given the game, it also prints what the role can be certain of. Streams are
    those of the process where none are given.
    """

    def __init__(self, source: TextIO | None = None, sink: TextIO | None = None, *, game: Game | None = None) -> None:
        self._source, self._sink, self._game = source, sink, game
        self._views: dict[str, OwnView] = {}

    def __call__(self, request: Request) -> str:
        """The move; raises `VeilError` where the input has ended, or the person leaves."""
        legal, role = request.legal or (), request.role
        if self._game is not None and role not in self._views:
            self._views[role] = OwnView(self._game, role)
        view = self._views.get(role)
        if request.observation is not None:
            self.show_percepts(role, request.observation.percepts)
            if view is not None:
                view.hear(request.observation)
        if len(legal) == 1:
            return legal[0]
        if view is not None:
            self._print("".join(f"{line}\n" for line in view.describe(INDENT)))
        self._list_moves(legal)
        return self._ask(role, legal)

    def show_percepts(self, role: str, percepts: frozenset[str]) -> None:
        """Print what a role has seen, if anything."""
        if percepts:
            self._print(f"{role} sees {' '.join(sorted(percepts))}\n")

    def _ask(self, role: str, legal: Sequence[str]) -> str:
        while True:
            self._print(f"{role}> ")
            word = self._read_line(role)
            named = find_move(word, legal)
            if named is not None:
                return named
            if word.lower() == QUIT:
                raise fail("person-left", role=role)
            self._print(f"{ANSWERS}\n")
            if word.lower() == HELP:
                self._list_moves(legal)

    def _list_moves(self, legal: Sequence[str]) -> None:
        for number, move in enumerate(legal, 1):
            self._print(f"  {number:3} {move}\n")

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
