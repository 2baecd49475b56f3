"""The studio under load: thirty people who play at once, on this machine, over the loopback interface, first alone and
then while two thousand clients send nothing or half of a request.

`veil studio` runs as its own process. Each person is a thread with a connection: a new game, and moves until its end,
as fast as answers come. The measurement is the time of the server's answers without the thinking of the players, which
stands in the file of each game; the processor time that all its processes use for an answer, which other work on the
machine hardly changes; and their memory before and after.
"""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from veil.report import Table
from veil_lab.bench.machine import about

PEOPLE = 30
SLOW_CLIENTS = 2000  # or as many as this process may open
HALF_REQUEST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
GAMES = ("krieg_tictactoe", "kuhn_poker", "blind_breakthrough(width=4, height=5)", "liars_dice")
PLAYER, CLOCK = "random", 1.0  # of the opponents: a player that does not think leaves the processors to the server
BOOT_SECONDS = 600.0
PAUSE = 0.5  # seconds between two moves of a person: people look at the board
ARRIVAL = 0.25  # seconds between the arrivals of two people
KINDS = ("new", "view", "move", "belief", "page")
GOAL = 0.2  # seconds that an answer may take without thinking


class Visit(NamedTuple):
    """One question and its answer."""

    kind: str
    seconds: float  # without the thinking of players


class Visitor:
    """A person with a browser."""

    def __init__(self, address: str, folder: Path, number: int) -> None:
        parts = urlsplit(address)
        self.host, self.folder, self.number = parts.netloc, folder, number
        self.visits: list[Visit] = []
        self.connection = HTTPConnection(self.host, timeout=120)
        self.cookie = ""
        self._enter(f"{parts.path}?{parts.query}")

    def _enter(self, path: str) -> None:
        self.connection.request("GET", path)
        answer = self.connection.getresponse()
        answer.read()
        self.cookie = (answer.getheader("set-cookie") or "").partition(";")[0]

    def ask(self, kind: str, path: str, question: Any = None, thought: Callable[[], float] = lambda: 0.0) -> Any:
        """Ask the server; return the answer and store how long it took."""
        headers = {"cookie": self.cookie, "origin": f"http://{self.host}", "content-type": "application/json"}
        before, clock = thought(), perf_counter()
        body = None if question is None else json.dumps(question)
        self.connection.request("GET" if question is None else "POST", path, body, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        seconds = perf_counter() - clock
        self.visits.append(Visit(kind, max(0.0, seconds - (thought() - before))))
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {data[:200]!r}")
        return json.loads(data) if answer.getheader("content-type") == "application/json" else data

    def play(self, until: float) -> int:
        """Play games one after the other until the time is up; return how many were finished."""
        played = 0
        sleep(ARRIVAL * self.number)
        while perf_counter() < until:
            game = GAMES[(self.number + played) % len(GAMES)]
            session = self.ask("new", "/play/new", {"game": game, "seconds": CLOCK} | self._opponents(game))
            address = f"/play/{session['session']}"
            thought = partial(self._thinking, address)
            self.ask("page", address)
            view = self.ask("view", f"{address}/view", thought=thought)
            while not view["over"] and perf_counter() < until:
                self.ask("belief", f"{address}/belief")
                sleep(PAUSE)
                move = view["choices"][len(view["record"]) % len(view["choices"])]["move"]
                question = {"round": view["round"], "move": move}
                view = self.ask("move", f"{address}/move", question, thought)
            played += bool(view["over"])
        return played

    def _opponents(self, game: str) -> dict[str, Any]:
        roles = self.ask("page", f"/play/describe?game={game.replace(' ', '')}")["roles"]
        return {"players": dict.fromkeys(roles, PLAYER), "role": roles[0]}

    def _thinking(self, address: str) -> float:
        """Return the seconds that the players of a game have thought so far."""
        path = self.folder / "played" / f"{address.rpartition('/')[2]}.json"
        return float(sum(json.loads(path.read_bytes())["thinking"]))


def measure_all(seconds: float, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Let people play for ten times `seconds` seconds."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-m", "veil", "studio", "--no-browser", "--json", "--port", "0"]
        environment = os.environ | {"VEIL_STUDIO": name}
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
            try:
                assert process.stdout is not None
                address = str(json.loads(process.stdout.readline())["address"])
                say("the studio gets ready")
                _wait_until_ready(address, folder)
                alone = _measure(address, folder, process.pid, 5 * seconds, say)
                with slow_clients(address) as count:
                    say(f"{count} slow clients hang")
                    crowded = _measure(address, folder, process.pid, 5 * seconds, say)
                return alone | {"slow_clients": count, "answers_meanwhile": crowded["answers"]} | about()
            finally:
                process.terminate()


@contextmanager
def slow_clients(address: str) -> Iterator[int]:
    """Open connections that send nothing, or half of a request, until the end of the block; yield their number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = SLOW_CLIENTS + 200 if hard == resource.RLIM_INFINITY else min(SLOW_CLIENTS + 200, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    place = urlsplit(address)
    with ExitStack() as stack:
        for number in range(min(SLOW_CLIENTS, max(soft, most) - 200)):
            with suppress(OSError):
                wire = stack.enter_context(socket.create_connection((place.hostname, place.port), 20))
                wire.sendall(HALF_REQUEST if number % 2 else b"")
        yield number + 1


def _wait_until_ready(address: str, folder: Path) -> None:
    person, until = Visitor(address, folder, 0), perf_counter() + BOOT_SECONDS
    while not person.ask("page", "/status")["ready"] and perf_counter() < until:
        sleep(0.2)


def _measure(address: str, folder: Path, pid: int, seconds: float, say: Callable[[str], None]) -> dict[str, Any]:
    people = [Visitor(address, folder, number) for number in range(PEOPLE)]
    before, used = _memory(pid), _processor_seconds(pid)
    say(f"{PEOPLE} people play")
    until = perf_counter() + seconds
    with ThreadPoolExecutor(PEOPLE) as pool:
        games = sum(pool.map(lambda person: person.play(until), people))
    status = people[0].ask("page", "/status")
    visits = [visit for person in people for visit in person.visits]
    rows = [_summarise(kind, [visit.seconds for visit in visits if visit.kind == kind]) for kind in KINDS]
    memory = {"before": before, "after": _memory(pid)}
    processor = 1000 * (_processor_seconds(pid) - used) / max(1, len(visits))
    return {
        "people": PEOPLE,
        "games": games,
        "tables": status["tables"],
        "answers": rows,
        "processor_ms": processor,  # for an answer of any kind, starts of games and random moves included
        "megabytes": memory,
    }


def _summarise(kind: str, seconds: list[float]) -> dict[str, Any]:
    ordered = sorted(seconds) or [0.0]
    within = sum(value <= GOAL for value in ordered) / len(ordered)
    return {
        "kind": kind,
        "answers": len(seconds),
        "median": ordered[len(ordered) // 2],
        "p95": ordered[int(0.95 * (len(ordered) - 1))],
        "max": ordered[-1],
        "within_200_ms": within,
    }


def _memory(pid: int) -> dict[str, float]:
    """Return the megabytes of the server, and of all its processes together; shared memory counts once."""
    members = _list_family(pid)
    shares = [_read_share(member) for member in members]
    return {"server": _read_share(pid), "all": sum(shares)}


def _processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its descendants, those included that have ended."""
    ticks = 0
    for member in _list_family(pid):
        with suppress(OSError):
            fields = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # user and system, own and of children that were waited for
    return ticks / os.sysconf("SC_CLK_TCK")


def _list_family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        parents.setdefault(parent, []).append(int(path.parent.name))
    family = [pid]
    for member in family:
        family += parents.get(member, [])
    return family


def _read_share(pid: int) -> float:
    """Return the proportional share of a process of the memory, in MB; 0 if the system does not say."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _answer_lines(answers: list[dict[str, Any]]) -> list[str]:
    rows = [
        (
            row["kind"],
            row["answers"],
            *(round(1000 * row[name]) for name in ("median", "p95", "max")),
            f"{100 * row['within_200_ms']:.1f} %",
        )
        for row in answers
    ]
    return Table(("answer", "number", "median", "95 %", "longest", "within 200 ms"), rows).as_lines()


def as_table(result: dict[str, Any]) -> str:
    """Return the measurements as a table for people."""
    before, after = result["megabytes"]["before"], result["megabytes"]["after"]
    return "\n".join(
        [
            f"{result['people']} people at once, {result['games']} games to their end; times in ms, without thinking",
            *_answer_lines(result["answers"]),
            f"the same while {result['slow_clients']:,} slow clients hang",
            *_answer_lines(result["answers_meanwhile"]),
            f"processor time for an answer, starts of games included: {result['processor_ms']:.0f} ms",
            f"memory of the server: {before['server']:.0f} MB before, {after['server']:.0f} MB after",
            f"of all processes: {before['all']:.0f} MB before, {after['all']:.0f} MB with {result['tables']} games",
        ]
    )
