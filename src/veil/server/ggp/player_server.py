"""`PlayerServer`: listens for game managers and lets a player answer them.

One connection carries one message: a new thread reads it within limits, answers it and closes the connection. A bad
message gets a short answer that says what is wrong, and a line in the log; a connection never hangs. When too many
connections send nothing, the oldest of them is closed. Connections are taken when the player is ready, not before.

Matches beyond `config.matches` are answered `busy`. A match whose manager has been silent for longer than its clock
makes room for a new one, which waits for that if it is soon: a manager that ended without STOP costs the next nothing.
A match has one seat: the messages of PLAY do not say for whom they are.

Requests under a foreign name, and those of web pages, are refused: a page must not command the player of somebody who
looks at it. GET changes nothing.
"""

from __future__ import annotations

import logging
import os
import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import fields
from functools import partial
from math import inf
from time import perf_counter
from types import TracebackType
from typing import Any, NamedTuple, Self

from veil.belief import warm_up
from veil.errors import VeilError, check_choice, fail
from veil.players import PLAYERS, read_player_files
from veil.sanitize import show_detail
from veil.server.ggp.config import ServerConfig
from veil.server.ggp.library import GameLibrary
from veil.server.ggp.session import MatchSession, describe_refusal
from veil.server.names import is_our_name
from veil.server.waiting_room import WaitingRoom
from veil.signals import check_signals
from veil.wire import (
    AbortMessage,
    Address,
    HttpRequest,
    InfoMessage,
    Message,
    MessageError,
    PreviewMessage,
    RoundMessage,
    StartMessage,
    WireError,
    read_message,
    read_request,
    shout,
    write_reply,
)

LOG = logging.getLogger("veil.serve-player")
LOG.addHandler(logging.NullHandler())  # a program that wants the log adds a handler
REQUEST_SECONDS = 10.0  # for a whole request to come in, and for a reply to go out
LINGER = 0.3  # seconds to read what is still coming, so that the reply is not lost
MAX_CONNECTIONS = 100  # that send their request, and as many that are being answered
BACKLOG = 64
PAUSE = 0.02  # seconds to wait after a connection that could not be accepted
QUEUE = 10.0  # seconds that START waits for a place, at most; and at most half of its clock
PATROL = 0.5  # seconds between two checks for lost managers
MAX_REASON = 200  # characters of a refusal
READY, BUSY, DONE, ABORTED = "ready", "busy", "done", "aborted"


class ServerReply(NamedTuple):
    """A reply to a message."""

    text: str
    status: int = 200


class PlayerServer:
    """A player of the table on the network. As a context manager, it listens until the end of the block."""

    def __init__(self, config: ServerConfig) -> None:
        """Take the address of the config. Raises `VeilError` if that is not possible."""
        self.config = config
        self.sessions: dict[str, MatchSession] = {}
        self.started = self.ended = 0  # matches
        self._library = GameLibrary(compiles=not config.isolated)
        self._lock = threading.Lock()
        self._reading: WaitingRoom[socket.socket] = WaitingRoom(MAX_CONNECTIONS)
        self._places = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._is_closed, self._is_idle = threading.Event(), threading.Event()
        self._is_idle.set()
        self._bell, self._bell_rope = socket.socketpair()  # wakes `serve` when it has to end
        self._socket = _bind(config)
        host, port = self._socket.getsockname()[:2]
        self.address = Address(host, port)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def prepare(self) -> None:
        """Import and compile all that every match needs, so that no start clock pays for it; then take connections."""
        PLAYERS.row_of(self.config.player).maker()
        warm_up()
        self._listen()

    def serve(self, seconds: float | None = None) -> None:
        """Answer for `seconds` seconds; without them until another thread calls `close`, or a signal comes."""
        end = inf if seconds is None else perf_counter() + seconds
        with self._lock:
            if self._is_closed.is_set():
                return
            self._is_idle.clear()
        try:
            self._listen()
            with selectors.DefaultSelector() as selector:
                selector.register(self._socket, selectors.EVENT_READ)
                selector.register(self._bell, selectors.EVENT_READ)
                while not self._is_closed.is_set() and (left := end - perf_counter()) > 0:
                    check_signals()
                    if selector.select(min(PATROL, left)):
                        self._accept()
                    self._drop_lost()
        finally:
            self._is_idle.set()

    def close(self) -> None:
        """Stop listening, and end all matches."""
        with self._lock:
            self._is_closed.set()
        with suppress(OSError):
            self._bell_rope.send(b"!")
        self._is_idle.wait(2 * PATROL)
        for wire in (self._socket, self._bell, self._bell_rope):
            wire.close()
        for match in list(self.sessions):
            self._end(match)

    def answer(self, text: str, *, is_safe: bool = False) -> ServerReply:
        """Return the reply to a message. With `is_safe`, only INFO is answered, which changes nothing."""
        try:
            message = read_message(text)
            if is_safe and not isinstance(message, InfoMessage):
                return ServerReply("refused: GET is for INFO only; send this message by POST", 405)
            LOG.debug("asked %s", show_detail(text[:MAX_REASON]))
            return self._dispatch(message)
        except (MessageError, VeilError) as error:
            why = show_detail(describe_refusal(error))[:MAX_REASON]
            LOG.warning("refused: %s", why)
            return ServerReply(f"refused: {why}", 400)

    # Messages

    def _dispatch(self, message: Message) -> ServerReply:
        match message:
            case InfoMessage():
                status = "available" if len(self.sessions) < self.config.matches else BUSY
                return ServerReply(f"((name {self.config.shown_name}) (status {status}))")
            case PreviewMessage():
                return ServerReply(READY)
            case StartMessage():
                return self._start(message)
            case RoundMessage():
                return self._round(message)
            case AbortMessage():
                LOG.info("match %s: aborted", show_detail(message.match))
                return ServerReply(ABORTED if self._end(message.match) else BUSY)

    def _start(self, message: StartMessage) -> ServerReply:
        session = self._find_place(message)
        if session is None:
            LOG.info("match %s: busy", show_detail(message.match))
            is_loud = not any(char.islower() for char in message.rules)
            return ServerReply(shout(BUSY) if is_loud else BUSY)
        try:
            ready = session.start()
        except BaseException:
            self._end(message.match)
            raise
        clocks = f"{message.start_clock:g} and {message.play_clock:g} s"
        LOG.info("match %s: started as %s, clocks %s", show_detail(message.match), show_detail(message.role), clocks)
        return ServerReply(ready)

    def _find_place(self, message: StartMessage) -> MatchSession | None:
        """Return a session for a new match, in place of a silent one if need be; None if all are busy."""
        end = perf_counter() + min(QUEUE, message.start_clock / 2)
        while True:
            with self._lock:
                old = self.sessions.get(message.match)
                if old is None and len(self.sessions) < self.config.matches:
                    session = MatchSession(message, self.config, self._library, self.started)
                    self.sessions[message.match] = session
                    self.started += 1
                    return session
                playing = list(self.sessions.values()) if old is None else [old]
            idle = next((session for session in playing if session.is_idle()), None)
            if idle is not None:
                LOG.warning("match %s: given up for a new one, its manager is silent", show_detail(idle.message.match))
                self._end(idle.message.match)
            elif old is not None and old.message.role.lower() != message.role.lower():
                what = "a server plays one seat of a match, and a second server the other one (--port)"
                LOG.warning(
                    "match %s: %s is played here: %s", *map(show_detail, (message.match, old.message.role)), what
                )
                return None
            elif min(session.idle_at for session in playing) > end or self._is_closed.wait(PAUSE):
                return None

    def _round(self, message: RoundMessage) -> ServerReply:
        session = self.sessions.get(message.match)
        if session is None:
            return ServerReply(BUSY)
        if message.verb == "play":
            move = session.play(message)
            LOG.debug("match %s: plays %s", show_detail(message.match), show_detail(move))
            return ServerReply(move)
        session.stop(message)
        self._end(message.match)
        LOG.info("match %s: over, rounds: %d", show_detail(message.match), len(session.rounds))
        return ServerReply(session.spell(DONE))

    def _end(self, match: str) -> bool:
        """End a match; return whether there was one."""
        with self._lock:
            session = self.sessions.pop(match, None)
            if session is not None:
                self.ended += 1
        if session is not None and not session.is_closed:
            session.close()
        return session is not None

    def _drop_lost(self) -> None:
        for match, session in list(self.sessions.items()):
            if session.is_lost():
                LOG.warning("match %s: given up, its manager is silent", show_detail(match))
                self._end(match)

    # Connections

    def _listen(self) -> None:
        """Take connections from now on."""
        with refusing(self.address):
            self._socket.listen(BACKLOG)

    def _accept(self) -> None:
        """Accept a connection and let a thread answer it."""
        try:
            wire, peer = self._socket.accept()
        except OSError:  # it was gone before it was accepted, or there is no room for one more
            self._is_closed.wait(PAUSE)
            return
        slowest = self._reading.enter(wire, peer[0])
        if slowest is not None:
            LOG.warning("too many connections: one of %s is closed that has sent no request", _name_peer(slowest))
            with suppress(OSError):
                slowest.shutdown(socket.SHUT_RDWR)  # wakes its thread, which closes it
        try:
            threading.Thread(target=self._serve_connection, args=(wire, peer[0]), daemon=True).start()
        except RuntimeError:  # no room for a thread
            self._reading.leave(wire)
            wire.close()

    def _serve_connection(self, wire: socket.socket, peer: str) -> None:
        with closing(wire):
            reply = self._reply_to(wire, peer)
            with suppress(OSError):
                wire.settimeout(REQUEST_SECONDS)
                wire.sendall(reply)
                wire.shutdown(socket.SHUT_WR)
                _drain(wire)

    def _reply_to(self, wire: socket.socket, peer: str) -> bytes:
        """Return the bytes of the reply to any request."""
        reply = partial(write_reply, for_pages=self.config.cors)
        try:
            try:
                request = read_request(wire, perf_counter() + REQUEST_SECONDS)
            finally:
                self._reading.leave(wire)
            self._check_origin(request)
            if request.method == "OPTIONS":
                return reply("")
            if not self._places.acquire(blocking=False):
                raise WireError("too many requests at once", 503)
            try:
                return reply(*self.answer(request.text, is_safe=request.method == "GET"))
            finally:
                self._places.release()
        except WireError as error:
            LOG.info("%s: %s", peer, error)
            return reply(f"refused: {error}", error.status)
        except Exception as fault:
            is_curious = LOG.isEnabledFor(logging.DEBUG)
            LOG.error("%s: a fault of ours: %s: %s", peer, type(fault).__name__, fault, exc_info=is_curious)
            return reply(f"refused: {type(fault).__name__}", 500)

    def _check_origin(self, request: HttpRequest) -> None:
        """Refuse requests under a foreign name, and those of pages in a browser, unless the config allows pages."""
        if self.config.cors:
            return
        if request.host and not is_our_name(request.host, self.config.host):
            raise WireError("this machine has no such name", 421)
        if request.is_from_page:
            raise WireError("pages may not command this player; --cors allows it", 403)


def serve_player(player: str = "best", **settings: Any) -> PlayerServer:
    """Serve a player of the table to game managers in a new thread, until the server is closed.

    `settings` are those of `ServerConfig`: `host`, `port` (0: any free port), `dialect`, `matches` and so on.

        with veil.serve_player("best", port=9147) as server:
            ...
    """
    known = [entry.name for entry in fields(ServerConfig)]
    for name in settings:
        check_choice("a setting", name, known)
    server = PlayerServer(ServerConfig(player=player, files=read_player_files([player]), **settings))
    server.prepare()
    threading.Thread(target=server.serve, name=f"serves {player}", daemon=True).start()
    return server


def _bind(config: ServerConfig) -> socket.socket:
    """Return a socket with the address of the config. Connections are refused until it listens."""
    where = Address(config.host, config.port)
    with refusing(where):
        family, *_ = socket.getaddrinfo(*where, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(tuple(where))
        except BaseException:
            bound.close()
            raise
    bound.setblocking(False)
    return bound


@contextmanager
def refusing(where: Address) -> Iterator[None]:
    """Turn what the system says about an address into a message for the user."""
    try:
        yield
    except (OSError, UnicodeError, OverflowError) as error:
        number = getattr(error, "errno", None)
        # The errors of getaddrinfo have their own numbers, below zero.
        reason = os.strerror(number) if number and number > 0 else getattr(error, "strerror", None) or str(error)
        raise fail("cannot-listen", where=str(where), reason=reason) from None


def _name_peer(wire: socket.socket) -> str:
    """Return the address at the other end of a connection, for the log."""
    with suppress(OSError):
        return str(wire.getpeername()[0])
    return "somebody"


def _drain(wire: socket.socket) -> None:
    """Read for a moment what is still coming: closing a connection with unread data would lose the reply."""
    end = perf_counter() + LINGER
    while (left := end - perf_counter()) > 0:
        wire.settimeout(left)
        if not wire.recv(65536):
            return
