"""Translation between numbers and words: roles, moves, percepts and fluents of a game.

Inside, a role is its place in `game.roles`. A move or a percept is its place among those of its role in the ground
program, and a set of percepts is a packed row of bits. Outside, everything is text as the rules spell it. `game.names`
is the translator. It accepts words in any spelling of the same term; the spelling of the rules is the fastest.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from veil.caches import BoundedCache
from veil.engine.lanes import pack, unpack
from veil.errors import VeilError
from veil.lang import read_term
from veil.vocabulary import Term

if TYPE_CHECKING:
    from veil.engine.game import Game

MAX_PERCEPT_SETS = 4096  # number of percept rows whose words are cached


class Names:
    """The words of a game's ground program. R roles, F fluents."""

    def __init__(self, game: Game) -> None:
        self.game, self.program = game, game.program
        self._percept_sets: BoundedCache[tuple[int, bytes], frozenset[str]] = BoundedCache(MAX_PERCEPT_SETS)

    @cached_property
    def roles(self) -> list[str]:
        """[R] the roles, as the rules spell them."""
        return self.game.roles

    @cached_property
    def moves(self) -> list[list[str]]:
        """[R][moves] the moves of every role, as the rules spell them."""
        return [[self.game.rules.show(move) for move in moves] for moves in self.program.moves]

    @cached_property
    def percepts(self) -> list[list[str]]:
        """[R][percepts] the percepts of every role, as the rules spell them."""
        return [[self.game.rules.show(percept) for percept in percepts] for percepts in self.program.percepts]

    @cached_property
    def fluents(self) -> list[str]:
        """[F] the fluents, as the rules spell them."""
        return [self.game.rules.show(fluent) for fluent in self.program.fluents]

    def role_id(self, role: str) -> int:
        """Return the number of a role, in any spelling. Raises `VeilError` if the role is unknown."""
        return self.program.roles.index(self.game.role_term(role))

    def move_id(self, role_id: int, text: str) -> int | None:
        """Return the number of a move, in any spelling; None if the role has no such move."""
        return self._move_ids[role_id].find(text)

    def percept_id(self, role_id: int, text: str) -> int | None:
        """Return the number of a percept, in any spelling; None if the role has no such percept."""
        return self._percept_ids[role_id].find(text)

    def pack_percepts(self, role_id: int, texts: Iterable[str]) -> np.ndarray | None:
        """Return [words] the packed row of these percepts; None if the role cannot see one of them."""
        bits = np.zeros((1, len(self.program.percepts[role_id])), np.bool_)
        for text in texts:
            percept = self.percept_id(role_id, text)
            if percept is None:
                return None
            bits[0, percept] = True
        packed: np.ndarray = pack(bits)[0]
        return packed

    def percept_words(self, role_id: int, row: np.ndarray) -> frozenset[str]:
        """Return the percepts of a packed row [words]."""
        key = (role_id, row.tobytes())
        seen = self._percept_sets.find(key)
        if seen is None:
            bits, words = unpack(row[None, :], len(self.program.percepts[role_id]))[0], self.percepts[role_id]
            seen = self._percept_sets.keep(key, frozenset(words[percept] for percept in np.flatnonzero(bits)))
        return seen

    def legal_words(self, role_id: int, bits: np.ndarray) -> list[str]:
        """Return the moves whose bits [moves] are set, sorted."""
        words = self.moves[role_id]
        return sorted(words[move] for move in np.flatnonzero(bits))

    def joint_words(self, joint_move: np.ndarray) -> dict[str, str]:
        """Return a joint move [R] as words: role -> move."""
        return {role: moves[int(move)] for role, moves, move in zip(self.roles, self.moves, joint_move, strict=True)}

    @cached_property
    def _move_ids(self) -> list[_Ids]:
        return [_Ids(words, terms) for words, terms in zip(self.moves, self.program.moves, strict=True)]

    @cached_property
    def _percept_ids(self) -> list[_Ids]:
        return [_Ids(words, terms) for words, terms in zip(self.percepts, self.program.percepts, strict=True)]


class _Ids:
    """The numbers of terms, found by their words."""

    def __init__(self, words: list[str], terms: tuple[Term, ...]) -> None:
        self._by_word = {word: number for number, word in enumerate(words)}
        self._by_term = {term: number for number, term in enumerate(terms)}

    def find(self, text: str) -> int | None:
        """Return the number of the term in a text; None if the text is no term, or none of these.

        Known words are not parsed.
        """
        if text in self._by_word:
            return self._by_word[text]
        try:
            return self._by_term.get(read_term(text))
        except VeilError:
            return None
