"""Results of variants on disk, one row per task: rules, matches and settings that gave them.

The file is like a store of matches (`veil.match.Store`), with another table. The key of a row has the whole text of a
variant, so that a store serves several aims, more values, and also a rules file that was changed in between.
"""

from __future__ import annotations

import hashlib

import msgspec

from veil.match import Store, StoreKind
from veil.review.variant_play import VariantFacts, VariantTask

SCHEMA = """
CREATE TABLE IF NOT EXISTS tournament (name TEXT PRIMARY KEY, settings TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS source (name TEXT PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS variant (key TEXT PRIMARY KEY, name TEXT NOT NULL, facts TEXT NOT NULL)
"""
VARIANTS = StoreKind(int.from_bytes(b"VEIT", "big"), 1, 1, SCHEMA, "a tuning", "variants", "judged")


class TuningStore(Store):
    """A store of judged variants, in a file or in memory."""

    kind = VARIANTS

    def find(self, task: VariantTask) -> VariantFacts | None:
        """Return what a task found before; None if it was not done."""
        with self._readable():
            row = self._base.execute("SELECT facts FROM variant WHERE key = ?", (_key_of(task),)).fetchone()
            return None if row is None else msgspec.json.decode(row[0], type=VariantFacts)

    def add_facts(self, task: VariantTask, facts: VariantFacts) -> None:
        """Write what a task has found. A row that the store holds already is not changed."""
        row = (_key_of(task), task.key, msgspec.json.encode(facts).decode())
        with self._change():
            self._base.execute("INSERT OR IGNORE INTO variant VALUES (?, ?, ?)", row)


def _key_of(task: VariantTask) -> str:
    """Return a name for all that the result of a task depends on."""
    parts = (task.text, task.first, task.last, task.seed, task.config)
    return hashlib.sha256(repr(parts).encode()).hexdigest()
