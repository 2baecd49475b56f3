"""The process that grounds: it reads a logic program from standard input and writes ground rules to standard output.

Grounding can take unlimited time or memory and cannot be interrupted from inside, so it runs in its own process.
This file is run by path and imports nothing of Veil: a start costs less than a tenth of a second.

    python worker.py MAX_RULES MAX_BYTES MAX_SECONDS < program > result

The seconds are processor time, its own start included: how busy the machine is does not decide what can be ground.

The result is a pickled dict: the arrays of `Collector`, or `failed` with a code of the error catalogue.
"""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import sys
import time
from array import array
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread

import clingo


class Collector(clingo.Observer):
    """Ground rules as clingo reports them. Choice rules only make atoms possible and are not kept."""

    def __init__(self, max_rules: int) -> None:
        self.max_rules = max_rules
        self.heads, self.lengths, self.bodies = array("i"), array("i"), array("i")
        self.names: list[str] = []
        self.atoms = array("i")  # the atom of each name; 0: always true

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Store a ground rule (clingo calls this). Beyond the limit, send a message and end the process."""
        if choice or not head:
            return
        self.heads.append(head[0])
        self.lengths.append(len(body))
        self.bodies.extend(body)
        if len(self.heads) > self.max_rules:
            send({"failed": "ground-too-many-rules"})
            os._exit(0)  # an exception would not get through the grounder

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        """Store an atom that is shown (clingo calls this)."""
        self.names.append(str(symbol))
        self.atoms.append(atom)


def send(result: dict[str, object]) -> None:
    """Send a result to the process that waits for it."""
    pickle.dump(result, sys.stdout.buffer, protocol=5)
    sys.stdout.buffer.flush()


def ground(program: str, max_rules: int) -> dict[str, object]:
    """Return the arrays of the ground program, or `failed` with the code of the error."""
    messages: list[str] = []
    try:
        control = clingo.Control(["--warn=none"], logger=lambda _, text: messages.append(text))
        collector = Collector(max_rules)
        control.register_observer(collector)
        control.add("base", [], program)
        control.ground([("base", [])])
    except MemoryError:
        return {"failed": "ground-out-of-memory"}
    except RuntimeError as error:
        if "bad_alloc" in str(error):
            return {"failed": "ground-out-of-memory"}
        raise RuntimeError(f"clingo refused the program: {error} {messages}") from error
    return {name: getattr(collector, name) for name in ("heads", "lengths", "bodies", "names", "atoms")}


def end_with_reader() -> None:
    """End this process when no process is left to read its result, because the reader was killed."""
    reader = select.poll()
    reader.register(1, 0)  # poll reports errors in any case
    reader.poll()
    os._exit(1)


def address_space() -> int:
    """Return the bytes of memory that this process has mapped; 0 where the system does not tell."""
    with suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
    return 0


def main() -> None:
    """Set the limits, read the program, send the result."""
    max_rules, max_bytes, max_seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    if max_bytes <= address_space():  # the next allocation would fail anywhere, often without a message
        send({"failed": "ground-out-of-memory"})
        os._exit(0)
    resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(RuntimeError):  # no room for a thread: the limits will do
        Thread(target=end_with_reader, daemon=True).start()
    program, left = sys.stdin.read(), max_seconds - time.process_time()
    if left <= 0.0:
        send({"failed": "ground-too-slow"})
        os._exit(0)
    signal.setitimer(signal.ITIMER_PROF, left)  # its signal ends the process
    send(ground(program, max_rules))
    os._exit(0)  # clingo's destructors walk every term; there is nothing left to save


if __name__ == "__main__":
    main()
