"""Poker and bluffing: cards or dice in the hand, bets on the table."""

from __future__ import annotations

from veil.games.family import Family

POKER: dict[str, Family] = {}
