"""The three dialects as a game manager writes them, byte for byte as known managers do.

| dialect | as written by | told after a round |
|---|---|---|
| A | ggp-base, for GDL-I: blanks inside all parentheses, words as the rules spell them | the joint move |
| B | a game controller of 2011, for GDL-II: everything but the name of the match in capitals | the percepts |
| C | a game controller of 2013, for GDL-II as published: the same | the turn, the own move, the percepts |

A list that is not empty ends with a blank: `(2 )`. Replies are read until the connection is closed, so each message has
its own connection.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

WORD = re.compile(r"[^\s()]+")


class Told(NamedTuple):
    """What a role is told after a round, as words of the rules."""

    turn: int  # number of rounds that are over
    own_move: str
    percepts: Sequence[str]
    joint_move: Sequence[str] = ()  # in the order of the roles; only dialect A tells it


class Dialect(NamedTuple):
    """The way in which messages are written."""

    name: str
    head: str  # of a request; receiver and length are filled in
    is_padded: bool  # ( mark 1 1 ) instead of (mark 1 1)
    is_loud: bool  # in capitals

    def start(self, match: str, role: str, rules: Sequence[str], start_clock: int, play_clock: int) -> str:
        """Return the message before the first round; `rules` is a text per statement."""
        opening = "( START" if self.is_padded else "(START"
        written = self._list([self._term(rule) for rule in rules])
        return f"{opening} {match} {self._term(role)} {written} {start_clock} {play_clock})"

    def round(self, verb: Literal["PLAY", "STOP"], match: str, told: Told | None) -> str:
        """Return the message after a round, or before the first (None): PLAY asks for a move, STOP ends the match."""
        if self.name == "C":
            if told is None:
                return f"({verb} {match} 0 NIL NIL)"
            percepts = self._list([self._term(percept) for percept in told.percepts])
            return f"({verb} {match} {told.turn} {self._term(told.own_move)} {percepts})"
        items = None if told is None else told.joint_move if self.name == "A" else told.percepts
        written = "NIL" if items is None else self._list([self._term(item) for item in items])
        return f"( {verb} {match} {written} )" if self.is_padded else f"({verb} {match} {written})"

    def abort(self, match: str) -> str:
        """Return the message that ends a match at once."""
        return f"( ABORT {match} )" if self.is_padded else f"(ABORT {match})"

    def request(self, message: str, receiver: str) -> bytes:
        """Return the message as an HTTP request; `receiver` names the player."""
        body = message.encode()
        return self.head.format(receiver=receiver, length=len(body)).encode() + body

    def _term(self, text: str) -> str:
        """Return a term, or a whole rule, as the dialect writes it."""
        text = shout(text) if self.is_loud else text
        return text.replace("(", "( ").replace(")", " )") if self.is_padded else text

    def _list(self, items: Sequence[str]) -> str:
        return f"({' '.join(items)} )" if items else "()"


def shout(text: str) -> str:
    """Return the words in capitals; words with letters beyond ASCII stay, since capitals may not lead back to them."""
    return WORD.sub(lambda found: found.group().upper() if found.group().isascii() else found.group(), text)


_GGP_BASE = (
    "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\nReceiver: {receiver}\r\n"
    "Content-Type: text/acl\r\nContent-Length: {length}\r\n\r\n"
)
_GAME_CONTROLLER = (
    "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: {receiver}\r\n"
    "Content-type: text/acl\r\nContent-length: {length}\r\n\r\n"
)
DIALECTS: dict[str, Dialect] = {
    "A": Dialect("A", _GGP_BASE, is_padded=True, is_loud=False),
    "B": Dialect("B", _GAME_CONTROLLER, is_padded=False, is_loud=True),
    "C": Dialect("C", _GAME_CONTROLLER, is_padded=False, is_loud=True),
}
