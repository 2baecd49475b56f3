"""Limits of numbers: one table, one check, one message; and the limits of the system for this process.

A number beyond its limit is a typing mistake: it would overflow, use up all memory, or never end. Every number that a
user can give has a row in `LIMITS`; commands, specs and Python functions check it here (`check_limit`), so that they
give the same message.

The system may allow a process less memory or processor time than we would use (`ulimit`, a queue on a cluster). The
limit for our own processes is the smaller of both (`allowed_bytes`, `allowed_cpu_seconds`).
"""

from __future__ import annotations

import resource
from errno import EMFILE, ENFILE, ENOMEM
from numbers import Integral, Real
from typing import NamedTuple

from veil.errors import VeilError, bad_argument, fail, phrase
from veil.signals import OUT_OF_TIME, listen

MAX_DIGITS = 30  # of a number that is shown
MIN_BYTES = 800 << 20  # of address space, for compiled code; with half of it, libraries ask for memory for ever
MIN_FILES = 32  # that a process may open, for players or workers in other processes
LAST_WORDS = 2  # seconds of processor time that are reserved for the message that it is used up
NO_ROOM = ("failed to map segment", "can't start new thread")  # messages of other libraries when memory is short


class Limit(NamedTuple):
    """A range from `low` to `high`, both included; if it is `open`, `low` itself is excluded."""

    low: float
    high: float
    open: bool = False

    def holds(self, value: float) -> bool:
        """Return whether a number is within the limit; NaN is not."""
        return self.low < value <= self.high if self.open else self.low <= value <= self.high

    def in_words(self) -> str:
        """Return the allowed range for messages."""
        return phrase(
            "above-and-up-to" if self.open else "from-to", low=show_number(self.low), high=show_number(self.high)
        )


LIMITS: dict[str, Limit] = {
    "seed": Limit(0, 2**63 - 1),
    "rounds": Limit(1, 1_000_000_000),
    "record rounds": Limit(1, 10_000),  # stored of a record, for each of many games
    "playouts": Limit(1, 1_000_000_000),
    "iterations": Limit(1, 1_000_000_000_000),
    "worlds": Limit(1, 1_000_000),  # worlds, models, particles, samples: each takes memory
    "histories": Limit(1, 1_000_000_000),  # stored exactly; a limit of bytes counts as well
    "states": Limit(1, 1_000_000_000_000),  # visited
    "nodes": Limit(1, 1_000_000_000),  # of a tree; their numbers have 31 bits
    "rules": Limit(1, 1_000_000_000),
    "matches": Limit(1, 10**15),  # made one by one
    "visits": Limit(0, 10**15),  # of an infoset
    "errors": Limit(0, 1_000_000_000),
    "threads": Limit(1, 1024),
    "processes": Limit(1, 1024),
    "seconds": Limit(0, 1_000_000, open=True),  # the system waits at most a few weeks
    "grace": Limit(0, 1_000_000),
    "port": Limit(0, 65535),  # 0: any free port
    "gigabytes": Limit(0, 1_000_000, open=True),
    "bytes": Limit(1, 2**50),
    "payoff": Limit(0, 1e18, open=True),
    "goal": Limit(1, 999_999_999_999_999),  # the limit of the language
    "share": Limit(0, 1, open=True),
    "exploration": Limit(0, 1_000_000_000),  # a constant of UCT
    "temperature": Limit(0, 1_000_000, open=True),  # of a soft choice; also a step size
}

WHOLE = frozenset(("seed", "rounds", "playouts", "iterations", "worlds", "nodes", "matches", "processes"))


def check_limit(kind: str, value: float, name: str) -> None:
    """Raise `VeilError` for a number beyond the limit of its kind, and for anything else; messages call it `name`."""
    given: object = value  # whatever the annotation says
    wants_whole = kind in WHOLE
    is_number = isinstance(given, Real) and not isinstance(given, bool)
    if is_number and not LIMITS[kind].holds(value):
        raise beyond(LIMITS[kind], value, name)
    if not is_number or (wants_whole and not isinstance(given, Integral)):
        raise bad_argument(name, phrase("a-whole-number" if wants_whole else "a-number"), given)


def beyond(limit: Limit, value: float, name: str) -> VeilError:
    """Return the error for a number beyond a limit."""
    return fail("bad-limit", name=name, wanted=limit.in_words(), value=show_number(value))


def show_number(value: float) -> str:
    """Return a number for a message, with thousands separated; a very long one is cut."""
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**MAX_DIGITS else phrase("a-huge-number", digits=MAX_DIGITS)
    return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:g}"


def allowed_bytes(wanted: int) -> int:
    """Return the memory that a process may use: the wanted amount, or the system's limit if that is less."""
    return _smaller(wanted, resource.RLIMIT_AS)


def allowed_cpu_seconds(wanted: int) -> int:
    """Return the processor time that a process may use: the wanted amount, or the system's limit if that is less."""
    return _smaller(wanted, resource.RLIMIT_CPU)


def limit_memory(wanted: int) -> None:
    """Limit the memory of this process from now on; the system's own limit is not changed."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (allowed_bytes(wanted), hard))


def catch_end_of_processor_time() -> None:
    """Note, shortly before the system ends this process, that its processor time is used up."""
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    allowed = min((limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY), default=None)
    if allowed is not None:
        listen((OUT_OF_TIME,))
        resource.setrlimit(resource.RLIMIT_CPU, (max(1, allowed - LAST_WORDS), hard))


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an exception says that there is no memory left."""
    if isinstance(error, MemoryError):
        return True
    if isinstance(error, OSError) and error.errno == ENOMEM:
        return True
    return isinstance(error, ImportError | OSError | RuntimeError) and any(text in str(error) for text in NO_ROOM)


def out_of_memory() -> VeilError:
    """Return the error for a process without memory; it names the system's limit, if there is one."""
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    unlimited = soft == resource.RLIM_INFINITY
    return fail("out-of-memory", limit="" if unlimited else phrase("allowed-memory", gigabytes=soft / 2**30))


def check_address_space() -> None:
    """Raise `VeilError` if the system allows this process too little memory for compiled code."""
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    if soft != resource.RLIM_INFINITY and soft < MIN_BYTES:
        raise out_of_memory()


def check_open_files() -> None:
    """Raise `VeilError` if the system allows this process too few files for players or workers elsewhere."""
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < MIN_FILES:
        raise out_of_files()


def is_out_of_files(error: BaseException) -> bool:
    """Return whether an exception says that no more files can be opened."""
    return isinstance(error, OSError) and error.errno in (EMFILE, ENFILE)


def out_of_files() -> VeilError:
    """Return the error for a process that can open no more files."""
    return fail("out-of-files", count=resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def out_of_time() -> VeilError:
    """Return the error for a process without processor time."""
    return fail("out-of-time", seconds=resource.getrlimit(resource.RLIMIT_CPU)[0])


def _smaller(wanted: int, kind: int) -> int:
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
