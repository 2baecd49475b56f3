"""A game between people and players, in its worker: open, move, look, resign; and the data for the browser.

1. The session is read from its file; its rounds are played again, and the players observe them.
2. Rounds in which no person has a choice are played at once. Otherwise the match waits for every person that has one.
3. After every round the file is written, before the browser gets an answer.

Before the end, every answer is a function of what the role that asks was told: its record, its legal moves, and whether
its own move of this round is made. Goals, the others' moves, errors, reports and the seed are part of the answer at the
end. It is not told for whom the match waits: who has a choice may be hidden.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

from veil.belief import BeliefTracker
from veil.engine import Game, Record
from veil.errors import fail, phrase
from veil.match import MatchConfig, ResumableMatch, check_seats
from veil.server.web.host.browser_players import check_players
from veil.server.web.host.sessions import StudioSession, read_session, write_session
from veil.server.web.host.workers import Say
from veil.server.web.jobs.belief_view import tell_belief, tell_world, track_belief
from veil.server.web.jobs.description import describe_family, describe_rules
from veil.server.web.jobs.game_sources import open_game
from veil.server.web.jobs.payoffs import tell_scale
from veil.server.web.jobs.scenery import Scenery
from veil.vocabulary import RANDOM

HUMAN, OPPONENT = "human", "hyperplay"  # the person, and the player of roles that have none
MAX_ROUNDS = 1000
MODELS = {"uniform": "at random", "solve": "an equilibrium", "hyperplay": "as HyperPlay reads them"}  # of opponents


class PlayedGame:
    """A game that people play, as it stands, and the role of the person that asks now."""

    def __init__(self, path: str, source: dict[str, Any], game: Game | None = None) -> None:
        """Open a session; `game` is the game of the session if it is open already."""
        self.path, self.session = path, read_session(path)
        game = game or open_stored(self.session, source)
        self.scenery, self.role = Scenery(game), self.session.role
        self._beliefs: dict[tuple[str, str], BeliefTracker] = {}
        config = MatchConfig(play_seconds=self.session.play_seconds, max_rounds=MAX_ROUNDS, reports=True)
        players, seed, played = self.session.players, self.session.seed, self.session.rounds
        self._outside = set(self.session.people) or {self.role}
        self._resumable = ResumableMatch(game, players, seed, config, outside=self._outside, played=played)
        self.match = self._resumable.match
        self._restore()

    @property
    def record(self) -> Record:
        """What the person's role was told."""
        return find_record(self.session, self.role, self.match.is_over and self.match.log.finished)

    @property
    def is_over(self) -> bool:
        """Whether everything may be shown."""
        return self.match.is_over or self.session.resigned

    def belief(self, model: str) -> BeliefTracker:
        """Return what the person can know now, if the others play as this model of opponents."""
        check_model(model)
        key = self.role, model
        if key not in self._beliefs:
            self._beliefs[key] = track_belief(self.scenery.game, self.role, model)
        self._beliefs[key].follow(self.record)
        return self._beliefs[key]

    def find_choices(self) -> list[int]:
        """Return the rounds, from 1, in which the person had a choice."""
        state, found = self.scenery.game.initial_state(), []
        for number, entry in enumerate(self.session.rounds, 1):
            if len(state.legal(self.role)) > 1:
                found.append(number)
            state, _ = state.play(entry.moves)
        return found

    def legal(self) -> list[str]:
        """Return the person's legal moves; none if there is no choice, or the move of this round is made."""
        if self.is_over or self.role in self.session.pending:
            return []
        own = self._legal_of(self.role)
        return own if len(own) > 1 else []

    def go_on(self, move: str | None = None) -> None:
        """Take the person's move, and play all rounds for which every person has moved or has no choice."""
        if move is not None:
            self.session.pending[self.role] = move
            write_session(self.path, self.session)
        while not self.is_over:
            legal = {role: self._legal_of(role) for role in self._outside}
            moves = self.session.pending | {role: own[0] for role, own in legal.items() if len(own) == 1}
            if any(moves.get(role) not in own for role, own in legal.items()):
                return
            clock = perf_counter()
            self._resumable.advance({role: moves[role] for role in self._outside})
            self.session.thinking.append(round(perf_counter() - clock, 4))
            self.session.pending.clear()
            write_session(self.path, self.session)

    def _legal_of(self, role: str) -> list[str]:
        return list(self.match.requests()[role].legal or ())

    def resign(self) -> None:
        """Let the person give up: the goal is 0, and everything may be shown."""
        self.session.resigned = True
        self.session.resigned_by = self.role if self.session.people else ""
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


def _find(path: str, source: dict[str, Any], role: str) -> PlayedGame:
    """Return the game as the person of a role may see it; an empty role is that of the only person."""
    if path not in _open:
        _open.clear()
        _open[path] = PlayedGame(path, source)
    played = _open[path]
    played.role = role or played.session.role
    played.go_on()
    return played


def look(say: Say, path: str, source: dict[str, Any], role: str) -> dict[str, Any]:
    """Return the game as it stands, as far as the person may know it."""
    return tell_view(_find(path, source, role))


def move(say: Say, path: str, source: dict[str, Any], role: str, round_number: int, text: str) -> dict[str, Any]:
    """Play a move in the round after `round_number` rounds; a late one, from an old page, is ignored."""
    played = _find(path, source, role)
    if round_number == len(played.match.log.rounds):
        if text not in played.legal():
            raise fail("studio-over" if played.is_over else "studio-bad-request", what=phrase("studio-not-legal"))
        played.go_on(text)
    return tell_view(played)


def resign(say: Say, path: str, source: dict[str, Any], role: str) -> dict[str, Any]:
    """Let the person give up."""
    played = _find(path, source, role)
    if not played.is_over:
        played.resign()
    return tell_view(played)


def undo(say: Say, path: str, source: dict[str, Any], role: str) -> dict[str, Any]:
    """Take the person's last choice back; the machines observe the match again up to there."""
    played = _find(path, source, role)
    choices = [] if played.session.people else played.find_choices()
    if choices:
        session, number = played.session, choices[-1] - 1
        session.rounds, session.thinking, session.resigned = session.rounds[:number], session.thinking[:number], False
        session.undone += 1
        write_session(path, session)
        _open[path] = played = PlayedGame(path, source, played.scenery.game)
    return tell_view(played)


def believe_now(say: Say, path: str, source: dict[str, Any], role: str, model: str) -> dict[str, Any]:
    """Return what the person can know, if the others play as this model of opponents."""
    played = _find(path, source, role)
    return tell_belief(played.scenery, played.belief(model)) | {"model": model}


def look_at_world(say: Say, path: str, source: dict[str, Any], role: str, number: int, model: str) -> dict[str, Any]:
    """Return one of the worlds that are possible for the person."""
    played = _find(path, source, role)
    return tell_world(played.scenery, played.belief(model), number)


def about(say: Say, path: str, source: dict[str, Any], role: str) -> dict[str, Any]:
    """Return the rules in words, the legend of the board, and the models of opponents that a belief can assume."""
    played = _find(path, source, role)
    game, name = played.scenery.game, played.session.source.name
    described = describe_rules(game) if played.session.source.text is not None else describe_family(name)
    models = list(MODELS.items()) if sum(name != RANDOM for name in game.roles) > 1 else []
    return described | {"legend": played.scenery.legend(), "role": played.role, "models": models}


def copy_seats(say: Say, path: str, source: dict[str, Any], role: str) -> dict[str, Any]:
    """Return what a rematch needs: game, players, and the next role for the person, whose player takes the old one."""
    session = read_session(path)
    if session.people:
        raise fail("studio-refused", what=phrase("studio-shared"))
    game = open_stored(session, source)
    roles = [name for name in game.roles if name != RANDOM]
    mine = roles[(roles.index(session.role) + 1) % len(roles)]
    players = session.players | {session.role: session.players[mine]}
    players.pop(mine)
    if mine == session.role:
        players = {}
    stored = {"name": session.source.name, "text": session.source.text, "transfer": session.source.transfer}
    return {"source": stored, "role": mine, "players": players, "seconds": session.play_seconds}


def download(say: Say, path: str, source: dict[str, Any], role: str) -> dict[str, Any]:
    """Return the game as the line of a log, which `veil match --records` writes as well; only after its end."""
    played = _find(path, source, role)
    if not played.is_over:
        raise fail("studio-not-over")
    log = played.match.log
    return {"name": f"{played.scenery.game.name}.jsonl", "text": log.as_lines() if played.match.is_over else ""}


def watch(say: Say, path: str, source: dict[str, Any], spectators: str) -> dict[str, Any]:
    """Return what spectators may see: everything, what the first person knows, or nothing before the end."""
    session = read_session(path)
    first = next(iter(session.people), session.role)
    played = _find(path, source, first)
    shown: dict[str, Any] = {
        "game": session.source.name,
        "people": played.session.people,
        "over": played.is_over,
        "as": "",
        "scale": tell_scale(played.scenery.game),
        "scene": None,
    }
    if played.is_over or spectators == "all":
        state = played.scenery.game.initial_state()
        for entry in played.session.rounds:
            state, _ = state.play(entry.moves)
        shown |= {"scene": played.scenery.show_state(state.fluents), "round": len(played.session.rounds)}
    elif spectators == "side":
        known = tell_belief(played.scenery, played.belief("uniform"))
        shown |= {"scene": known["scene"], "round": known["round"], "as": first}
    return shown | ({"goals": dict(played.match.log.goals)} if played.match.is_over else {})


def check_model(model: str) -> None:
    """Raise `VeilError` for a model of opponents that a browser must not name."""
    if model not in MODELS:
        raise fail("studio-bad-request", what=phrase("studio-no-model"))


def tell_view(played: PlayedGame) -> dict[str, Any]:
    """Return the data beside the board. Before the end nothing in it depends on what the role was not told."""
    legal, session, choices = played.legal(), played.session, played.find_choices()
    view: dict[str, Any] = {
        "game": session.source.name,
        "is_own": session.source.text is not None,
        "role": played.role,
        "roles": [role for role in played.scenery.game.roles if role != RANDOM],
        "players": session.players,
        "play_seconds": session.play_seconds,
        "round": len(played.match.log.rounds),
        "over": played.is_over,
        "can_undo": bool(choices) and not session.people,
        "people": session.people,
        "scale": tell_scale(played.scenery.game),
        "waiting": played.role in session.pending,
        "choices": played.scenery.offer(played.role, legal),
        "record": played.scenery.tell(played.record, set(range(1, len(session.rounds) + 1)) - set(choices)),
    }
    if played.is_over:
        view |= _tell_end(played)
    return view


def _tell_end(played: PlayedGame) -> dict[str, Any]:
    log = played.match.log
    goals = dict(log.goals) if played.match.is_over else {}
    return {
        "resigned": played.session.resigned,
        "resigned_by": played.session.resigned_by,
        "undone": played.session.undone,
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
    if session.people:
        session.people, session.players = assign_people(game, session)
    else:
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


def assign_people(game: Game, session: StudioSession) -> tuple[dict[str, str], dict[str, str]]:
    """Return the names of people by role, and the player of each role, where several people play."""
    people = {game.role_name(role): name for role, name in session.people.items()}
    if RANDOM in people:
        raise fail("bad-seat", what=f"{RANDOM} is played by the referee")
    named = {game.role_name(role): spec for role, spec in session.players.items() if spec.strip()}
    machines = {role: named.get(role, OPPONENT) for role in game.roles if role != RANDOM and role not in people}
    check_players(machines)
    seated = machines | dict.fromkeys(people, HUMAN)
    return people, check_seats(game, seated, MatchConfig(play_seconds=session.play_seconds))


def find_record(session: StudioSession, role: str = "", over: bool = False) -> Record:
    """Return what a person's role was told: all that the page, a hint or a belief may use before the end."""
    role = role or session.role
    rounds = tuple((entry.moves[role], frozenset(entry.sees[role])) for entry in session.rounds)
    return Record(role, rounds, over)


def open_stored(session: StudioSession, limits: dict[str, Any]) -> Game:
    """Return the game of a session, within the limits of a worker."""
    stored = session.source
    return open_game(limits | {"name": stored.name, "text": stored.text, "transfer": stored.transfer})
