"""The syntax tree of all notations: words and groups, each with its position in the text.

Prefix `(<= (legal ?p noop) (role ?p))` is its own tree; the other parsers build the same one, so that everything after
parsing is written once. A variable is a word that starts with a question mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from veil.errors import Problem
from veil.vocabulary import Term, Var

UNKNOWN = "?"  # a constant: some texts write it for an unknown thing
MAX_DEPTH = 200  # deeper nesting is a broken file, and would exhaust the stack


class Word(NamedTuple):
    """A name, a number or a variable."""

    text: str  # lower case; "?x" is a variable
    offset: int  # offset of its first character


class Group(NamedTuple):
    """A parenthesis: a functor with its arguments, or a connective with its operands."""

    items: tuple[Node, ...]
    offset: int


Node = Word | Group


class Parsed(NamedTuple):
    """The result of parsing a text."""

    statements: list[Node]  # facts and rules, in the order of the text
    spelling: dict[str, str]  # lower-case word -> the way the text first writes it
    problems: tuple[Problem, ...] = ()  # warnings and notes; errors are raised
    scale: int = 1  # goal values are payoffs times this


def head_word(node: Node) -> str:
    """Return the first word: the functor of a group, the word itself for a word."""
    if isinstance(node, Word):
        return node.text
    first = node.items[0]
    return first.text if isinstance(first, Word) else ""


def to_term(node: Node) -> Term:
    """Return the term that a node spells; `(noop)` is `noop`."""
    if isinstance(node, Word):
        return Var(node.text[1:]) if node.text.startswith("?") and node.text != UNKNOWN else node.text
    if len(node.items) == 1:
        return to_term(node.items[0])
    return tuple(to_term(item) for item in node.items)


def words(node: Node) -> Iterator[Word]:
    """Yield every word below a node, in the order of the text."""
    if isinstance(node, Word):
        yield node
    else:
        for item in node.items:
            yield from words(item)


def find_variable(node: Node, variable: Var) -> int:
    """Return the offset of the first occurrence of a variable; that of the node if there is none."""
    return next((word.offset for word in words(node) if word.text == "?" + variable.name), node.offset)


def write_node(node: Node, spelling: dict[str, str]) -> str:
    """Return a node in prefix notation, in the spelling of its text."""
    if isinstance(node, Word):
        return spelling.get(node.text, node.text).strip("()")  # a constant may be spelled `(over)`
    return f"({' '.join(write_node(item, spelling) for item in node.items)})"
