"""A game of a person against machines, with hints, beliefs, undo, saved games, and the true states at the end.

To take a move back and to continue a saved game, the match is played again up to some round (`ResumableMatch`).

A saved game names its players. A file may come from somebody else, so a guest among them, whose code would run, is
let in only if the person has named it as well.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from veil.boards import fill_state, render_scene_text, tell_record
from veil.cli.hint import find_hint
from veil.cli.output import print_drawing, print_text
from veil.cli.saved_game import AdjournedGame, read_saved, seal, unseal, write_saved
from veil.cli.terminal import TerminalPerson, has_colours, make_plan
from veil.errors import VeilError, fail
from veil.players import is_guest
from veil.report import find_column, label_text, terminal_width

if TYPE_CHECKING:
    from veil.cli.belief_boards import BeliefBoards
    from veil.engine import Game
    from veil.match import MatchConfig, MatchLog, ResumableMatch
    from veil.players import Request

UNDO, RESUME = "person-takes-back", "person-resumes"  # end a run of the match, but not the game
NOTHING_TO_UNDO = "there is no move of yours to take back"


class PlaySession:
    """One game of one person, who can leave and continue it."""

    def __init__(
        self, game: Game, role: str, seats: dict[str, str], seed: int, config: MatchConfig, words: Sequence[str] = ()
    ) -> None:
        """Prepare a game. `words` are those that name the game on a command line; without them, it has its name."""
        self._words = words or (game.name,)
        self.game, self.role, self.seats, self.seed, self.config = game, role, seats, seed, config
        self._trusted = set(seats.values())  # players that the person has named
        self.played: list[dict[str, str]] = []  # moves by role, of the rounds that are played again
        self.file_name = ""  # to which the game was saved last
        self._plan = make_plan(game)
        self._match: ResumableMatch | None = None
        self._person: TerminalPerson | None = None
        self._saved: AdjournedGame | None = None  # the game to continue with

    def run(self) -> MatchLog:
        """Play the game to its end and return its log. Raises `VeilError` if the person leaves, or the input ends."""
        from veil.match import ResumableMatch, Round  # help needs none of it

        while True:
            self._person = TerminalPerson(game=self.game, plan=self._plan, commands=self._commands())
            played = [Round(moves=moves, sees={}) for moves in self.played]
            self._match = ResumableMatch(
                self.game, self.seats, self.seed, self.config, person=self._person, played=played
            )
            self._recall()
            try:
                log = self._match.run()
            except VeilError as error:
                code = error.problems[0].code
                if code not in (UNDO, RESUME):
                    raise
                self._go_back() if code == UNDO else self._take_up()
                continue
            if log.rounds:
                self._person.show_percepts(self.role, frozenset(log.rounds[-1].sees[self.role]))
            return log

    def take_up(self, name: str) -> None:
        """Continue the saved game of a file."""
        self._saved = self._read(name)
        self._take_up()

    def show_truth(self, log: MatchLog) -> None:
        """Print all moves of the game that were a choice, and the true boards at its end."""
        state, lines = self.game.initial_state(), []
        for number, entry in enumerate(log.rounds, 1):
            chose = [f"{role} {move}" for role, move in entry.moves.items() if len(state.legal(role)) > 1]
            if chose:
                lines.append((f"{number}.", ", ".join(chose)))
            state, _ = state.play(entry.moves)
        column = find_column([label for label, _ in lines], 6)
        print_text("\n".join(["the truth:", *(label_text(label, text, column) for label, text in lines)]))
        print_drawing(
            render_scene_text(fill_state(self._plan, state), colour=has_colours(sys.stdout), width=terminal_width())
        )

    # Commands at the prompt

    def _commands(self) -> dict[str, Any]:
        return {
            "hint": self._hint,
            "belief": self._belief,
            "undo": self._undo,
            "save": self._save,
            "resume": self._resume,
        }

    def _boards(self) -> BeliefBoards:
        assert self._person is not None
        return self._person.boards[self.role]

    def _hint(self, request: Request, rest: str) -> str:
        """Answer `hint` or `hint SPEC`: return the move that a player suggests, and its reasons."""
        return "\n".join(find_hint(self.game, self._boards().belief.record, request.legal or (), rest))

    def _belief(self, request: Request, rest: str) -> str:
        """Answer `belief` or `belief ASSUMPTION`: return what is certain and possible, under an assumption."""
        boards = self._boards()
        return "\n".join((boards.assume(rest) if rest else boards).list_fluents())

    def _undo(self, request: Request, rest: str) -> str:
        """Take back the last move that was a choice. This works only if all other players are machines."""
        from veil.players import PERSON, needs_of_spec  # help needs none of it

        if any(PERSON in needs_of_spec(spec) for role, spec in self.seats.items() if role != self.role):
            return "undo is for games against machines"
        if self._find_last_choice() is None:
            return NOTHING_TO_UNDO
        raise fail(UNDO, role=request.role)

    def _save(self, request: Request, rest: str) -> str:
        """Answer `save FILE`: write the game to a file."""
        if not rest:
            return "save needs the name of a file: save mygame.json"
        moves = self._moves()
        clocks = {"start_seconds": self.config.start_seconds, "play_seconds": self.config.play_seconds}
        saved = AdjournedGame(
            game=self.game.name,
            rules=self.game.fingerprint,
            role=self.role,
            players=self.seats,
            seed=self.seed,
            own_moves=[entry[self.role] for entry in moves],
            sealed=seal(moves),
            allow_cheat=self.config.allow_cheat,
            **clocks,
        )
        write_saved(rest, saved)
        self.file_name = rest
        named = [f"--player={role}={spec}" for role, spec in self.seats.items() if is_guest(spec)]
        again = shlex.join(["veil", "play", *self._words, "--as", self.role, "--resume", rest, *named])
        return f"saved; `{again}` goes on, `quit` leaves"

    def _resume(self, request: Request, rest: str) -> str:
        """Answer `resume FILE`: continue a saved game of the same rules and role."""
        name = rest or self.file_name
        if not name:
            return "resume needs the name of a file that was saved"
        self._saved = self._read(name)
        raise fail(RESUME, role=request.role)

    # Rounds that are played again

    def _read(self, name: str) -> AdjournedGame:
        saved = read_saved(name, self.game)
        if saved.role != self.role:
            raise fail("bad-saved-game", name=name, what=f"it was played as {saved.role}, not as {self.role}")
        for role, spec in saved.players.items():
            if is_guest(spec) and spec not in self._trusted:
                raise fail("saved-game-runs-code", name=name, role=role, spec=spec)
        unseal(name, saved.sealed)
        return saved

    def _take_up(self) -> None:
        """Replace the present game by the saved game."""
        from veil.match import MatchConfig  # help needs none of it

        assert self._saved is not None
        saved, self._saved = self._saved, None
        self.played, self.seed, self.seats = unseal(saved.game, saved.sealed), saved.seed, saved.players
        self.config = MatchConfig(
            start_seconds=saved.start_seconds,
            play_seconds=saved.play_seconds,
            allow_cheat=saved.allow_cheat,
            reports=self.config.reports,
        )

    def _go_back(self) -> None:
        """Drop all rounds from the last choice of the person on."""
        last = self._find_last_choice()
        assert last is not None
        self.played = self._moves()[:last]

    def _find_last_choice(self) -> int | None:
        """Return the number, from 0, of the last round in which the person had a choice; None if there is none."""
        state, last = self.game.initial_state(), None
        for index, moves in enumerate(self._moves()):
            if len(state.legal(self.role)) > 1:
                last = index
            state, _ = state.play(moves)
        return last

    def _moves(self) -> list[dict[str, str]]:
        assert self._match is not None
        return self._match.moves

    def _recall(self) -> None:
        """Print what the role has done and seen in the rounds that are played again."""
        if not self.played:
            return
        from veil.engine import record_of  # help needs none of it

        try:
            record = record_of(self.game, self.role, self.played)
        except VeilError:
            return  # the match will refuse these rounds with a message
        lines = [
            (f"{line.round}.", line.move + (f": {', '.join(line.percepts)}" if line.percepts else ""))
            for line in tell_record(self.game, record)
        ]
        column = find_column([label for label, _ in lines], 6)
        print_text("\n".join([f"{self.role} so far:", *(label_text(label, text, column) for label, text in lines)]))
