"""Other words for the words of a game, as in competitions: a player cannot guess from its name what a move is for.

Every word that has no meaning in GDL gets a made-up word, and every variable too. Numbers stay: goals are numbers.
Equal seeds give equal words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np

from veil.vocabulary import KEYWORDS, RANDOM, WHOLE_NUMBER
from veil.wire.dialects import WORD

RESERVED = {*KEYWORDS, RANDOM, "<=", "not", "or", "and", "nil", "sees_xml", "?"}
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
LEAST_SYLLABLES, MOST_SYLLABLES = 2, 4
TRIES_PER_LENGTH = 20  # to find a free word; then words get longer


class Scrambler:
    """A dictionary between the words of some rules and made-up ones, in both directions; in lower case."""

    def __init__(self, rules: Iterable[str], seed: int) -> None:
        """Make up the words; `rules` is a text per statement."""
        rng = np.random.default_rng(seed)
        words = sorted({found.group().lower() for rule in rules for found in WORD.finditer(rule)})
        words = [word for word in words if word not in RESERVED and not WHOLE_NUMBER.fullmatch(word)]
        taken = RESERVED | set(words)
        self._there: dict[str, str] = {}
        for place in rng.permutation(len(words)):
            word = words[int(place)]
            made = make_word(rng, taken)
            taken.add(made)
            self._there[word] = f"?{made}" if word.startswith("?") else made
        self._back = {made: word for word, made in self._there.items()}

    def scramble(self, text: str) -> str:
        """Return the text in made-up words."""
        return _replace(text, self._there)

    def unscramble(self, text: str) -> str:
        """Return the original text; words that were not made up stay, in lower case."""
        return _replace(text, self._back)


def make_word(rng: np.random.Generator, taken: set[str]) -> str:
    """Return a word of a few syllables that is not taken."""
    most = MOST_SYLLABLES
    while True:
        for _ in range(TRIES_PER_LENGTH):
            count = int(rng.integers(LEAST_SYLLABLES, most + 1))
            word = "".join(
                CONSONANTS[rng.integers(len(CONSONANTS))] + VOWELS[rng.integers(len(VOWELS))] for _ in range(count)
            )
            if word not in taken:
                return word
        most += 1


def _replace(text: str, dictionary: Mapping[str, str]) -> str:
    def translate(found: re.Match[str]) -> str:
        word = found.group().lower()
        return dictionary.get(word, word)

    return WORD.sub(translate, text)
