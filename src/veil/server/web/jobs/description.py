"""A game in words: roles, the header of its rules, its parameters. Nothing is ground for it."""

from __future__ import annotations

from typing import Any

from veil.games import FAMILIES, instantiate, parse_spec
from veil.report import read_header
from veil.server.web.host.workers import Say
from veil.server.web.jobs.game_sources import open_game
from veil.vocabulary import RANDOM

MAX_SECTIONS, MAX_SECTION = 8, 1200  # sections of a header that are shown, and characters of one


def describe_game(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a game: name, roles, summary, sections of the header, parameters."""
    game = open_game(source)
    return {
        "name": game.name,
        "roles": [role for role in game.roles if role != RANDOM],
        "summary": "",
        "sections": _show_header(game.rules.source.text),
        "parameters": [],
    }


def describe_family(spec: str) -> dict[str, Any]:
    """Return the description of a game of the catalogue, without reading its rules."""
    instance = instantiate(spec)
    family = instance.family
    return {
        "name": instance.name,
        "roles": [role for role in family.roles if role != RANDOM],
        "summary": family.summary,
        "sections": _show_header(family.rules_text()),
        "parameters": list_parameters(instance.name),
    }


def _show_header(text: str) -> list[dict[str, str]]:
    return [{"name": section.name, "text": section.text[:MAX_SECTION]} for section in read_header(text)[:MAX_SECTIONS]]


def list_parameters(game: str) -> list[dict[str, Any]]:
    """Return the parameters of a game of the catalogue, with the values from its name."""
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
