"""Hints for views in the comments of a rules file. They are optional.

    ;;; view: hex stone                  the cells of `stone` are hexagons
    ;;; view: rack code                  `code` is a row of slots; also: grid, hand, badge, list, hidden
    ;;; view: glyph wp ♙ bp ♟            signs for words
    ;;; view: rows cell 2 up             the second argument of `cell` numbers the rows, the first of them below

A hint without a meaning is ignored, and reported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

KINDS = ("grid", "hex", "rack", "hand", "badge", "list", "hidden")
HINT = re.compile(r"^[^\S\n]*(?:;+|%+|//+|#+)[^\S\n]*view:[^\S\n]*(\S[^\n]*?)[^\S\n]*$", re.MULTILINE | re.IGNORECASE)
MAX_GLYPH = 4  # characters


@dataclass(slots=True)
class ViewHints:
    """The hints in the comments of a rules file."""

    kinds: dict[str, str] = field(default_factory=dict)  # family -> one of KINDS
    glyphs: dict[str, str] = field(default_factory=dict)  # word -> sign
    rows: dict[str, tuple[int, bool]] = field(default_factory=dict)  # family -> argument from 0, whether upwards
    ignored: list[str] = field(default_factory=list)  # hints without a meaning


def read_hints(text: str) -> ViewHints:
    """Return the hints of a rules text."""
    hints = ViewHints()
    for found in HINT.finditer(text):
        if not _take(hints, found[1].split()):
            hints.ignored.append(found[1])
    return hints


def _take(hints: ViewHints, words: list[str]) -> bool:
    """Store one hint (changed in place); return whether it has a meaning."""
    kind, rest = words[0].lower(), words[1:]
    if kind in KINDS and rest:
        hints.kinds.update(dict.fromkeys((word.lower() for word in rest), kind))
        return True
    if kind == "glyph" and rest and len(rest) % 2 == 0:
        hints.glyphs.update({word.lower(): sign[:MAX_GLYPH] for word, sign in zip(rest[::2], rest[1::2], strict=True)})
        return True
    if kind == "rows" and len(rest) in (2, 3) and rest[1].isdecimal() and rest[2:] in ([], ["up"], ["down"]):
        hints.rows[rest[0].lower()] = (int(rest[1]) - 1, rest[2:] == ["up"])
        return True
    return False
