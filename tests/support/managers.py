"""A game manager by script: it knows the true state, asks one seat over a socket, and collects what is not legal."""

from __future__ import annotations

import numpy as np

from tests.support.wire import say
from veil.engine import read_game
from veil.errors import VeilError
from veil.lang import read_term
from veil.wire.client import Address

# A secret number that nobody is told anything about: GDL-II by its role `random`, without any `sees`.
GUESS = """
(role random) (role ann) (number 1) (number 2) (number 3) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal random (hide ?n)) (true (round 1)) (number ?n)) (<= (legal random wait) (not (true (round 1))))
(<= (legal ann wait) (true (round 1))) (<= (legal ann (guess ?n)) (not (true (round 1))) (number ?n))
(<= (next (hidden ?n)) (does random (hide ?n))) (<= (next (hidden ?n)) (true (hidden ?n)))
(<= (next hit) (does ann (guess ?n)) (true (hidden ?n))) (<= (next (round ?s)) (true (round ?r)) (succ ?r ?s))
(<= terminal (true (round 4))) (<= (goal ann 100) (true hit)) (<= (goal ann 0) (not (true hit))) (goal random 0)
"""
# Two roles take one of four stones each in turn; who takes the last one wins. No rule says what they see: GDL-I.
STONES = """
(role ann) (role bob) (stone 1) (stone 2) (stone 3) (stone 4) (init (control ann)) (<= (init (here ?s)) (stone ?s))
(<= (legal ?r (take ?s)) (true (control ?r)) (true (here ?s)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control bob)) (true (control ann))) (<= (next (control ann)) (true (control bob)))
(<= (next (here ?s)) (true (here ?s)) (not (taken ?s))) (<= (taken ?s) (does ?r (take ?s)))
(<= some (true (here ?s))) (<= terminal (not some))
(<= (goal ?r 100) (role ?r) (not (true (control ?r)))) (<= (goal ?r 0) (true (control ?r)))
"""


class ScriptedManager:
    """A manager of one match, which plays all roles but one at random. As those of Dresden, it never looks at the
    answer to START, and plays the first legal move in place of one that is not.
    """

    def __init__(self, address: Address, rules: str, role: str, dialect: str, match: str = "m1") -> None:
        self.address, self.rules, self.role, self.dialect, self.match = address, rules, role, dialect, match
        self.state = read_game(rules.lower()).initial_state()
        self.rounds, self.own_move = 0, "NIL"
        self.told = "NIL"  # about the last round
        self.illegal: list[str] = []  # answers
        self._rng = np.random.default_rng(1)

    def start(self, start_clock: float = 60, play_clock: float = 20) -> str:
        """Send START; return the answer."""
        return self._say(f"(START {self.match} {self.role} ({self.rules}) {start_clock} {play_clock})")

    def play(self, most: int = 100, times: int = 1) -> list[str]:
        """Play rounds until the match is over, asking so many times in each; return all answers that are not legal."""
        for _ in range(most):
            if self.state.is_terminal:
                break
            *_, answer = (self._tell("PLAY") for _ in range(times))
            self._advance(answer)
        return self.illegal

    def stop(self) -> str:
        """Send STOP; return the answer."""
        return self._tell("STOP")

    def _advance(self, answer: str) -> None:
        state, role = self.state, self.role.lower()
        try:
            move = state.game.rules.show(read_term(answer))
        except VeilError:
            move = ""
        if move not in state.legal(role):
            self.illegal.append(answer)
            move = state.legal(role)[0]
        joint = state.random_joint_move(self._rng) | {role: move}
        self.state, percepts = state.play(joint)
        told = list(joint.values()) if self.dialect == "A" else percepts[role]
        self.rounds, self.own_move, self.told = self.rounds + 1, move, f"({' '.join(told)})"

    def _tell(self, verb: str) -> str:
        """Tell what the last round was; return the answer."""
        turn = f" {self.rounds} {self.own_move}" if self.dialect == "C" else ""
        return self._say(f"({verb} {self.match}{turn} {self.told})")

    def _say(self, message: str) -> str:
        """Send a message, in capitals if the rules are; return the answer."""
        return say(self.address, message if any(char.islower() for char in self.rules) else message.upper())
