"""What workers of the studio are asked to do in tests."""

from __future__ import annotations

import os
import time
from typing import Any

from veil.errors import fail
from veil.server.web.host.workers import Say

GIGABYTE = 2**30


def echo(say: Say, **arguments: Any) -> dict[str, Any]:
    """Say what it was given, and return it with the number of the process."""
    say({"heard": arguments})
    return {"pid": os.getpid()} | arguments


def sleep_long(say: Say) -> None:
    """Work for ever; the number of the process is said first."""
    say(os.getpid())
    time.sleep(600)


def eat_memory(say: Say, gigabytes: int) -> int:
    """Take so much memory."""
    return len(bytearray(gigabytes * GIGABYTE))


def end_itself(say: Say) -> None:
    """Die."""
    os._exit(3)


def refuse(say: Say) -> None:
    """Fail as rules of a user do."""
    raise fail("game-over", where="")


def break_down(say: Say) -> None:
    """Fail as no function should."""
    raise ZeroDivisionError
