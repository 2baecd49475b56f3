"""What must be equal on all machines of a cluster, and the part of Veil that runs on its workers.

The same seed gives the same match where the same code plays it: Veil, Python, and the libraries that ground, compile
and draw. Each batch says what its sender is; a worker that is something else does not open it (`Refusal`).
"""

from __future__ import annotations

import hashlib
import multiprocessing
import pickle
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version_tuple
from typing import NamedTuple

from veil._version import __version__
from veil.errors import VeilError
from veil.plugins import fingerprint_plugins

PACKAGE = Path(__file__).parents[2]  # the folder of Veil
LIBRARIES = ("clingo", "llvmlite", "numba", "numpy", "scipy")  # that results depend on
CODE = "code of Veil"
MAX_DIFFERENCES = 3  # that a message names
_one_at_a_time = threading.Lock()

Installation = Mapping[str, str]  # what -> which version of it


class WorkerCard(NamedTuple):
    """What a worker says about itself."""

    installation: Installation
    can_have_children: bool  # whether its players may have processes of their own


class Refusal(NamedTuple):
    """A worker does not open a batch."""

    worker: str  # its address
    why: str


class OtherRulesError(Exception):
    """Rules that were sent are read here as other rules."""


@lru_cache(maxsize=1)
def describe_installation() -> Installation:
    """What this process plays with; it is looked up once, because files may change while it runs."""
    libraries = {name: _version_of(name) for name in LIBRARIES}
    python = ".".join(python_version_tuple()[:2])
    plugins = dict[str, str]()
    with suppress(VeilError):  # one that cannot be loaded here is missing here
        plugins = {f"the plug-in {name}": content for name, content in fingerprint_plugins().items()}
    return {"Veil": __version__, "Python": python} | libraries | plugins | {CODE: hash_files(PACKAGE)}


def hash_files(folder: Path) -> str:
    """A fingerprint of the files of a package: its modules, the rules of its games, everything that is installed."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and "__pycache__" not in name and not path.name.startswith(".") and path.name[-1] != "~":
            digest.update(f"{name}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def find_differences(here: Installation, there: Installation) -> str | None:
    """What is not the same on two machines, in words; None where nothing is."""
    names = [name for name in here if here[name] != there.get(name)]
    named = [name for name in names if name != CODE] or names
    words = [f"{name} is {there.get(name, 'missing')} there and {here[name]} here" for name in named]
    return ", ".join(words[:MAX_DIFFERENCES]) or None


def introduce() -> WorkerCard:
    """Run on a worker that is new."""
    return WorkerCard(describe_installation(), not multiprocessing.current_process().daemon)


def open_and_run(sender: Installation, parcel: bytes) -> bytes | Refusal:
    """Run on a worker: call what was pickled, and return the pickled result; or refuse to.

    A worker may have several threads; matches are played one at a time, since clocks run in them.
    """
    why = find_differences(sender, describe_installation())
    if why is None:
        try:
            call, arguments, options = pickle.loads(parcel)
        except OtherRulesError as error:
            why = str(error)
        else:
            with _one_at_a_time:
                return pickle.dumps(call(*arguments, **options))
    from distributed import get_worker

    return Refusal(get_worker().address, why)


def _version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
