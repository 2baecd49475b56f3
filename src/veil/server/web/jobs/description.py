"""A game in words: roles, the header of its rules, its parameters. Nothing is ground for it."""

from __future__ import annotations

from typing import Any

from veil.engine import Game
from veil.games import FAMILIES, instantiate, parse_spec
from veil.report import read_header
from veil.server.web.host.workers import Say
from veil.server.web.jobs.game_sources import open_game
from veil.vocabulary import RANDOM

MAX_SECTIONS, MAX_SECTION = 8, 1200  # sections of a header that are shown, and characters of one


def describe_game(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a game: name, roles, summary, sections of the header, parameters."""
    return describe_rules(open_game(source))


def describe_rules(game: Game) -> dict[str, Any]:
    """Return the description of a game that is open."""
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
    """Return the sections of a header, or its paragraphs if it has no sections.

    A paragraph after sections is for people who read the rules as a program.
    """
    sections = read_header(text)
    named = [section for section in sections if section.name]
    return [
        {"name": section.name, "text": section.text[:MAX_SECTION]} for section in (named or sections)[:MAX_SECTIONS]
    ]


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
