"""`Scenery`: the boards of a game for the browser, as plain data; `veil.boards` decides where everything is drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from veil.boards import (
    NOOP,
    WAIT,
    ViewConfig,
    ViewPlan,
    Wording,
    fill_belief,
    fill_state,
    place_moves,
    plan_views,
    read_wording,
    tell_record,
)
from veil.engine import Game, Record, State
from veil.engine.lanes import unpack
from veil.report import natural_key
from veil.vocabulary import RANDOM

# A page waits for its board. The number of games is the limit, and not the clock, so that a board is always the same.
VIEWS = ViewConfig(games=2048, seconds=30.0)
MAX_LEGEND = 14  # pieces; a legend of a whole deck of cards helps nobody


class Scenery:
    """The drawings of a game: scenes, moves and records, in words and places."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def plan(self) -> ViewPlan:
        """The place of every fluent."""
        return plan_views(self.game, VIEWS)

    @cached_property
    def wording(self) -> Wording:
        """The words of moves and percepts."""
        return read_wording(self.game.rules.source.text)

    def legend(self) -> list[dict[str, str]]:
        """Return the pieces whose sign is not their name, at most `MAX_LEGEND`; none if there are more."""
        hands = {number for number, board in enumerate(self.plan.boards) if board.kind == "hand"}  # with words in full
        shown = ((fluent, spot) for fluent, spot in self.plan.spots.items() if spot.board not in hands)
        spots = (spot for fluent, spot in shown if fluent not in self.plan.blanks)
        looks = dict.fromkeys(spot.look for spot in spots if spot.look.glyph.lower() != spot.look.label.lower())
        return [look._asdict() for look in looks] if len(looks) <= MAX_LEGEND else []

    def show_state(self, fluents: Iterable[str]) -> Any:
        """Return the scene of a state."""
        return msgspec.to_builtins(fill_state(self.plan, fluents))

    def show_belief(self, chances: Mapping[str, float]) -> Any:
        """Return the scene of a belief: fluent -> probability."""
        return msgspec.to_builtins(fill_belief(self.plan, chances))

    def offer(self, role: str, legal: Iterable[str]) -> Any:
        """Return the legal moves of a role in natural order, and how each is made."""
        return msgspec.to_builtins(place_moves(self.plan, role, sorted(legal, key=natural_key)))

    def tell(self, record: Record, forced: Collection[int] = ()) -> Any:
        """Return a record in words, round by round; `forced` are rounds in which the role had no choice."""
        return msgspec.to_builtins(tell_record(self.game, record, forced))

    def show_moves(self, joint: Mapping[str, str], before: State | None = None) -> dict[str, str]:
        """Return a joint move in words, with `random` if it has a choice.

        `before` is the state in which it is made: who had no choice there waits, whatever that move is called.
        """
        shown = {role: move for role, move in joint.items() if role != RANDOM or move != NOOP}
        return {
            role: WAIT
            if move == NOOP and before is not None and len(before.legal(role)) == 1
            else self.wording.move(move)
            for role, move in shown.items()
        }

    def words(self, terms: Iterable[str]) -> list[str]:
        """Return percepts in words, in order."""
        return self.wording.percepts(terms)

    def fluents_of(self, state: np.ndarray) -> list[str]:
        """Return the fluents that hold in a packed state [words]."""
        names = self.game.names.fluents
        return [names[number] for number in np.flatnonzero(unpack(state[None, :], len(names))[0])]
