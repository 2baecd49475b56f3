"""Rules -> `GroundProgram`, inside limits: the grounder runs in a process that can be stopped."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import dataclass
from math import ceil, isfinite
from pathlib import Path

from veil.engine.grounding.assemble import assemble
from veil.engine.grounding.program import GroundProgram
from veil.engine.grounding.shrink import shrink
from veil.engine.grounding.translate import Translation
from veil.errors import Place, VeilError, fail, phrase
from veil.lang import Node, Rules, words

WORKER = Path(__file__).with_name("worker.py")
NO_MEMORY = b"cannot allocate memory"  # what the C library prints where there is not even room for an exception


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundLimits:
    """How large a ground program may become before we give up."""

    max_rules: int = 2_000_000
    max_seconds: float = 60.0
    max_bytes: int = 6 * 2**30

    def __post_init__(self) -> None:
        for name in ("max_rules", "max_seconds", "max_bytes"):
            if not isfinite(getattr(self, name)) or not 0 < getattr(self, name) <= 2**62:
                raise fail("bad-limit", name=name, value=getattr(self, name))


class GroundingError(VeilError):
    """The rules may be sound, but their ground program is beyond the limits; the interpreter can still play them."""


def ground(rules: Rules, limits: GroundLimits | None = None, *, shrinking: bool = True) -> GroundProgram:
    """The ground program of a game. Raises `GroundingError` at a limit, `VeilError` for a confirmed doubt.

    `shrinking=False` translates the rules as they stand: the yardstick for what splitting bodies is worth.
    """
    limits = limits or GroundLimits()
    translation = Translation()
    program = translation.program(shrink(rules.rule_set) if shrinking else rules.rules)
    return assemble(rules, translation, _run_worker(program, rules, limits))


def _run_worker(program: str, rules: Rules, limits: GroundLimits) -> dict[str, object]:
    """Ground a program in a process of its own; its result is that of `worker.Collector`."""
    # -P: the worker's own folder must not shadow modules of the standard library.
    numbers = (limits.max_rules, limits.max_bytes, ceil(limits.max_seconds) + 1)
    command = [sys.executable, "-P", str(WORKER), *map(str, numbers)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            output, errors = process.communicate(program.encode(), timeout=limits.max_seconds)
        except subprocess.TimeoutExpired:
            raise _limit_reached("ground-too-slow", rules, limits) from None
        finally:
            process.kill()  # whatever ended the wait, nothing may go on grounding
    if process.returncode > 0 and NO_MEMORY in errors:
        raise _limit_reached("ground-out-of-memory", rules, limits)
    if process.returncode > 0:
        raise RuntimeError(f"the grounding process failed:\n{errors.decode(errors='replace')}")
    try:
        result: dict[str, object] = pickle.loads(output)
    except (EOFError, pickle.UnpicklingError):  # killed by a signal: a stack or memory that terms without end used up
        raise _limit_reached("ground-crashed", rules, limits) from None
    if "failed" in result:
        raise _limit_reached(str(result["failed"]), rules, limits)
    return result


def _limit_reached(code: str, rules: Rules, limits: GroundLimits) -> GroundingError:
    """The error at a limit: whether terms grow without end, and the way out."""
    growing, place = _growing_term(rules)
    error = fail(
        code,
        place,
        max_rules=limits.max_rules,
        max_seconds=limits.max_seconds,
        gigabytes=limits.max_bytes / 2**30,
        growing=growing,
        way_out=phrase("end-the-counter" if growing else "raise-the-limit"),
    )
    return GroundingError(*error.problems)


def _growing_term(rules: Rules) -> tuple[str, Place | None]:
    """What grows without end, in words, and where: the usual reason why grounding does not stop. "" if nothing does."""
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
    """The offset of the first such word below a node."""
    return next((word.offset for word in words(node) if word.text == text), None)
