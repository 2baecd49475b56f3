"""`Policy`: a table from records to probabilities of moves, which can be saved, read by people and loaded.

    {"format": "veil policy 1", "game": "kuhn_poker", "rules": "...", "made": {...},
     "policies": {"first": {"noop: (card king); noop": {"bet": 0.75, "check": 0.25}, ...}, ...}}

A record is a role's own moves and percepts (`engine.Record`). Missing infosets are played uniformly. A policy of
millions of infosets has its table, and its file, in arrays (`large_policy`).
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

from veil.display import Displayed
from veil.engine import Game, Record
from veil.equilibrium.array_file import (
    MAGIC,
    ArrayFile,
    begins_as_arrays,
    is_array_file,
    map_arrays,
    parse_arrays,
)
from veil.equilibrium.histories import records_in_words, slot_moves
from veil.equilibrium.infosets import unknown_infoset
from veil.equilibrium.large_policy import ArrayTable, read_table, write_table
from veil.equilibrium.tree import GameTree
from veil.errors import VeilError, bad_argument, check_kind, did_you_mean, fail, phrase
from veil.files import decode_json, decode_text, read_text, write_text

FORMAT: Literal["veil policy 1"] = "veil policy 1"
THE_POLICY = "the policy"  # the name in messages of a policy that is not from a file
SUM_TOLERANCE = 1e-4  # probabilities in a file may be rounded
MAX_SHOWN = 80  # characters of a record, in a message

Table = Mapping[str, Mapping[str, Mapping[str, float]]]  # role -> record -> move -> probability


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Policy(Displayed):
    """Probabilities of moves per role and record."""

    game: str  # as the user named it
    rules: str  # fingerprint of the rules it was made for
    table: Table
    made: Mapping[str, Any] = field(default_factory=dict)  # method, iterations, seed, ...

    def at(self, record: Record | str, text: str | None = None) -> dict[str, float]:
        """Return the probabilities of the moves in an infoset. Raises `VeilError` with the nearest if it has no such.

        The infoset is given by a `Record`, or by a role and the text of its record: `policy.at("first", "start")`.
        """
        if isinstance(record, Record):
            role, key = record.role, str(record)
        else:
            role, key = record, text if isinstance(record, str) else None  # type: ignore[assignment]
        if not isinstance(key, str):
            raise bad_argument("record", phrase("a-record-or-two-texts"), (record, text))
        if role not in self.table:
            near = did_you_mean(role, self.table)
            raise fail("unknown-role", role=role, roles=", ".join(self.table), near=near)
        found = self.get(role, key)
        if found is None:
            raise unknown_infoset(role, key, self.table[role])
        return found

    def get(self, role: str, record: str) -> dict[str, float] | None:
        """Return the probabilities of the moves in the infoset of a record in words; None if there is no such."""
        row = self.table.get(role, {}).get(record)
        return dict(row) if row is not None else None

    def __repr__(self) -> str:
        sizes = ", ".join(f"{role}: {len(rows)}" for role, rows in self.table.items())
        return f"Policy({self.game!r}, infosets {{{sizes}}})"

    def as_text(self) -> str:
        """Return the policy as the text of a JSON file."""
        table = {role: {record: dict(row) for record, row in rows.items()} for role, rows in self.table.items()}
        content = {"format": FORMAT, "game": self.game, "rules": self.rules, "made": self.made, "policies": table}
        return json.dumps(content, indent=1) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file completely or not at all: JSON, or arrays if the table is in arrays."""
        check_kind("path", path, str, os.PathLike)
        if isinstance(self.table, ArrayTable):
            write_table(path, {"game": self.game, "rules": self.rules, "made": dict(self.made)}, self.table)
        else:
            write_text(path, self.as_text())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Policy:
        """Read a file that `save` wrote, or one that was written by hand in the same form."""
        check_kind("path", path, str, os.PathLike)
        name = os.fspath(path)
        return (
            cls._from_arrays(map_arrays(name, bad_policy), name)
            if begins_as_arrays(name)
            else cls.parse(read_text(path), name)
        )

    @classmethod
    def parse_bytes(cls, data: bytes, name: str = THE_POLICY) -> Policy:
        """Read the content of a policy file; messages call it `name`."""
        if is_array_file(data):
            return cls._from_arrays(parse_arrays(data, name, bad_policy), name)
        return cls.parse(decode_text(data, name), name)

    @classmethod
    def _from_arrays(cls, content: ArrayFile, name: str) -> Policy:
        table, about = read_table(content, name, bad_policy), content.about
        made = about.get("made")
        return cls(game=about["game"], rules=about["rules"], table=table, made=made if isinstance(made, dict) else {})

    @classmethod
    def parse(cls, text: str, name: str = THE_POLICY) -> Policy:
        """Read the text of a policy file in JSON; messages call it `name`."""
        if is_array_file(text[: len(MAGIC)].encode()):
            raise bad_policy(name, "it is a policy in arrays, and JSON is read here")
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
    """Return the probabilities [S] of a tree's slots as a policy with names.

    Infosets of one record with different legal moves become one strategy, their mean.
    """
    records, moves = records_in_words(tree), slot_moves(tree)
    table: dict[str, dict[str, dict[str, float]]] = {}
    for number, role in enumerate(tree.roles):
        strategies: dict[str, list[dict[str, float]]] = {}
        for infoset in tree.infosets_of(number):
            strategy = {moves[slot]: float(slots[slot]) for slot in tree.slots_in(infoset)}
            strategies.setdefault(records[infoset], []).append(strategy)
        table[role] = {record: _mean_of(entries) for record, entries in strategies.items()}
    return Policy(game=tree.game.name, rules=tree.game.fingerprint, table=table, made=dict(made or {}))


def _mean_of(strategies: list[dict[str, float]]) -> dict[str, float]:
    """Return the mean of strategies over different moves; the strategy itself if there is one."""
    if len(strategies) == 1:
        return strategies[0]
    words = dict.fromkeys(word for strategy in strategies for word in strategy)
    return {word: sum(entry.get(word, 0.0) for entry in strategies) / len(strategies) for word in words}


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
                slots[tree.slots_in(infoset)] = spread_row(row, legal)
            except KeyError as unknown:
                where, text = f"{role} at `{records[infoset][:MAX_SHOWN]}`", ", ".join(legal)
                raise bad_policy(name, f"{where} has no move {unknown.args[0]}; its moves are {text}") from None
        if rows:
            raise bad_policy(name, f"{role} is never told `{min(rows)[:MAX_SHOWN]}`")
    return slots, missing


def spread_row(row: Mapping[str, float] | None, legal: list[str]) -> np.ndarray:
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
