"""Series of matches for experiments: mean goals, what was played, what it cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from veil.engine import Game
from veil.match import MatchConfig, MatchLog, Mean, derived_seed, mean_of, run_match
from veil.players import Player, make_player


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Matches with the same players in the same seats."""

    records: tuple[MatchLog, ...]
    players: tuple[dict[str, Player], ...]  # of each match

    def mean(self, role: str) -> Mean:
        """The mean goal of a role."""
        return mean_of([record.goals[role] for record in self.records])

    def share(self, role: str, move: str) -> float:
        """In how many of the matches the role played this move."""
        hits = [any(entry.moves[role] == move for entry in record.rounds) for record in self.records]
        return float(np.mean(hits))

    def favourite(self, role: str, prefix: str) -> str:
        """The move that begins like this and was played most often."""
        counts = Counter(
            entry.moves[role]
            for record in self.records
            for entry in record.rounds
            if entry.moves[role].startswith(prefix)
        )
        return counts.most_common(1)[0][0] if counts else "-"

    def states(self, role: str) -> float:
        """States visited per decision by the role's player, where it counts them."""
        return self._per_decision(role, "states_visited")

    def branching(self, role: str) -> float:
        """Moves per decision that the role's player had to choose from, where it counts them."""
        return self._per_decision(role, "moves_valued")

    def _per_decision(self, role: str, what: str) -> float:
        total = sum(getattr(seats[role], what, 0) for seats in self.players)
        decisions = sum(getattr(seats[role], "decisions", 0) for seats in self.players)
        return total / max(1, decisions)


def play_series(
    game: Game, specs: dict[str, str], matches: int, seed: int, config: MatchConfig | None = None
) -> Series:
    """So many matches; the number of a match gives its seed, so that series are comparable match by match."""
    records, seats = [], []
    for number in range(matches):
        players = {role: make_player(spec) for role, spec in specs.items()}
        records.append(run_match(game, specs, derived_seed(seed, number), config, players))
        seats.append(players)
    return Series(records=tuple(records), players=tuple(seats))
