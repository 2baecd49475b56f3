"""A rules text as words, in any state: names, variables, keywords and signs with their places and statements."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from veil.errors import Problem, VeilError
from veil.lang import Rules, Source, find_notation, read_rules
from veil.vocabulary import KEYWORDS

Kind = Literal["name", "variable", "keyword", "sign", "comment"]

CONNECTIVES = frozenset({"<=", "=>", "not", "or", "and"})
GDL_WORDS = CONNECTIVES | KEYWORDS.keys()
PDDL_CONDITIONS = frozenset({"and", "or", "not", "imply", "forall", "exists", "either"})
PDDL_WORDS = PDDL_CONDITIONS | {"define", "domain", "problem", "when", "assign", "increase", "decrease", "observe"}
PREFIX = re.compile(r"(?P<comment>;[^\n]*)|(?P<sign>[()])|(?P<word>[^\s();]+)")
INFIX = re.compile(
    r"(?P<comment>(?:(?<=\n)|\A)[ \t]*[;#][^\n]*|%[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<sign>:-|<=|<-|!=|[(),&|;~.])|(?P<word>\??[\w+\-'\"$@#*^]+)",
    re.DOTALL,
)


class EditorWord(NamedTuple):
    """A word or a sign of a text."""

    text: str
    begin: int
    kind: Kind
    statement: int  # number of the statement that it is part of
    depth: int  # open parentheses before it
    scope: int  # number of the statement, or of the section of a POGDDL text: a variable belongs to it

    @property
    def end(self) -> int:
        return self.begin + len(self.text)

    @property
    def name(self) -> str:
        """The word as the rules read it: capitals do not matter."""
        return self.text.lower()


class Reading(NamedTuple):
    """What the reader of rules says about a text."""

    rules: Rules | None  # None while the text is no game
    problems: list[Problem]


class EditorText:
    """A text that somebody is writing."""

    def __init__(self, text: str, name: str = "rules") -> None:
        self.text, self.name = text, name
        self.notation = find_notation(text).name

    @cached_property
    def reading(self) -> Reading:
        """The rules, as far as the text is a game, and its errors, warnings and notes; nothing is ground or played."""
        try:
            rules = read_rules(Source(self.name, self.text))
        except VeilError as error:
            return Reading(None, list(error.problems))
        return Reading(rules, list(rules.problems))

    @property
    def is_infix(self) -> bool:
        """Whether the text is in the infix notation, or that of Gambit, which has no words of its own here."""
        return self.notation in ("infix", "efg")

    @property
    def is_pogddl(self) -> bool:
        """Whether the text describes objects and actions."""
        return self.notation == "pogddl"

    @cached_property
    def tokens(self) -> list[EditorWord]:
        """All words, signs and comments in their order."""
        return list(self._cut())

    @cached_property
    def words(self) -> list[EditorWord]:
        """Names, variables and keywords in their order."""
        return [token for token in self.tokens if token.kind in ("name", "variable", "keyword")]

    @property
    def keywords(self) -> frozenset[str]:
        """The words that have a meaning of their own in this notation, but for those with a colon."""
        return PDDL_WORDS if self.is_pogddl else GDL_WORDS

    def is_one_word(self, text: str) -> bool:
        """Return whether a text would be one word here."""
        match = (INFIX if self.is_infix else PREFIX).fullmatch(text)
        return match is not None and match.lastgroup == "word"

    def word_at(self, offset: int) -> EditorWord | None:
        """Return the word at a place, or the one that ends there; None if there is none."""
        number = bisect_right(self._begins, offset) - 1  # of two words side by side, the later one
        return self.words[number] if number >= 0 and offset <= self.words[number].end else None

    @cached_property
    def _begins(self) -> list[int]:
        return [word.begin for word in self.words]

    def scope_at(self, offset: int) -> int:
        """Return the scope that a word has which is written at a place."""
        before = None
        for token in self.tokens:
            if token.begin >= offset:
                break
            before = token
        if before is None or before.kind == "comment":
            return 0 if before is None else before.scope
        is_end = before.text == "." if self.is_infix else before.text == ")" and before.depth <= int(self.is_pogddl)
        return before.scope + is_end

    def scope_of(self, word: EditorWord) -> list[EditorWord]:
        """Return the words among which a word has its meaning: those of its statement if it is a variable, or all."""
        if word.kind != "variable":
            return self.words
        return [entry for entry in self.words if entry.scope == word.scope]

    def _cut(self) -> Iterator[EditorWord]:
        statement, scope, depth = 0, 0, 0
        for match in (INFIX if self.is_infix else PREFIX).finditer(self.text):
            text, begin = match.group(), match.start()
            if match.lastgroup == "comment":
                yield EditorWord(text, begin, "comment", statement, depth, scope)
                continue
            if match.lastgroup == "word":
                yield EditorWord(text, begin, self._kind_of(text), statement, depth, scope)
                is_fact = not self.is_infix and depth == 0
                statement, scope = statement + is_fact, scope + is_fact
                continue
            if text == ")":
                depth = max(0, depth - 1)
            yield EditorWord(text, begin, "sign", statement, depth, scope)
            depth += text == "("
            if text == "." if self.is_infix else text == ")" and depth == 0:
                statement, scope, depth = statement + 1, scope + 1, 0
            elif text == ")" and depth == 1 and self.is_pogddl:
                scope += 1

    def _kind_of(self, text: str) -> Kind:
        """Return the kind of a word."""
        if text.startswith("?") or (self.is_infix and (text[0].isupper() or text[0] == "_")):
            return "variable"
        return "keyword" if text.lower() in self.keywords or (self.is_pogddl and text[0] == ":") else "name"
