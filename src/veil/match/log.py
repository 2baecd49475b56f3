"""A match as JSON Lines: a head, a line per round, an end. Same seed and budgets, same bytes.

Times are written only where a clock was running, because they are never the same.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from veil.errors import VeilError, fail

FORMAT = "veil match 1"


@dataclass(slots=True, kw_only=True)
class Round:
    """What happened in a round."""

    moves: dict[str, str]
    sees: dict[str, list[str]]
    errors: dict[str, str] = field(default_factory=dict)  # role -> what was wrong with its answer
    seconds: dict[str, float] = field(default_factory=dict)
    reports: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        whole: dict[str, Any] = {"moves": self.moves, "sees": self.sees}
        for name in ("errors", "seconds", "reports"):
            if getattr(self, name):
                whole[name] = getattr(self, name)
        return whole


@dataclass(slots=True, kw_only=True)
class MatchLog:
    """Everything about one match."""

    game: str
    rules: str  # fingerprint
    roles: list[str]
    players: dict[str, str]  # role -> spec
    seed: int
    settings: dict[str, Any]
    rounds: list[Round] = field(default_factory=list)
    goals: dict[str, int] = field(default_factory=dict)
    forfeited: list[str] = field(default_factory=list)
    finished: bool = True  # False where max_rounds ended it

    @property
    def errors(self) -> dict[str, int]:
        """How many errors each player made."""
        counts = dict.fromkeys(self.players, 0)
        for entry in self.rounds:
            for role in entry.errors:
                counts[role] += 1
        return counts

    def as_lines(self) -> str:
        """The text of a record file."""
        head = {
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "roles": self.roles,
            "players": self.players,
            "seed": self.seed,
            "settings": self.settings,
        }
        end = {"goals": self.goals, "errors": self.errors, "forfeited": self.forfeited, "finished": self.finished}
        lines = [head, *({"round": at, **entry.as_json()} for at, entry in enumerate(self.rounds, 1)), end]
        return "".join(json.dumps(line, sort_keys=False) + "\n" for line in lines)


class RecordWriter:
    """A file that matches are written to one by one, as a context.

    What was there before is replaced at the end, and only if a match was finished. Until then the matches are in a file
    beside it: however the process ends, neither they nor the old ones are lost.
    """

    def __init__(self, name: str) -> None:
        """Refuse what cannot be written, before anything is played."""
        self.matches = 0
        self._part: Path | None = None  # the file beside it
        try:
            if not _is_device(Path(name)):
                self._target = Path(os.path.realpath(name))  # a link stays a link
                self._part = self._target.with_name(f".veil.{os.getpid()}.part")
            self._file = (self._part or Path(name)).open("w", encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "this is not the name of a file"
            raise fail("unwritable-file", name=name, reason=reason) from None

    def add(self, record: MatchLog) -> None:
        """Write down a match that is over."""
        self._file.write(record.as_lines())
        self._file.flush()
        self.matches += 1

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            self._file.close()
        finally:
            if self._part is not None and self.matches:
                if self._target.exists():
                    shutil.copymode(self._target, self._part)
                self._part.replace(self._target)
            elif self._part is not None:
                self._part.unlink()


def _is_device(path: Path) -> bool:
    """Whether it is a device or a pipe, which can be written but not replaced. A file that cannot be written raises."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return True
    os.close(os.open(path, os.O_WRONLY))
    return False


def read_records(path: str) -> list[MatchLog]:
    """All matches of a file. A last one that was cut off is left out, if there are others."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise fail("unreadable-file", name=path, reason=reason) from None
    # Not splitlines, which splits at more than line feeds: JSON may hold the rest.
    lines = text.rstrip().split("\n") if text.strip() else []
    reading = _Reading()
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            if number == len(lines) and not text.endswith("\n"):
                break  # the line was cut off
            value = None
        wrong = reading.take(value)
        if wrong is not None:
            raise bad_match(path, f"line {number}: {wrong}")
    if not reading.ended:
        raise bad_match(path, "its only match was cut off" if reading.current else "it holds no match")
    return reading.ended


class _Reading:
    """The matches of a file, line by line. Types are compared exactly, because to Python true is a number."""

    def __init__(self) -> None:
        self.ended: list[MatchLog] = []
        self.current: MatchLog | None = None  # the match that has not ended

    def take(self, line: Any) -> str | None:
        """One line more; what is wrong with it, or None."""
        if type(line) is not dict:
            return "it is no JSON object"
        if "format" in line:
            return self._begin(line)
        if self.current is None:
            return "the match before it has ended" if self.ended else "a match begins with its format"
        return self._go_on(self.current, line) if "round" in line else self._end(self.current, line)

    def _begin(self, head: dict[str, Any]) -> str | None:
        if head["format"] != FORMAT:
            return f'the format is {json.dumps(head["format"])[:40]}, not "{FORMAT}"'
        if self.current is not None:
            return "the match before it has no end"
        kinds = {"game": str, "rules": str, "roles": list, "players": dict, "seed": int, "settings": dict}
        parts: dict[str, Any] = {name: head.get(name) for name in kinds}
        record, good = MatchLog(**parts), {name: type(parts[name]) is kind for name, kind in kinds.items()}
        good["roles"] = _is_list_of(record.roles, str) and len(set(record.roles)) == len(record.roles)
        good["players"] = good["roles"] and _is_dict_of(record.players, record.roles, str)
        self.current = record
        return _first_bad(good)

    def _go_on(self, record: MatchLog, line: dict[str, Any]) -> str | None:
        number = len(record.rounds) + 1
        if type(line["round"]) is not int or line["round"] != number:
            return f"round {number} should be here"
        parts = {name: line.get(name, {}) for name in ("moves", "sees", "errors", "seconds", "reports")}
        entry, roles, players = Round(**parts), record.roles, record.players
        record.rounds.append(entry)
        return _first_bad(
            {
                "moves": _is_dict_of(entry.moves, roles, str) and len(entry.moves) == len(roles),
                "sees": _is_dict_of(entry.sees, players, list)
                and len(entry.sees) == len(players)
                and all(_is_list_of(seen, str) for seen in entry.sees.values()),
                "errors": _is_dict_of(entry.errors, players, str),
                "seconds": _is_dict_of(entry.seconds, players, int, float),
                "reports": type(entry.reports) is dict and set(entry.reports) <= set(players),  # whatever they say
            }
        )

    def _end(self, record: MatchLog, line: dict[str, Any]) -> str | None:
        parts: list[Any] = [line.get(name) for name in ("goals", "forfeited", "finished")]
        record.goals, record.forfeited, record.finished = parts
        self.ended.append(record)
        self.current = None
        return _first_bad(
            {
                "goals": _is_dict_of(record.goals, record.players, int) and len(record.goals) == len(record.players),
                "forfeited": _is_list_of(record.forfeited, str) and set(record.forfeited) <= set(record.players),
                "finished": type(record.finished) is bool,
            }
        )


def _first_bad(good: dict[str, bool]) -> str | None:
    return next((f"`{name}` is missing or makes no sense" for name, fine in good.items() if not fine), None)


def _is_dict_of(value: Any, keys: Collection[str], *kinds: type) -> bool:
    return type(value) is dict and set(value) <= set(keys) and all(type(own) in kinds for own in value.values())


def _is_list_of(value: Any, kind: type) -> bool:
    return type(value) is list and all(type(own) is kind for own in value)


def bad_match(name: str, what: str) -> VeilError:
    """A file that is no record of matches."""
    return fail("bad-match", name=name, what=what)
