"""Lists in parentheses, taken apart one level at a time: `(PLAY m1 (( mark 1 1 ) noop ) )`.

The inside of an item is only counted, not parsed: the rules of a game are one item, and their reader looks for
mistakes. Any sender can send anything, so nesting is limited and nothing here is recursive.
"""

from __future__ import annotations

import re

MAX_NESTING = 200  # open parentheses at the same time; rules may not have more either
MAX_SHOWN = 60  # characters of a message that an error repeats
TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


class MessageError(ValueError):
    """A message that cannot be understood; the text says why, and repeats at most a part of it."""


def split_list(text: str) -> list[str]:
    """Return the items of one list as they are written; an item is a word or a list. Raises `MessageError`."""
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


def first_term(text: str) -> str:
    """Return the first word or list of a text; the whole text if it begins with no complete one."""
    depth, begin = 0, 0
    for match in TOKEN.finditer(text):
        token = match.group()
        if token.startswith(";"):
            continue
        if depth == 0:
            begin = match.start()
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth <= 0:
            return text[begin : match.end()] if depth == 0 else text
    return text


def cut(text: str) -> str:
    """Return the beginning of a received text, for an error message."""
    shown = " ".join(text[: 4 * MAX_SHOWN].split())
    return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]} ..."
