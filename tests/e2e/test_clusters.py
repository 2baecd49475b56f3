"""Tournaments on a Dask cluster: scheduler and workers are processes, and the table is that of one process.

Workers are killed, come late, have another Veil; the command is interrupted and goes on. Nothing is lost, nothing is
there twice.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.clusters import SOURCE, ClusterProcesses, running_cluster
from tests.support.command import COMMAND, PATIENCE, count_stored, errors_of, inside, refusal_of
from tests.support.processes import NEEDS_PROC, WITH_CTRL_C, children, runs, wait_until
from veil.engine import load
from veil.equilibrium import Budget, WalkListener, prepare_walk, solve_prepared
from veil.equilibrium.streaming.shard_crew import ShardCrew
from veil.match import open_cluster

pytest.importorskip("distributed", reason="Dask is not installed (extra `cluster`)")
pytestmark = pytest.mark.slow

SLOW = """
import time

class Player:
    def start(self, seat): pass
    def play(self, observation): time.sleep(0.003)
    def stop(self, observation): pass
    def report(self): return {}
"""  # it says no move, which costs no time: the referee plays the first one
MATCHES = 120


@contextmanager
def started(*words: str | Path, env: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A command in a group of its own, as a shell starts it; nothing of it is left in the end."""
    command = [sys.executable, "-c", WITH_CTRL_C, *COMMAND, *map(str, words)]
    path = {"PYTHONPATH": f"{SOURCE}{os.pathsep}{SOURCE.parent}"}
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, **path, **(env or {})},
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def tournament(tmp_path: Path) -> list[str]:
    """Some seconds of a tournament, most of which a player sleeps."""
    (tmp_path / "slow.py").write_text(SLOW)
    players = ["random", f"own:file={tmp_path / 'slow.py'}"]
    return ["tournament", "kuhn_poker", "exploding_bomb", "--players", *players, "--games", str(MATCHES), "--json"]


def read_tables(out: str | bytes) -> Any:
    """What a tournament says, without its speed."""
    found = json.loads(out)
    for entry in found["games"]:
        del entry["rounds_per_second"]
    del found["store"]
    return found


def find_workers(parent: int) -> list[int]:
    """The workers that a process has started."""
    return [pid for pid in children(parent) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def stored_keys(path: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
        return base.execute("SELECT game, players, number FROM match").fetchall()


@pytest.fixture(scope="module")
def another_veil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of a Veil in which the rules of one game are others."""
    source = tmp_path_factory.mktemp("source")
    shutil.copytree(SOURCE / "veil", source / "veil", ignore=shutil.ignore_patterns("__pycache__"))
    (rules,) = source.rglob("monty_hall.kif")
    rules.write_text(rules.read_text() + "; no difference to whoever plays it\n")
    return source


@pytest.fixture
def dask_processes(tmp_path: Path) -> Iterator[ClusterProcesses]:
    with running_cluster(tmp_path) as made:
        yield made


@pytest.mark.nightly
def test_the_table_is_that_of_one_process_whatever_happens_to_workers_and_command(
    tournament: list[str], dask_processes: ClusterProcesses, another_veil: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store.sqlite"
    words = [*tournament, "--store", str(store), "--cluster", dask_processes.address, "--batch-seconds", "0.05"]
    first = dask_processes.start_worker()
    dask_processes.start_worker(another_veil)
    with started(*words) as process:
        assert wait_until(lambda: count_stored(store) > 20)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out, err.splitlines()[-1:]) == (130, b"", [b"interrupted"])
    before = count_stored(store)
    assert 20 < before < 4 * MATCHES
    with started(*words) as process:
        assert wait_until(lambda: count_stored(store) > before + 20)
        first.kill()
        assert first.wait() == -signal.SIGKILL
        late = dask_processes.start_worker()
        assert wait_until(lambda: count_stored(store) > before + 60)
        last = dask_processes.start_worker()
        late.kill()
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    exposure, refusal = (line for line in err.decode().splitlines() if line.startswith("warning: "))
    assert "has no TLS" in exposure
    assert "was not used: code of Veil is " in refusal
    assert last.poll() is None
    found = read_tables(out)
    assert found == read_tables(inside(*tournament).out)
    keys = stored_keys(store)
    assert len(keys) == len(set(keys)) == found["matches"] == 4 * MATCHES


@pytest.mark.nightly
@NEEDS_PROC
def test_a_walk_loses_only_the_shards_of_a_killed_worker() -> None:
    walk, budget = prepare_walk(load("ii_goofspiel(5)"), threads=1), Budget(iterations=24)
    expected = solve_prepared(walk, "pcfr+", budget)
    killed = list[int]()

    def kill_one(done: float, judged: float) -> None:
        if done > 3.5 and not killed and not judged:
            killed.append(find_workers(os.getpid())[0])
            os.kill(killed[0], signal.SIGKILL)

    with open_cluster("local:2") as workers:
        crew = ShardCrew(workers)
        listener = WalkListener(share=kill_one)
        found = solve_prepared(replace(walk, crew=crew), "pcfr+", budget, walking=listener)
    assert killed
    assert crew.sent > 0
    assert found.last_slots.tobytes() == expected.last_slots.tobytes()
    assert found.nash_conv == expected.nash_conv


@pytest.mark.nightly
@NEEDS_PROC
def test_workers_of_this_machine_are_replaced_and_end_with_the_command(tournament: list[str], tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    words = [*tournament, "--store", str(store), "--cluster", "local:2", "--batch-seconds", "0.05"]
    seen: set[int] = set()
    with started(*words) as process:

        def is_far(stored: int) -> bool:
            return count_stored(store) > stored and len(find_workers(process.pid)) == 2

        def is_gone(pid: int) -> bool:
            return not runs(pid)

        for stored in (20, 120):
            assert wait_until(partial(is_far, stored))
            workers = find_workers(process.pid)
            seen.update(workers)
            os.kill(workers[0], signal.SIGKILL)
            assert wait_until(partial(is_gone, workers[0]))
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors_of(err)) == (0, "")
    assert read_tables(out) == read_tables(inside(*tournament).out)
    assert len(stored_keys(store)) == 4 * MATCHES
    assert not any(map(runs, seen))


@pytest.mark.nightly
@NEEDS_PROC
def test_ctrl_c_waits_for_no_worker_of_this_machine(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    long = ["blind_breakthrough", "--players", "random", "hyperplay:models=100,playouts=20000"]
    with started("tournament", "kuhn_poker", *long, "--store", store, "--cluster", "local:1") as process:
        assert wait_until(lambda: count_stored(store) == 2)
        workers = children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.splitlines()[-1:]) == (130, b"", [b"interrupted"])
    assert wait_until(lambda: not any(map(runs, workers)), 60)


def test_ctrl_c_is_heard_while_a_scheduler_is_waited_for() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        nobody.listen()  # connections are taken, and nobody ever says anything
        address = "tcp://{}:{}".format(*nobody.getsockname())
        with started("tournament", "kuhn_poker", "--players", "random", "--cluster", address) as process:
            nobody.settimeout(PATIENCE)
            with nobody.accept()[0]:  # a connection that is closed would be an answer
                os.killpg(process.pid, signal.SIGINT)
                out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err.splitlines()[-1:]) == (130, b"", [b"interrupted"])


@pytest.mark.nightly
def test_isolated_players_are_processes_of_a_local_worker(tmp_path: Path) -> None:
    words = ["tournament", "kuhn_poker", "--players", "random", "--games", "2", "--isolated", "--json"]
    with started(*words, "--cluster", "local:1") as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    found = read_tables(out)
    assert (found["matches"], found["games"][0]["players"]["random"]["errors"]) == (2, 0)


def test_a_cluster_over_tls_works_with_the_files_of_dasks_settings(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("certificates are made with openssl, which is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=veil"]
    subprocess.run(
        ["openssl", "req", "-x509", *kind, "-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    env = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(certificate)}
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        env |= {
            f"DASK_DISTRIBUTED__COMM__TLS__{who}__{what}": str(file)
            for what, file in (("KEY", key), ("CERT", certificate))
        }
    words = ["tournament", "matching_pennies", "--players", "random", "first", "--games", "20", "--json"]
    with running_cluster(tmp_path, "tls", env) as made:
        assert made.address.startswith("tls://")
        made.start_worker()
        with started(*words, "--cluster", made.address, env=env) as process:
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        assert read_tables(out) == read_tables(inside(*words).out)
        message = refusal_of(inside(*words, "--cluster", made.address.replace("tls:", "tcp:")))
        assert message.startswith("error: no scheduler answers at tcp://")


@pytest.mark.parametrize(
    "words",
    [
        ["tournament", "kuhn_poker", "--players", "random"],
        ["exploit", "kuhn_poker", "--player", "first"],
        ["reproduce", "its-fig2"],
        ["solve", "kuhn_poker"],
        ["evaluate", "kuhn_poker", "--policy", "uniform"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_with_a_cluster_refuses_what_is_none(words: list[str], tmp_path: Path) -> None:
    message = refusal_of(inside(*words, "--cluster", "http://host"))
    assert message.startswith("error: http://host: it is no address of a scheduler\n")
    assert list(tmp_path.iterdir()) == []


def test_processes_of_this_machine_and_a_cluster_are_not_mixed() -> None:
    for words in (["tournament", "kuhn_poker", "--players", "random"], ["exploit", "kuhn_poker", "--player", "first"]):
        assert "--jobs" in refusal_of(inside(*words, "--jobs", "2", "--cluster", "local:1"))
