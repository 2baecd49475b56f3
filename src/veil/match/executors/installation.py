"""The versions that must be equal on all machines of a cluster, and the functions that run on its workers.

Equal seeds give equal matches only with equal code: Veil, Python, and the libraries that ground, compile and draw.
Each batch contains the versions of its sender. A worker with other versions does not open it (`Refusal`).
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
LIBRARIES = ("clingo", "llvmlite", "numba", "numpy", "scipy")  # on which results depend
CODE = "code of Veil"
MAX_DIFFERENCES = 3  # most that a message names
_one_at_a_time = threading.Lock()

Installation = Mapping[str, str]  # name -> version


class WorkerCard(NamedTuple):
    """The description of a worker, made by itself."""

    installation: Installation
    can_have_children: bool  # whether its players may have processes of their own


class Refusal(NamedTuple):
    """The answer of a worker that does not open a batch."""

    worker: str  # its address
    why: str


class OtherRulesError(Exception):
    """The rules that were sent are read here as other rules."""


@lru_cache(maxsize=1)
def describe_installation() -> Installation:
    """Return the versions in this process. They are read once, because files may change while it runs."""
    libraries = {name: _version_of(name) for name in LIBRARIES}
    python = ".".join(python_version_tuple()[:2])
    plugins = dict[str, str]()
    with suppress(VeilError):  # a plug-in that cannot be loaded counts as missing
        plugins = {f"the plug-in {name}": content for name, content in fingerprint_plugins().items()}
    return {"Veil": __version__, "Python": python} | libraries | plugins | {CODE: hash_files(PACKAGE)}


def hash_files(folder: Path) -> str:
    """Return a hash of all installed files of a package, such as its modules and the rules of its games."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and "__pycache__" not in name and not path.name.startswith(".") and path.name[-1] != "~":
            digest.update(f"{name}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def find_differences(here: Installation, there: Installation) -> str | None:
    """Return a text about the differences between two machines; None if there are none."""
    names = [name for name in here if here[name] != there.get(name)]
    named = [name for name in names if name != CODE] or names
    words = [f"{name} is {there.get(name, 'missing')} there and {here[name]} here" for name in named]
    return ", ".join(words[:MAX_DIFFERENCES]) or None


def introduce() -> WorkerCard:
    """Return the description of this worker. The executor runs this on each new worker."""
    return WorkerCard(describe_installation(), not multiprocessing.current_process().daemon)


def open_and_run(sender: Installation, parcel: bytes) -> bytes | Refusal:
    """Call a pickled function and return its pickled result, or a `Refusal`. This runs on a worker.

    A worker may have several threads, but it plays one match at a time, because matches have clocks.
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
    from distributed import get_worker  # an optional package

    return Refusal(get_worker().address, why)


def _version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
