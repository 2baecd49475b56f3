"""The prefix notation (KIF): `(<= (legal ?p noop) (role ?p))`.

1. Cut the text into parentheses and words; a comment runs from `;` to the end of its line.
2. Fold the tokens into nested groups with an explicit stack.
"""

from __future__ import annotations

import re
from math import inf

from veil.errors import VeilError, fail
from veil.lang.source import Source
from veil.lang.tree import MAX_DEPTH, Group, Node, Parsed, Word

SIGNS = re.compile(r"\(\s*(?:<=|role|init|legal|next|sees|goal|true|does|terminal|define)[\s)]", re.IGNORECASE)
TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")


def detect(bare: str) -> float:
    """Return how much a text without comments looks like prefix text: the number of signs, infinity if `(` is first.

    A text that starts with `)`, or is empty, counts as prefix text if no signs decide.
    """
    first = bare.lstrip()[:1]
    if first == "(":
        return inf
    return len(SIGNS.findall(bare)) + (0.5 if first in (")", "") else 0.0)


def parse(source: Source) -> Parsed:
    """Return the statements of a text, in order. Refuse a mistake with its place."""
    statements, spelling = read_nodes(source, check=True)
    return Parsed(statements, spelling)


def read_nodes(source: Source, check: bool = False) -> tuple[list[Node], dict[str, str]]:
    """Return the nested groups of a text, and the spelling of its words.

    With `check`, groups that are no terms are refused: empty ones, and those that do not start with a name.
    """
    statements: list[Node] = []
    spelling: dict[str, str] = {}
    open_items: list[list[Node]] = []  # one list per open parenthesis
    open_offsets: list[int] = []
    first_offset: dict[str, int] = {}
    for match in TOKEN.finditer(source.text):
        token, offset = match.group(), match.start()
        if token == "(":
            if len(open_offsets) == MAX_DEPTH:
                raise fail("too-deep", source.place(offset), depth=MAX_DEPTH)
            open_items.append([])
            open_offsets.append(offset)
        elif token == ")":
            if not open_offsets:
                raise fail("closing-parenthesis", source.place(offset))
            node = Group(tuple(open_items.pop()), open_offsets.pop())
            if check:
                _check_group(source, node)
            word = node.items[0] if len(node.items) == 1 else None
            if isinstance(word, Word) and word.offset == first_offset[word.text]:
                # A constant that is first written as a term without arguments, `(over)`, is printed in this form.
                spelling[word.text] = f"({spelling[word.text]})"
            (open_items[-1] if open_items else statements).append(node)
        elif not token.startswith(";"):
            lower = token.lower()
            if lower not in spelling:
                spelling[lower], first_offset[lower] = token, offset
            (open_items[-1] if open_items else statements).append(Word(lower, offset))
    if open_offsets:
        raise _unclosed(source, open_offsets)
    return statements, spelling


def _check_group(source: Source, group: Group) -> None:
    if not group.items:
        raise fail("empty-parentheses", source.place(group.offset))
    if isinstance(group.items[0], Group):
        raise fail("no-functor", source.place(group.items[0].offset))


def _unclosed(source: Source, open_offsets: list[int]) -> VeilError:
    """Return an error that points at the statement that does not close.

    The parenthesis left open at the end is the outermost one, but the mistake is usually later: the last open one at
    the start of a line is where the next statement began although the one before had not ended.
    """
    line_starts = [offset for offset in open_offsets if offset == 0 or source.text[offset - 1] == "\n"]
    suspect = line_starts[-2] if len(line_starts) > 1 else open_offsets[0]
    return fail("unclosed-parenthesis", source.place(suspect), count=len(open_offsets))
