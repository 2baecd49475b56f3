"""Small games and records for tests of searchers, and the bag of a role after a record."""

from __future__ import annotations

import numpy as np

from tests.support.belief_games import monty, tell
from tests.support.games import NOTHING, game
from veil.belief.bag import Bag
from veil.belief.exact import ExactBelief
from veil.engine.game import Game
from veil.engine.lanes.keys import extend_keys, percept_keys, start_keys
from veil.engine.record import Record, encode
from veil.search.contract import Answer
from veil.search.hyperplay2.move_values import MoveValues
from veil.search.hyperplay2.nested import NestedPlayers

# ann wins in any case: at once, or a round later.
SOONER_OR_LATER = """
(role ann) (init start)
(<= (legal ann now) (true start))
(<= (legal ann later) (true start))
(<= (legal ann noop) (not (true start)))
(<= (next over) (does ann now))
(<= (next waiting) (does ann later))
(<= (next over) (true waiting))
(<= terminal (true over))
(<= (goal ann 100) (true over))
(<= (goal ann 0) (not (true over)))
"""
# Ten doors, four of them low. `stop` is worth 50. `go` leads to a guess, low or high: whoever sees 3 of the doors and
# goes with the majority gets 60 if it is high, which it should be, and 40 if it is low.
NEST = """
(role random) (role me)
(init (step 1))
(door 1) (door 2) (door 3) (door 4) (door 5) (door 6) (door 7) (door 8) (door 9) (door 10)
(<= (legal random (hide ?d)) (true (step 1)) (door ?d))
(<= (legal random noop) (not (true (step 1))))
(<= (legal me noop) (true (step 1)))
(<= (legal me go) (true (step 2)))
(<= (legal me stop) (true (step 2)))
(<= (legal me low) (true (step 3)))
(<= (legal me high) (true (step 3)))
(<= (next (at ?d)) (does random (hide ?d)))
(<= (next (at ?d)) (true (at ?d)))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)) (does me go))
(<= (next stopped) (does me stop))
(<= (next (chose ?m)) (does me ?m) (true (step 3)))
(<= terminal (true stopped))
(<= terminal (true (chose ?m)))
(lowdoor 1) (lowdoor 2) (lowdoor 3) (lowdoor 4)
(<= win (true (chose low)) (true (at ?d)) (lowdoor ?d))
(<= win (true (chose high)) (true (at ?d)) (not (lowdoor ?d)))
(<= (goal me 100) win)
(<= (goal me 50) (true stopped))
(<= (goal me 0) (not win) (not (true stopped)))
(goal random 0)
"""
GUESS = """
(role random) (role chooser) (role guesser)
(init (round deal))
(<= (legal random (hide ?c)) (true (round deal)) (colour ?c))
(<= (legal random noop) (not (true (round deal))))
(colour red) (colour blue)
(<= (legal chooser noop) (not (true (round choose))))
(<= (legal chooser (offer ?k)) (true (round choose)) (kind ?k))
(kind sure) (kind gamble)
(<= (legal guesser noop) (not (true (round guess))))
(<= (legal guesser (guess ?c)) (true (round guess)) (colour ?c))
(<= (next (round choose)) (true (round deal)))
(<= (next (round guess)) (true (round choose)))
(<= (next (round over)) (true (round guess)))
(<= (next (hidden ?c)) (does random (hide ?c)))
(<= (next (hidden ?c)) (true (hidden ?c)))
(<= (next (offered ?k)) (does chooser (offer ?k)))
(<= (next (offered ?k)) (true (offered ?k)))
(<= (next (guessed ?c)) (does guesser (guess ?c)))
(<= terminal (true (round over)))
(<= right (true (hidden ?c)) (true (guessed ?c)))
(<= (goal chooser 40) (true (offered sure)))
(<= (goal chooser 0) (true (offered gamble)) right)
(<= (goal chooser 100) (true (offered gamble)) (not right))
(<= (goal guesser 60) (true (offered sure)))
(<= (goal guesser 100) (true (offered gamble)) right)
(<= (goal guesser 0) (true (offered gamble)) (not right))
(<= (goal random 0) terminal)
"""  # nobody sees the colour: a gamble is worth 50 against a guesser who does not know it, and 0 against one who does
QUIET = ("noop", NOTHING)
BOMB = (QUIET,)  # the agent of exploding_bomb, about to ask or to wait
ASKED = (QUIET, ("ask", frozenset({"red"})))
WAITED = (QUIET, ("wait", NOTHING))
MONTY = monty(3)  # the contestant, about to stay or to switch
TELLER = (("noop", frozenset({"red"})),)  # of extended_cutting_wire, about to tell or to wait for the first time


def bag_after(spec: str, role: str, record: tuple = ()) -> Bag:
    """All worlds of the role after this record."""
    of = game(spec)
    belief = ExactBelief(of.machine, of.roles.index(role))
    tell(belief, of, role, record)
    return belief.worlds(None, np.random.default_rng(0))


def in_words(of: Game, role: str, values: Answer | MoveValues) -> dict[str, float]:
    """move -> value."""
    moves = of.program.moves[of.roles.index(role)]
    return {of.rules.show(moves[at]): float(value) for at, value in zip(values.moves, values.values, strict=True)}


def heard(players: NestedPlayers, of: Game, role: str, record: tuple) -> int:
    """The key of this record, after the players have heard of every round of it."""
    key = start_keys(1)
    for told in encode(of, Record(role, record)):
        own, seen = np.array([told.own_move]), told.percepts[None, :]
        grown = extend_keys(key, own, percept_keys(seen))
        players.observe(of.roles.index(role), key, own, seen, grown)
        key = grown
    return int(key[0])
