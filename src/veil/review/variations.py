"""Variants of a game: named constants of its rules, or parameters of its family, set to other values.

`--vary 'PRIZE=1..9'` varies what `PRIZE` names. In a game of the catalogue that is a parameter. In rules it is

1. the last argument of the one fact `(prize 5)`; `'pay win=1..9'` that of `(pay win 5)`;
2. otherwise every place where the constant `PRIZE` stands.

Values are whole numbers, `1..9` or `10..100..10` (in steps of 10), or a list, `3,4,5` or `low,high`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path

from veil.errors import fail, phrase
from veil.files import read_text
from veil.games import FAMILIES, bind, shorten, split_spec
from veil.lang import Group, Node, Source, Word, read_statements, words

RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?")
VALUE = re.compile(r"[^\s();,=]+")
MAX_VARIANTS = 10_000
MAX_LISTED = 8  # names in a message

Setting = tuple[str, ...]  # a value per variation


@dataclass(frozen=True, slots=True)
class Variation:
    """A name and the values that it takes."""

    name: str
    values: tuple[str, ...]


def read_variation(text: str) -> Variation:
    """Return the variation that a text such as `PRIZE=1..9` stands for."""
    name, sign, listed = text.partition("=")
    name, listed = " ".join(name.split()), listed.strip()
    if not sign or not name or not listed:
        raise fail("bad-vary", text=shorten(text), what=phrase("vary-form"))
    found = RANGE.fullmatch(listed)
    if found:
        step = int(found[3] or 1)
        numbers = range(int(found[1]), int(found[2]) + 1, step) if step else range(0)
        values = [str(number) for number in numbers] if len(numbers) <= MAX_VARIANTS else []
    else:
        values = [value.strip() for value in listed.split(",", MAX_VARIANTS)]
    if not values or len(values) > MAX_VARIANTS or not all(map(VALUE.fullmatch, values)):
        raise fail("bad-vary", text=shorten(text), what=phrase("vary-values"))
    return Variation(name, tuple(dict.fromkeys(values)))


class VariedGame:
    """A game whose variants can be made: the text of its rules, or the name of a game of the catalogue."""

    def __init__(self, source: Source | str, variations: Sequence[Variation]) -> None:
        """Refuse names that the game does not have, names that are given twice, and too many variants."""
        self.source, self.variations = source, tuple(variations)
        count = prod(len(entry.values) for entry in variations)
        if count > MAX_VARIANTS:
            what = phrase("too-many-variants", count=f"{count:,}", most=f"{MAX_VARIANTS:,}")
            raise fail("bad-vary", text=" ".join(entry.name for entry in variations), what=what)
        names = [entry.name.lower() for entry in variations]
        for name in names:
            if names.count(name) > 1:
                raise fail("bad-vary", text=name, what=phrase("given-twice", name=name))
        self._places = {} if isinstance(source, str) else _find_places(source, self.variations)
        if isinstance(source, str):
            self.make_text(next(self.settings()))

    def settings(self) -> Iterator[Setting]:
        """Yield all combinations of values; the last name changes fastest."""
        yield from product(*(entry.values for entry in self.variations))

    def make_text(self, setting: Setting) -> str:
        """Return the name of a game of the catalogue, or the text of the rules, with these values."""
        if isinstance(self.source, str):
            return self._make_spec(self.source, setting)
        changes = [
            (place, value)
            for entry, value in zip(self.variations, setting, strict=True)
            for place in self._places[entry]
        ]
        text = self.source.text
        for (begin, end), value in sorted(changes, reverse=True):
            text = text[:begin] + value + text[end:]
        return text

    def _make_spec(self, spec: str, setting: Setting) -> str:
        name, arguments = split_spec(spec)
        values = bind(FAMILIES[name], arguments)
        changed = {entry.name: value for entry, value in zip(self.variations, setting, strict=True)}
        for entry in self.variations:
            if entry.name not in values:
                raise fail("unknown-constant", name=entry.name, game=name, names=", ".join(values) or "none")
            for value in entry.values:
                bind(FAMILIES[name], [(entry.name, value)])  # refuses values that the parameter does not take
        return f"{name}({', '.join(f'{key}={changed.get(key, value)}' for key, value in values.items())})"


def open_varied(game: str, variations: Sequence[Variation]) -> VariedGame:
    """Return the varied game of a name of the catalogue, or of a rules file, whose constants need no values yet."""
    if game.split("(")[0].strip() in FAMILIES:
        return VariedGame(game, variations)
    return VariedGame(Source(Path(game).name, read_text(game)), variations)


def _find_places(source: Source, variations: Sequence[Variation]) -> dict[Variation, list[tuple[int, int]]]:
    """Return the places in the text, from begin to end, that each variation changes."""
    statements = read_statements(source).statements
    return {
        entry: _find_fact(source, statements, entry) or _find_words(source, statements, entry) for entry in variations
    }


def _find_fact(source: Source, statements: Sequence[Node], entry: Variation) -> list[tuple[int, int]]:
    """Return the place of the last argument of the one fact of this name; nothing if there is no such fact."""
    wanted = entry.name.lower().split()
    found = [
        node.items[-1]
        for node in statements
        if isinstance(node, Group)
        and len(node.items) == len(wanted) + 1
        and all(isinstance(item, Word) for item in node.items)
        and [item.text for item in node.items[:-1] if isinstance(item, Word)] == wanted
    ]
    if len(found) > 1:
        raise fail("bad-vary", text=entry.name, what=phrase("several-facts", count=len(found)))
    return [_place_of(source, word) for word in found if isinstance(word, Word)]


def _find_words(source: Source, statements: Sequence[Node], entry: Variation) -> list[tuple[int, int]]:
    """Return every place of a constant."""
    wanted = entry.name.lower()
    places = sorted({_place_of(source, word) for node in statements for word in words(node) if word.text == wanted})
    if not places:
        raise fail("unknown-constant", name=entry.name, game=source.name, names=_list_constants(statements))
    return places


def _place_of(source: Source, word: Word) -> tuple[int, int]:
    end = word.offset + len(word.text)
    if source.text[word.offset : end].lower() != word.text:
        raise fail("bad-vary", text=word.text, what=phrase("vary-notation"))
    return word.offset, end


def _list_constants(statements: Sequence[Node]) -> str:
    """Return the names of facts with one number, which can be varied."""
    names = [
        " ".join(item.text for item in node.items[:-1] if isinstance(item, Word))
        for node in statements
        if isinstance(node, Group)
        and isinstance(node.items[-1], Word)
        and node.items[-1].text.isdigit()
        and all(isinstance(item, Word) for item in node.items)
    ]
    single = [name for name in dict.fromkeys(names) if names.count(name) == 1]
    return ", ".join(single[:MAX_LISTED]) or "none"
