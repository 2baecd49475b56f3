"""Cards without bets: bidding for prizes, ordering a rack."""

from __future__ import annotations

from veil.games.family import Family

CARDS: dict[str, Family] = {}
