"""Walls around the process of a guest. They need no privileges; each is built if the system has it.

`build_walls` is called in the process of a guest before any code of the guest runs. There is no way back: whoever
comes after cannot remove a wall. The process must have one thread; threads that it starts later are inside.

| wall | what it keeps the guest from | how |
|---|---|---|
| `limits` | memory, processor time, large files, many files, core dumps | `setrlimit` |
| `privileges` | the rights of an administrator, programs that gain them | `no_new_privs`, `capset` |
| `processes` | starting processes, signals to others, their memory, memory that processes share | seccomp |
| `network` | sockets | seccomp |
| `files` | reading beyond Python, its packages and the kernels; writing, locking, watching at all | Landlock, seccomp |

`limits` are everywhere. The others need Linux, on x86-64 or ARM64; `files` needs a kernel with Landlock (5.13).
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import site
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from veil.engine.lanes import cache_folder
from veil.match.executors.syscalls import make_filter

WALLS = ("limits", "privileges", "processes", "network", "files")
MAX_CPU_SECONDS = 3600  # processor time of a guest in a match
MAX_FILE_BYTES = 64 << 20  # of a file that a guest writes: standard error, or any where Landlock is missing
MAX_OPEN_FILES = 256
MAX_TASKS = 128  # processes and threads beyond those that the user has already; not counted for the administrator

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
CAPABILITY_VERSION = 0x20080522
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # system calls of Landlock, on all machines
PATH_BENEATH, VERSION = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
ALL_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # version -> number of rights to files; later ones have as many as 5
READ = EXECUTE | READ_FILE | READ_DIR
SIGNALS_AND_SOCKETS = 3  # scopes: abstract sockets, signals
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/sys/devices/system/cpu")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


class Ruleset(ctypes.Structure):
    """`struct landlock_ruleset_attr`."""

    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class PathBeneath(ctypes.Structure):
    """`struct landlock_path_beneath_attr`."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def build_walls() -> list[str]:
    """Build all walls that the system has around this process, and return their names."""
    built = ["limits"]
    limit_process()
    with suppress(OSError, AttributeError):
        _control(PR_SET_NO_NEW_PRIVS, 1, 0)
        drop_privileges()
        built.append("privileges")
    if "privileges" in built and len(os.listdir("/proc/self/task")) == 1:  # another thread would stay outside
        with suppress(OSError):
            restrict_files(find_readable())
            built.append("files")
        with suppress(OSError):
            restrict_calls()
            built += ["processes", "network"]
    return [name for name in WALLS if name in built]


def has_all_walls() -> bool:
    """Return whether this system has every wall, as far as that can be known without building them."""
    try:
        make_filter(platform.machine(), os.getpid())
        return _call(CREATE_RULESET, None, 0, VERSION) >= 1
    except (OSError, AttributeError):
        return False


def drop_privileges() -> None:
    """Give up the special rights of an administrator, if this process has them. Raise OSError if that fails."""
    head, nothing = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(head, nothing) != 0:
        raise OSError(ctypes.get_errno(), "capset")


def limit_process() -> None:
    """Limit processor time, files and processes of this process, and make its limit of memory the last word."""
    _lower(resource.RLIMIT_AS, resource.getrlimit(resource.RLIMIT_AS)[0])
    _lower(resource.RLIMIT_CPU, MAX_CPU_SECONDS)
    _lower(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)
    _lower(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NPROC, _count_tasks() + MAX_TASKS)


def _lower(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    most = min((limit for limit in (most, hard) if limit != resource.RLIM_INFINITY), default=resource.RLIM_INFINITY)
    resource.setrlimit(kind, (most, most))


def _count_tasks() -> int:
    """Count the processes and threads of this user."""
    user, tasks = os.getuid(), 0
    with suppress(OSError):
        for entry in os.scandir("/proc"):
            with suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == user:
                    tasks += len(os.listdir(f"/proc/{entry.name}/task"))
    return tasks


def find_readable() -> list[str]:
    """Return what a guest may read: the system's libraries, Python, its packages, Veil, and compiled kernels.

    The current folder is not among them, even if Python looks for modules there.
    """
    asked = os.environ.get("NUMBA_CACHE_DIR", "")
    packages = [
        asked,
        *site.getsitepackages(),
        site.getusersitepackages(),
        *os.environ.get("PYTHONPATH", "").split(":"),
    ]
    home = str(Path(__file__).parents[3])  # of the package
    places = [*SYSTEM, sys.prefix, sys.base_prefix, home, *filter(None, packages), str(cache_folder())]
    return [place for place in dict.fromkeys(map(os.path.realpath, places)) if place != "/" and os.path.exists(place)]


def restrict_files(readable: Iterable[str]) -> None:
    """Let this process read only what is `readable`, and write nothing. Raise OSError without Landlock."""
    version = _call(CREATE_RULESET, None, 0, VERSION)
    rights = (1 << ALL_RIGHTS.get(version, ALL_RIGHTS[5])) - 1
    scoped = SIGNALS_AND_SOCKETS if version >= 6 else 0
    ruleset = Ruleset(rights, 0, scoped)
    size = ctypes.sizeof(ruleset) if version >= 6 else 8
    handle = _call(CREATE_RULESET, ctypes.byref(ruleset), size, 0)
    try:
        for path in readable:
            _allow(handle, path, READ)
        for path in DEVICES:
            with suppress(OSError):
                _allow(handle, path, READ_FILE | WRITE_FILE)
        _call(RESTRICT_SELF, handle, 0)
    finally:
        os.close(handle)


def _allow(handle: int, path: str, rights: int) -> None:
    if not os.path.isdir(path):
        rights &= EXECUTE | WRITE_FILE | READ_FILE
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = PathBeneath(rights, parent)
        _call(ADD_RULE, handle, PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(parent)


def restrict_calls() -> None:
    """Forbid this process the system calls for processes and sockets. Raise OSError where that is impossible."""
    program = make_filter(platform.machine(), os.getpid())
    _control(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(program))


def _control(*values: int) -> None:
    """Call `prctl`. Raise OSError if it fails."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(*map(ctypes.c_ulong, (*values, 0, 0)[:5])) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def _call(number: int, *values: object) -> int:
    """Make a system call and return its result. Raise OSError if it fails."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not sys.platform.startswith("linux"):
        raise OSError(0, "not Linux")
    words = [ctypes.c_long(value) if isinstance(value, int) else value for value in values]
    result = int(libc.syscall(ctypes.c_long(number), *words))
    if result < 0:
        raise OSError(ctypes.get_errno(), "a system call failed")
    return result


def list_missing(built: Iterable[str]) -> list[str]:
    """Return the walls that were not built."""
    held = set(built)
    return [name for name in WALLS if name not in held]
