"""Commands that are ended by a signal at some moment, and what they must not leave behind.

The commands are those of the table (`tests/support/every_command.py`), each with all its outputs and with more work
than there is time for.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from tests.support.command import COMMAND, PATIENCE
from tests.support.every_command import GOOD, Parameter, find_good, list_parameters, write_good_files
from tests.support.processes import WITH_CTRL_C, sessions, wait_until
from veil.equilibrium.array_file import begins_as_arrays
from veil.files import remove_leftovers
from veil.match import SearchStore, Store, read_logs
from veil.review import TuningStore
from veil.review.variant_play import VariantConfig, VariantTask
from veil_lab.result_cache import PieceStore

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL)
JOURNALS = ("-wal", "-shm", "-journal")  # what SQLite leaves of a process that was killed, and takes up again
OUTPUTS = {
    "policy_out": "policy-out.json",
    "plot": "plot.png",
    "records": "records.jsonl",
    "store": "store.sqlite",
    "html": "page.html",
    "out": "folder",
}
OUTPUT_FOR = {  # where it is something else
    ("export", "out"): "tree.efg",
    ("draw", "out"): "tree.svg",
    ("tune", "out"): "best.kif",
}
LONG = {
    "games": ["100000"],
    "playouts": ["100000000"],
    "iterations": ["100000000"],
    "count": ["1000"],
    "names": ["isg-table1"],
    "seconds": ["1000"],
    "game_names": ["leduc_poker"],
    "game": ["ii_goofspiel"],
    "vary": ["cards=3..6"],
    "games_to_play": ["leduc_poker"],
    "player": ["first=hyperplay", "second=random"],
    "players": ["hyperplay", "random"],
}
LONG_FOR = {  # where a command needs something else
    ("exploit", "player"): ["hyperplay2"],
    ("review", "player"): ["hyperplay"],
    ("tune", "player"): ["hyperplay"],
    ("reproduce", "game"): ["racko"],
    ("bench", "game"): [],  # most benchmarks have games of their own
}
AS_USUAL = (
    "infoset",
    "evaluate",
    "export",
    "draw",
    "trace",
    "play",
)  # their files are of the usual game, or they wait for a person

OF_NOBODY = VariantTask(key="", text="", is_rules=True, first=0, last=1, seed=0, config=VariantConfig())


def is_started(pid: int) -> bool:
    """Whether the command has begun: what comes before it may ignore signals, as under `nohup`."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[1:2] == [b"-m"]


def build_long(command: str) -> list[str]:
    """A command line with all outputs and much to do."""
    words = [command]
    for entry in list_parameters(command):
        if entry.name in OUTPUTS:
            words += entry.write([OUTPUT_FOR.get((command, entry.name), OUTPUTS[entry.name])])
        elif (command, entry.name) != ("infoset", "record"):
            words += _write_long(command, entry)
    return words


def _write_long(command: str, entry: Parameter) -> list[str]:
    if entry.name == "quick" or not (entry.required or entry.name in GOOD or entry.name in LONG):
        return []
    if entry.name not in LONG or (command in AS_USUAL and entry.name in GOOD):
        return entry.write(find_good(entry))
    return entry.write(LONG_FOR.get((command, entry.name), LONG[entry.name]))


class Kill(NamedTuple):
    """A signal that ends a command some seconds after its start."""

    command: str
    seconds: float
    number: signal.Signals


def kill_and_look(kill: Kill, folder: Path) -> None:
    """Start a command, end it, and assert that it has left finished results and nothing else."""
    write_good_files(folder)
    good = set(os.listdir(folder))
    words = [sys.executable, "-c", WITH_CTRL_C, *COMMAND, *build_long(kill.command)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, cwd=folder, start_new_session=True, **pipes) as process:  # type: ignore[call-overload]
        try:
            assert wait_until(lambda: is_started(process.pid))
            time.sleep(kill.seconds)
            process.send_signal(kill.number)
            _, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    if b"KeyboardInterrupt" not in err:  # otherwise Python was not up yet, and it is Python's own message
        assert process.returncode in (0, 128 + kill.number, -kill.number), (kill, err)
        assert b"Traceback" not in err, (kill, err)
    assert wait_until(lambda: not sessions(process.pid), seconds=60), kill
    remove_leftovers(folder)  # as the next command does that writes there
    check_results(kill.command, folder, set(os.listdir(folder)) - good)


def check_results(command: str, folder: Path, names: set[str]) -> None:
    """Each file is one of the outputs, and can be read to its end."""
    names = {name for name in names if not name.endswith(JOURNALS)}
    assert names <= {*OUTPUTS.values(), *OUTPUT_FOR.values()}
    if "policy-out.json" in names:
        assert json.loads((folder / "policy-out.json").read_text())["format"] == "veil policy 1"
    if "records.jsonl" in names:
        assert all(log.goals for log in read_logs(folder / "records.jsonl"))
    if "store.sqlite" in names:
        check_store(command, str(folder / "store.sqlite"))
    if "plot.png" in names:
        assert (folder / "plot.png").read_bytes().endswith(b"IEND\xaeB`\x82")
    if "tree.efg" in names:
        assert (folder / "tree.efg").read_text().startswith("EFG 2 R")
    if "folder" in names:
        for path in (folder / "folder").iterdir():
            assert path.suffix in (".csv", ".png", ".md", ".json")
            assert path.stat().st_size > 0


def check_store(command: str, name: str) -> None:
    """What a command has kept can be read."""
    if command == "solve":
        assert begins_as_arrays(name)
    elif command == "exploit":
        with SearchStore(name) as searches:
            assert all(row.seconds >= 0 for row in searches.searches(10**9))
    elif command == "reproduce":
        with PieceStore(name) as pieces:
            assert pieces.find({"a piece": "of nobody"}, int) is None
    elif command == "tune":
        with TuningStore(name) as variants:
            assert variants.find(OF_NOBODY) is None
    else:
        with Store(name) as store:
            assert isinstance(store.results(), list)
