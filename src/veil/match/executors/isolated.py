"""Players in processes of their own. If a player hangs, dies or uses too much memory, the match continues.

In a round all requests are sent first, and then all answers are awaited together, so a round takes as long as its
slowest player. A process that does not answer in time is killed, with all others of its group. The referee takes
answers as data of a limited size (`channel`), and a guest's process is surrounded by walls (`walls`).

Processes are forked from a server that has imported everything (`preload`). The first match of a command waits about
two seconds for the server, later matches some milliseconds. The start clock of a player includes the time for running
its code. Its standard output goes to standard error, because standard output is reserved for the command; that of a
guest goes through `guest_output`.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import perf_counter
from typing import Any, NamedTuple

from veil.belief import warm_up
from veil.engine.lanes import say_once
from veil.errors import VeilError
from veil.limits import allowed_bytes, check_open_files, is_out_of_memory, limit_memory, out_of_memory
from veil.match.config import MatchConfig
from veil.match.drivers import describe, plain_report, play_request
from veil.match.executors.channel import ChannelError, PlayerEnd, ProcessAnswer, RefereeEnd, read_refusal, write_refusal
from veil.match.executors.environment import forget_environment
from veil.match.executors.guest_output import GuestOutput
from veil.match.executors.processes import FORK_SERVER, defer_ctrl_c, end_with_parent
from veil.match.executors.walls import build_walls, list_missing
from veil.match.seats import Lineup
from veil.match.table import Reply
from veil.players import (
    NETWORK,
    NO_FILES,
    PLAYERS,
    Files,
    Observation,
    Player,
    Request,
    Seat,
    file_of,
    is_guest,
    make_player,
    needs_of_spec,
    read_player_files,
)
from veil.signals import interruptible

PATIENCE = 600.0  # seconds for an answer without a clock
GRACE = 0.25  # seconds beyond the clock after which a silent process is killed
BOOT = 60.0  # seconds for starting a process; not counted as time of the player


class PlayerGoneError(Exception):
    """The process of a player does not answer any more."""


class Exchange(NamedTuple):
    """The answer of a process to one message."""

    value: Any = None
    fault: Exception | None = None
    seconds: float = 0.0

    def describe(self) -> str | None:
        """Return a text about the fault; None if there is none."""
        return None if self.fault is None else describe(self.fault)


class PlayerProcess:
    """A process with one player, and the connection to it. A guest is surrounded by walls (`walls`)."""

    def __init__(self, spec: str, files: Files, max_memory: float) -> None:
        ours, theirs = FORK_SERVER.Pipe()
        self.channel = RefereeEnd(ours)
        self.gone: str | None = None  # why it does not answer any more
        self._output = GuestOutput() if has_walls(spec) else None
        prints_to = None if self._output is None else self._output.writer
        arguments = (theirs, spec, files, max_memory, prints_to)
        self._process = FORK_SERVER.Process(target=serve_player, args=arguments, daemon=True)
        _start(self._process)
        theirs.close()
        if self._output is not None:
            self._output.begin()

    @property
    def wire(self) -> Connection:
        """The connection, to wait for."""
        return self.channel.wire

    def send(self, what: str, value: Any) -> None:
        """Send a message. Raises `PlayerGoneError` if the process is gone."""
        if self.gone is None:
            try:
                self.channel.send(what, value)
            except ChannelError as error:
                self.lose(str(error))
        if self.gone is not None:
            raise PlayerGoneError(self.gone)

    def receive(self) -> ProcessAnswer | None:
        """Return the answer that has arrived; None if a part of it is missing.

        Raises `PlayerGoneError` if the process is gone, or has sent something else. If the player raised a `VeilError`,
        it is raised here; any other exception becomes a `RuntimeError` with its text.
        """
        try:
            answer = self.channel.take()
        except ChannelError as error:
            self.lose(str(error))
            raise PlayerGoneError(self.gone) from None
        if answer is not None and answer.refusal:
            raise read_refusal(answer.refusal)
        if answer is not None and answer.error is not None:
            raise RuntimeError(answer.error)
        return answer

    def lose(self, why: str) -> None:
        """Kill the process if it is alive, and keep the reason: it did not answer in time, or it has ended."""
        self.gone = why
        self._kill()

    def close(self) -> None:
        """Kill the process at the end of the match."""
        self._kill()
        self._process.join(5)
        self.channel.close()
        if self._output is not None:
            self._output.end()

    def _kill(self) -> None:
        """Kill the process and all others of its group."""
        if self._process.pid is not None:
            with suppress(OSError):  # it has no group yet, or is gone
                os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.is_alive():
            self._process.kill()


def has_walls(spec: str) -> bool:
    """Return whether the process of this player is surrounded by walls: the code of a guest runs in it."""
    return is_guest(spec) and NETWORK not in needs_of_spec(spec)


def find_own_files(spec: str, files: Files) -> Files:
    """Return the files that a player is made from, and none of another player: whoever has a file can read it.

    A guest cannot read its file itself.
    """
    own = file_of(spec)
    if own is not None and own in files:
        return {own: files[own]}
    return read_player_files([spec]) if has_walls(spec) else NO_FILES


def _start(process: BaseProcess) -> None:
    """Start a process that never receives Ctrl-C.

    The first process waits until the fork server has started. Another thread does the waiting, so that Ctrl-C works in
    this thread. A process that is forked after Ctrl-C ends itself.
    """
    faults: list[BaseException] = []

    def start() -> None:
        try:
            process.start()
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=start, daemon=True)
    with defer_ctrl_c():
        thread.start()
    with interruptible():
        thread.join()
    for fault in faults:
        raise fault


class IsolatedDriver:
    """A driver that runs every player in a process of its own."""

    def __init__(self, lineup: Lineup, config: MatchConfig) -> None:
        """Start the processes. Raise `VeilError` if a player cannot be made."""
        self.config = config
        self.players: dict[str, Player] = {}  # none is in this process
        self.needs = {role: needs_of_spec(spec) for role, spec in lineup.specs.items()}
        self.walls: dict[str, list[str]] = {}  # around the guests, by role
        self._guests = [role for role, spec in lineup.specs.items() if has_walls(spec)]
        self._processes: dict[str, PlayerProcess] = {}
        check_open_files()
        warm_up()  # compiles kernels before a clock runs
        try:
            for role, spec in lineup.specs.items():
                self._processes[role] = PlayerProcess(spec, find_own_files(spec, lineup.files), config.max_memory)
            self._collect(dict.fromkeys(self._processes, perf_counter()), BOOT)
            self._making = self._make([role for role in self._processes if role not in self._guests])
        except BaseException:
            self.close()
            raise

    def start(self, seats: Mapping[str, Seat]) -> dict[str, Reply]:
        """Send the game to the players, which is not counted, and start them with the rest of their start clock.

        The code of a guest runs for the first time when its game is prepared and its walls are built.
        """
        self._exchange("load", {role: pickle.dumps(seat) for role, seat in seats.items()}, None)
        for role, exchange in self._exchange("shut_in", dict.fromkeys(self._guests), None).items():
            if exchange.fault is not None:
                self._processes[role].lose(f"its walls could not be built: {exchange.describe()}")
            self.walls[role] = list(exchange.value or ())
            if self.config.strangers and (missing := list_missing(self.walls[role])):
                self._processes[role].lose(f"this system has no walls for: {', '.join(missing)}")
        _note_missing(self.walls.values())
        self._making |= self._make(self._guests)
        clock = self.config.start_seconds
        left = None if clock is None else max(0.0, clock - max(self._making.values(), default=0.0))
        started = self._exchange("start", dict.fromkeys(seats), left)
        self._raise_refusal(started)
        replies = {}
        for role, exchange in started.items():
            error = exchange.describe()
            seconds = self._making[role] + exchange.seconds
            replies[role] = Reply(error=error and f"it could not start: {error}", seconds=seconds)
        return replies

    def _make(self, roles: Iterable[str]) -> dict[str, float]:
        """Make the players of these roles and return how long each took. Raise `VeilError` if one cannot be made."""
        made = self._exchange("make", dict.fromkeys(roles), self.config.start_seconds)
        self._raise_refusal(made)
        for role, exchange in made.items():
            if isinstance(exchange.fault, VeilError):
                self._processes[role].lose(exchange.fault.problems[0].message)
        return {role: exchange.seconds for role, exchange in made.items()}

    def _raise_refusal(self, answers: Mapping[str, Exchange]) -> None:
        """Raise an error of the user, such as a file that cannot be run, a policy for other rules, too large a tree.

        Where guests are strangers, such an error is that of the guest.
        """
        for role, exchange in answers.items():
            if isinstance(exchange.fault, VeilError) and not (self.config.strangers and role in self._guests):
                raise exchange.fault

    def ask(self, requests: Mapping[str, Request]) -> dict[str, Reply]:
        """Return one answer for every request. All players think at the same time."""
        played = self._exchange("play", requests, self.config.play_seconds)
        replies = {
            role: Reply(exchange.value, exchange.describe(), exchange.seconds) for role, exchange in played.items()
        }
        if self.config.reports:
            good = [role for role, reply in replies.items() if reply.error is None]
            for role, exchange in self._exchange("report", dict.fromkeys(good), self.config.play_seconds).items():
                replies[role] = _with_report(replies[role], exchange)
        return replies

    def stop(self, observations: Mapping[str, Observation | None]) -> dict[str, Reply]:
        """Tell these players that the match is over."""
        stopped = self._exchange("stop", observations, self.config.play_seconds)
        errors = {role: exchange.describe() for role, exchange in stopped.items()}
        return {role: Reply(error=error and error.partition(":")[0]) for role, error in errors.items()}

    def close(self) -> None:
        """End all processes."""
        for process in self._processes.values():
            process.close()

    def _exchange(self, what: str, values: Mapping[str, Any], seconds: float | None) -> dict[str, Exchange]:
        """Send a message to each of these roles, and wait for all answers."""
        sent: dict[str, float] = {}
        gone: dict[str, Exchange] = {}
        for role, value in values.items():
            clock = perf_counter()
            try:
                self._processes[role].send(what, value)
                sent[role] = clock
            except PlayerGoneError as fault:
                gone[role] = Exchange(fault=fault)
        answers = gone | self._collect(sent, PATIENCE if seconds is None else seconds + GRACE + self.config.grace)
        return {role: answers[role] for role in values}

    def _collect(self, sent: Mapping[str, float], seconds: float) -> dict[str, Exchange]:
        """Return the answers to messages sent at these times. Kill processes that do not answer within `seconds`."""
        answers: dict[str, Exchange] = {}
        waiting = dict(sent)
        while waiting:
            wires = {self._processes[role].wire: role for role in waiting}
            early = [wire for wire, role in wires.items() if self._processes[role].channel.has_answer()]
            left = min(waiting.values()) + seconds - perf_counter()
            with interruptible():
                ready = early or wait(list(wires), max(0.0, left))
            for wire, role in wires.items():
                answer = self._take(role, perf_counter() - waiting[role]) if wire in ready else None
                if answer is not None:
                    answers[role] = answer
                    del waiting[role]
            if left <= 0 and waiting:  # silent, or sending its answer byte by byte
                silent = min(waiting, key=waiting.__getitem__)
                self._processes[silent].lose(f"no answer within {seconds:.2f} s")
                fault = PlayerGoneError(self._processes[silent].gone)
                answers[silent] = Exchange(fault=fault, seconds=perf_counter() - waiting.pop(silent))
        return answers

    def _take(self, role: str, seconds: float) -> Exchange | None:
        """Return the answer of a role; None if a part of it is missing."""
        try:
            answer = self._processes[role].receive()
            return None if answer is None else Exchange(answer.value, seconds=seconds)
        except (PlayerGoneError, RuntimeError, VeilError) as fault:
            return Exchange(fault=fault, seconds=seconds)


def _with_report(reply: Reply, exchange: Exchange) -> Reply:
    """Return the answer with the report of the player, or an error if the report failed."""
    error = exchange.describe()
    if error is None:
        try:
            return reply._replace(report=plain_report(exchange.value))
        except (TypeError, ValueError, RecursionError) as fault:
            error = describe(fault)
    return reply._replace(move=None, error=f"report: {error}")


def serve_player(
    wire: Connection, spec: str, files: Files, max_memory: float, prints_to: Connection | None = None
) -> None:
    """Run the process of a player: tell that it has started, then answer messages until the connection is closed.

    What it prints goes to `prints_to`, or else to standard error.
    """
    os.setsid()  # a group of its own, which is killed as a whole
    if not has_walls(spec):  # walls surround one thread, so that of a guest begins later
        end_with_parent()
    if prints_to is not None:
        os.dup2(prints_to.fileno(), 2)
        prints_to.close()
    os.dup2(2, 1)
    promised = int(max_memory * 2**30)
    limit_memory(promised)  # the grounder sets its own
    channel = PlayerEnd(wire)
    service = _Service(spec, files, wire.fileno())
    try:
        channel.send(ProcessAnswer())
        while True:
            what, value = channel.receive()
            try:
                answer = ProcessAnswer(value=getattr(service, what)(value))
            except VeilError as error:
                answer = write_refusal(error)
            except BaseException as error:
                is_short = is_out_of_memory(error) and allowed_bytes(promised) < promised  # not an error of the player
                answer = write_refusal(out_of_memory()) if is_short else ProcessAnswer(error=describe(error))
            channel.send(answer)
    except (EOFError, OSError):
        pass  # the match is over


def _note_missing(built: Iterable[list[str]]) -> None:
    """Tell the user once, on standard error, which walls this system does not have."""
    missing = [name for walls in built for name in list_missing(walls)]
    if missing:
        say_once(f"note: this system has no walls around guests for: {', '.join(dict.fromkeys(missing))}")


class _Service:
    """The player of this process, with one method per message."""

    def __init__(self, spec: str, files: Files, wire: int) -> None:
        """Import the module of the player, which is not counted as its time. `make` refuses a bad spec later.

        `wire` is the descriptor of the connection, which has to stay open.
        """
        self.spec, self.files, self.wire = spec, files, wire
        self.player: Any = None  # None until `make`
        self.seat: Seat | None = None
        with suppress(VeilError):
            PLAYERS.row_of(spec).maker()

    def make(self, _: None) -> None:
        """Make the player. This runs the code of an own player."""
        self.player = make_player(self.spec, self.files)

    def load(self, seat: bytes) -> None:
        """Open the seat, with the game in it."""
        self.seat = pickle.loads(seat)

    def shut_in(self, _: None) -> list[str]:
        """Prepare the game, drop the files and variables that a guest does not need, and build the walls.

        Return their names.
        """
        with suppress(VeilError):  # the player is told when it asks for the machine
            if self.seat is not None:
                self.seat.game.machine  # noqa: B018  is grounded now, in another process
        parent = parent_process()
        kept = {1, 2, self.wire} | ({parent.sentinel} if parent is not None else set())
        for descriptor in map(int, os.listdir("/dev/fd")):
            if descriptor not in kept:
                with suppress(OSError):
                    os.close(descriptor)
        os.open(os.devnull, os.O_RDONLY)  # is 0, standard input
        forget_environment()
        walls = build_walls()
        end_with_parent()
        return walls

    def start(self, _: None) -> None:
        if self.seat is None:
            raise RuntimeError("the game could not be loaded")
        self.player.start(self.seat)

    def play(self, request: Request) -> str:
        move = play_request(self.player, request)
        if not isinstance(move, str):
            raise TypeError(f"{type(move).__name__} is no move")
        return str(move)

    def stop(self, observation: Observation | None) -> None:
        self.player.stop(observation)

    def report(self, _: None) -> dict[str, Any]:
        return plain_report(self.player.report())
