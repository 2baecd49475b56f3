"""Reader of infix text: `legal(P, noop) :- role(P), not true(control(P)).`

A rule is `head`, or `head :- body` (`<=` and `<-` too); a body joins literals with `,` or `&`, alternatives with `|` or
`;`, negates with `not` or `~`, and ends with a full stop. In a text without a single full stop a rule ends where the
next begins. Variables are `?x`, `Capital`, `_name`, and `_`, which is new each time.
Comments: `%` and `//` to the end of the line, `/* ... */`, and lines that start with `;` or `#`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from veil.errors import VeilError, fail
from veil.lang.source import Source
from veil.lang.tree import MAX_DEPTH, Group, Node, Word

TOKEN = re.compile(
    r"(?P<skip>\s+|%[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z)|(?m:^[ \t]*[;#][^\n]*))"
    r"|(?P<word>\??[\w+\-'\"$@#*!^]+)"
    r"|(?P<sign>:-|<=|<-|!=|[(),&|;~.])"
    r"|(?P<other>.)",
    re.DOTALL,
)
IMPLIES = (":-", "<=", "<-")
END = ""  # the token after the last one

T = TypeVar("T")


class Token(NamedTuple):
    """A name or a sign, and where it stands."""

    text: str
    at: int
    is_word: bool


def read_infix(source: Source, spelling: dict[str, str]) -> list[Node]:
    """The statements of the text, as the prefix reader would give them."""
    return _Reader(source, spelling).statements()


class _Reader:
    """Recursive descent over the tokens; one method per construct of the grammar above."""

    def __init__(self, source: Source, spelling: dict[str, str]) -> None:
        self.source, self.spelling = source, spelling
        self.tokens = _tokens(source)
        self.next = 0
        self.depth = 0
        self.anonymous = 0
        self.full_stops = any(token.text == "." for token in self.tokens)

    def statements(self) -> list[Node]:
        found = []
        while self.peek().text != END:
            found.append(self.statement())
        return found

    def statement(self) -> Node:
        head = self.term()
        token = self.peek()
        node: Node = head
        if token.text in IMPLIES:
            self.take()
            body = () if self.peek().text == "." else self.conjuncts()
            node = Group((Word("<=", token.at), head, *body), head.at)
        if self.full_stops:
            self.expect(".", "a comma, `&` or the full stop that ends the rule")
        return node

    def conjuncts(self) -> tuple[Node, ...]:
        """One or more alternatives; a single one is returned as its conjuncts, several as one `or`."""
        alternatives = [self.conjunction()]
        while self.peek().text in ("|", ";"):
            self.take()
            alternatives.append(self.conjunction())
        if len(alternatives) == 1:
            return alternatives[0]
        at = alternatives[0][0].at
        joined = (
            Group((Word("and", part[0].at), *part), part[0].at) if len(part) > 1 else part[0] for part in alternatives
        )
        return (Group((Word("or", at), *joined), at),)

    def conjunction(self) -> tuple[Node, ...]:
        literals = [self.literal()]
        while self.peek().text in (",", "&"):
            self.take()
            literals.append(self.literal())
        return tuple(literals)

    def literal(self) -> Node:
        token = self.peek()
        if token.text == "~" or (token.text.lower() == "not" and self.peek(1).is_word):
            self.take()
            return Group((Word("not", token.at), self.nested(self.literal)), token.at)
        if token.text == "(":
            self.take()
            inner = self.nested(self.conjuncts)
            self.expect(")", "`)`")
            return inner[0] if len(inner) == 1 else Group((Word("and", token.at), *inner), token.at)
        left = self.term()
        if self.peek().text == "!=":
            at = self.take().at
            return Group((Word("distinct", at), left, self.term()), left.at)
        return left

    def term(self) -> Node:
        token = self.peek()
        if not token.is_word:
            raise self.unexpected("a name or a variable")
        self.take()
        word = Word(self.name(token.text), token.at)
        if self.peek().text != "(":
            return word
        if word.text.startswith("?"):
            raise fail("variable-functor", self.source.place(token.at), name=token.text)
        self.take()
        if self.peek().text == ")":
            self.take()
            return word
        # `not (a & b)`, `and(...)`, `or(...)` hold literals; elsewhere arguments are terms, which literals include.
        arguments = list(self.nested(self.arguments))
        self.expect(")", "`,` or `)`")
        return Group((word, *arguments), token.at)

    def arguments(self) -> list[Node]:
        found = []
        while True:
            inner = self.literal()
            while self.peek().text in ("&", "|"):
                sign = self.take()
                inner = Group((Word("and" if sign.text == "&" else "or", sign.at), inner, self.literal()), sign.at)
            found.append(inner)
            if self.peek().text != ",":
                return found
            self.take()

    def nested(self, read: Callable[[], T]) -> T:
        """Read one level deeper; refuse what would exhaust the stack."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise fail("too-deep", self.source.place(self.peek().at), depth=MAX_DEPTH)
        result = read()
        self.depth -= 1
        return result

    def name(self, text: str) -> str:
        """The tree's word for a token: lower case, variables with a question mark."""
        lower = text.lower()
        if text == "_":
            self.anonymous += 1
            return f"?_{self.anonymous}"
        if text[0] == "_" or text[0].isupper():
            return "?" + lower
        self.spelling.setdefault(lower, text)
        return lower

    def peek(self, ahead: int = 0) -> Token:
        index = self.next + ahead
        return self.tokens[index] if index < len(self.tokens) else Token(END, len(self.source.text), False)

    def take(self) -> Token:
        self.next += 1
        return self.tokens[self.next - 1]

    def expect(self, text: str, wanted: str) -> None:
        if self.peek().text != text:
            raise self.unexpected(wanted)
        self.take()

    def unexpected(self, wanted: str) -> VeilError:
        token = self.peek()
        found = f"`{token.text}`" if token.text else "the end of the text"
        return fail("unexpected-token", self.source.place(token.at), wanted=wanted, found=found)


def _tokens(source: Source) -> list[Token]:
    found = []
    for match in TOKEN.finditer(source.text):
        if match.lastgroup == "other":
            raise fail("strange-character", source.place(match.start()), char=match.group())
        if match.lastgroup != "skip":
            found.append(Token(match.group(), match.start(), match.lastgroup == "word"))
    return found
