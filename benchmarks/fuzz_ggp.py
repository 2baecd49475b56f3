"""Hostile messages to both sides of the GGP protocol, over real sockets on loopback.

    python benchmarks/fuzz_ggp.py                         100,000 messages to each side
    python benchmarks/fuzz_ggp.py --messages 2000 --seed 7 --side player

`player`: our network player is sent requests. `manager`: our matches are answered by a player elsewhere. Messages are
random bytes, real messages with bytes changed, left out, repeated or cut off, lists of random words, and real ones, so
that matches go on in between. A reply of the player must come, be HTTP, be short, and never be a fault of ours; a match
of the manager must come to its end. Prints one JSON object with machine and commit: what was answered how often, how
much the memory of the process grew after the first tenth, threads that are left. Exit code 1 where something is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import veil
from veil.engine import Game, write_statements
from veil.match import MatchConfig
from veil.server.ggp import PlayerServer, ServerConfig
from veil.wire import DIALECTS, Address
from veil_lab.bench.machine import about

CLIENTS = 6  # that send at the same time
PATIENCE = 60.0  # seconds for a reply: a connection that hangs is found, a busy machine is not
MAX_REPLY = 1200  # bytes
RARE = 0.003  # of all messages bring new rules, which have to be ground
SILENT = 0.0002  # of all replies never come, which costs a clock
WORDS = [
    "PLAY",
    "STOP",
    "START",
    "ABORT",
    "INFO",
    "PREVIEW",
    "NIL",
    "m1",
    "m2",
    "m3",
    "0",
    "1",
    "-1",
    "99999999999",
    "noop",
]
WORDS += [
    "(choose 1)",
    "(CHOOSE 2)",
    "switch",
    "(2 )",
    "()",
    "(",
    ")",
    ";",
    "\n",
    "é",
    "\0",
    "?x",
    "((((",
    "(((a",
    "'",
    '"',
    "<=",
]


def change(data: bytes, rng: random.Random) -> bytes:
    """The same bytes with a few slips."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        begin = rng.randrange(len(changed) + 1)
        end = min(len(changed), begin + int(rng.expovariate(1 / 8)))
        slip = rng.randrange(5)
        if slip == 0:
            changed[begin:end] = rng.randbytes(end - begin)
        elif slip == 1:
            del changed[begin:end]
        elif slip == 2:
            changed[begin:begin] = changed[begin:end] * rng.randint(1, 50)
        elif slip == 3:
            changed[begin:begin] = rng.choice([b"(", b")", b"\r\n", b"\r\n\r\n", b"\0", b"\xff", b" "]) * rng.randint(
                1, 300
            )
        else:
            del changed[begin:]
    return bytes(changed)


def make_text(rng: random.Random, rules: str) -> str:
    """A message: a real one, or a list of random words."""
    match = rng.choice(["m1", "m2", "m3", "m4"])
    if rng.random() < 0.1:
        return f"({' '.join(rng.choices(WORDS, k=rng.randint(0, 12)))})"
    turn = rng.randint(0, 3)
    move, told = rng.choice(["(choose 1)", "NOOP", "switch"]), rng.choice(["()", "(2 )", "NIL", "(1 2 3 )"])
    return rng.choice(
        [
            f"(START {match} contestant ({rules}) 5 2)",
            f"(PLAY {match} NIL)",
            f"(PLAY {match} {told})",
            f"(PLAY {match} 0 NIL NIL)",
            f"(PLAY {match} {turn} {move} {told})",
            f"(STOP {match} {turn} {move} {told})",
            f"( ABORT {match} )",
            "(INFO)",
        ]
    )


def make_request(rng: random.Random, rules: str) -> bytes:
    """The bytes of a request, whatever they are."""
    kind = rng.random()
    if kind < 0.15:
        return rng.randbytes(int(rng.expovariate(1 / 200)))
    if kind < RARE + 0.15:  # slips within rules, which are read and ground where they still are some
        broken = change(rules.encode(), rng).decode("latin-1")
        return DIALECTS["C"].request(f"(START m9 contestant ({broken}) 5 2)", "x")
    text = make_text(rng, rules)
    dialect = DIALECTS[rng.choice("ABC")]
    if kind < 0.3:
        return dialect.request(text, "x")
    if kind < 0.6 and not text.startswith("(START"):
        return dialect.request(change(text.encode(), rng).decode("latin-1"), "x")
    request = dialect.request(text, "x")
    head = request.index(b"\r\n\r\n") + 4
    if text.startswith(
        "(START"
    ):  # slips in its head and around the rules: the rules themselves have a share of their own
        return change(request[:head], rng) + request[head:]
    return change(request, rng)


def make_reply(rng: random.Random, text: str) -> bytes:
    """The bytes of a reply that should say this, whatever they are."""
    good = f"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {len(text)}\r\n\r\n{text}".encode()
    kind = rng.random()
    if kind < 0.2:
        return good
    if kind < 0.35:
        return rng.randbytes(int(rng.expovariate(1 / 200)))
    if kind < 0.45:
        return b"HTTP/1.0 200 OK\r\n\r\n" + change(text.encode(), rng)
    if kind < 0.55:
        body = " ".join(rng.choices(WORDS, k=rng.randint(0, 12))).encode()
        return b"HTTP/1.0 200 OK\r\n\r\n" + body
    if kind < 0.56:
        return good + b"x" * rng.randint(0, 300_000)
    return change(good, rng)


# Our network player


def send(address: Address, request: bytes) -> str:
    """What becomes of a request: the status of the reply, or what is wrong with it."""
    reply = b""
    try:
        with closing(socket.create_connection(address, PATIENCE)) as wire:
            with suppress(OSError):  # it may be refused, and closed, before all was sent
                wire.sendall(request)
                wire.shutdown(socket.SHUT_WR)
            while piece := wire.recv(65536):
                reply += piece
    except TimeoutError:
        return "wrong: no reply"
    except ConnectionError:
        pass
    if not reply.startswith(b"HTTP/1.0 ") or b"\r\n\r\n" not in reply:
        return "wrong: not HTTP"
    if len(reply) > MAX_REPLY:
        return "wrong: a long reply"
    status = reply[9:12].decode("latin-1")
    return f"wrong: status {status}" if status == "500" else status


def fuzz_player(messages: int, seed: int, player: str = "first") -> dict[str, Any]:
    """Send so many messages to a server of ours."""
    rules = " ".join(write_statements(veil.load("monty_hall")))
    outcomes: Counter[str] = Counter()
    with PlayerServer(ServerConfig(player=player, port=0, matches=3, margin=0.2)) as server:
        threading.Thread(target=server.serve, daemon=True).start()

        def work(job: tuple[int, int]) -> Counter[str]:
            rng, counted = random.Random(f"{seed} {job}"), Counter[str]()
            for _ in range(job[1]):
                counted[send(server.address, make_request(rng, rules))] += 1
            return counted

        sizes = []
        for portion in split(messages):
            with ThreadPoolExecutor(CLIENTS) as pool:
                for counted in pool.map(work, portion):
                    outcomes.update(counted)
            sizes.append(read_memory())
        alive = send(server.address, DIALECTS["C"].request("(INFO)", "x")) == "200"
        started = server.started
    return {
        "messages": outcomes.total(),
        "outcomes": dict(outcomes.most_common()),
        "matches_started": started,
        "memory_growth_mb": round(sizes[1] - sizes[0], 1),
        "answers_at_the_end": alive,
        "wrong": sum(count for outcome, count in outcomes.items() if outcome.startswith("wrong")) + (not alive),
    }


# Our manager


@contextmanager
def hostile_peer(seed: int) -> Iterator[Address]:
    """A player that answers anything."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    silent: list[socket.socket] = []

    def talk(number: int, wire: socket.socket) -> None:
        rng = random.Random(f"{seed} {number}")
        with suppress(OSError):
            wire.settimeout(PATIENCE)
            request = b""
            while b"\r\n\r\n" not in request or len(request) < 200:
                request += (piece := wire.recv(65536))
                if not piece or b"(PLAY" in request or b"(STOP" in request or b"(ABORT" in request:
                    break
            if rng.random() < SILENT:
                silent.append(wire)
                return
            is_start = b"START" in request
            text = rng.choice(["(choose 1)", "NOOP", "( SWITCH )", "(choose 2)"])
            reply = make_reply(rng, "ready" if is_start else text)
            wire.sendall(b"HTTP/1.0 200 OK\r\n\r\nready" if is_start and rng.random() < 0.9 else reply)
            wire.shutdown(socket.SHUT_WR)
            while wire.recv(65536):
                pass
        wire.close()

    def listen() -> None:
        with suppress(OSError), ThreadPoolExecutor(2 * CLIENTS) as pool:
            number = 0
            while True:
                wire, _ = listening.accept()
                number += 1
                pool.submit(talk, number, wire)

    threading.Thread(target=listen, daemon=True).start()
    try:
        yield Address(*listening.getsockname()[:2])
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        for wire in silent:
            wire.close()


def hold_match(game: Game, address: Address, seed: int) -> tuple[str, int]:
    """What becomes of a match with the hostile player, and how many messages it took."""
    config = MatchConfig(max_errors=100, scramble=seed % 2 == 1)
    spec = f"remote:host={address.host},port={address.port},dialect={'BC'[seed % 2]},start=1,play=1"
    try:
        log = veil.run_match(game, {"contestant": spec}, seed, config)
    except veil.VeilError as error:
        return f"refused: {error.problems[0].code}", 4
    except Exception as fault:
        return f"wrong: {type(fault).__name__}: {fault}"[:80], 1
    if not log.finished or len(log.rounds) != 3:
        return "wrong: not finished", 5
    return f"{log.errors['contestant']} errors", 5


def fuzz_manager(messages: int, seed: int) -> dict[str, Any]:
    """Hold matches until about so many messages were answered."""
    game, outcomes, answered = veil.load("monty_hall"), Counter[str](), 0
    _ = game.machine
    sizes: list[float] = []
    with hostile_peer(seed) as address:

        def work(job: tuple[int, int]) -> tuple[Counter[str], int]:
            counted, taken = Counter[str](), 0
            while taken < job[1]:
                outcome, count = hold_match(game, address, job[0] + CLIENTS * counted.total() + len(sizes) * 10**6)
                counted[outcome] += 1
                taken += count
            return counted, taken

        for portion in split(messages):
            with ThreadPoolExecutor(CLIENTS) as pool:
                for counted, taken in pool.map(work, portion):
                    outcomes.update(counted)
                    answered += taken
            sizes.append(read_memory())
    return {
        "messages": answered,
        "matches": outcomes.total(),
        "outcomes": dict(outcomes.most_common()),
        "memory_growth_mb": round(sizes[1] - sizes[0], 1),
        "wrong": sum(count for outcome, count in outcomes.items() if outcome.startswith("wrong")),
    }


def split(messages: int) -> list[list[tuple[int, int]]]:
    """The first tenth and the rest, each as jobs for the clients: number, messages."""
    first = messages // 10
    return [[(client, count // CLIENTS + 1) for client in range(CLIENTS)] for count in (first, messages - first)]


def read_memory() -> float:
    """Megabytes that this process has in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    return round(pages * 4096 / 2**20, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--side", choices=["player", "manager", "both"], default="both")
    options = parser.parse_args()
    result: dict[str, Any] = about() | {"seed": options.seed}
    for side, fuzz in (("player", fuzz_player), ("manager", fuzz_manager)):
        if options.side in (side, "both"):
            clock = perf_counter()
            result[side] = fuzz(options.messages, options.seed) | {"seconds": round(perf_counter() - clock, 1)}
    names = [thread.name for thread in threading.enumerate()]
    result["threads_left"] = sum(name.startswith(("match ", "asks ")) for name in names)  # of matches that are over
    print(json.dumps(result, indent=2))
    return int(any(result.get(side, {}).get("wrong") for side in ("player", "manager")))


if __name__ == "__main__":
    sys.exit(main())
