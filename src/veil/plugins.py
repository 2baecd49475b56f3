"""Plug-ins: Python files that add rows to Veil's tables, and rows that installed packages declare.

1. A plug-in file adds what it defines to a table: `SOLVERS.add("hedge", Row(__name__, ...))`. `veil --load hedge.py`
   and the environment variable `VEIL_LOAD` (names separated by `os.pathsep`) name such files. Each is imported once per
   process, as a module of its name. `--load` adds to `VEIL_LOAD`, so that workers know the same files.
2. An installed package declares rows as entry points: the group `veil.solvers` for solvers, and so on for other tables.

`Rows` are the named things of one table. Veil's own come first; what is outside is looked at only when a name is not
among them, or when all names are listed.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from functools import lru_cache
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from veil.errors import Place, VeilError, fail
from veil.limits import is_out_of_memory
from veil.sanitize import make_visible
from veil.signals import OutOfProcessorTime

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
VARIABLE = "VEIL_LOAD"
MAX_SHOWN = 300  # characters of what is wrong with a plug-in
NAME = re.compile(r"[A-Za-z_][\w+-]*")  # what a row of a package can be called; paths and texts are no such names
_imported: dict[str, str] = {}  # the real path of a plug-in file -> the fingerprint of its content


def add_plugins(names: Iterable[str]) -> None:
    """Import the files of `VEIL_LOAD` and these; both are known to the processes that this one starts."""
    load_plugins()
    paths = [os.path.abspath(name) for name in list_plugins()]
    for name in names:
        if os.pathsep in os.path.abspath(name):
            raise _refuse(name, f"its path has a `{os.pathsep}`, which separates the names in {VARIABLE}")
        _import_file(name)
        paths.append(os.path.abspath(name))
    if paths:
        os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys(paths))


def load_plugins() -> None:
    """Import the files of `VEIL_LOAD` that this process has not imported yet."""
    for name in list_plugins():
        _import_file(name)


def list_plugins() -> list[str]:
    """Return the names of files in `VEIL_LOAD`."""
    return [name for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]


def fingerprint_plugins() -> dict[str, str]:
    """Return the fingerprints of the plug-in files of this process by their names: results depend on what they do."""
    load_plugins()
    return {os.path.basename(path): content for path, content in sorted(_imported.items())}


def is_plugin(module: str) -> bool:
    """Return whether a module of this name is a plug-in file: whoever started the command has named it."""
    return any(os.path.basename(path) == f"{module}.py" for path in _imported)


def _import_file(name: str) -> None:
    """Import a file once, as a module of its name. What it prints goes to standard error."""
    if "\0" in name:
        raise _refuse(name, "there is no such file")
    path = os.path.realpath(name)
    if path in _imported:
        return
    stem = _check_file(name, path)
    import hashlib  # seldom needed

    _imported[path] = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]  # also of one that fails: it ran once
    try:
        with redirect_stdout(sys.stderr):
            import_module(stem)
    except (KeyboardInterrupt, OutOfProcessorTime):
        raise
    except BaseException as error:
        if is_out_of_memory(error):
            raise
        reason = error.problems[0].message if isinstance(error, VeilError) else str(error)
        if isinstance(error, SyntaxError):
            reason = str(error.msg)
        raise _refuse(name, f"{type(error).__name__}: {reason}", _find_place(name, path, error)) from None


def _check_file(name: str, path: str) -> str:
    """Return the module that a file is imported as; its folder can be imported from. Refuse what is no such file."""
    stem, ending = os.path.splitext(os.path.basename(path))
    if not os.path.isfile(path):
        raise _refuse(name, "there is no such file")
    if not os.access(path, os.R_OK):
        raise _refuse(name, "it may not be read")
    if ending != ".py" or "." in stem:
        raise _refuse(name, "a plug-in is a Python file, NAME.py, without another dot in its name")
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.append(folder)
    invalidate_caches()
    try:
        found = importlib.util.find_spec(stem)
    except ValueError:  # a module that was made by hand
        found = None
    if found is None or os.path.realpath(found.origin or "") != path:
        raise _refuse(name, f"there is another Python module called {stem}: give the file another name")
    return stem


def _find_place(name: str, path: str, error: BaseException) -> Place | None:
    """Return the line of a file in which an error arose; None where it arose before its first line."""
    if isinstance(error, SyntaxError) and os.path.realpath(error.filename or "") == path:
        return Place(name, error.lineno or 1, max(1, error.offset or 1), (error.text or "").rstrip())
    import linecache  # seldom needed
    import traceback

    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if os.path.realpath(frame.filename) == path]
    if not frames or frames[-1].lineno is None:
        return None
    line = linecache.getline(frames[-1].filename, frames[-1].lineno).rstrip()
    return Place(name, frames[-1].lineno, (frames[-1].colno or 0) + 1, line)


def _refuse(name: str, what: str, place: Place | None = None) -> VeilError:
    shown = os.path.basename(name) if place is not None else name
    return fail("bad-plugin", place, file=make_visible(shown), what=what[:MAX_SHOWN])


@lru_cache(maxsize=16)
def find_entries(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of installed packages in a group, sorted by name."""
    from importlib.metadata import entry_points  # seldom needed

    return {entry.name: entry for entry in sorted(entry_points(group=group))} if group else {}


class Rows(Mapping[str, T]):
    """The named things of one table: Veil's own, those that plug-in files add, those that packages declare."""

    def __init__(self, kind: str, rows: Mapping[str, T], row_type: type[T], group: str = "") -> None:
        """`kind` stands in messages. Packages declare things of `row_type` in the group of entry points, if any."""
        self.kind, self.group, self.row_type = kind, group, row_type
        self._rows = dict(rows)
        self._opened: dict[str, T] = {}  # rows of packages that were asked for

    def add(self, name: str, row: T) -> None:
        """Add a row; a name that is taken is refused."""
        if name in self._rows:
            raise ValueError(f"there is a {self.kind} called {name} already")
        self._rows[name] = row

    def __getitem__(self, name: str) -> T:
        if name not in self._rows:
            load_plugins()
        if name in self._rows or name not in self._entries():
            return self._rows[name]
        if name not in self._opened:
            self._opened[name] = self._open(self._entries()[name])
        return self._opened[name]

    def __contains__(self, name: object) -> bool:
        if name in self._rows:
            return True
        if not isinstance(name, str) or not NAME.fullmatch(name):
            return False
        load_plugins()
        return name in self._rows or name in self._entries()

    def __iter__(self) -> Iterator[str]:
        load_plugins()
        return iter([*self._rows, *(name for name in self._entries() if name not in self._rows)])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __setitem__(self, name: str, row: T) -> None:
        self._rows[name] = row

    def __delitem__(self, name: str) -> None:
        del self._rows[name]

    def _entries(self) -> dict[str, EntryPoint]:
        return find_entries(self.group)

    def _open(self, entry: EntryPoint) -> T:
        """Import the row that a package declares; what cannot be imported or is no row is refused."""
        package = entry.dist.name if entry.dist is not None else Path(entry.module).stem
        try:
            row: Any = entry.load()
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
        else:
            if isinstance(row, self.row_type):
                return row
            what = f"{entry.value} is no {self.row_type.__name__}"
        raise fail("bad-package-row", name=entry.name, group=self.group, package=package, what=what[:MAX_SHOWN])
