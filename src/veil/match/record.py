"""A match as JSON Lines: a head, a line per round, an end. Same seed and budgets, same bytes.

Times are written only where a clock was running, because they are never the same.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
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
class MatchRecord:
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


def read_records(path: str) -> list[MatchRecord]:
    """All matches of a file. A last one that was cut off is left out, if there are others."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise fail("unreadable-file", name=path, reason=reason) from None
    records: list[MatchRecord] = []
    for number, line in enumerate(lines, 1):
        try:
            _add_line(records, json.loads(line))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
            raise bad_match(path, f"line {number}: {error}") from None
    if not records:
        raise bad_match(path, "it holds no match")
    if len(records) > 1 and not records[-1].goals:
        records.pop()
    for number, record in enumerate(records, 1):
        wrong = _flaw(record)
        if wrong:
            raise bad_match(path, f"match {number}: {wrong}")
    return records


def _flaw(record: MatchRecord) -> str | None:
    """What is wrong with a record that was read; None where nothing is."""
    if not _is_dict_of(record.players, str) or not _is_list_of(record.roles, str):
        return "roles and players are not as they should be"
    for number, entry in enumerate(record.rounds, 1):
        if not _is_dict_of(entry.moves, str) or set(entry.moves) != set(record.roles):
            return f"round {number} does not have a move of every role"
        if set(entry.sees) != set(record.players) or not all(_is_list_of(seen, str) for seen in entry.sees.values()):
            return f"round {number} does not say what every player saw"
        if not _is_dict_of(entry.errors, str) or not _is_dict_of(entry.reports, dict):
            return f"round {number}: errors or reports are not as they should be"
    if not _is_dict_of(record.goals, int) or set(record.goals) != set(record.players):
        return "it has no end with a goal of every player"
    return None


def _is_dict_of(value: Any, kind: type) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) and isinstance(own, kind) for key, own in value.items())


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(own, kind) for own in value)


def _add_line(records: list[MatchRecord], value: Any) -> None:
    if "format" in value:
        if value["format"] != FORMAT:
            raise ValueError(f'the format is "{value["format"]}", not "{FORMAT}"')
        fields = {name: value[name] for name in ("game", "rules", "roles", "players", "seed", "settings")}
        records.append(MatchRecord(**fields))
    elif "round" in value:
        parts = {name: value.get(name, {}) for name in ("errors", "seconds", "reports")}
        records[-1].rounds.append(Round(moves=dict(value["moves"]), sees=dict(value["sees"]), **parts))
    else:
        records[-1].goals = dict(value["goals"])
        records[-1].forfeited, records[-1].finished = list(value["forfeited"]), bool(value["finished"])


def bad_match(name: str, what: str) -> VeilError:
    """A file that is no record of matches."""
    return fail("bad-match", name=name, what=what)
