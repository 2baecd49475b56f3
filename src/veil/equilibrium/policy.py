"""`Policy`: a table from records to probabilities of moves, which can be saved, read by people and loaded.

    {"format": "veil policy 1", "game": "kuhn_poker", "rules": "...", "made": {...},
     "policies": {"first": {"noop: (card king); noop": {"bet": 0.75, "check": 0.25}, ...}, ...}}

A record is a role's own moves and percepts (`engine.Record`). Missing infosets are played uniformly.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
import numpy as np

from veil.engine import Game, Record
from veil.equilibrium.histories import records_in_words, slot_moves
from veil.equilibrium.tree import GameTree
from veil.errors import VeilError, fail
from veil.files import decode_json, read_text, write_text

FORMAT: Literal["veil policy 1"] = "veil policy 1"
THE_POLICY = "the policy"  # the name in messages of a policy that is not from a file
SUM_TOLERANCE = 1e-4  # probabilities in a file may be rounded
MAX_SHOWN = 80  # characters of a record, in a message

Table = Mapping[str, Mapping[str, Mapping[str, float]]]  # role -> record -> move -> probability


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Probabilities of moves per role and record."""

    game: str  # as the user named it
    rules: str  # fingerprint of the rules it was made for
    table: Table
    made: Mapping[str, Any] = field(default_factory=dict)  # method, iterations, seed, ...

    def at(self, record: Record | str, text: str | None = None) -> dict[str, float] | None:
        """Return the probabilities of the moves in an infoset; None if the policy does not have the infoset.

        The infoset is given by a `Record`, or by a role and the text of its record: `policy.at("first", "start")`.
        """
        role, key = (record.role, str(record)) if isinstance(record, Record) else (record, text)
        if key is None:
            raise TypeError("a role needs the text of its record")
        row = self.table.get(role, {}).get(key)
        return dict(row) if row is not None else None

    def as_text(self) -> str:
        """Return the policy as the text of a file."""
        content = {"format": FORMAT, "game": self.game, "rules": self.rules, "made": self.made, "policies": self.table}
        return json.dumps(content, indent=1) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a JSON file atomically."""
        write_text(path, self.as_text())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Policy:
        """Read a file that `save` wrote, or one that was written by hand in the same form."""
        return cls.parse(read_text(path), os.fspath(path))

    @classmethod
    def parse(cls, text: str, name: str = THE_POLICY) -> Policy:
        """Read the text of a policy file; messages call it `name`."""
        content = decode_json(text, PolicyFile, name, _refuse_file)
        table = check_table(content.policies, name)
        return cls(game=content.game, rules=content.rules, table=table, made=content.made or {})


class PolicyFile(msgspec.Struct, kw_only=True, frozen=True):
    """A policy as it stands in a file. `check_table` checks the rows of a role and names the place of an error."""

    format: Literal["veil policy 1"]
    game: str
    rules: str
    policies: dict[str, Any]
    made: dict[str, Any] | None = None


FIELD = re.compile(r"field `(\w+)`|at `\$\.(\w+)")  # how msgspec names a field that is missing or has the wrong type
EXPECTED = {
    "format": f'it does not say "format": "{FORMAT}"',
    "game": '"game" must be a text',
    "rules": '"rules" must be a text',
    "policies": '"policies" must be an object: role -> record -> move -> probability',
    "made": '"made" must be an object',
}


def bad_policy(name: str, what: str) -> VeilError:
    """Return the error for a file that is not a valid policy."""
    return fail("bad-policy", name=name, what=what)


def _refuse_file(name: str, what: str) -> VeilError:
    """Return the error for a file whose text does not fit `PolicyFile`, in our words."""
    if what.startswith("not JSON"):
        return bad_policy(name, what)
    named = FIELD.search(what)
    return bad_policy(name, EXPECTED[(named[1] or named[2]) if named else "format"])


def check_table(table: Any, name: str = THE_POLICY) -> Table:
    """Return the table unchanged. Raises `VeilError` if it is no table, or has numbers that are no probabilities."""
    if not isinstance(table, Mapping) or not all(isinstance(rows, Mapping) for rows in table.values()):
        raise bad_policy(name, EXPECTED["policies"])
    for role, rows in table.items():
        for record, row in rows.items():
            what = _find_flaw(row)
            if what is not None:
                raise bad_policy(name, f"{role} at `{str(record)[:MAX_SHOWN]}`: {what}")
    return table


def _find_flaw(row: Any) -> str | None:
    """Return what is wrong with a row of move -> probability; None if nothing is wrong."""
    if not isinstance(row, Mapping) or not row:
        return "there must be an object of move: probability"
    for move, probability in row.items():
        if isinstance(probability, bool) or not isinstance(probability, int | float | np.floating):
            return f"the probability of {move} is not a number"
        if not -SUM_TOLERANCE <= probability <= 1 + SUM_TOLERANCE:  # NaN fails too
            return f"the probability of {move} is {probability}, not between 0 and 1"
    total = sum(row.values())
    return None if abs(total - 1) <= SUM_TOLERANCE else f"the probabilities add up to {total:.6g}, not to 1"


def policy_of(tree: GameTree, slots: np.ndarray, made: Mapping[str, Any] | None = None) -> Policy:
    """Return the probabilities [S] of a tree's slots as a policy with names."""
    records, moves = records_in_words(tree), slot_moves(tree)
    table = {
        role: {
            records[infoset]: {moves[slot]: float(slots[slot]) for slot in tree.slots_in(infoset)}
            for infoset in tree.infosets_of(number)
        }
        for number, role in enumerate(tree.roles)
    }
    return Policy(game=tree.game.name, rules=tree.game.fingerprint, table=table, made=dict(made or {}))


def slots_of(tree: GameTree, policy: Policy, name: str = THE_POLICY) -> tuple[np.ndarray, int]:
    """Return a policy as probabilities [S] of a tree's slots, and the number of infosets that it does not have.

    Raises `VeilError` for a policy of other rules, or with roles, records or moves that the game does not have.
    """
    check_rules(tree.game, policy, name)
    for role in policy.table:
        if role not in tree.roles:
            raise bad_policy(name, f"there is no role {role}; the roles are {', '.join(tree.roles)}")
    records, moves = records_in_words(tree), slot_moves(tree)
    slots, missing = np.zeros(tree.num_slots), 0
    for number, role in enumerate(tree.roles):
        rows = dict(policy.table.get(role, {}))
        for infoset in tree.infosets_of(number):
            legal = [moves[slot] for slot in tree.slots_in(infoset)]
            row = rows.pop(records[infoset], None)
            missing += row is None
            try:
                slots[tree.slots_in(infoset)] = _spread(row, legal)
            except KeyError as unknown:
                where, text = f"{role} at `{records[infoset][:MAX_SHOWN]}`", ", ".join(legal)
                raise bad_policy(name, f"{where} has no move {unknown.args[0]}; its moves are {text}") from None
        if rows:
            raise bad_policy(name, f"{role} is never told `{min(rows)[:MAX_SHOWN]}`")
    return slots, missing


def _spread(row: Mapping[str, float] | None, legal: list[str]) -> np.ndarray:
    """Return the probabilities of the legal moves; uniform without a row. A move that is not legal raises KeyError."""
    if row is None:
        return np.full(len(legal), 1.0 / len(legal))
    unknown = set(row).difference(legal)
    if unknown:
        raise KeyError(min(unknown))
    weights = np.array([max(0.0, row.get(move, 0.0)) for move in legal])
    spread: np.ndarray = weights / weights.sum()
    return spread


def check_rules(game: Game, policy: Policy, name: str = THE_POLICY) -> None:
    """Raise `VeilError` if a policy was made for other rules."""
    if policy.rules != game.fingerprint:
        raise bad_policy(name, f"it was made for other rules ({policy.game}), not for {game.name}")
