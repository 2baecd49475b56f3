"""Hints for views in the comments of a rules file. They are optional, and change nothing but what people read and see.

    ;;; view: hex stone                     the cells of `stone` are hexagons
    ;;; view: rack code                     `code` is a row of slots; also: grid, hand, badge, list
    ;;; view: hide in_code common           these fluents are counters of the rules, and are not shown
    ;;; view: colours code                  the values of `code` are discs of different colours
    ;;; view: binary score                  `(score first 3)` is the digit 2 ** 3 of a number
    ;;; view: glyph wp ♙ bp ♟               signs for words
    ;;; view: rows cell 2 up                the second argument of `cell` numbers the rows, the first of them below
    ;;; name: last_bid = the bid so far     the title of these fluents
    ;;; word: oplayer = O                   a word of the rules in other words
    ;;; move: (bid ?q ?f) = bid ?q of ?f    moves in words; the variables stand for what is there
    ;;; sees: (hit ?s) = you hit the ?s     percepts in words

A hint without a meaning is ignored, and reported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

KINDS = ("grid", "hex", "rack", "hand", "badge", "list", "hidden")
ALIASES = {"hide": "hidden"}
COMMENT = r"^[^\S\n]*(?:;+|%+|//+|#+)[^\S\n]*"
HINT = re.compile(COMMENT + r"view:[^\S\n]*(\S[^\n]*?)[^\S\n]*$", re.MULTILINE | re.IGNORECASE)
PHRASE = re.compile(
    COMMENT + r"(name|word|move|sees):[^\S\n]*(\S[^\n]*?)[^\S\n]*=[^\S\n]*(\S[^\n]*?)[^\S\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
MAX_GLYPH = 4  # characters
MAX_PHRASE = 80


@dataclass(slots=True)
class ViewHints:
    """The hints in the comments of a rules file."""

    kinds: dict[str, str] = field(default_factory=dict)  # family -> one of KINDS
    glyphs: dict[str, str] = field(default_factory=dict)  # word -> sign
    rows: dict[str, tuple[int, bool]] = field(default_factory=dict)  # family -> argument from 0, whether upwards
    coloured: set[str] = field(default_factory=set)  # families whose last value is shown as a colour
    binary: set[str] = field(default_factory=set)  # families whose last argument is a binary digit
    names: dict[str, str] = field(default_factory=dict)  # family -> title
    words: dict[str, str] = field(default_factory=dict)  # word -> other words
    moves: list[tuple[str, str]] = field(default_factory=list)  # pattern, words
    percepts: list[tuple[str, str]] = field(default_factory=list)  # pattern, words
    ignored: list[str] = field(default_factory=list)  # hints without a meaning


def read_hints(text: str) -> ViewHints:
    """Return the hints of a rules text."""
    hints = ViewHints()
    for found in HINT.finditer(text):
        if not _take(hints, found[1].split()):
            hints.ignored.append(found[1])
    for found in PHRASE.finditer(text):
        kind, left, right = found[1].lower(), found[2], found[3][:MAX_PHRASE]
        if kind in ("move", "sees"):
            (hints.moves if kind == "move" else hints.percepts).append((left, right))
        else:
            (hints.names if kind == "name" else hints.words)[left.lower()] = right
    return hints


def _take(hints: ViewHints, words: list[str]) -> bool:
    """Store one hint (changed in place); return whether it has a meaning."""
    kind, rest = ALIASES.get(words[0].lower(), words[0].lower()), words[1:]
    if kind in KINDS and rest:
        hints.kinds.update(dict.fromkeys((word.lower() for word in rest), kind))
        return True
    if kind == "colours" and rest:
        hints.coloured.update(word.lower() for word in rest)
        return True
    if kind == "binary" and rest:
        hints.binary.update(word.lower() for word in rest)
        return True
    if kind == "glyph" and rest and len(rest) % 2 == 0:
        hints.glyphs.update({word.lower(): sign[:MAX_GLYPH] for word, sign in zip(rest[::2], rest[1::2], strict=True)})
        return True
    if kind == "rows" and len(rest) in (2, 3) and rest[1].isdecimal() and rest[2:] in ([], ["up"], ["down"]):
        hints.rows[rest[0].lower()] = (int(rest[1]) - 1, rest[2:] == ["up"])
        return True
    return False
