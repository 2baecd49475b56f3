"""The words of an .efg text: quoted labels, numbers, braces; each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from veil.errors import VeilError, fail
from veil.lang.source import Source

TOKEN = re.compile(r'"(?P<label>(?:[^"\\]|\\.)*)"|(?P<brace>[{}])|(?P<word>[^\s{}",]+)|(?P<other>[^\s,])', re.DOTALL)
NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3}|/\d+)?")
MAX_DIGITS = 60  # of a number
ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class EfgToken(NamedTuple):
    """One word of the text."""

    kind: str  # label, brace, word, other, end
    text: str
    offset: int


class Tokens:
    """Reader of a text, word by word."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._rest = self._cut()
        self.next = next(self._rest)

    def _cut(self) -> Iterator[EfgToken]:
        for match in TOKEN.finditer(self.source.text):
            kind = match.lastgroup or "other"
            text = match[kind]
            yield EfgToken(kind, ESCAPE.sub(r"\1", text) if kind == "label" else text, match.start())
        while True:
            yield EfgToken("end", "", len(self.source.text))

    def take(self) -> EfgToken:
        """Return the next word and go on to the one after it."""
        token, self.next = self.next, next(self._rest)
        return token

    def label(self, what: str) -> str:
        """Read a text in quotation marks."""
        if self.next.kind != "label":
            raise self.unexpected(f'{what}, in quotation marks "..."')
        return self.take().text

    def brace(self, brace: str) -> None:
        """Read this brace."""
        if self.next.kind != "brace" or self.next.text != brace:
            raise self.unexpected(f"`{brace}`")
        self.take()

    def is_brace(self, brace: str) -> bool:
        """Return whether this brace comes next."""
        return self.next.kind == "brace" and self.next.text == brace

    def whole_number(self, what: str) -> int:
        """Read a number without a fraction, 0 or more."""
        if self.next.kind != "word" or not re.fullmatch(r"\d{1,9}", self.next.text):
            raise self.unexpected(what)
        return int(self.take().text)

    def number(self, what: str) -> Fraction:
        """Read any number: 3, -0.25, 1/3, 2e-3. It is exact."""
        text = self.next.text
        is_number = self.next.kind == "word" and len(text) <= MAX_DIGITS and NUMBER.fullmatch(text)
        if not is_number or (("/" in text) and int(text.partition("/")[2]) == 0):
            raise self.unexpected(what)
        self.take()
        top, _, below = text.partition("/")
        return Fraction(top) / int(below or 1)

    def unexpected(self, wanted: str) -> VeilError:
        """Return the error for the next word, if something else is wanted."""
        shown = {"end": "the end of the text", "label": f'"{self.next.text[:40]}"'}
        found = shown.get(self.next.kind, f"`{self.next.text[:40]}`")
        return fail("unexpected-token", self.source.place(self.next.offset), wanted=wanted, found=found)
