"""Hunts: ships, patrols and those who hide from them, on grids that are seen in part."""

from __future__ import annotations

from veil.games.family import Family

HUNTS: dict[str, Family] = {}
