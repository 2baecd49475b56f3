"""The log of a match as JSON Lines: a head, a line per round, an end.

Equal seeds, keys and budgets give equal bytes. Times differ from run to run, so they are written only if the match has
a clock. The key of a match is in its last line. A file may hold many matches.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar

import msgspec

from veil.display import Displayed
from veil.errors import VeilError, fail
from veil.files import Output, decode_json, read_text
from veil.streams import is_key

FORMAT = "veil match 1"
MAX_SHOWN = 40  # characters of an unknown format
T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Round:
    """The events of a round."""

    moves: dict[str, str]  # role -> move, `random` included
    sees: dict[str, list[str]]  # role -> percepts
    errors: dict[str, str] = field(default_factory=dict)  # role -> error of its answer
    seconds: dict[str, float] = field(default_factory=dict)
    reports: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the round as plain data, without empty fields."""
        more = {"errors": self.errors, "seconds": self.seconds, "reports": self.reports}
        return {"moves": self.moves, "sees": self.sees} | {name: value for name, value in more.items() if value}


@dataclass(slots=True, kw_only=True, repr=False)
class MatchLog(Displayed):
    """The log of one match: `rounds` says what happened, `goals` how it ended."""

    game: str
    rules: str  # fingerprint
    roles: list[str]
    players: dict[str, str]  # role -> spec
    seed: int
    settings: dict[str, Any]
    rounds: list[Round] = field(default_factory=list)
    goals: dict[str, int] = field(default_factory=dict)
    forfeited: list[str] = field(default_factory=list)
    finished: bool = True  # False if max_rounds ended it
    key: str | None = None  # from which all randomness came; None until the end, and without guests

    def __repr__(self) -> str:
        return f"MatchLog({self.game!r}, {self.players}, {len(self.rounds)} rounds, goals={self.goals})"

    @property
    def errors(self) -> dict[str, int]:
        """The number of errors of each player."""
        counts = dict.fromkeys(self.players, 0)
        for entry in self.rounds:
            for role in entry.errors:
                counts[role] += 1
        return counts

    def as_lines(self) -> str:
        """Return the text of a file with this match."""
        head = {
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "roles": self.roles,
            "players": self.players,
            "seed": self.seed,
            "settings": self.settings,
        }
        end: dict[str, Any] = {
            "goals": self.goals,
            "errors": self.errors,
            "forfeited": self.forfeited,
            "finished": self.finished,
        }
        if self.key is not None:
            end["key"] = self.key
        rounds = ({"round": number, **entry.as_json()} for number, entry in enumerate(self.rounds, 1))
        return "".join(json.dumps(line) + "\n" for line in (head, *rounds, end))


class LogWriter:
    """A context manager that writes matches to a file one by one.

    Until the end the matches are in a temporary file beside it. At the end, or when a signal ends the process, the
    temporary file replaces the old file if a match was finished. After `kill -9` the temporary file remains; the next
    writer removes it.
    """

    def __init__(self, name: str | os.PathLike[str]) -> None:
        """Refuse a file that cannot be written, before anything is played."""
        self.matches = 0
        self._output = Output(name)

    def add(self, log: MatchLog) -> None:
        """Write a match that is over."""
        self._output.write(log.as_lines())
        self._output.keep()
        self.matches += 1

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._output.__exit__(kind, error, at)


def read_logs(path: str | os.PathLike[str]) -> list[MatchLog]:
    """Read all matches of a file. If the last one was cut off, it is left out, provided that there are others."""
    return parse_logs(os.fspath(path), read_text(path))


def parse_logs(name: str, text: str) -> list[MatchLog]:
    """Return all matches of a text; `name` is for messages."""
    # Not splitlines: it splits at characters other than line feeds too, and JSON strings may contain those.
    lines = text.rstrip().split("\n") if text.strip() else []
    cut_off = bool(lines) and not text.endswith("\n") and not _is_json(lines[-1])
    reader = _LogReader(name)
    for number, line in enumerate(lines[:-1] if cut_off else lines, 1):
        reader.take(line, number)
    if not reader.logs:
        raise bad_match(name, "its only match was cut off" if reader.current else "it holds no match")
    return reader.logs


class HeadLine(msgspec.Struct, kw_only=True):
    """The first line of a match."""

    format: str
    game: str
    rules: str
    roles: list[str]
    players: dict[str, str]
    seed: int
    settings: dict[str, Any]


class RoundLine(msgspec.Struct, kw_only=True):
    """The line of a round."""

    round: int
    moves: dict[str, str]
    sees: dict[str, list[str]]
    errors: dict[str, str] = {}
    seconds: dict[str, float] = {}
    reports: dict[str, Any] = {}


class EndLine(msgspec.Struct, kw_only=True):
    """The last line of a match. Its errors are not read, because the rounds have them."""

    goals: dict[str, int]
    forfeited: list[str]
    finished: bool
    key: str | None = None


class LineMark(msgspec.Struct, kw_only=True):
    """The fields that distinguish the kinds of lines."""

    format: Any = msgspec.UNSET
    round: Any = msgspec.UNSET


class _LogReader:
    """A reader that builds the matches of a file line by line."""

    def __init__(self, name: str) -> None:
        self.name, self.number = name, 0
        self.logs: list[MatchLog] = []
        self.current: MatchLog | None = None  # the match that has not ended

    def take(self, line: str, number: int) -> None:
        """Read the next line. Refuse a line that is wrong."""
        self.number = number
        mark = decode_json(line, LineMark, self.name, lambda name, what: self._refuse("it is no JSON object"))
        if mark.format is not msgspec.UNSET:
            self._begin(line, mark.format)
        elif self.current is None:
            raise self._refuse("the match before it has ended" if self.logs else "a match begins with its format")
        elif mark.round is not msgspec.UNSET:
            self._add_round(line, self.current)
        else:
            self._end(line, self.current)

    def _begin(self, line: str, form: Any) -> None:
        if form != FORMAT:
            raise self._refuse(f'the format is {json.dumps(form)[:MAX_SHOWN]}, not "{FORMAT}"')
        if self.current is not None:
            raise self._refuse("the match before it has no end")
        head = self._decode(line, HeadLine)
        self._check("roles", len(set(head.roles)) == len(head.roles))
        self._check("players", set(head.players) <= set(head.roles))
        self.current = MatchLog(
            game=head.game,
            rules=head.rules,
            roles=head.roles,
            players=head.players,
            seed=head.seed,
            settings=head.settings,
        )

    def _add_round(self, line: str, log: MatchLog) -> None:
        entry, number = self._decode(line, RoundLine), len(log.rounds) + 1
        if entry.round != number:
            raise self._refuse(f"round {number} should be here")
        self._check("moves", set(entry.moves) == set(log.roles))
        self._check("sees", set(entry.sees) == set(log.players))
        by_role: list[tuple[str, Collection[str]]] = [
            ("errors", entry.errors),
            ("seconds", entry.seconds),
            ("reports", entry.reports),
        ]
        for name, roles in by_role:
            self._check(name, set(roles) <= set(log.players))
        log.rounds.append(
            Round(
                moves=entry.moves,
                sees=entry.sees,
                errors=entry.errors,
                seconds=entry.seconds,
                reports=entry.reports,
            )
        )

    def _end(self, line: str, log: MatchLog) -> None:
        end = self._decode(line, EndLine)
        self._check("goals", set(end.goals) == set(log.players))
        self._check("forfeited", set(end.forfeited) <= set(log.players))
        self._check("key", end.key is None or is_key(end.key))
        log.goals, log.forfeited, log.finished, log.key = end.goals, end.forfeited, end.finished, end.key
        self.logs.append(log)
        self.current = None

    def _decode(self, line: str, kind: type[T]) -> T:
        return decode_json(line, kind, self.name, lambda name, what: self._refuse(what))

    def _check(self, name: str, good: bool) -> None:
        if not good:
            raise self._refuse(f"`{name}` is missing or makes no sense")

    def _refuse(self, what: str) -> VeilError:
        return bad_match(self.name, f"line {self.number}: {what}")


def _is_json(line: str) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def bad_match(name: str, what: str) -> VeilError:
    """Return the error for a file that does not hold logs of matches."""
    return fail("bad-match", name=name, what=what)
