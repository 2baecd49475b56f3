"""The infix notation: `legal(P, noop) :- role(P), not true(control(P)).`

A rule is `head`, or `head :- body` (`<=` and `<-` too). A body joins literals with `,` or `&`, alternatives with `|` or
`;`, negates with `not` or `~`, and ends with a full stop. In a text without any full stop, a rule ends where the next
begins. Variables are `?x`, `Capital`, `_name`, and `_`, which is a new variable each time.
Comments: `%` and `//` to the end of the line, `/* ... */`, and lines that start with `;` or `#`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from veil.errors import VeilError, fail, phrase
from veil.lang.source import Source
from veil.lang.tree import Group, Node, Parsed, Word

SIGNS = re.compile(r"\b(?:role|init|legal|next|sees|goal|true|does)\(|:-", re.IGNORECASE)
TOKEN = re.compile(
    r"(?P<skip>(?:\A|\n)[ \t]*[;#][^\n]*|\s|%[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<word>\??[\w+\-'\"$@#*^]+)"
    r"|(?P<sign>:-|<=|<-|!=|[(),&|;~.])"
    r"|(?P<other>.)",
    re.DOTALL,
)
IMPLIES = (":-", "<=", "<-")
MAX_DEPTH = 80  # of parentheses; every level takes several calls
END = ""  # the token after the last one

T = TypeVar("T")


class Token(NamedTuple):
    """A name or a sign, and its place."""

    text: str
    offset: int
    is_word: bool


def detect(bare: str) -> float:
    """Return how much a text without comments looks like infix text: the number of its signs."""
    return len(SIGNS.findall(bare))


def parse(source: Source) -> Parsed:
    """Return the statements of a text, as the prefix notation would give them. Refuse a mistake with its place."""
    parser = _Parser(source)
    return Parsed(parser.statements(), parser.spelling)


class _Parser:
    """Recursive descent parser; one method per construct of the grammar above."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.spelling: dict[str, str] = {}
        self.tokens = _tokens(source)
        self.next = 0
        self.depth = 0
        self.anonymous = 0
        self.full_stops = any(token.text == "." for token in self.tokens)

    def statements(self) -> list[Node]:
        """Read all statements to the end of the text."""
        statements = []
        while self.peek().text != END:
            statements.append(self.statement())
        return statements

    def statement(self) -> Node:
        """Read a fact or a rule."""
        head = self.term()
        token = self.peek()
        node: Node = head
        if token.text in IMPLIES:
            self.take()
            body = () if self.peek().text == "." else self.conjuncts()
            node = Group((Word("<=", token.offset), head, *body), head.offset)
        if self.full_stops:
            self.expect(".", "the-end-of-a-rule")
        return node

    def conjuncts(self) -> tuple[Node, ...]:
        """Read one or more alternatives; return the conjuncts of a single one, or one `or` of several."""
        alternatives = [self.conjunction()]
        while self.peek().text in ("|", ";"):
            self.take()
            alternatives.append(self.conjunction())
        if len(alternatives) == 1:
            return alternatives[0]
        return (_group("or", [_group("and", list(part)) for part in alternatives]),)

    def conjunction(self) -> tuple[Node, ...]:
        """Read literals joined by `,` or `&`."""
        literals = [self.literal()]
        while self.peek().text in (",", "&"):
            self.take()
            literals.append(self.literal())
        return tuple(literals)

    def literal(self) -> Node:
        """Read an atom, a negation, a conjunction in parentheses, or an inequality."""
        token = self.peek()
        if token.text == "~" or (token.text.lower() == "not" and (self.peek(1).is_word or self.peek(1).text == "(")):
            self.take()
            inner = self.literal() if self.peek().text == "(" else self.nested(self.literal)  # `(` counts itself
            return Group((Word("not", token.offset), inner), token.offset)
        if token.text == "(":
            self.take()
            parts = self.nested(self.conjuncts)
            self.expect(")", "a-parenthesis")
            return _group("and", list(parts))
        left = self.term()
        if self.peek().text == "!=":
            offset = self.take().offset
            return Group((Word("distinct", offset), left, self.term()), left.offset)
        return left

    def term(self) -> Node:
        """Read a name, a variable, or a name with arguments."""
        token = self.peek()
        if not token.is_word:
            raise self.unexpected("a-term")
        self.take()
        word = Word(self.name(token.text), token.offset)
        if self.peek().text != "(":
            return word
        if word.text.startswith("?"):
            raise fail("variable-functor", self.source.place(token.offset), name=token.text)
        self.take()
        if self.peek().text == ")":
            self.take()
            return word
        # `not (a & b)`, `and(...)`, `or(...)` hold literals; elsewhere arguments are terms, which literals include.
        arguments = list(self.nested(self.arguments))
        self.expect(")", "a-comma-or-parenthesis")
        return Group((word, *arguments), token.offset)

    def arguments(self) -> list[Node]:
        """Read terms between commas; inside `not(...)`, `and(...)`, `or(...)` they may be joined by `&` and `|`."""
        arguments = [self.argument()]
        while self.peek().text == ",":
            self.take()
            arguments.append(self.argument())
        return arguments

    def argument(self) -> Node:
        """Read a term, or literals joined by `&` and `|`."""
        alternatives = [self.join("&", "and", self.literal)]
        while self.peek().text == "|":
            self.take()
            alternatives.append(self.join("&", "and", self.literal))
        return _group("or", alternatives)

    def join(self, sign: str, word: str, read: Callable[[], Node]) -> Node:
        """Call `read` once, or several times with `sign` between; return one result, or a group under `word`."""
        parts = [read()]
        while self.peek().text == sign:
            self.take()
            parts.append(read())
        return _group(word, parts)

    def nested(self, read: Callable[[], T]) -> T:
        """Read one level deeper; refuse a depth that would exhaust the stack."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise fail("too-deep", self.source.place(self.peek().offset), depth=MAX_DEPTH)
        result = read()
        self.depth -= 1
        return result

    def name(self, text: str) -> str:
        """Return the tree's word for a token: lower case, variables with a question mark."""
        lower = text.lower()
        if text == "_":
            self.anonymous += 1
            return f"?_.{self.anonymous}"  # a name that no text can have
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
        """Take the next token, which must be this one; `wanted` is the phrase that names it."""
        if self.peek().text != text:
            raise self.unexpected(wanted)
        self.take()

    def unexpected(self, wanted: str) -> VeilError:
        """Return the error for the next token; `wanted` is the name of a phrase."""
        token = self.peek()
        there = phrase("a-token", text=token.text) if token.text else phrase("end-of-text")
        return fail("unexpected-token", self.source.place(token.offset), wanted=phrase(wanted), found=there)


def _group(word: str, parts: list[Node]) -> Node:
    """Return one part as it is, several under a connective."""
    return parts[0] if len(parts) == 1 else Group((Word(word, parts[0].offset), *parts), parts[0].offset)


def _tokens(source: Source) -> list[Token]:
    """Return the names and signs of a text, without comments and white space."""
    tokens = []
    for match in TOKEN.finditer(source.text):
        if match.lastgroup == "other":
            raise fail("strange-character", source.place(match.start()), char=match.group())
        if match.lastgroup != "skip":
            tokens.append(Token(match.group(), match.start(), match.lastgroup == "word"))
    return tokens
