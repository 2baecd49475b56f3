"""Rules -> `GroundProgram`, inside limits: the grounder runs in a process that can be stopped."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from subprocess import PIPE

from veil.engine.datalog import MAX_FIXED_ROWS, Sizes, compute_fixed_relations
from veil.engine.grounding.assemble import assemble
from veil.engine.grounding.program import GroundProgram
from veil.engine.grounding.shrink import shrink
from veil.engine.grounding.stops import check_stop, current_stop
from veil.engine.grounding.translate import Translation
from veil.errors import Place, VeilError, fail, phrase
from veil.lang import Node, Rules, RuleSet, words
from veil.limits import allowed_bytes, allowed_cpu_seconds, check_limit
from veil.signals import block_signals, interruptible

WORKER = Path(__file__).with_name("worker.py")
NO_MEMORY = (  # messages of a process that has no room for an exception, or that cannot start
    b"cannot allocate memory",
    b"MemoryError",
    b"failed to map segment",
    b"bad_alloc",
)
HOPELESS = 5_000  # estimated instances per rule of the limit; no game that can be ground has nearly as many
OUT_OF_TIME = (-signal.SIGXCPU, -signal.SIGKILL)  # how the system ends a process that has used up its processor time
PATIENCE = 20.0  # seconds to wait for one of processor time, on a busy machine


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundLimits:
    """Limits on the size of a ground program and on the work to make it; the seconds are processor time."""

    max_rules: int = 2_000_000
    max_seconds: float = 60.0
    max_bytes: int = 6 * 2**30

    def __post_init__(self) -> None:
        check_limit("rules", self.max_rules, "max_rules")
        check_limit("seconds", self.max_seconds, "max_seconds")
        check_limit("bytes", self.max_bytes, "max_bytes")


class GroundingError(VeilError):
    """A ground program beyond the limits. The rules may be sound, and the interpreter can still play them."""


def ground(rules: Rules, limits: GroundLimits | None = None, *, shrinking: bool = True) -> GroundProgram:
    """Return the ground program of a game. Raises `GroundingError` at a limit, `VeilError` for a confirmed doubt.

    Another thread may end it (`stops`). `GroundingEndedError` is raised then.

    `shrinking=False` translates the rules as they stand, to measure what splitting bodies is worth.
    """
    limits = limits or GroundLimits()
    translation = Translation()
    shrunk = shrink(rules.rule_set) if shrinking else list(rules.rules)
    if shrinking and is_hopeless(rules.rule_set.rewrite(shrunk), limits):
        raise _limit_reached("ground-too-many-rules", rules, limits)
    program = translation.program(shrunk)
    check_stop()
    grounded = run_worker(program, rules, limits)
    check_stop()
    return assemble(rules, translation, grounded)


def is_hopeless(rules: RuleSet, limits: GroundLimits) -> bool:
    """Return whether the estimated number of instances is far beyond the limit."""
    sizes = Sizes(rules)
    if sum(sizes.join(rule.body) for rule in rules) < HOPELESS * limits.max_rules:
        return False
    sizes = Sizes(rules, compute_fixed_relations(rules, MAX_FIXED_ROWS))  # dearer, and much closer
    return sum(sizes.join(rule.body) for rule in rules) >= HOPELESS * limits.max_rules


def run_worker(program: str, rules: Rules, limits: GroundLimits) -> dict[str, object]:
    """Ground a program in another process and return the result of `worker.Collector`."""
    cpu_seconds = min(limits.max_seconds, allowed_cpu_seconds(ceil(limits.max_seconds)))
    numbers = (limits.max_rules, allowed_bytes(limits.max_bytes), cpu_seconds)
    # -P: the worker's own folder must not shadow modules of the standard library.
    command = [sys.executable, "-P", str(WORKER), *map(str, numbers)]
    with block_signals(signal.SIGINT):  # Ctrl-C ends this process, which then ends the worker
        process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    stop = current_stop()
    if stop is not None:
        stop.watch(process)
    with process:
        try:
            with interruptible():
                output, errors = process.communicate(program.encode(), timeout=PATIENCE * limits.max_seconds)
        except subprocess.TimeoutExpired:
            raise _limit_reached("ground-too-slow", rules, limits) from None
        finally:
            process.kill()  # for every way out of the wait: the worker must not go on
    check_stop()
    if process.returncode > 0 and any(text in errors for text in NO_MEMORY):
        raise _limit_reached("ground-out-of-memory", rules, limits)
    ended_by_system = process.returncode in OUT_OF_TIME and cpu_seconds < limits.max_seconds
    if process.returncode == -signal.SIGPROF or ended_by_system:
        raise _limit_reached("ground-too-slow", rules, limits)
    if process.returncode > 0:
        raise RuntimeError(f"the grounding process failed:\n{errors.decode(errors='replace')}")
    try:
        result: dict[str, object] = pickle.loads(output)
    except (EOFError, pickle.UnpicklingError):  # ended by a signal: endless terms used up its stack or memory
        raise _limit_reached("ground-crashed", rules, limits) from None
    if "failed" in result:
        raise _limit_reached(str(result["failed"]), rules, limits)
    return result


def _limit_reached(code: str, rules: Rules, limits: GroundLimits) -> GroundingError:
    """Return the error for a limit, with the term that grows without end, if any, and with a hint."""
    growing, place = _growing_term(rules)
    max_bytes, max_seconds = allowed_bytes(limits.max_bytes), allowed_cpu_seconds(ceil(limits.max_seconds))
    by_system = {
        "ground-out-of-memory": max_bytes < limits.max_bytes,
        "ground-too-slow": max_seconds < limits.max_seconds,
    }
    error = fail(
        code,
        place,
        max_rules=limits.max_rules,
        max_seconds=min(limits.max_seconds, max_seconds),
        gigabytes=max_bytes / 2**30,
        growing=growing,
        way_out=phrase(
            "end-the-counter" if growing else "limit-of-the-system" if by_system.get(code) else "raise-the-limit"
        ),
    )
    return GroundingError(*error.problems)


def _growing_term(rules: Rules) -> tuple[str, Place | None]:
    """Return in words which term grows without end, and its place; ("", None) if no term does."""
    functor = rules.domains.growing()
    if functor is None:
        return "", None
    growing = phrase("growing-terms", name=rules.spelling.get(functor[0], functor[0]))
    for rule in rules.rules:
        offset = _find_word(rule.node, functor[0]) if rule.body else None
        if offset is not None:
            return growing, rules.source.place(offset)
    return growing, None


def _find_word(node: Node, text: str) -> int | None:
    """Return the offset of the first word `text` below a node."""
    return next((word.offset for word in words(node) if word.text == text), None)
