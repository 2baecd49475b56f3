"""`Record`: what a role was told, round by round, in the words of the rules or as numbers.

As JSON it is a list with one object per round: [{"move": "(choose 1)", "sees": []}, {"move": "noop", "sees": ["2"]}].
If the game has ended it is {"rounds": [...], "over": true}.

In words it is one line: a round is the own move and, after a colon, the percepts; rounds are separated by semicolons,
`noop: (card king); bet`. Equal records always have equal texts; policy files use the text as a key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import numpy as np

from veil.display import Displayed
from veil.engine.game import Game
from veil.errors import VeilError, check_kind, fail, phrase
from veil.files import decode_json
from veil.lang import read_term

EMPTY_RECORD = "start"  # the text of an empty record
IN_A_ROUND = re.compile(r"`\$(?:\.rounds)?\[(?P<index>\d+)\](?:\.(?P<field>\w+))?")  # where msgspec found an error
UNKNOWN_FIELD = re.compile(r"unknown field `(.*)` - at")


def round_in_words(own_move: str, percepts: Iterable[str]) -> str:
    """Return one round as text: the own move and, after a colon, the percepts in order."""
    seen = " ".join(sorted(percepts))
    return f"{own_move}: {seen}" if seen else own_move


def record_in_words(rounds: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Return all rounds, (own move, percepts) each, as one line; `start` if there are none."""
    return "; ".join(round_in_words(*entry) for entry in rounds) or EMPTY_RECORD


class EncodedObservation(NamedTuple):
    """What a role is told after one round, as numbers."""

    own_move: int
    percepts: np.ndarray  # [words] packed


class WrittenRound(msgspec.Struct, forbid_unknown_fields=True):
    """One round of a record in a file."""

    move: str
    sees: list[str] = []


class WrittenRecord(msgspec.Struct):
    """A record in a file that says whether the game has ended. The other form is a list of rounds."""

    rounds: list[WrittenRound]
    over: bool = False


_ANY_RECORD: Any = list[WrittenRound] | WrittenRecord


@dataclass(frozen=True, slots=True, repr=False)
class Record(Displayed):
    """The own moves and percepts of a role, round by round."""

    role: str
    rounds: tuple[tuple[str, frozenset[str]], ...] = ()  # (own move, percepts)
    over: bool = False  # the role was told that the game has ended

    def __str__(self) -> str:
        return record_in_words(self.rounds)

    def __repr__(self) -> str:
        return f"Record({self.role!r}, {str(self)!r}{', over=True' if self.over else ''})"

    def then(self, own_move: str, percepts: str | Iterable[str] = ()) -> Record:
        """Return the record with one more round. A text as `percepts` is a single percept."""
        check_kind("own_move", own_move, str)
        check_kind("percepts", percepts, str, Iterable)
        seen = frozenset([percepts] if isinstance(percepts, str) else percepts)
        return Record(self.role, (*self.rounds, (own_move, seen)), self.over)

    def as_json(self) -> list[dict[str, Any]] | dict[str, Any]:
        """Return the record as it stands in files: a list of rounds, or an object that says that the game is over."""
        rounds = [{"move": move, "sees": sorted(percepts)} for move, percepts in self.rounds]
        return {"rounds": rounds, "over": True} if self.over else rounds


def parse_record(role: str, text: str) -> Record:
    """Read the record of a role from its text in words, `noop: (card king); bet`.

    Moves may lack their outer parentheses. Raises `VeilError` for other texts.
    """
    if text.strip() in ("", EMPTY_RECORD):
        return Record(role)
    rounds = []
    for number, part in enumerate(text.split(";"), 1):
        own_move, _, seen = part.strip().partition(": ")
        if not own_move.strip():
            raise bad_record("the record", phrase("round-without-move", number=number))
        tidy = " ".join(own_move.split())
        tidy = f"({tidy})" if " " in tidy and not tidy.startswith("(") else tidy
        rounds.append((tidy, frozenset(_split_terms(seen, number))))
    return Record(role, tuple(rounds))


def _split_terms(text: str, number: int) -> list[str]:
    """Return the terms that stand side by side in a text."""
    terms, start, depth = [], 0, 0
    for place, character in enumerate(f"{text} "):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if depth == 0 and character in " )":
            end = place + (character == ")")
            if text[start:end].strip():
                terms.append(text[start:end].strip())
            start = end
    if depth != 0:
        raise bad_record("the record", phrase("in-round", number=number, what=phrase("parentheses-differ")))
    return terms


def read_record(game: Game, role: str, data: bytes | str, name: str = "the record") -> Record:
    """Read the record of a role from JSON text; an error message mentions `name`."""
    spelled = game.role_name(role)
    written = decode_json(data, _ANY_RECORD, name, bad_record, _describe)
    over = isinstance(written, WrittenRecord) and written.over
    rounds = written.rounds if isinstance(written, WrittenRecord) else written
    return Record(spelled, tuple((entry.move, frozenset(entry.sees)) for entry in rounds), over)


def _describe(what: str) -> str:
    """Return msgspec's message about a structure in the words of records."""
    where = IN_A_ROUND.search(what)
    if where is None:
        return phrase("over-not-yes-or-no" if what.endswith("`$.over`") else "not-a-list-of-rounds")
    number, unknown = 1 + int(where["index"]), UNKNOWN_FIELD.search(what)
    if where["field"] == "sees":
        return phrase("sees-not-a-list", number=number)
    if unknown is not None:
        return phrase("strange-field", number=number, field=unknown[1])
    return phrase("round-without-move", number=number)


def encode(game: Game, record: Record, start: int = 0) -> list[EncodedObservation]:
    """Return a record as numbers, one observation per round after the first `start` ones.

    What the rules can never tell is refused, with its round.
    """
    role_id, rounds = game.names.role_id(record.role), []
    for number, (own_move, percepts) in enumerate(record.rounds[start:], start + 1):
        move_id = game.names.move_id(role_id, own_move)
        row = game.names.pack_percepts(role_id, percepts)
        if move_id is None or row is None:
            for text in (own_move, *sorted(percepts)):
                _check_term(text, number)
            raise unexplained(record, number)
        rounds.append(EncodedObservation(move_id, row))
    return rounds


def unexplained(record: Record, number: int) -> VeilError:
    """Return the error for a record: no history leads to its round `number` (from 1)."""
    shown = record_in_words(record.rounds[number - 1 : number])
    return fail("unexplained", number=number, shown=shown, role=record.role)


def bad_record(name: str, what: str) -> VeilError:
    """Return the error for a file that is no record."""
    return fail("bad-record", name=name, what=what)


def _check_term(text: str, number: int) -> None:
    """Raise `VeilError` if the text is no term: that is a spelling mistake and does not depend on the game."""
    try:
        read_term(text)
    except VeilError as error:
        what = phrase("in-round", number=number, what=error.problems[0].message)
        raise bad_record("the record", what) from None
