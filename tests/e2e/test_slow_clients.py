"""Thousands of clients that send nothing, or send byte by byte: a person still plays, and a manager too (loopback)."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.command import COMMAND, PATIENCE
from veil_lab.bench.studio import Visitor

SLOW = [b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"POST /play/new HTTP/1.1\r\nContent-Length: 99\r\n\r\n{"]


@contextmanager
def running(*words: str, folder: Path) -> Iterator[str]:
    """A server of ours as a process; what it says with `--json` is yielded as `host:port` or an address."""
    environment = os.environ | {"VEIL_STUDIO": str(folder / "studio")}
    with subprocess.Popen([*COMMAND, *words, "--json"], env=environment, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            said = json.loads(process.stdout.readline())
            yield said["address"] if "address" in said else f"{said['host']}:{said['port']}"
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def open_slow(stack: ExitStack, address: tuple[str, int], count: int) -> None:
    """Open this many connections that send a part of a request and then nothing."""
    for number in range(count):
        with suppress(OSError):
            wire = stack.enter_context(closing(socket.create_connection(address, 20)))
            wire.sendall(SLOW[number % len(SLOW)])


def allow_files(wanted: int) -> int:
    """Let this process open `wanted` files, or as many as the system allows; return how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    return max(soft, most)


def play_a_game(address: str, folder: Path) -> float:
    """Play a game in the studio to its end, as a browser does. Return the seconds of the slowest answer."""
    person = Visitor(address, folder / "studio", 0)
    players = {"first": "random", "second": "random"}
    session = person.ask("new", "/play/new", {"game": "kuhn_poker", "role": "first", "players": players})["session"]
    view = person.ask("view", f"/play/{session}/view")
    while not view["over"]:
        question = {"round": view["round"], "move": view["choices"][0]["move"]}
        view = person.ask("move", f"/play/{session}/move", question)
    return max(visit.seconds for visit in person.visits)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1500, pytest.param(2000, marks=pytest.mark.nightly)])
def test_slow_clients_do_not_keep_a_person_from_the_studio(count: int, tmp_path: Path) -> None:
    """Also without those that send a part of a body there are more than the 1,000 that the server would hold."""
    count = min(count, allow_files(count + 100) - 100)
    with (
        running("studio", "kuhn_poker", "--no-browser", "--port", "0", folder=tmp_path) as address,
        ExitStack() as stack,
    ):
        play_a_game(address, tmp_path)
        place = urlsplit(address)
        open_slow(stack, (str(place.hostname), int(place.port or 0)), count)
        assert play_a_game(address, tmp_path) < PATIENCE


@pytest.mark.slow
@pytest.mark.parametrize("count", [300, pytest.param(2000, marks=pytest.mark.nightly)])
def test_slow_clients_do_not_keep_a_manager_from_the_player(count: int, tmp_path: Path) -> None:
    count = min(count, allow_files(count + 100) - 100)
    with running("serve-player", "first", "--port", "0", folder=tmp_path) as address, ExitStack() as stack:
        host, _, port = address.rpartition(":")
        open_slow(stack, (host, int(port)), count)
        for _ in range(3):
            with urllib.request.urlopen(f"http://{address}/?%28INFO%29", timeout=PATIENCE) as answer:
                assert b"available" in answer.read()
