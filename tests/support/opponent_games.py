"""A game of three moves for tests of opponents, and opponents as the oracle of beliefs wants them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

from tests.reference import beliefs
from tests.support.belief_games import key_of
from tests.support.games import NOTHING
from veil.belief.contract import Opponents, RecordStep
from veil.engine.game import Game
from veil.engine.lanes.keys import extend_keys, percept_keys, start_keys
from veil.engine.record import Record, encode

# random deals a card, good or bad, which bob alone is told, and a coin, which ann alone is told. Then bob goes left or
# right, which ann sees; then ann guesses the card. What bob gets depends on card, coin and side, never on ann's guess.
# On average over the coin, left brings bob 80 with the good card and 30 with the bad one; right 20 and 60.
THREE_MOVES = """
(role random) (role bob) (role ann) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(card good) (card bad) (coin heads) (coin tails) (side left) (side right)
(<= (legal random (deal ?c ?k)) (true (round 1)) (card ?c) (coin ?k))
(<= (legal random noop) (not (true (round 1))))
(<= (legal bob ?s) (true (round 2)) (side ?s))
(<= (legal bob noop) (not (true (round 2))))
(<= (legal ann (guess ?c)) (true (round 3)) (card ?c))
(<= (legal ann noop) (not (true (round 3))))
(<= (sees bob ?c) (does random (deal ?c ?k)))
(<= (sees ann ?k) (does random (deal ?c ?k)))
(<= (sees ann ?s) (does bob ?s) (side ?s))
(<= (next (dealt ?c ?k)) (does random (deal ?c ?k)))
(<= (next (dealt ?c ?k)) (true (dealt ?c ?k)))
(<= (next (went ?s)) (does bob ?s) (side ?s))
(<= (next (went ?s)) (true (went ?s)))
(<= (next (guessed ?c)) (does ann (guess ?c)))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= terminal (true (round 4)))
(pays good heads left 100) (pays good tails left 60) (pays bad heads left 10) (pays bad tails left 50)
(pays good heads right 0) (pays good tails right 40) (pays bad heads right 80) (pays bad tails right 40)
(<= (goal bob ?v) (true (dealt ?c ?k)) (true (went ?s)) (pays ?c ?k ?s ?v))
(<= right (true (dealt ?c ?k)) (true (guessed ?c)))
(<= (goal ann 100) right)
(<= (goal ann 0) (not right))
(goal random 0)
"""
LEFT = {  # what ann was told, who has seen bob go left
    coin: (("noop", frozenset({coin})), ("noop", frozenset({"left"}))) for coin in ("heads", "tails")
}
CARD = {card: (("noop", frozenset({card})),) for card in ("good", "bad")}  # what bob was told before he moves
QUIET = ("noop", NOTHING)


def tell_record(opponents: Opponents, of: Game, role: str, record: beliefs.Record) -> None:
    """Tell opponents who want to hear it how a record came about, round by round."""
    key, role_id = start_keys(1), of.roles.index(role)
    for told in encode(of, Record(role, record)):
        own, seen = np.array([told.own_move]), told.percepts[None, :]
        grown = extend_keys(key, own, percept_keys(seen))
        if hasattr(opponents, "observe"):
            opponents.observe(RecordStep(role_id, key, own, seen, grown))
        key = grown


def ask(opponents: Opponents, of: Game, role: str, record: beliefs.Record, legal: list[str]) -> dict[str, float]:
    """move -> probability: what the opponents say about one record, of which they have been told."""
    role_id = of.roles.index(role)
    names = of.names.moves[role_id]
    row = np.array([[name in legal for name in names]])
    chances = opponents(role_id, np.array([key_of(of, role, record)], np.uint64), row)[0]
    return {move: float(chance) for move, chance in zip(names, chances, strict=True) if move in legal}


def as_policy(opponents: Opponents, of: Game) -> beliefs.Policy:
    """Opponents as a policy of the oracle."""

    @cache
    def worked_out(role: str, record: beliefs.Record, legal: tuple[str, ...]) -> dict[str, Fraction]:
        tell_record(opponents, of, role, record)
        return {move: Fraction(chance) for move, chance in ask(opponents, of, role, record, list(legal)).items()}

    return lambda role, record, legal: worked_out(role, record, tuple(legal))
