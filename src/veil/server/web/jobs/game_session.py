"""A game between a person and players, in its worker: open, move, look, resign; and the data for the browser.

1. The session is read from its file; its rounds are played again, and the players observe them.
2. Rounds in which the person has one legal move are played at once. Otherwise the match waits for the person.
3. After every round the file is written, before the browser gets an answer.

Before the end, every answer is a function of what the person's role was told: its record and its legal moves. Goals,
the others' moves, errors, reports and the seed are part of the answer at the end.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

from veil.engine import Game, Record
from veil.errors import fail, phrase
from veil.match import MatchConfig, ResumableMatch, check_seats
from veil.server.web.host.browser_players import check_players
from veil.server.web.host.sessions import StudioSession, read_session, write_session
from veil.server.web.host.workers import Say
from veil.server.web.jobs.belief_view import tell_belief, tell_world, track_belief
from veil.server.web.jobs.game_sources import open_game
from veil.server.web.jobs.scenery import Scenery
from veil.vocabulary import RANDOM

HUMAN, OPPONENT = "human", "hyperplay"  # the person, and the player of roles that have none
MAX_ROUNDS = 1000


class PlayedGame:
    """A game that a person plays, as it stands."""

    def __init__(self, path: str, source: dict[str, Any], game: Game | None = None) -> None:
        """Open a session; `game` is the game of the session if it is open already."""
        self.path, self.session = path, read_session(path)
        game = game or open_stored(self.session, source)
        self.scenery, self.role = Scenery(game), self.session.role
        self.belief = track_belief(game, self.role)
        config = MatchConfig(play_seconds=self.session.play_seconds, max_rounds=MAX_ROUNDS, reports=True)
        players, seed, played = self.session.players, self.session.seed, self.session.rounds
        self._resumable = ResumableMatch(game, players, seed, config, outside={self.role}, played=played)
        self.match = self._resumable.match
        self._restore()

    @property
    def record(self) -> Record:
        """What the person's role was told."""
        return find_record(self.session, self.match.is_over and self.match.log.finished)

    @property
    def is_over(self) -> bool:
        """Whether everything may be shown."""
        return self.match.is_over or self.session.resigned

    def legal(self) -> list[str]:
        """Return the person's legal moves."""
        if self.is_over:
            return []
        return list(self.match.requests()[self.role].legal or ())

    def go_on(self, move: str | None = None) -> None:
        """Play the person's move, and the rounds after it in which the person has no choice."""
        while not self.is_over:
            legal = self.legal()
            if len(legal) > 1 and move not in legal:
                return
            own_move, move = (move if move in legal else legal[0]), None
            clock = perf_counter()
            self._resumable.advance({self.role: own_move})
            self.session.thinking.append(round(perf_counter() - clock, 4))
            write_session(self.path, self.session)

    def resign(self) -> None:
        """Let the person give up: the goal is 0, and everything may be shown."""
        self.session.resigned = True
        write_session(self.path, self.session)

    def _restore(self) -> None:
        """Play the rounds of the file again, and let the players observe them."""
        number = self._resumable.start()
        if number is not None:
            is_too_long = number > len(self.match.log.rounds)
            what = "studio-too-many-rounds" if is_too_long else "studio-other-moves"
            raise fail("studio-bad-session", name="", what=phrase(what, number=number))
        self.session.rounds = self.match.log.rounds  # from now on one list


# The functions that a worker is asked to call

_open: dict[str, PlayedGame] = {}  # by path; a worker has one game


def _find(path: str, source: dict[str, Any]) -> PlayedGame:
    if path not in _open:
        _open.clear()
        _open[path] = PlayedGame(path, source)
    _open[path].go_on()
    return _open[path]


def look(say: Say, path: str, source: dict[str, Any]) -> dict[str, Any]:
    """Return the game as it stands, as far as the person may know it."""
    return tell_view(_find(path, source))


def move(say: Say, path: str, source: dict[str, Any], round_number: int, text: str) -> dict[str, Any]:
    """Play a move in the round after `round_number` rounds; a late one, from an old page, is ignored."""
    played = _find(path, source)
    if round_number == len(played.match.log.rounds):
        if text not in played.legal():
            raise fail("studio-over" if played.is_over else "studio-bad-request", what=phrase("studio-not-legal"))
        played.go_on(text)
    return tell_view(played)


def resign(say: Say, path: str, source: dict[str, Any]) -> dict[str, Any]:
    """Let the person give up."""
    played = _find(path, source)
    if not played.is_over:
        played.resign()
    return tell_view(played)


def believe_now(say: Say, path: str, source: dict[str, Any]) -> dict[str, Any]:
    """Return what the person can know."""
    played = _find(path, source)
    played.belief.follow(played.record)
    return tell_belief(played.scenery, played.belief)


def look_at_world(say: Say, path: str, source: dict[str, Any], number: int) -> dict[str, Any]:
    """Return one of the worlds that are possible for the person."""
    played = _find(path, source)
    played.belief.follow(played.record)
    return tell_world(played.scenery, played.belief, number)


def tell_view(played: PlayedGame) -> dict[str, Any]:
    """Return the data beside the board. Before the end nothing in it depends on what the role was not told."""
    legal, session = played.legal(), played.session
    view: dict[str, Any] = {
        "game": session.source.name,
        "is_own": session.source.text is not None,
        "role": played.role,
        "roles": [role for role in played.scenery.game.roles if role != RANDOM],
        "players": session.players,
        "play_seconds": session.play_seconds,
        "round": len(played.match.log.rounds),
        "over": played.is_over,
        "choices": played.scenery.offer(played.role, legal),
        "record": played.scenery.tell(played.record),
    }
    if played.is_over:
        view |= _tell_end(played)
    return view


def _tell_end(played: PlayedGame) -> dict[str, Any]:
    log = played.match.log
    goals = dict(log.goals) if played.match.is_over else {}
    return {
        "resigned": played.session.resigned,
        "finished": played.match.is_over and log.finished,
        "goals": goals,
        "seed": played.session.seed,
        "errors": [
            {"round": number, "role": role, "what": what}
            for number, entry in enumerate(log.rounds, 1)
            for role, what in entry.errors.items()
        ],
    }


def begin(say: Say, path: str, source: dict[str, Any]) -> dict[str, Any]:
    """Check a new session, spell its role and players as the rules do, and prepare it."""
    session = read_session(path)
    game = open_stored(session, source)
    session.role, session.players = assign_seats(game, session)
    game.machine.initial_states()  # raises an error now if the game cannot be ground
    write_session(path, session)
    _open.clear()
    _open[path] = PlayedGame(path, source, game)
    return {"role": session.role, "players": session.players}


def assign_seats(game: Game, session: StudioSession) -> tuple[str, dict[str, str]]:
    """Return the role of the person, the first if none is named, and the player of each role."""
    role = game.role_name(session.role or next(name for name in game.roles if name != RANDOM))
    if role == RANDOM:
        raise fail("bad-seat", what=f"{RANDOM} is played by the referee")
    named = {game.role_name(name): spec for name, spec in session.players.items() if spec.strip()}
    named.pop(role, None)
    check_players(named)
    specs = {name: named.get(name, OPPONENT) for name in game.roles if name != RANDOM} | {role: HUMAN}
    return role, check_seats(game, specs, MatchConfig(play_seconds=session.play_seconds))


def find_record(session: StudioSession, over: bool = False) -> Record:
    """Return what the person's role was told: all that the page, a hint or a belief may use before the end."""
    rounds = tuple((entry.moves[session.role], frozenset(entry.sees[session.role])) for entry in session.rounds)
    return Record(session.role, rounds, over)


def open_stored(session: StudioSession, limits: dict[str, Any]) -> Game:
    """Return the game of a session, within the limits of a worker."""
    stored = session.source
    return open_game(limits | {"name": stored.name, "text": stored.text, "transfer": stored.transfer})
