"""Games that are loaded once for all tests of a process, and what tests of several rooms say about games."""

from __future__ import annotations

import re
from functools import cache

from tests.reference.naive import NaiveGame
from veil import load
from veil.engine.game import Game
from veil.games import instantiate

WORDS_FOR_PEOPLE = re.compile(r";;; (name|word|move|sees|view: (hide|binary|list shows|rack closed|glyph car))\b")
NOTHING: frozenset[str] = frozenset()
OVER_AT_THE_START = """
(role ann) (role bob) (init over)
(<= terminal (true over)) (<= (legal ?p noop) (role ?p)) (<= (next over) (true over))
(<= (goal ann 30) (true over)) (<= (goal bob 70) (true over))
"""


@cache
def game(spec: str) -> Game:
    """The game of a bundled family or of a text."""
    return load(spec)


@cache
def naive(spec: str) -> NaiveGame:
    """The same game for the slow evaluator, which remembers the last few states only."""
    return NaiveGame(spec if spec.lstrip().startswith("(") else instantiate(spec).text)


@cache
def remembering_naive(spec: str) -> NaiveGame:
    """The same game for the slow evaluator, which here forgets nothing that it has worked out."""
    slow = NaiveGame(spec if spec.lstrip().startswith("(") else instantiate(spec).text)
    slow.forget_nothing()
    return slow


def load_in_words_of_rules(name: str) -> Game:
    """A bundled game without the hints that put it into words for people or hide counters, or the game of a text."""
    if name.lstrip().startswith(("(", ";")):
        return load(name)
    text = instantiate(name).text
    kept = [line for line in text.splitlines() if not WORDS_FOR_PEOPLE.match(line)]
    return load("\n".join(kept))
