"""How large numbers may be: one table, one check, one message; and what the system allows this process.

A number beyond its limit is a slip of the hand: it would end in an overflow, in all memory, or never. Every number that
a user can give has a row in `LIMITS`; commands, specs and Python functions check it here (`check_limit`), so that they
say the same.

The system may allow a process less memory or processor time than we would take (`ulimit`, a queue on a cluster). What
we set for processes of our own is the smaller of both (`allowed_bytes`, `allowed_cpu_seconds`).
"""

from __future__ import annotations

import resource
from errno import ENOMEM
from typing import NamedTuple

from veil.errors import VeilError, fail, phrase
from veil.signals import OUT_OF_TIME, listen

MAX_DIGITS = 30  # of a number that are shown
LAST_WORDS = 2  # seconds of processor time that are left to say that it is used up
NO_ROOM = ("failed to map segment", "can't start new thread")  # what others say where memory is short


class Limit(NamedTuple):
    """From `low` to `high`, both included; where it is `open`, `low` itself is too little."""

    low: float
    high: float
    open: bool = False

    def holds(self, value: float) -> bool:
        """Whether a number keeps to it; NaN does not."""
        return self.low < value <= self.high if self.open else self.low <= value <= self.high

    def in_words(self) -> str:
        """What a number has to be, for messages."""
        return phrase(
            "above-and-up-to" if self.open else "from-to", low=show_number(self.low), high=show_number(self.high)
        )


LIMITS: dict[str, Limit] = {
    "seed": Limit(0, 2**63 - 1),
    "rounds": Limit(1, 1_000_000_000),
    "record rounds": Limit(1, 10_000),  # kept of a record, for each of many games
    "playouts": Limit(1, 1_000_000_000),
    "iterations": Limit(1, 1_000_000_000_000),
    "worlds": Limit(1, 1_000_000),  # worlds, models, particles, samples: each takes memory
    "histories": Limit(1, 1_000_000_000),  # kept exactly; a limit of bytes counts as well
    "states": Limit(1, 1_000_000_000_000),  # visited
    "nodes": Limit(1, 1_000_000_000),  # of a tree; their numbers have 31 bits
    "rules": Limit(1, 1_000_000_000),
    "matches": Limit(1, 10**15),  # made one by one
    "errors": Limit(0, 1_000_000_000),
    "threads": Limit(1, 1024),
    "processes": Limit(1, 1024),
    "seconds": Limit(0, 1_000_000, open=True),  # the system waits for a few weeks at most
    "grace": Limit(0, 1_000_000),
    "port": Limit(0, 65535),  # 0: any that is free
    "gigabytes": Limit(0, 1_000_000, open=True),
    "bytes": Limit(1, 2**50),
    "payoff": Limit(0, 1e18, open=True),
    "goal": Limit(1, 999_999_999_999_999),  # what the language takes
    "share": Limit(0, 1, open=True),
    "exploration": Limit(0, 1_000_000_000),  # a constant of UCT
    "temperature": Limit(0, 1_000_000, open=True),  # of a soft choice; also a step size
}


def check_limit(kind: str, value: float, name: str) -> None:
    """Refuse a number beyond the limit of its kind; `name` is what the user calls it."""
    if not LIMITS[kind].holds(value):
        raise beyond(LIMITS[kind], value, name)


def beyond(limit: Limit, value: float, name: str) -> VeilError:
    """The error of a number beyond a limit."""
    return fail("bad-limit", name=name, wanted=limit.in_words(), value=show_number(value))


def show_number(value: float) -> str:
    """A number for a message, with thousands apart; one that is too long is cut."""
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**MAX_DIGITS else phrase("a-huge-number", digits=MAX_DIGITS)
    return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:g}"


def allowed_bytes(wanted: int) -> int:
    """Memory that a process may take: as much as is wanted, or what the system allows, if that is less."""
    return _smaller(wanted, resource.RLIMIT_AS)


def allowed_cpu_seconds(wanted: int) -> int:
    """Processor time that a process may take: as much as is wanted, or what the system allows, if that is less."""
    return _smaller(wanted, resource.RLIMIT_CPU)


def limit_memory(wanted: int) -> None:
    """From now on this process takes no more memory than that; the system's own limit is not touched."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (allowed_bytes(wanted), hard))


def hear_end_of_processor_time() -> None:
    """Where the system limits our processor time: note, shortly before it ends this process, that it will."""
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    allowed = min((limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY), default=None)
    if allowed is not None:
        listen((OUT_OF_TIME,))
        resource.setrlimit(resource.RLIMIT_CPU, (max(1, allowed - LAST_WORDS), hard))


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception says that there is no memory left."""
    if isinstance(error, MemoryError):
        return True
    if isinstance(error, OSError) and error.errno == ENOMEM:
        return True
    return isinstance(error, ImportError | OSError | RuntimeError) and any(text in str(error) for text in NO_ROOM)


def out_of_memory() -> VeilError:
    """The error of a process without memory; it says what the system allows, where it allows not all there is."""
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    unlimited = soft == resource.RLIM_INFINITY
    return fail("out-of-memory", limit="" if unlimited else phrase("allowed-memory", gigabytes=soft / 2**30))


def out_of_time() -> VeilError:
    """The error of a process without processor time."""
    return fail("out-of-time", seconds=resource.getrlimit(resource.RLIMIT_CPU)[0])


def _smaller(wanted: int, kind: int) -> int:
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
