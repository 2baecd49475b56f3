"""Lists in parentheses, taken apart one level at a time: `(PLAY m1 (( mark 1 1 ) noop ) )`.

What stands inside an item is not looked at, only counted: the rules of a game are one item, and whoever reads them does
that with an eye for slips. Anybody can send anything, so nesting is limited and nothing here is recursive.
"""

from __future__ import annotations

import re

MAX_NESTING = 200  # parentheses that are open at the same time; rules may not have more either
MAX_SHOWN = 60  # characters of a message that a complaint about it repeats
TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


class MessageError(ValueError):
    """A message that cannot be understood; the text says why, and repeats a part of it at most."""


def split_list(text: str) -> list[str]:
    """The items of one list, each as it is written; an item is a word or a list. Raises `MessageError`."""
    items: list[str] = []
    depth, begin, closed = 0, 0, False
    for match in TOKEN.finditer(text):
        token = match.group()
        if token.startswith(";"):
            continue
        if closed:
            raise MessageError(f"something follows the closing parenthesis: {cut(text[match.start() :])}")
        if depth == 0 and token != "(":
            raise MessageError(f"a message is a list in parentheses, not {cut(text)}")
        if token == "(":
            depth += 1
            if depth > MAX_NESTING:
                raise MessageError(f"more than {MAX_NESTING} parentheses are open")
            begin = match.start() if depth == 2 else begin
        elif token == ")":
            depth -= 1
            closed = depth == 0
            if depth == 1:
                items.append(text[begin : match.end()])
        elif depth == 1:
            items.append(token)
    if not closed:
        raise MessageError("a parenthesis is never closed" if depth else "the message is empty")
    return items


def cut(text: str) -> str:
    """A piece of what somebody sent, for a complaint."""
    shown = " ".join(text[: 4 * MAX_SHOWN].split())
    return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]} ..."
