"""How roles are taken to have played so far: the strategies that earlier searches of a match found, by record.

The probability of a history is that of chance times that of every role's moves. A role plays the strategy that the
newest search knows for its record, mixed with uniform play; uniformly after records that no search knows.
"""

from __future__ import annotations

import numpy as np

from veil.engine import Judged, Machine, replay_histories, root_keys
from veil.equilibrium import StrategyTable


class PastPlay:
    """Strategies of all roles by record, newest first."""

    def __init__(self, machine: Machine, mix: float) -> None:
        self.machine, self.mix = machine, mix
        self._tables: dict[int, list[SortedStrategies]] = {}

    def add(self, role_id: int, table: StrategyTable) -> None:
        """Take the strategies of a role from a new search; they replace those of earlier searches."""
        self._tables.setdefault(role_id, []).insert(0, SortedStrategies(table))

    def find_strategy(self, role_id: int, key: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return moves and probabilities after a record; None if no search knows it."""
        for table in self._tables.get(role_id, []):
            found = table.find_strategy(key)
            if found is not None:
                return found
        return None

    def compare_with_uniform(self, histories: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return for histories [N, T, R] the keys of all records after them [N, R], and likelihood ratios [N].

        The ratio is the probability of all roles' moves divided by that of uniform play.
        """
        keys = root_keys(self.machine, len(histories))
        ratio = np.ones(len(histories))
        for played in replay_histories(self.machine, histories):
            if self._tables:
                ratio *= self.compare_round(self.machine.judge(played.states), played.keys, played.joint)
            keys = played.next_keys
        return keys, ratio

    def compare_round(
        self, judged: Judged, keys: np.ndarray, joint: np.ndarray, row: np.ndarray | None = None
    ) -> np.ndarray:
        """Return likelihood ratios [N] of one round: of joint moves [N, R] after records with keys [B, R].

        `row` [N] says in which of the judged states [B] a joint move is played; by default each in its own.
        """
        ratio = np.ones(len(joint))
        row = np.arange(len(joint)) if row is None else row
        bits = self.machine.legal_bits(judged) if self._tables else []
        for role_id in self._tables:
            counts = bits[role_id].sum(axis=1)[row]
            if (counts > 1).any():
                known = self.find(role_id, keys[row, role_id], joint[:, role_id])
                mixed = (1.0 - self.mix) * known * counts + self.mix
                ratio *= np.where(np.isnan(known) | (counts <= 1), 1.0, mixed)
        return ratio

    def find(self, role_id: int, keys: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """Return the probabilities [N] of moves after records; NaN if no search knows the record."""
        found = np.full(len(keys), np.nan)
        for table in self._tables.get(role_id, []):
            missing = np.isnan(found)
            if not missing.any():
                break
            found[missing] = table.find(keys[missing], moves[missing])
        return found


class SortedStrategies:
    """Strategies of one role, sorted by record."""

    def __init__(self, table: StrategyTable) -> None:
        self.keys, sizes = table.keys, np.diff(table.start)
        self.order = np.argsort(self.keys, kind="stable")
        self.sorted = self.keys[self.order]
        self.start, self.moves = table.start, table.moves
        total = np.add.reduceat(table.weights, table.start[:-1]) if len(sizes) else np.zeros(0)
        self.chances = table.weights / np.repeat(total, sizes)
        self.span = int(table.moves.max(initial=0)) + 2  # moves of a gadget have the number -1
        self.names = np.repeat(np.arange(len(sizes)), sizes) * self.span + table.moves + 1  # ascending

    def _place(self, keys: np.ndarray) -> np.ndarray:
        """Return the infosets [N] of these records; -1 if they are not known."""
        if not len(self.sorted):
            return np.full(len(keys), -1)
        at = np.minimum(np.searchsorted(self.sorted, keys), len(self.sorted) - 1)
        placed: np.ndarray = np.where(self.sorted[at] == keys, self.order[at], -1)
        return placed

    def find(self, keys: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """Return the probabilities [N] of moves after records; NaN if the record is not known."""
        infoset = self._place(keys)
        found = np.where(infoset >= 0, 0.0, np.nan)
        if len(self.names):
            wanted = np.where(moves < self.span - 1, infoset * self.span + moves + 1, -1)
            row = np.minimum(np.searchsorted(self.names, wanted), len(self.names) - 1)
            hit = (infoset >= 0) & (self.names[row] == wanted)
            found[hit] = self.chances[row[hit]]
        return found

    def find_strategy(self, key: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return moves and probabilities after a record; None if it is not known."""
        (infoset,) = self._place(np.array([key], np.uint64))
        if infoset < 0:
            return None
        rows = slice(int(self.start[infoset]), int(self.start[infoset + 1]))
        return self.moves[rows], self.chances[rows]
