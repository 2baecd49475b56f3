"""`Wording`: moves, percepts and names of a game in the words of its hints; without hints, in the words of its rules.

A pattern such as `(bid ?q ?f)` fits a term of the same shape. Its variables stand for the parts of the term, which are
put into words in their turn: a part that fits a pattern of a move is told as that move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from veil.boards.hints import ViewHints, read_hints
from veil.boards.looks import in_words
from veil.engine import parse_record
from veil.lang import read_term
from veil.report import natural_key
from veil.vocabulary import Term, show

TOKEN = re.compile(r"[()]|[^\s()]+")
NOOP, WAIT = "noop", "wait"  # the usual move of a role that has nothing to choose
VARIABLE = re.compile(r"\?[A-Za-z0-9_]+")
Shape = str | tuple["Shape", ...]  # of a pattern: a word, a variable `?x`, or a list of shapes


class Wording:
    """The words of one game."""

    def __init__(self, hints: ViewHints) -> None:
        self._words, self._names = hints.words, hints.names
        self._moves = [(_read_shape(pattern), words) for pattern, words in hints.moves]
        self._percepts = [(_read_shape(pattern), words) for pattern, words in hints.percepts]

    def move(self, text: str) -> str:
        """Return a move in words; the usual move that does nothing is `wait` without a hint."""
        told = self._tell(text, self._moves)
        return WAIT if told == NOOP else told

    def percept(self, text: str) -> str:
        """Return a percept in words."""
        return self._tell(text, [*self._percepts, *self._moves])

    def percepts(self, texts: Iterable[str]) -> list[str]:
        """Return percepts in words, in order."""
        return sorted(map(self.percept, texts), key=natural_key)

    def record(self, text: str) -> str:
        """Return a record such as `noop: (card king); bet` in words, without the moves that do nothing."""
        told = []
        for move, seen in parse_record("", text).rounds:
            parts = [*([] if move == NOOP else [self.move(move)]), *self.percepts(seen)]
            if parts:
                told.append(", ".join(parts))
        return "; ".join(told)

    def word(self, text: str) -> str:
        """Return a term in words, each with its own words if the hints have some."""
        words = (word for word in TOKEN.findall(text) if word not in "()")
        return " ".join(self._words.get(word.lower()) or in_words(word) for word in words)

    def name(self, family: str) -> str:
        """Return the title of a family of fluents."""
        return self._names.get(family.lower(), in_words(family))

    def _tell_word(self, text: str) -> str:
        return WAIT if text == NOOP else self.word(text)

    def _tell(self, text: str, phrases: Sequence[tuple[Shape, str]]) -> str:
        told = self._put(read_term(text), phrases) if phrases else None
        return told or self.word(text)

    def _put(self, term: Term, phrases: Sequence[tuple[Shape, str]]) -> str | None:
        """Return a term in the words of the first pattern that fits it; None if none fits."""
        for shape, words in phrases:
            found: dict[str, Term] = {}
            if _fits(shape, term, found):
                return self._fill(words, found)
        return None

    def _fill(self, words: str, found: dict[str, Term]) -> str:
        """Return the words of a pattern with the parts of the term in place of its variables."""
        told = {name: self._put(part, self._moves) or self._tell_word(show(part)) for name, part in found.items()}
        return VARIABLE.sub(lambda variable: told.get(variable[0].lower(), variable[0]), words)


def read_wording(text: str) -> Wording:
    """Return the words of the game with this rules text."""
    return Wording(read_hints(text))


def _read_shape(text: str) -> Shape:
    """Return a pattern as nested tuples; what is left open or closed too early ends with the text."""
    stack: list[list[Shape]] = [[]]
    for token in TOKEN.findall(text.lower()):
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            inner = tuple(stack.pop())
            stack[-1].append(inner)
        elif token != ")":
            stack[-1].append(token)
    return stack[0][0] if len(stack[0]) == 1 else tuple(stack[0])


def _fits(shape: Shape, term: Term, found: dict[str, Term]) -> bool:
    """Return whether a term has a shape; `found` (changed in place) gets what its variables stand for."""
    if isinstance(shape, str):
        if shape.startswith("?"):
            return show(found.setdefault(shape, term)) == show(term)
        return isinstance(term, str) and term.lower() == shape
    if not isinstance(term, tuple) or len(term) != len(shape):
        return False
    return all(_fits(inner, part, found) for inner, part in zip(shape, term, strict=True))
