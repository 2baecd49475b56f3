"""The looks of pieces: a sign, a colour and a form, from the words of the rules and an optional table of signs.

A value that names a role or a colour gives the colour; other values give the sign. If there is no other value, a stone
is drawn. Well-known pieces (`wk`, `black_queen`, `x`) and cards have their signs; other signs are the word, shortened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veil.boards.scene import DISC, TEXT
from veil.vocabulary import WHOLE_NUMBER

PAINTS = ("red", "blue", "green", "yellow", "orange", "purple", "pink", "teal", "brown", "black", "white", "grey")
COLOURS = ("white", "black", "red", "blue", "green", "yellow", "orange", "purple", "pink", "teal", "brown", "grey")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
PLAIN = "plain"
ALIASES = {"gray": "grey", "cyan": "teal", "violet": "purple", "magenta": "pink"}
SUITS = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
RANKS = {"jack": "J", "queen": "Q", "king": "K", "ace": "A", "ten": "10"}
CHESS = {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}
WHITE_SIGNS = dict(zip("KQRBNP", "♔♕♖♗♘♙", strict=True))
BLACK_SIGNS = dict(zip("KQRBNP", "♚♛♜♝♞♟", strict=True))
CHESS_CODE = re.compile(r"(w|b|white|black)_?(king|queen|rook|bishop|knight|pawn|[kqrbnp])")
CROSS = re.compile(r"(x|o)(_?player)?")
MAX_CODE = 2  # characters of a piece that may begin with the initial of its role: `r`, `np`
MAX_SIGN = 4  # characters of a sign
WORD_BREAK = re.compile(r"[\s_.-]+")


class Look(NamedTuple):
    """The look of a piece."""

    label: str
    glyph: str
    tone: str
    form: str


class Wardrobe:
    """The looks of the pieces of one game."""

    def __init__(self, roles: Sequence[str], glyphs: Mapping[str, str] | None = None) -> None:
        """Make the looks. `roles` are all but `random`, lower case.

        `glyphs` are signs for words and come before all others.
        """
        self._roles = list(roles)
        initials = [role[0] for role in self._roles]
        is_clear = len(set(initials)) == len(initials) > 1 and all(len(role) > MAX_CODE for role in self._roles)
        self._initials = dict(zip(initials, self._roles, strict=True)) if is_clear else {}
        self._glyphs = dict(glyphs or {})

    def dress(self, words: Sequence[str], name: str = "") -> Look:
        """Return the look of a piece with these words (lower case); `name` is its name if there are none."""
        label = " ".join(map(in_words, words)) or in_words(name)
        tones = [self.tone_of(word) for word in words]
        tone = next((entry for entry in tones if entry != PLAIN), PLAIN)
        signs = [word for word, own in zip(words, tones, strict=True) if own == PLAIN or self._has_sign(word)]
        whole = " ".join(words) or name
        if whole in self._glyphs:
            return Look(label, self._glyphs[whole], tone, TEXT)
        coded = self._decode(words)
        if coded is not None:
            return Look(label, coded[0], coded[1], TEXT)
        if not signs and words:
            return Look(label, "", tone, DISC)
        between = "/" if len(signs) > 1 and all(WHOLE_NUMBER.fullmatch(word) for word in signs) else ""
        short = [self._glyphs.get(word, "") or shorten(word, max(2, MAX_SIGN // len(signs))) for word in signs]
        sign = between.join(short)
        return Look(label, sign or shorten(name), tone, TEXT)

    def _has_sign(self, word: str) -> bool:
        """Return whether a word that gives a colour is a sign as well."""
        is_whole = word in self._roles or ALIASES.get(word, word) in COLOURS
        return word in self._glyphs or (not is_whole and len(word) > 1)

    def tone_of(self, word: str) -> str:
        """Return the colour that a word stands for."""
        colour = ALIASES.get(word, word)
        if colour in COLOURS:
            return colour
        if word in self._roles:
            return ORDINALS[self._roles.index(word) % len(ORDINALS)]
        if len(word) <= MAX_CODE and word[0] in self._initials:
            return self.tone_of(self._initials[word[0]])
        return PLAIN

    def _decode(self, words: Sequence[str]) -> tuple[str, str] | None:
        """Return (sign, tone) of crosses and noughts, cards and chess pieces; None for other words."""
        if len(words) == 1:
            cross, chess = CROSS.fullmatch(words[0]), CHESS_CODE.fullmatch(words[0])
            if cross is not None:
                tone = self.tone_of(words[0])
                return ("✕" if cross[1] == "x" else "◯", tone if tone != PLAIN else ORDINALS["xo".index(cross[1])])
            if chess is not None:
                return self._chess_sign(chess[2], chess[1])
        if len(words) == 2:
            suits = [word for word in words if word in SUITS]
            ranks = [RANKS.get(word, word) for word in words if word in RANKS or WHOLE_NUMBER.fullmatch(word)]
            if suits and ranks:
                return ranks[0] + SUITS[suits[0]], "red" if suits[0] in ("hearts", "diamonds") else PLAIN
            colours = [word for word in words if word in ("white", "black")]
            kinds = [word for word in words if word in CHESS]
            if colours and kinds:
                return self._chess_sign(kinds[0], colours[0])
        return None

    def _chess_sign(self, kind: str, side: str) -> tuple[str, str]:
        letter = CHESS.get(kind, kind.upper())
        is_white = side.startswith("w")
        return (WHITE_SIGNS if is_white else BLACK_SIGNS)[letter], "white" if is_white else "black"


def in_words(text: str) -> str:
    """Return a term of the rules as words: without parentheses and underscores."""
    return " ".join(text.replace("(", " ").replace(")", " ").replace("_", " ").split())


def shorten(word: str, longest: int = MAX_SIGN) -> str:
    """Return a sign of a few characters for a word: the word itself, its initials, or its beginning."""
    longest = max(1, longest)
    if len(word) <= longest:
        return word
    number = re.search(r"[0-9]+$", word)
    parts = [part for part in WORD_BREAK.split(word) if part]
    if len(parts) > 1:
        return "".join(part[0] for part in parts)[:longest]
    if number is not None and len(number[0]) < longest:
        return word[: longest - len(number[0])] + number[0]
    return word[: min(longest, 2)] if longest > 1 else word[0]
