"""The lines of an .efg text: what every writer of trees shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction


def header_line(title: str, players: Iterable[str]) -> str:
    """The first line: exact numbers, the title, the players."""
    return f"EFG 2 R {quote(title)} {{ {' '.join(map(quote, players))} }}"


def end_line(number: int, payoffs: Iterable[Fraction]) -> str:
    """An end, with the number of its outcome."""
    return f't "" {number} "" {{ {", ".join(map(str, payoffs))} }}'


def chance_line(number: int, actions: Iterable[str], chances: Iterable[Fraction]) -> str:
    """A node of chance, with the number of its infoset."""
    outcomes = " ".join(f"{quote(action)} {chance}" for action, chance in zip(actions, chances, strict=True))
    return f'c "" {number} "" {{ {outcomes} }} 0'


def choice_line(player: int, number: int, label: str, actions: Sequence[str]) -> str:
    """A node of a player, who is counted from 1, with the number and the label of its infoset."""
    return f'p "" {player} {number} {quote(label)} {{ {" ".join(map(quote, actions))} }} 0'


def quote(text: str) -> str:
    """A label. Signs that end it, or that readers take for an escape, are replaced."""
    plain = " ".join(text.replace('"', "'").replace("\\", "/").split())
    return f'"{plain}"'
