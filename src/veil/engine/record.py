"""`Record`: what a role was told, round by round, in the words of the rules; and the same as numbers.

As JSON it is a list with one object per round: [{"move": "(choose 1)", "sees": []}, {"move": "noop", "sees": ["2"]}].
Where the game has ended it is {"rounds": [...], "over": true}.

In words it is one line: a round is the own move and, after a colon, what was seen; rounds are separated by semicolons,
`noop: (card king); bet`. The same record always has the same text, whoever writes it; policy files are keyed by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veil.engine.game import Game
from veil.engine.replay import EncodedObservation
from veil.errors import VeilError, fail
from veil.lang import read_term

EMPTY_RECORD = "start"  # nothing has been told


def round_in_words(own_move: str, percepts: Iterable[str]) -> str:
    """One round."""
    seen = " ".join(sorted(percepts))
    return f"{own_move}: {seen}" if seen else own_move


def record_in_words(rounds: Iterable[tuple[str, Iterable[str]]]) -> str:
    """All rounds: (own move, percepts) each."""
    return "; ".join(round_in_words(*entry) for entry in rounds) or EMPTY_RECORD


@dataclass(frozen=True, slots=True)
class Record:
    """The own moves and percepts of a role."""

    role: str
    rounds: tuple[tuple[str, frozenset[str]], ...] = ()  # (own move, percepts)
    over: bool = False  # the role was told that the game has ended

    def __str__(self) -> str:
        return record_in_words(self.rounds)

    def then(self, own_move: str, percepts: str | Iterable[str] = ()) -> Record:
        """One round longer; a single percept may be given as it is."""
        seen = frozenset([percepts] if isinstance(percepts, str) else percepts)
        return Record(self.role, (*self.rounds, (own_move, seen)), self.over)

    def as_json(self) -> list[dict[str, Any]] | dict[str, Any]:
        rounds = [{"move": move, "sees": sorted(percepts)} for move, percepts in self.rounds]
        return {"rounds": rounds, "over": True} if self.over else rounds


def read_record(game: Game, role: str, value: Any, name: str = "the record") -> Record:
    """A record from parsed JSON; whatever is not one is refused."""
    spelled = game.rules.show(game.role_term(role))
    over = False
    if isinstance(value, dict) and "rounds" in value:
        value, over = value["rounds"], value.get("over", False)
        if not isinstance(over, bool):
            raise bad_record(name, '"over" must be true or false')
    if not isinstance(value, list):
        raise bad_record(name, "it is not a list of rounds")
    rounds = []
    for number, entry in enumerate(value, 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("move"), str):
            raise bad_record(name, f'round {number} is not an object with a "move"')
        if set(entry) - {"move", "sees"}:
            raise bad_record(name, f"round {number}: {min(set(entry) - {'move', 'sees'})} is not move or sees")
        seen = entry.get("sees", [])
        if not isinstance(seen, list) or not all(isinstance(percept, str) for percept in seen):
            raise bad_record(name, f'round {number}: "sees" is not a list of texts')
        rounds.append((entry["move"], frozenset(seen)))
    return Record(spelled, tuple(rounds), over)


def record_of(game: Game, role: str, joint_moves: Sequence[Mapping[str, str]]) -> Record:
    """What a role is told when these joint moves are played."""
    state, record = game.initial_state(), Record(game.rules.show(game.role_term(role)))
    for number, joint in enumerate(joint_moves, 1):
        terms = state.joint_terms(joint, where=f"round {number}: ")
        spelled = {game.rules.show(who): game.rules.show(move) for who, move in terms.items()}
        state, percepts = state.play(spelled)
        record = record.then(spelled[record.role], percepts[record.role])
    return Record(record.role, record.rounds, state.is_terminal)


def encode(game: Game, record: Record) -> list[EncodedObservation]:
    """A record as numbers. What no game of these rules could tell is refused, with its round."""
    role_id, rounds = game.names.role_id(record.role), []
    for number, (own_move, percepts) in enumerate(record.rounds, 1):
        for text in (own_move, *percepts):
            _check_term(text, number)
        move_id = game.names.move_id(role_id, own_move)
        row = game.names.pack_percepts(role_id, percepts)
        if move_id is None or row is None:
            raise unexplained(record, number)
        rounds.append(EncodedObservation(move_id, row))
    return rounds


def unexplained(record: Record, number: int) -> VeilError:
    """No history can have led to round `number` (from 1) of the record."""
    shown = record_in_words(record.rounds[number - 1 : number])
    return fail("unexplained", number=number, shown=shown, role=record.role)


def bad_record(name: str, what: str) -> VeilError:
    """A file that is no record."""
    return fail("bad-record", name=name, what=what)


def _check_term(text: str, number: int) -> None:
    try:
        read_term(text)
    except VeilError as error:
        raise bad_record("the record", f"round {number}: {error.problems[0].message}") from None
