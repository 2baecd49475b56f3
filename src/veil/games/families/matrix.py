"""Small games of theory: one or two decisions, and what they teach."""

from __future__ import annotations

from veil.games.family import Family

MATRIX: dict[str, Family] = {}
