"""`Policy`: how to play, as a table from records to probabilities, that can be saved, read by people and loaded.

    {"format": "veil policy 1", "game": "kuhn_poker", "rules": "...", "made": {...},
     "policies": {"first": {"noop: (card king); noop": {"bet": 0.75, "check": 0.25}, ...}, ...}}

A record is a role's own moves and percepts (`engine.record`). Infosets that are missing are played uniformly.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from veil.engine import Game
from veil.equilibrium.histories import records_in_words, slot_moves
from veil.equilibrium.tree import GameTree
from veil.errors import VeilError, fail
from veil.files import read_text

FORMAT = "veil policy 1"
SUM_TOLERANCE = 1e-4  # probabilities in a file may be rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Probabilities of moves per role and record."""

    game: str  # as the user named it
    rules: str  # fingerprint of the rules it was made for
    table: Mapping[str, Mapping[str, Mapping[str, float]]]  # role -> record -> move -> probability
    made: Mapping[str, Any] = field(default_factory=dict)  # method, iterations, seed, ...

    def at(self, role: str, record: str) -> dict[str, float] | None:
        """The probabilities in an infoset; None where the policy says nothing about it."""
        entry = self.table.get(role, {}).get(record)
        return dict(entry) if entry is not None else None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a JSON file; never half of one."""
        whole = {"format": FORMAT, "game": self.game, "rules": self.rules, "made": self.made, "policies": self.table}
        text, target = json.dumps(whole, indent=1) + "\n", Path(path)
        try:
            temporary = target.with_name(f".veil.{os.getpid()}.part")
            temporary.write_text(text, encoding="utf-8")
            try:
                temporary.replace(target)
            except (OSError, ValueError):
                temporary.unlink()
                raise
        except (OSError, ValueError) as error:  # ValueError: no name, or one that no file can have
            reason = getattr(error, "strerror", None) or "this is not the name of a file"
            raise fail("unwritable-file", name=str(path), reason=reason) from None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Policy:
        """Read a file that `save` wrote, or somebody after its example."""
        return cls.parse(read_text(path), os.fspath(path))

    @classmethod
    def parse(cls, text: str, name: str = "the policy") -> Policy:
        """Read the text of such a file; `name` stands in messages."""
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise bad_policy(name, f"not JSON: {error}") from None
        if not isinstance(whole, dict) or whole.get("format") != FORMAT:
            raise bad_policy(name, f'it does not say "format": "{FORMAT}"')
        for key in ("game", "rules"):
            if not isinstance(whole.get(key), str):
                raise bad_policy(name, f'"{key}" must be a text')
        table = _checked_table(name, whole.get("policies"))
        made = whole.get("made")
        return cls(game=whole["game"], rules=whole["rules"], table=table, made=made if isinstance(made, dict) else {})


def bad_policy(name: str, what: str) -> VeilError:
    """A file that is not the policy it should be."""
    return fail("bad-policy", name=name, what=what)


def _checked_table(name: str, value: Any) -> dict[str, dict[str, dict[str, float]]]:
    """Objects within objects, and at every record numbers that are probabilities."""
    if not isinstance(value, dict) or not all(isinstance(own, dict) for own in value.values()):
        raise bad_policy(name, '"policies" must be an object: role -> record -> move -> probability')
    for role, own in value.items():
        for record, moves in own.items():
            where = f"{role} at `{record[:80]}`"
            if not isinstance(moves, dict) or not moves:
                raise bad_policy(name, f"{where}: there must be an object of move: probability")
            for move, probability in moves.items():
                if isinstance(probability, bool) or not isinstance(probability, int | float):
                    raise bad_policy(name, f"{where}: the probability of {move} is not a number")
                if not -SUM_TOLERANCE <= probability <= 1 + SUM_TOLERANCE:  # nor is NaN
                    raise bad_policy(name, f"{where}: the probability of {move} is {probability}, not between 0 and 1")
            if abs(sum(moves.values()) - 1) > SUM_TOLERANCE:
                raise bad_policy(name, f"{where}: the probabilities add up to {sum(moves.values()):.6g}, not to 1")
    return value


def policy_of(found: GameTree, policy: np.ndarray, made: Mapping[str, Any] | None = None) -> Policy:
    """A policy [S] with names."""
    tree, records, moves = found.tree, records_in_words(found), slot_moves(found)
    table: dict[str, dict[str, dict[str, float]]] = {}
    for at, role in enumerate(found.roles):
        own = table[role] = {}
        for infoset in range(int(tree.role_start[at]), int(tree.role_start[at + 1])):
            slots = range(int(tree.slot_start[infoset]), int(tree.slot_start[infoset + 1]))
            own[records[infoset]] = {moves[slot]: float(policy[slot]) for slot in slots}
    return Policy(game=found.game.name, rules=found.game.fingerprint, table=table, made=dict(made or {}))


def slots_of(found: GameTree, policy: Policy, name: str = "the policy") -> tuple[np.ndarray, int]:
    """The policy as [S] numbers, and how many infosets it says nothing about. Whatever the game has not is refused."""
    check_rules(found.game, policy, name)
    tree, records, moves = found.tree, records_in_words(found), slot_moves(found)
    numbers, missing = np.zeros(tree.num_slots), 0
    for role in policy.table:
        if role not in found.roles:
            raise bad_policy(name, f"there is no role {role}; the roles are {', '.join(found.roles)}")
    for at, role in enumerate(found.roles):
        left = dict(policy.table.get(role, {}))
        for infoset in range(int(tree.role_start[at]), int(tree.role_start[at + 1])):
            slots = slice(int(tree.slot_start[infoset]), int(tree.slot_start[infoset + 1]))
            given = left.pop(records[infoset], None)
            if given is None:
                missing += 1
                numbers[slots] = 1.0 / (slots.stop - slots.start)
                continue
            unknown = set(given) - set(moves[slots])
            if unknown:
                legal = ", ".join(moves[slots])
                what = f"{role} at `{records[infoset][:80]}` has no move {min(unknown)}; its moves are {legal}"
                raise bad_policy(name, what)
            own = np.array([max(0.0, given.get(move, 0.0)) for move in moves[slots]])
            numbers[slots] = own / own.sum()
        if left:
            raise bad_policy(name, f"{role} is never told `{min(left)[:80]}`")
    return numbers, missing


def check_rules(game: Game, policy: Policy, name: str = "the policy") -> None:
    """A policy for other rules is refused."""
    if policy.rules != game.fingerprint:
        raise bad_policy(name, f"it was made for other rules ({policy.game}), not for {game.name}")
