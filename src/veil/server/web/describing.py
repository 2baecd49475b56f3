"""A game in words: who plays, what the head of its rules says, its parameters; nothing is ground for it."""

from __future__ import annotations

from typing import Any

from veil.games import FAMILIES, parse_spec
from veil.report import read_header
from veil.server.web.sources import open_game
from veil.server.web.workers import Say
from veil.vocabulary import RANDOM

MAX_SECTION = 1200  # characters that are shown


def describe_game(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """What somebody wants to know before a game: name, roles, summary, sections of the header, parameters."""
    game = open_game(source)
    family = FAMILIES.get(game.name.split("(")[0]) if source["text"] is None else None
    header = read_header(family.rules_text() if family is not None else game.rules.source.text)
    return {
        "name": game.name,
        "roles": [role for role in game.roles if role != RANDOM],
        "chance": RANDOM in game.roles,
        "summary": family.summary if family is not None else "",
        "sections": [{"name": section.name, "text": section.text[:MAX_SECTION]} for section in header[:8]],
        "parameters": list_parameters(game.name) if family is not None else [],
    }


def list_parameters(game: str) -> list[dict[str, Any]]:
    """The parameters of a game of the catalogue, with the values that its name gives them."""
    name, values = parse_spec(game)
    return [
        {
            "name": entry.name,
            "value": values[entry.name],
            "low": entry.low,
            "high": entry.high,
            "choices": list(entry.choices),
            "meaning": entry.meaning,
        }
        for entry in FAMILIES[name].parameters
    ]
