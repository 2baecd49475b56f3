"""The lines of an .efg text, which all writers of trees share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction


def header_line(title: str, players: Iterable[str]) -> str:
    """Return the first line: exact numbers, the title, the players."""
    return f"EFG 2 R {quote(title)} {{ {' '.join(map(quote, players))} }}"


def end_line(number: int, payoffs: Iterable[Fraction]) -> str:
    """Return the line of an end, with the number of its outcome."""
    return f't "" {number} "" {{ {", ".join(map(str, payoffs))} }}'


def chance_line(number: int, actions: Iterable[str], chances: Iterable[Fraction]) -> str:
    """Return the line of a chance node, with the number of its infoset."""
    outcomes = " ".join(f"{quote(action)} {chance}" for action, chance in zip(actions, chances, strict=True))
    return f'c "" {number} "" {{ {outcomes} }} 0'


def choice_line(player: int, number: int, label: str, actions: Sequence[str]) -> str:
    """Return the line of a player's node (players from 1), with the number and the label of its infoset."""
    return f'p "" {player} {number} {quote(label)} {{ {" ".join(map(quote, actions))} }} 0'


def quote(text: str) -> str:
    """Return a label. Signs that end it, or that readers take for an escape, are replaced."""
    plain = " ".join(text.replace('"', "'").replace("\\", "/").split())
    return f'"{plain}"'
