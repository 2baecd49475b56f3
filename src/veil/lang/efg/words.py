"""Labels of an .efg text as words of rules: `Player 1` is `Player_1`. An empty or repeated label gets a number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veil.lang.efg.reader import EfgTree
from veil.vocabulary import RANDOM

STRANGE = re.compile(r"[^\w.+/-]+")
NOOP = "noop"
MAX_WORD = 60  # characters


class EfgWords:
    """The words for players, actions and infosets of a tree. `spelling` has them as the text writes them."""

    def __init__(self, tree: EfgTree) -> None:
        self.spelling: dict[str, str] = {}
        self.players = self._spell(name_apart(tree.players, "player", RANDOM))  # [players] from 0
        self.actions = [self._spell(name_apart(infoset.actions, "action", NOOP)) for infoset in tree.infosets]
        self.percepts: list[str | None] = [None] * len(tree.infosets)  # None: the number of the infoset is used
        for player in range(1, len(tree.players) + 1):
            self._name_infosets(tree, player)

    def _name_infosets(self, tree: EfgTree, player: int) -> None:
        """Use the labels of a player's infosets as percepts, if all are different."""
        own = [place for place, infoset in enumerate(tree.infosets) if infoset.player == player]
        words = [plain_word(tree.infosets[place].label) for place in own]
        if all(words) and len({word.lower() for word in words}) == len(words):
            for place, word in zip(own, self._spell(words), strict=True):
                self.percepts[place] = word

    def _spell(self, words: Sequence[str]) -> list[str]:
        """Return the words as rules have them, and store their spelling."""
        for word in words:
            self.spelling.setdefault(word.lower(), word)
        return [word.lower() for word in words]


def name_apart(labels: Sequence[str], kind: str, taken: str) -> list[str]:
    """Return a different word for every label, in any spelling, and none of them `taken`."""
    used, words = {taken}, []
    for number, label in enumerate(labels, 1):
        word = plain_word(label) or f"{kind}_{number}"
        while word.lower() in used:
            word = f"{word}_{number}"
        used.add(word.lower())
        words.append(word)
    return words


def plain_word(label: str) -> str:
    """Return a label without signs that have a meaning in rules; empty if nothing is left, or if it is too long."""
    word = STRANGE.sub("_", label.strip()).strip("_")
    return word if len(word) <= MAX_WORD else ""
