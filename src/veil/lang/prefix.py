"""The prefix notation (KIF): `(<= (legal ?p noop) (role ?p))`.

1. Cut the text into parentheses and words; a comment runs from `;` to the end of its line.
2. Fold the tokens into nested groups with an explicit stack.
"""

from __future__ import annotations

import re
from math import inf

from veil.errors import VeilError, fail
from veil.lang.source import Source
from veil.lang.tree import MAX_DEPTH, Group, Node, Parsed, Word, head_word

SIGNS = re.compile(r"\(\s*(?:<=|role|init|legal|next|sees|goal|true|does|terminal|define)[\s)]", re.IGNORECASE)
TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


def detect(bare: str) -> float:
    """How much a text without comments looks like prefix text: the number of signs, infinity where it starts with `(`.

    A text that starts with `)`, or is empty, is nothing else either: it is taken for prefix text where no signs decide.
    """
    first = bare.lstrip()[:1]
    if first == "(":
        return inf
    return len(SIGNS.findall(bare)) + (0.5 if first in (")", "") else 0.0)


def parse(source: Source) -> Parsed:
    """The statements of a text, in order. A slip in it is refused with its place."""
    statements: list[Node] = []
    spelling: dict[str, str] = {}
    open_items: list[list[Node]] = []  # one list per parenthesis that is still open
    open_at: list[int] = []
    first_at: dict[str, int] = {}
    for match in TOKEN.finditer(source.text):
        token, at = match.group(), match.start()
        if token == "(":
            if len(open_at) == MAX_DEPTH:
                raise fail("too-deep", source.place(at), depth=MAX_DEPTH)
            open_items.append([])
            open_at.append(at)
        elif token == ")":
            if not open_at:
                raise fail("closing-parenthesis", source.place(at))
            node = _group(source, open_items.pop(), open_at.pop())
            if len(node.items) == 1 and node.items[0].at == first_at[head_word(node)]:
                # A constant that is first written as a term without arguments, `(over)`, is printed as one.
                spelling[head_word(node)] = f"({spelling[head_word(node)]})"
            (open_items[-1] if open_items else statements).append(node)
        elif not token.startswith(";"):
            lower = token.lower()
            if lower not in spelling:
                spelling[lower], first_at[lower] = token, at
            (open_items[-1] if open_items else statements).append(Word(lower, at))
    if open_at:
        raise _unclosed(source, open_at)
    return Parsed(statements, spelling)


def _group(source: Source, items: list[Node], at: int) -> Group:
    if not items:
        raise fail("empty-parentheses", source.place(at))
    if isinstance(items[0], Group):
        raise fail("no-functor", source.place(items[0].at))
    return Group(tuple(items), at)


def _unclosed(source: Source, open_at: list[int]) -> VeilError:
    """Point at the statement that does not close.

    The parenthesis left open at the end is the outermost one, but the slip is usually later: the last open one at
    the start of a line is where the next statement began although the one before had not ended.
    """
    at_line_start = [at for at in open_at if at == 0 or source.text[at - 1] == "\n"]
    suspect = at_line_start[-2] if len(at_line_start) > 1 else open_at[0]
    return fail("unclosed-parenthesis", source.place(suspect), count=len(open_at))
