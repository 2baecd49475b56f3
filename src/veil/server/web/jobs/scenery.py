"""`Scenery`: the boards of a game for the browser, as plain data; `veil.boards` decides where everything is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from veil.boards import ViewConfig, ViewPlan, fill_belief, fill_state, in_words, place_moves, plan_views, tell_record
from veil.engine import Game, Record
from veil.engine.lanes import unpack
from veil.vocabulary import RANDOM

# A page waits for its board. The number of games is the limit, and not the clock, so that a board is always the same.
VIEWS = ViewConfig(games=2048, seconds=30.0)


class Scenery:
    """The drawings of a game: scenes, moves and records, in words and places."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def plan(self) -> ViewPlan:
        """The place of every fluent."""
        return plan_views(self.game, VIEWS)

    def show_state(self, fluents: Iterable[str]) -> Any:
        """Return the scene of a state."""
        return msgspec.to_builtins(fill_state(self.plan, fluents))

    def show_belief(self, chances: Mapping[str, float]) -> Any:
        """Return the scene of a belief: fluent -> probability."""
        return msgspec.to_builtins(fill_belief(self.plan, chances))

    def offer(self, role: str, legal: Iterable[str]) -> Any:
        """Return the legal moves of a role, and how each is made."""
        return msgspec.to_builtins(place_moves(self.plan, role, list(legal)))

    def tell(self, record: Record) -> Any:
        """Return a record in words, round by round."""
        return msgspec.to_builtins(tell_record(self.game, record))

    def show_moves(self, joint: Mapping[str, str]) -> dict[str, str]:
        """Return a joint move in words, with `random` if it has a choice."""
        return {role: in_words(move) for role, move in joint.items() if role != RANDOM or move != "noop"}

    def words(self, terms: Iterable[str]) -> list[str]:
        """Return terms in words, in order."""
        return sorted(map(in_words, terms))

    def fluents_of(self, state: np.ndarray) -> list[str]:
        """Return the fluents that hold in a packed state [words]."""
        names = self.game.names.fluents
        return [names[number] for number in np.flatnonzero(unpack(state[None, :], len(names))[0])]
