"""A person at the terminal, who is shown what the role knows and asked for a move or a command, line by line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

from veil.cli.belief_boards import BeliefBoards
from veil.cli.output import print_drawing, print_text
from veil.errors import VeilError, fail
from veil.report import terminal_width
from veil.signals import interruptible

if TYPE_CHECKING:
    from veil.boards import ViewPlan
    from veil.engine import Game
    from veil.players import Observation, Request

MAX_DIGITS = 9  # of a number in the list of moves; a longer number is not in the list
QUIT, HELP = "quit", "help"  # unless a move has this name
ANSWERS = "a number from the list, or the move, with or without its outer parentheses; `quit` leaves the game"
MOST_LINES = 12  # of a list of moves; a longer list has several columns

Command = Callable[["Request", str], str]  # (request, text after the command word) -> text to print


class TerminalPerson:
    """A person who answers requests by lines of text. A call shows what the role knows, and returns a legal move.

    A role with only one legal move is not asked. If the game is given, boards are drawn as the role knows them.
    `commands` maps further words to functions. The default streams are standard input and output.
    """

    def __init__(
        self,
        source: TextIO | None = None,
        sink: TextIO | None = None,
        *,
        game: Game | None = None,
        plan: ViewPlan | None = None,
        commands: Mapping[str, Command] | None = None,
    ) -> None:
        self._source, self._sink, self._game, self._plan = source, sink, game, plan
        self._commands = dict(commands or {})
        self.boards: dict[str, BeliefBoards] = {}  # by role

    def __call__(self, request: Request) -> str:
        """Ask for a move and return it. Raises `VeilError` if the input has ended or the person leaves."""
        legal, role = request.legal or (), request.role
        if request.observation is not None:
            self.show_percepts(role, request.observation.percepts)
        self.observe(role, request.observation)
        if len(legal) == 1:
            return legal[0]
        self.show_boards(role)
        self._list_moves(legal)
        return self._ask(request, legal)

    def observe(self, role: str, observation: Observation | None) -> None:
        """Update the belief of the role with a round; print nothing."""
        if self._game is None:
            return
        if role not in self.boards:
            self.boards[role] = BeliefBoards(self._game, role, self._make_plan(self._game))
        self.boards[role].belief.observe(observation)

    def show_percepts(self, role: str, percepts: frozenset[str]) -> None:
        """Print the percepts of a role, if there are any."""
        if percepts:
            self._print(f"{role} sees {' '.join(sorted(percepts))}\n")

    def show_boards(self, role: str) -> None:
        """Draw what a role knows, if the game was given."""
        if role in self.boards:
            drawing = self.boards[role].draw(colour=has_colours(self._sink or sys.stdout))
            print_drawing(drawing, sink=self._sink)

    def _ask(self, request: Request, legal: Sequence[str]) -> str:
        while True:
            self._print(f"{request.role}> ")
            line = self._read_line(request.role)
            named = find_move(line, legal)
            if named is not None:
                return named
            word, _, rest = line.partition(" ")
            if word.lower() == QUIT:
                raise fail("person-left", role=request.role)
            if word.lower() in self._commands:
                self._obey(word.lower(), request, rest.strip())
                continue
            self._print(f"{self._describe_answers()}\n")
            if word.lower() == HELP:
                self._list_moves(legal)

    def _obey(self, word: str, request: Request, rest: str) -> None:
        """Run a command. Print an error of the command; raise again what ends the match."""
        try:
            text = self._commands[word](request, rest)
        except VeilError as error:
            if error.problems[0].severity == "note":
                raise
            text = str(error)
        self._print(f"{text}\n")

    def _describe_answers(self) -> str:
        if not self._commands:
            return ANSWERS
        return f"{ANSWERS}; also {', '.join(f'`{word}`' for word in self._commands)}"

    def _list_moves(self, legal: Sequence[str]) -> None:
        entries = [f"  {number:3} {move}" for number, move in enumerate(legal, 1)]
        width = max(map(len, entries), default=0) + 2
        columns = 1 if len(entries) <= MOST_LINES else max(1, terminal_width() // width)
        height = -(-len(entries) // columns)
        for line in range(height):
            self._print("".join(entry.ljust(width) for entry in entries[line::height]).rstrip() + "\n")

    def _make_plan(self, game: Game) -> ViewPlan:
        if self._plan is None:
            self._plan = make_plan(game)
        return self._plan

    def _read_line(self, role: str) -> str:
        source = self._source or sys.stdin
        with interruptible():
            line = source.readline() if source is not None else ""
        if not line:
            raise fail("input-ended", role=role)
        return line.strip()

    def _print(self, text: str) -> None:
        print_text(text, end="", sink=self._sink)


def make_plan(game: Game) -> ViewPlan:
    """Return the plan for drawing the game. A terminal shows a progress message meanwhile."""
    from veil.boards import ViewConfig, plan_views  # help needs none of it
    from veil.report import Progress

    with Progress(f"looking at the board of {game.name}"):
        return plan_views(game, ViewConfig(seconds=1.0))


def has_colours(sink: TextIO | None) -> bool:
    """Return whether a stream is a terminal with colours. `NO_COLOR` turns them off, and dumb terminals have none."""
    is_terminal = sink is not None and sink.isatty()
    return is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def find_move(word: str, legal: Sequence[str]) -> str | None:
    """Return the move that a word names, by its number in the list (from 1) or by its text; None if it names none."""
    if word.isdecimal() and len(word) <= MAX_DIGITS and 1 <= int(word) <= len(legal):
        return legal[int(word) - 1]
    return next((move for move in (word, f"({word})") if move in legal), None)
