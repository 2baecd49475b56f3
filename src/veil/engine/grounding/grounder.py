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
from veil.errors import Place, VeilError, fail
from veil.lang import Node, Rules, words

WORKER = Path(__file__).with_name("worker.py")


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
    growing, place = _growing_term(rules)
    way_out = "raise the limit (--max-rules, --max-seconds, --max-memory), or shorten the longest rule bodies"
    if growing:
        way_out = "give the counter an end: list its values as facts, (succ 0 1) (succ 1 2) ..., and step along them"
    error = fail(
        code,
        place,
        max_rules=limits.max_rules,
        max_seconds=limits.max_seconds,
        gigabytes=limits.max_bytes / 2**30,
        growing=growing,
        way_out=way_out,
    )
    return GroundingError(*error.problems)


def _growing_term(rules: Rules) -> tuple[str, Place | None]:
    """Where terms can grow without end, if they can: the usual reason why grounding does not stop."""
    functor = rules.domains.growing()
    if functor is None:
        return "", None
    name = rules.spelling.get(functor[0], functor[0])
    for rule in rules.rules:
        at = _find_word(rule.node, functor[0]) if rule.body else None
        if at is not None:
            return f": terms of {name} contain terms of {name}, without end", rules.source.place(at)
    return f": terms of {name} contain terms of {name}, without end", None


def _find_word(node: Node, text: str) -> int | None:
    return next((word.at for word in words(node) if word.text == text), None)
